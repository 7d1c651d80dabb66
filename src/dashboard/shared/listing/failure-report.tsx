import { plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { messageOf } from '../../api/failures.ts'
import { failedWords, succeededWords, type Verb } from './bulk-words.ts'
import type { Outcome } from './run-each.ts'

/** Names shown per reason; the rest are counted. */
const NAMES = 8

interface FailureReportProps {
  outcome: Outcome<{ key: string; name: string }>
  total: number
  verb: Verb
  /** Sentences about lines that succeeded and have other names now. */
  renamed?: readonly string[] | undefined
  /** Takes back what succeeded; undefined if that is not possible. */
  onUndo?: (() => void) | undefined
  onClose: () => void
}

/** Lists the failures by reason, and says how many lines succeeded. */
export function FailureReport({ outcome, total, verb, renamed = [], onUndo, onClose }: FailureReportProps) {
  const titleId = useId()
  const { failed, left } = outcome
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{failedWords(verb, failed.length, total)}</DialogTitle>
      <DialogContent>
        <Typography>
          {[succeededWords(verb, outcome.done.length), ...renamed].join(' ')}
          {left.length > 0 && ` ${plural(left.length, { one: '# not begun.', other: '# not begun.' })}`}
        </Typography>
        {[...Map.groupBy(failed, ({ error }) => messageOf(error))].map(([reason, items]) => (
          <section key={reason}>
            <Typography sx={{ mt: 1.5, fontWeight: 600 }}>{reason}</Typography>
            <ul style={{ margin: '4px 0 0', paddingLeft: 20, overflowWrap: 'anywhere' }}>
              {items.slice(0, NAMES).map(({ item }) => (
                <li key={item.key}>{item.name}</li>
              ))}
              {items.length > NAMES && <li>{moreWords(items.length - NAMES)}</li>}
            </ul>
          </section>
        ))}
      </DialogContent>
      <DialogActions>
        {onUndo && (
          <Button onClick={onUndo}>
            <Trans>Undo</Trans>
          </Button>
        )}
        <Button variant="contained" autoFocus onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const moreWords = (more: number) => plural(more, { one: 'and # more', other: 'and # more' })
