import { styled } from '@mui/material/styles'
import { onOurOrigin } from '../../../shared/on-our-origin.ts'
import type { FilePage } from '../pages/use-pages.ts'

interface PrintedPagesProps {
  pages: readonly FilePage[]
  onLoaded: (page: number) => void
  onFailed: () => void
}

/** One sheet of paper per page, invisible on the screen. */
export function PrintedPages({ pages, onLoaded, onFailed }: PrintedPagesProps) {
  return (
    <Sheets aria-hidden data-testid="sheets">
      {pages.map(({ page_number, expiring_url }) => (
        <div key={page_number}>
          <img src={onOurOrigin(expiring_url)} alt="" onLoad={() => onLoaded(page_number)} onError={onFailed} />
        </div>
      ))}
    </Sheets>
  )
}

const Sheets = styled('div')({
  '@media screen': { position: 'absolute', width: 1, height: 1, overflow: 'hidden', visibility: 'hidden' },
  '@media print': {
    div: { breakAfter: 'page', breakInside: 'avoid' },
    'div:last-child': { breakAfter: 'auto' },
    // Slightly smaller than the sheet, because rounding could start another sheet.
    img: { display: 'block', margin: '0 auto', maxWidth: '100%', maxHeight: '99vh' },
  },
})
