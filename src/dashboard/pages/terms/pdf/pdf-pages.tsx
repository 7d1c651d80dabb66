import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { type UseQueryOptions } from '@tanstack/react-query'
import { FileText, RotateCw, ScanText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { messageOf } from '../../../api/failures.ts'
import { useReading } from '../../../api/query.ts'
import { useLastingUrl } from '../../../shared/use-lasting-url.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { Bone } from '../../../ui/states/bone.tsx'
import { UNSEEN } from '../../../ui/visually-hidden.tsx'
import type { PagesQuery, TermsPages } from './terms-pages.ts'

type Page = TermsPages['pages'][number]

/** The pages of a PDF as the service draws them, with their text for readers who do not see them or want it larger. */
export function PdfPages({ query }: { query: PagesQuery }) {
  const [asText, setAsText] = useState(false)
  const isPrinted = usePrinted()
  const { data, error, refetch } = useReading<TermsPages>(query as UseQueryOptions<TermsPages>)
  if (error) return <FormError>{messageOf(error)}</FormError>
  if (!data) return <Coming aria-busy />
  const { pages, sha256 } = data
  return (
    <Pages>
      <Button
        startIcon={asText ? <FileText size={15} /> : <ScanText size={15} />}
        style={{ justifySelf: 'end' }}
        onClick={() => setAsText(!asText)}
      >
        {asText ? t`Show the pages` : t`Show the text`}
      </Button>
      {asText && (
        <Typography variant="caption" color="textSecondary" sx={{ px: { xs: 1, sm: 0 } }}>
          {t`This text was read from the pages. What is accepted is the PDF.`}
        </Typography>
      )}
      {pages.map((page) => (
        <PdfPage
          // Another PDF may have come in its place.
          key={`${sha256} ${page.page_number}`}
          page={page}
          total={data.total_pages}
          asText={asText}
          loading={isPrinted ? 'eager' : 'lazy'}
          renew={async () => void (await refetch({ throwOnError: true }))}
        />
      ))}
    </Pages>
  )
}

/** Whether the page is being printed or was: then images out of sight must be there as well. */
function usePrinted(): boolean {
  const [isPrinted, setIsPrinted] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setIsPrinted(true))
    window.addEventListener('beforeprint', begin)
    return () => window.removeEventListener('beforeprint', begin)
  }, [])
  return isPrinted
}

interface PageProps {
  page: Page
  total: number
  asText: boolean
  loading: 'eager' | 'lazy'
  renew: () => Promise<void>
}

function PdfPage({ page, total, asText, ...loading }: PageProps) {
  const { page_number: number, text } = page
  return (
    <figure>
      {!asText && <PageImage page={page} {...loading} />}
      <figcaption>{t`Page ${number} of ${total}`}</figcaption>
      <PageText dir="auto" className={asText ? '' : 'unseen'}>
        {text || t`No text could be read from this page.`}
      </PageText>
    </figure>
  )
}

/** Begins anew after the text was shown instead: its URL may have expired meanwhile. */
function PageImage({ page, loading, renew }: Pick<PageProps, 'page' | 'loading' | 'renew'>) {
  const { page_number: number, width, height, expiring_url } = page
  const { src, there, failed, onLoad, onError, retry } = useLastingUrl(expiring_url, renew)
  return (
    <Sheet style={{ aspectRatio: `${width} / ${height}` }}>
      {src && (
        <img
          src={src}
          alt=""
          width={width}
          height={height}
          loading={loading}
          style={{ opacity: there ? 1 : 0 }}
          onLoad={onLoad}
          onError={onError}
        />
      )}
      {failed && (
        <Failed>
          {t`Page ${number} could not be loaded.`}
          <Button variant="outlined" startIcon={<RotateCw size={16} />} onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        </Failed>
      )}
    </Sheet>
  )
}

const Pages = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 16,
  padding: '14px 32px 28px',
  [theme.breakpoints.down('sm')]: { padding: '8px 8px 16px' },
  figure: { display: 'grid', gap: 4, margin: 0, minWidth: 0, position: 'relative' },
  figcaption: { fontSize: '0.75rem', textAlign: 'center', color: theme.vars.palette.text.secondary },
}))

/** A page is white paper in both colour schemes. */
const Sheet = styled('div')(({ theme }) => ({
  position: 'relative',
  overflow: 'hidden',
  background: '#ffffff',
  borderRadius: 2,
  outline: `1px solid ${theme.vars.palette.divider}`,
  img: { display: 'block', width: '100%', height: '100%', transition: 'opacity 120ms' },
}))

const Failed = styled('div')({
  position: 'absolute',
  inset: 0,
  display: 'grid',
  placeContent: 'center',
  justifyItems: 'center',
  gap: 12,
  padding: 24,
  textAlign: 'center',
  color: '#4b5a5e',
  // On white paper only the light scheme's accent is readable.
  button: { color: '#0b5d66', borderColor: '#0b5d66' },
})

const PageText = styled('p')(({ theme }) => ({
  margin: 0,
  whiteSpace: 'pre-line',
  overflowWrap: 'anywhere',
  fontSize: '0.875rem',
  lineHeight: '23px',
  '&.unseen': UNSEEN,
  [theme.breakpoints.down('sm')]: { padding: '0 8px' },
}))

const Coming = styled(Bone)({ height: 480, margin: 32 })
