import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { UNPRINTED } from '../../../ui/print.ts'
import { useFinding } from '../find/find-owner.tsx'
import { PageMarks } from '../find/page-marks.tsx'
import { useViewedFile } from '../viewed-file.tsx'
import { PageImage } from './page-image.tsx'
import { useSwipe } from './use-swipe.ts'
import { useSight } from '../viewer-sight.tsx'

interface PageCanvasProps {
  title: string
  /** Keeps these pages off the paper, because the print dialog prints its own. */
  unprinted: boolean
}

/** The pages below one another. Only pages in view are in the DOM, each in its own place from the start. */
export function PageCanvas({ title, unprinted }: PageCanvasProps) {
  const { window, pages, turn, renew } = useSight()
  const { layout, sight, view, setScroller, goTo } = window
  const swipe = useSwipe(layout.width <= view.width ? (step) => goTo(sight.page + step) : undefined)
  const indexes = Array.from({ length: Math.max(0, sight.last - sight.first + 1) }, (_, at) => sight.first + at)
  return (
    <Scroller
      ref={setScroller}
      role="region"
      aria-label={t`Pages of ${title}`}
      tabIndex={0}
      className={unprinted ? UNPRINTED : ''}
      {...swipe}
    >
      <div style={{ position: 'relative', width: layout.width, height: layout.height }}>
        {indexes.map((index) => {
          const box = layout.boxes[index]
          const number = index + 1
          return (
            box && (
              <PageImage
                key={number}
                number={number}
                url={pages.get(number)?.expiring_url}
                turn={turn}
                box={box}
                renew={renew}
                unprinted={unprinted}
              />
            )
          )
        })}
        <Marks />
      </div>
      {!unprinted && layout.boxes.length > indexes.length && (
        <Partial>{t`Not all pages: Print in the viewer prints them all.`}</Partial>
      )}
    </Scroller>
  )
}

/** The hits on the pages in view. */
function Marks() {
  const { window, turn } = useSight()
  const { document } = useViewedFile()
  const { found, current } = useFinding()
  const { first, last } = window.sight
  return found.pages.map(({ page_number, hits }) => {
    const box = window.layout.boxes[page_number - 1]
    const [width, height] = [document?.widths[page_number - 1], document?.heights[page_number - 1]]
    if (page_number <= first || page_number > last + 1 || !box || !width || !height) return null
    const here = current?.page === page_number ? current.at : undefined
    return <PageMarks key={page_number} hits={hits} current={here} image={{ width, height }} box={box} turn={turn} />
  })
}

/** Shown only on paper, to users who print with the browser's menu. */
const Partial = styled('p')({ display: 'none', '@media print': { display: 'block' } })

const Scroller = styled('div')(({ theme }) => ({
  flex: 1,
  minWidth: 0,
  minHeight: 0,
  overflow: 'auto',
  // Reserves the space of the scroll bar, so that the fitted width does not depend on it.
  scrollbarGutter: 'stable',
  overscrollBehavior: 'contain',
  // Two fingers zoom the pages, not the browser's window.
  touchAction: 'pan-x pan-y',
  overflowAnchor: 'none',
  background: theme.vars.palette.background.default,
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
}))
