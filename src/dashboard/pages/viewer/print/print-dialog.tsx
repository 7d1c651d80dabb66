import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'
import { messageOf } from '../../../api/failures.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { number } from '../../../ui/words/format.ts'
import { PrintedPages } from './printed-pages.tsx'
import { usePrintedPages } from './use-printed-pages.ts'
import type { FileVersionKey } from '../pages/use-pages.ts'

/** Up to this many pages are fetched without a question. */
const UNASKED = 100
/** The browser would run out of memory if more pages were printed at once. */
const MOST = 500

export interface Range {
  from: number
  to: number
}

interface PrintDialogProps {
  title: string
  file: FileVersionKey
  pages: number
  page: number
  onClose: () => void
}

/** Fetches the pages before they are printed. For a long document, it first asks which pages. */
export function PrintDialog({ title, file, pages, page, onClose }: PrintDialogProps) {
  const [range, setRange] = useState<Range | undefined>(pages > UNASKED ? undefined : { from: 1, to: pages })
  if (range) return <Printing title={title} file={file} range={range} onClose={onClose} />
  return <WhichPages pages={pages} page={page} onChoose={setRange} onClose={onClose} />
}

interface WhichPagesProps extends Pick<PrintDialogProps, 'pages' | 'page' | 'onClose'> {
  onChoose: (range: Range) => void
}

function WhichPages({ pages, page, onChoose, onClose }: WhichPagesProps) {
  const begin = page > 1 ? page : 1
  const [typed, setTyped] = useState({ from: String(begin), to: String(Math.min(pages, begin + UNASKED - 1)) })
  const [from, to] = [Number(typed.from), Number(typed.to)]
  const isRange = [from, to].every((each) => Number.isInteger(each) && each >= 1 && each <= pages) && from <= to
  const isShort = to - from < MOST
  const total = number(pages)
  const field = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      value={typed[name]}
      error={!isRange}
      onChange={({ target }) => setTyped({ ...typed, [name]: target.value.trim() })}
      slotProps={{ htmlInput: { inputMode: 'numeric' } }}
    />
  )
  return (
    <FormDialog
      open
      title={t`Print`}
      submit={t`Print`}
      disabled={!isRange || !isShort}
      onSubmit={() => isRange && isShort && onChoose({ from, to })}
      onClose={onClose}
    >
      <Typography color="textSecondary">{isShort ? t`The document has ${total} pages.` : mostWords()}</Typography>
      <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 12 }}>
        {field('from', t`First page`)}
        {field('to', t`Last page`)}
      </div>
    </FormDialog>
  )
}

const mostWords = () =>
  plural(MOST, { one: 'At most # page is printed at once.', other: 'At most # pages are printed at once.' })

interface PrintingProps extends Pick<PrintDialogProps, 'title' | 'file' | 'onClose'> {
  range: Range
}

function Printing({ title, file, range, onClose }: PrintingProps) {
  const { pages, begun, loaded, error, retry, onLoaded, onFailed } = usePrintedPages(file, range)
  const total = range.to - range.from + 1
  const isDone = loaded === total
  const [closed, setClosed] = useState(false)
  useEffect(() => {
    if (!closed) return undefined
    window.addEventListener('afterprint', onClose, { once: true })
    window.print()
    return () => window.removeEventListener('afterprint', onClose)
  }, [closed, onClose])
  const [at, all] = [number(loaded), number(total)]
  return (
    <>
      <PrintedPages pages={pages.slice(0, begun)} onLoaded={onLoaded} onFailed={onFailed} />
      <Dialog
        open={!isDone}
        onClose={onClose}
        maxWidth="xs"
        transitionDuration={0}
        // Prints only after the dialog has gone, so that it does not appear on paper.
        slotProps={{ transition: { onExited: () => setClosed(true) } }}
      >
        <DialogTitle noWrap>{t`Print “${title}”`}</DialogTitle>
        <DialogContent sx={{ width: 360, maxWidth: '100%' }}>
          <Typography role={error ? 'alert' : 'status'} color={error ? 'error' : 'textSecondary'} sx={{ mb: 1.5 }}>
            {error ? messageOf(error) : t`Fetching the pages: ${at} of ${all}`}
          </Typography>
          <LinearProgress variant="determinate" value={(100 * loaded) / total} aria-label={t`Pages fetched`} />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          {error !== undefined && (
            <Button variant="contained" onClick={retry}>
              <Trans>Try again</Trans>
            </Button>
          )}
        </DialogActions>
      </Dialog>
    </>
  )
}
