import { t } from '@lingui/core/macro'
import Dialog from '@mui/material/Dialog'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction, useRead, useReading } from '../../../api/query.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { Choice } from '../../../ui/fields/choice.tsx'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { Opening } from '../../../ui/states/opening.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { settingsQuery, type Thread, threadQuery } from '../questions.ts'
import { type Reach, Receivers } from '../thread/receivers.tsx'

interface FaqDialogProps {
  /** Undefined for a new entry. */
  id?: string | undefined
  onClose: () => void
}

export function FaqDialog({ id, onClose }: FaqDialogProps) {
  return id === undefined ? <EntryForm onClose={onClose} /> : <Edit id={id} onClose={onClose} />
}

function Edit({ id, onClose }: { id: string; onClose: () => void }) {
  const query = { ...threadQuery(useWorkspaceId(), id), refetchOnMount: 'always' } as const
  const { data, error, refetch, isFetchedAfterMount } = useReading(query)
  if (data && isFetchedAfterMount) return <EntryForm thread={data} onClose={onClose} />
  if (!error) return <Opening onClose={onClose} />
  return (
    <Dialog open onClose={onClose}>
      <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />
    </Dialog>
  )
}

interface EntryFormProps {
  thread?: Thread
  onClose: () => void
}

/** Writes one of the FAQ, or edits it as it was when the dialog was opened. */
function EntryForm({ thread: now, onClose }: EntryFormProps) {
  const { categories } = useRead(settingsQuery(useWorkspaceId()))
  const [thread] = useState(now)
  const [stored] = useState(() => valuesOf(thread))
  const [values, setValues] = useState(stored)
  const [reach, setReach] = useState<Reach>(() => reachOf(thread))
  const save = useSave(thread, onClose)
  const set = (name: keyof typeof values) => (value: string) => setValues((before) => ({ ...before, [name]: value }))
  const { subject, text, answer, category } = values
  const asker = thread?.group ?? null
  const isChanged = JSON.stringify([values, reach]) !== JSON.stringify([stored, reachOf(thread)])
  const isReady = subject.trim() !== '' && answer.trim() !== ''
  return (
    <FormDialog
      open
      title={thread ? t`Edit one of the FAQ` : t`Add to the FAQ`}
      submit={thread ? t`Save` : t`Publish`}
      maxWidth="sm"
      pending={save.pending}
      disabled={!isReady || (reach.reach === 'groups' && reach.group_ids.length === 0)}
      unsaved={isChanged}
      error={save.error}
      onSubmit={() => save.run(values, reach)}
      onClose={onClose}
    >
      {asker === null ? (
        <>
          <TextField
            label={t`Question`}
            value={subject}
            autoFocus
            onChange={(event) => set('subject')(event.target.value)}
          />
          <TextField
            label={t`More about the question`}
            multiline
            maxRows={6}
            value={text}
            onChange={(event) => set('text')(event.target.value)}
          />
        </>
      ) : (
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{subject}</Typography>
      )}
      <TextField
        label={t`Answer`}
        multiline
        minRows={4}
        maxRows={14}
        value={answer}
        onChange={(event) => set('answer')(event.target.value)}
      />
      {withCategory(categories, stored.category).length > 0 && (
        <Choice
          label={t`Category`}
          none={t`None`}
          value={category}
          options={withCategory(categories, stored.category).map((each) => [each, each])}
          onChange={set('category')}
        />
      )}
      <Receivers isFaq asker={asker} blind={thread?.work?.blind_groups ?? []} value={reach} onChange={setReach} />
    </FormDialog>
  )
}

/** An entry may have a category that was taken away since. */
const withCategory = (categories: readonly string[], own: string) =>
  own === '' || categories.includes(own) ? categories : [...categories, own]

const valuesOf = (thread: Thread | undefined) => ({
  subject: thread?.subject ?? '',
  text: thread?.text ?? '',
  answer: thread?.answer ?? '',
  category: thread?.category ?? '',
})

/** Nobody is chosen for a new entry. */
const reachOf = (thread: Thread | undefined): Reach => ({
  reach: thread?.work?.reach === 'all' ? 'all' : 'groups',
  group_ids: thread?.work?.group_ids ?? [],
})

function useSave(thread: Thread | undefined, onClose: () => void) {
  const workspace_id = useWorkspaceId()
  const toasts = useToasts()
  const done = (words: string) => {
    toasts.done(words)
    onClose()
  }
  const write = useAction(api.questions.writeFaq, { onDone: () => done(t`It was added to the FAQ.`) })
  const edit = useAction(api.questions.editFaq, {
    onDone: (_reply, { body: { question: said } }) =>
      done(
        said.subject === undefined && said.text === undefined && said.answer === undefined
          ? t`It was saved.`
          : t`It was saved. What was replaced is in its notes.`,
      ),
  })
  const error = write.error ?? edit.error
  return {
    pending: write.isPending || edit.isPending,
    error: error ? messageOf(error) : undefined,
    run: (values: ReturnType<typeof valuesOf>, { reach, group_ids }: Reach) => {
      const { subject, text, answer, category } = values
      const to = { reach: reach === 'all' ? ('all' as const) : ('groups' as const), group_ids }
      if (thread === undefined) {
        const question = { subject, text, answer, ...(category && { category }) }
        write.mutate({ params: { workspace_id }, body: { question, ...to } })
        return
      }
      const before = valuesOf(thread)
      // Only what was changed: what others changed meanwhile stays.
      const question = {
        ...(subject !== before.subject && { subject }),
        ...(text !== before.text && { text }),
        ...(answer !== before.answer && { answer }),
        ...(category !== before.category && { category: category || null }),
      }
      const isSame = JSON.stringify({ reach, group_ids }) === JSON.stringify(reachOf(thread))
      const read = thread.answered_at !== null && { answered_at: thread.answered_at }
      const body = { question, ...(!isSame && to), ...read }
      edit.mutate({ params: { workspace_id, question_id: thread.id }, body })
    },
  }
}
