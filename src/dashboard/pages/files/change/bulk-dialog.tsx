import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, type ReactNode } from 'react'
import { messageOf } from '../../../api/failures.ts'
import { refresh } from '../../../api/query.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { namesOf } from '../../../shared/names-of.ts'
import { doingWords, doneWords, stoppedWords, type Verb } from '../../../shared/listing/bulk-words.ts'
import { FailureReport } from '../../../shared/listing/failure-report.tsx'
import type { Entry } from '../../../shared/listing/entries.ts'
import type { Outcome } from '../../../shared/listing/run-each.ts'
import { useBulk, type BulkWork } from './use-bulk.ts'

export interface BulkDialogProps extends BulkWork {
  title: string
  submit: string
  verb: Verb
  /** Name of the folder that entries go to, once it is known. */
  to?: string | undefined
  entries: readonly Entry[]
  danger?: boolean
  disabled?: boolean
  wide?: boolean
  /** Starts without asking. Set once it is known that nothing needs to be asked. */
  unasked?: boolean
  onDone?: (done: readonly Entry[]) => void
  onBegin?: () => void
  /** Says what was done with all entries; otherwise the words of the verb. */
  inWords?: (done: readonly Entry[]) => string
  /** Sentences about entries that have other names now. */
  renamed?: (done: readonly Entry[]) => string[]
  /** Takes the change back for these entries. */
  undo?: ((done: readonly Entry[]) => void) | undefined
  /** Whether the work did something with it; always, if absent. */
  isDone?: (entry: Entry) => boolean
  isUndoable?: (done: readonly Entry[]) => boolean
  onClose: () => void
  children: ReactNode
}

/** Asks, changes every line, and reports the lines that failed. */
export function BulkDialog(props: BulkDialogProps) {
  const { entries, verb, to = '', unasked = false, undo, onClose, children } = props
  const toasts = useToasts()
  const { start, stop, running, outcome, finished } = useBulk(entries, props)
  const begun = useRef(false)
  const isDone = (entry: Entry) => props.isDone?.(entry) ?? true
  const undoOf = (done: readonly Entry[]) =>
    undo && done.some(isDone) && (props.isUndoable?.(done) ?? true) ? () => undo(done) : undefined
  const submit = async () => {
    begun.current = true
    props.onBegin?.()
    const { done, failed, left } = await start()
    props.onDone?.(done)
    // Refresh once, after removed lines have left the screen; otherwise they would be requested again.
    setTimeout(refresh)
    if (failed.length > 0) return
    const said = props.inWords?.(done) ?? doneWords(verb, namesOf(entries), to)
    const stopped = [stoppedWords(verb, done.filter(isDone).length, entries.length), ...(props.renamed?.(done) ?? [])]
    toasts.done(left.length > 0 ? stopped.join(' ') : said, undoOf(done))
    onClose()
  }
  useEffect(() => {
    if (unasked && !begun.current) void submit()
  })
  const refusal = refusalOf(outcome)
  if (outcome && !running && outcome.failed.length > 0 && entries.length > 1) {
    const { done } = outcome
    const takeBack = undoOf(done)
    return (
      <FailureReport
        outcome={{ ...outcome, done: done.filter(isDone) }}
        total={entries.length}
        verb={verb}
        renamed={props.renamed?.(done)}
        onUndo={
          takeBack &&
          (() => {
            takeBack()
            onClose()
          })
        }
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      open={!unasked || refusal !== undefined || (running && entries.length > 1)}
      title={props.title}
      submit={props.submit}
      danger={props.danger ?? false}
      disabled={props.disabled ?? false}
      maxWidth={props.wide ? 'sm' : 'xs'}
      pending={running}
      error={refusal}
      onSubmit={() => void submit()}
      onClose={running ? stop : onClose}
    >
      {children}
      {running && entries.length > 1 && <Progress verb={verb} finished={finished} total={entries.length} />}
    </FormDialog>
  )
}

const refusalOf = (outcome: Outcome<Entry> | undefined) => outcome?.failed[0] && messageOf(outcome.failed[0].error)

function Progress({ verb, finished, total }: { verb: Verb; finished: number; total: number }) {
  const text = doingWords(verb, Math.min(finished + 1, total), total)
  return (
    <div>
      <Typography variant="caption" role="status">
        {text}
      </Typography>
      <LinearProgress variant="determinate" value={(100 * finished) / total} aria-label={text} sx={{ mt: 0.5 }} />
    </div>
  )
}
