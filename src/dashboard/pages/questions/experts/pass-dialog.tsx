import { t } from '@lingui/core/macro'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { MOST_EXPERTS } from '../../../../contract/endpoints/deal/experts.ts'
import { MOST_LETTERS } from '../../../../contract/endpoints/deal/questions.ts'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction, useReading } from '../../../api/query.ts'
import { useWorkspace } from '../../../shared/workspace.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import type { Thread, Work } from '../questions.ts'
import { barWords, type Expert, expertsQuery } from './experts.ts'

interface PassDialogProps {
  thread: Thread
  work: Work
  /** Who is asked again; undefined to choose. */
  userId?: number | undefined
  onClose: () => void
}

/** Passes a question to experts, or asks one of them again. */
export function PassDialog({ thread, work, userId, onClose }: PassDialogProps) {
  const { id: workspace_id, team_rules } = useWorkspace()
  const toasts = useToasts()
  const { data: experts, error } = useReading(expertsQuery(workspace_id))
  const [chosen, setChosen] = useState<readonly number[]>(userId === undefined ? [] : [userId])
  const [text, setText] = useState('')
  const pass = useAction(api.experts.pass, {
    onDone: () => {
      toasts.done(t`The question was passed on.`)
      onClose()
    },
  })
  const had = new Set(work.passes.map(({ expert }) => expert.id))
  const asked = experts?.filter(({ user_id }) => (userId === undefined ? !had.has(user_id) : user_id === userId))
  const isFull = userId === undefined && had.size + chosen.length >= MOST_EXPERTS
  const toggle = (id: number) =>
    setChosen((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id]))
  return (
    <FormDialog
      open
      title={userId === undefined ? t`Pass to an expert` : t`Ask again`}
      submit={userId === undefined ? t`Pass the question` : t`Ask again`}
      maxWidth="sm"
      pending={pass.isPending}
      disabled={chosen.length === 0}
      unsaved={text.trim() !== ''}
      error={pass.error ? messageOf(pass.error) : undefined}
      onSubmit={() =>
        pass.mutate({ params: { workspace_id, question_id: thread.id }, body: { user_ids: [...chosen], text } })
      }
      onClose={onClose}
    >
      {error && <FormError>{messageOf(error)}</FormError>}
      {!asked && !error && <SkeletonRows height={40} />}
      {asked && userId === undefined && <Choices experts={asked} {...{ chosen, isFull }} onToggle={toggle} />}
      {asked && asked.length > 0 && (
        <>
          <TextField
            label={t`Your words to the expert`}
            multiline
            minRows={3}
            maxRows={12}
            autoFocus={userId !== undefined}
            value={text}
            slotProps={{ htmlInput: { maxLength: MOST_LETTERS.words } }}
            onChange={(event) => setText(event.target.value)}
          />
          <Typography variant="caption" color="textSecondary">
            {t`An expert sees the question, its due date and category, your name and your words. The place of the question and the documents of its draft are shown only as far as the expert’s own groups may view them. Who asked, notes and the draft itself are not shown, and of other questions only answers that are given to everybody or to a group of the expert.`}{' '}
            {team_rules?.suppress_emails
              ? t`No mail tells of it, because the team sends no e-mails.`
              : t`A mail tells the expert of it, unless they have turned mails of news off or had twenty such mails within the hour.`}
          </Typography>
        </>
      )}
    </FormDialog>
  )
}

interface ChoicesProps {
  experts: readonly Expert[]
  chosen: readonly number[]
  isFull: boolean
  onToggle: (id: number) => void
}

function Choices({ experts, chosen, isFull, onToggle }: ChoicesProps) {
  if (experts.length === 0) {
    return <Typography>{t`There is no other expert. Name experts under “More about questions”, “Experts”.`}</Typography>
  }
  return (
    <div role="group" aria-label={t`Experts`}>
      {experts.map(({ user_id, name, email, bar }) => (
        <FormControlLabel
          key={user_id}
          disabled={bar !== null || (isFull && !chosen.includes(user_id))}
          sx={{ display: 'flex', alignItems: 'start', mb: 1, overflowWrap: 'anywhere' }}
          control={
            <Checkbox
              size="small"
              sx={{ mt: -0.5 }}
              checked={chosen.includes(user_id)}
              onChange={() => onToggle(user_id)}
            />
          }
          label={
            <>
              {name}
              <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
                {bar ? barWords(bar) : email}
              </Typography>
            </>
          }
        />
      ))}
      {isFull && (
        <Typography variant="caption">{t`A question may be with ${MOST_EXPERTS} experts at most.`}</Typography>
      )}
    </div>
  )
}
