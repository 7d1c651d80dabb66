import { t } from '@lingui/core/macro'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction, useRead, useReading } from '../../../api/query.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { Choice } from '../../../ui/fields/choice.tsx'
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
  const { data } = useReading(threadQuery(useWorkspaceId(), id))
  return data ? <EntryForm thread={data} onClose={onClose} /> : <Opening onClose={onClose} />
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
      {categories.length > 0 && (
        <Choice
          label={t`Category`}
          none={t`None`}
          value={category}
          options={categories.map((each) => [each, each])}
          onChange={set('category')}
        />
      )}
      <Receivers isFaq asker={asker} blind={thread?.work?.blind_groups ?? []} value={reach} onChange={setReach} />
    </FormDialog>
  )
}

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
  const onDone = () => {
    toasts.done(thread ? t`It was saved. What was replaced is in its notes.` : t`It was added to the FAQ.`)
    onClose()
  }
  const [write, edit] = [useAction(api.questions.writeFaq, { onDone }), useAction(api.questions.editFaq, { onDone })]
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
      const own = thread.group === null && { subject, text }
      const question = { ...own, answer, category: category || null }
      const read = thread.answered_at !== null && { answered_at: thread.answered_at }
      edit.mutate({ params: { workspace_id, question_id: thread.id }, body: { question, ...to, ...read } })
    },
  }
}
