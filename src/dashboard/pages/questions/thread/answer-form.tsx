import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { Check, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction, useRead } from '../../../api/query.ts'
import { useWorkspace, useWorkspaceId } from '../../../shared/workspace.ts'
import { Choice } from '../../../ui/fields/choice.tsx'
import { useDraft } from '../../../ui/dialogs/use-draft.ts'
import { useUnsavedChanges } from '../../../ui/dialogs/use-unsaved-changes.ts'
import { Meanwhile } from '../../../ui/states/meanwhile.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { isUnanswered, settingsQuery, type Thread, type Work } from '../questions.ts'
import { FaqButtons } from '../faq/faq-buttons.tsx'
import { Passes } from '../experts/passes.tsx'
import { DraftFiles } from './draft-files.tsx'
import { DueDate } from './due-date.tsx'
import { GivenAnswer } from './given-answer.tsx'
import { Receivers, type Reach } from './receivers.tsx'

/** Only the asker; nobody yet where nobody asked. */
const firstReach = ({ group }: Thread): Reach => ({ reach: group ? 'group' : 'groups', group_ids: [] })

/** Drafts the answer and gives it. What was given or closed is shown, and can be opened again. */
export function AnswerForm({ thread, work }: { thread: Thread; work: Work }) {
  const steps = useSteps(thread.id)
  const form = useDraft({ draft: work.draft })
  const isChanged = form.changed.length > 0
  useUnsavedChanges(isChanged && isUnanswered(thread))
  const [reach, setReach] = useState(() => firstReach(thread))
  if (!isUnanswered(thread)) return <Settled thread={thread} work={work} steps={steps} />
  const { draft } = form.values
  const isEmpty = draft.trim() === ''
  const { drafted_at } = work
  return (
    <>
      <People thread={thread} work={work} onChange={(facts, onStored) => steps.update(facts, undefined, onStored)} />
      <Passes
        {...{ thread, work }}
        onTake={(text) => form.set({ draft: [draft.trim(), text].filter(Boolean).join('\n\n') })}
      />
      <TextField
        label={t`Answer`}
        multiline
        minRows={5}
        maxRows={20}
        value={draft}
        onChange={(event) => form.set({ draft: event.target.value })}
        helperText={form.overtaken.length > 0 && <Meanwhile value={work.draft} onTake={() => form.drop('draft')} />}
      />
      <DraftFiles thread={thread} work={work} isSaving={steps.pending} />
      <Receivers asker={thread.group} blind={work.blind_groups} value={reach} onChange={setReach} />
      <Buttons>
        <Button disabled={isChanged} onClick={() => steps.move('close')} sx={{ px: 1, mr: 'auto' }}>
          <Trans>Close unanswered</Trans>
        </Button>
        {thread.status === 'to_approve' ? (
          <Button variant="outlined" onClick={() => steps.move('send_back')}>
            <Trans>Send back</Trans>
          </Button>
        ) : (
          <Button variant="outlined" disabled={isEmpty || isChanged} onClick={() => steps.move('submit')}>
            <Trans>Submit for approval</Trans>
          </Button>
        )}
        {isChanged ? (
          <Button
            variant="contained"
            disabled={isEmpty}
            loading={steps.pending}
            onClick={() => steps.update({ draft }, drafted_at, () => form.saved({ draft }))}
          >
            <Trans>Save draft</Trans>
          </Button>
        ) : (
          <Button
            variant="contained"
            disabled={isEmpty || (reach.reach === 'groups' && reach.group_ids.length === 0)}
            loading={steps.pending}
            startIcon={<Check size={16} />}
            onClick={() => steps.answer({ ...reach, drafted_at }, () => setReach(firstReach(thread)))}
          >
            <Trans>Approve and give the answer</Trans>
          </Button>
        )}
      </Buttons>
    </>
  )
}

interface PeopleProps {
  thread: Thread
  work: Work
  onChange: (
    facts: { assignee_id?: number | null; approver_id?: number | null; due_on?: string | null },
    onStored?: () => void,
  ) => void
}

function People({ thread, work, onChange }: PeopleProps) {
  const { id: workspaceId, team_rules } = useWorkspace()
  const { admins } = useRead(settingsQuery(workspaceId))
  const options = admins.map(({ id, name }): [string, string] => [String(id), name])
  const idIn = (text: string) => (text === '' ? null : Number(text))
  return (
    <>
      <Fields>
        <Choice
          label={t`Assigned to`}
          none={t`Nobody yet`}
          value={String(thread.assignee?.id ?? '')}
          options={options}
          onChange={(text) => onChange({ assignee_id: idIn(text) })}
        />
        <Choice
          label={t`Asked to approve`}
          none={t`Nobody yet`}
          value={String(work.approver?.id ?? '')}
          options={options}
          onChange={(text) => onChange({ approver_id: idIn(text) })}
        />
        <DueDate value={thread.due_on} onSet={(due_on, onStored) => onChange({ due_on }, onStored)} />
      </Fields>
      {thread.due_on !== null && (
        <Typography variant="caption" color="textSecondary">
          {team_rules?.suppress_emails
            ? t`Nobody is reminded, because the team sends no e-mails.`
            : t`Whoever is to answer or approve, or else every admin, and experts whom it waits for are reminded by mail the day before, and once when it is overdue. Those who have turned mails of news off are not.`}
        </Typography>
      )}
    </>
  )
}

function Settled({ thread, work, steps }: { thread: Thread; work: Work; steps: ReturnType<typeof useSteps> }) {
  const { groups } = useRead(settingsQuery(useWorkspaceId()))
  const names = groups.filter(({ group_id }) => work.group_ids.includes(group_id)).map(({ name }) => name)
  const asker = thread.group?.name ?? ''
  const to = {
    group: asker,
    groups: [asker, ...names].filter(Boolean).join(', ') || t`nobody any more`,
    all: t`everybody`,
  }[work.reach]
  return (
    <>
      <Passes thread={thread} work={work} />
      <GivenAnswer thread={thread} to={to} />
      {thread.status !== 'withdrawn' && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          {thread.status === 'answered' && work.reach !== 'group' && <FaqButtons thread={thread} />}
          <Button
            variant="outlined"
            startIcon={<RotateCcw size={16} />}
            loading={steps.pending}
            onClick={() => steps.move('reopen')}
          >
            {thread.status === 'answered' ? t`Take the answer back` : t`Reopen`}
          </Button>
        </Box>
      )}
    </>
  )
}

function useSteps(question_id: string) {
  const workspace_id = useWorkspaceId()
  const toasts = useToasts()
  const [update, move, answer] = [
    useAction(api.questions.update),
    useAction(api.questions.move),
    useAction(api.questions.answer, { onDone: () => toasts.done(t`The answer was given.`) }),
  ]
  const params = { workspace_id, question_id }
  const onError = (error: Error) => toasts.failed(messageOf(error))
  type Sent = Parameters<typeof update.mutate>[0]['body']['question']
  type Step = Parameters<typeof move.mutate>[0]['body']['step']
  return {
    pending: update.isPending || move.isPending || answer.isPending,
    update: (question: Sent, drafted_at?: string | null, onSuccess?: () => void) =>
      update.mutate({ params, body: { question, drafted_at } }, { onError, ...(onSuccess && { onSuccess }) }),
    move: (step: Step) => move.mutate({ params, body: { step } }, { onError }),
    answer: (body: Reach & { drafted_at: string | null }, onSuccess: () => void) =>
      answer.mutate({ params, body }, { onError, onSuccess }),
  }
}

const Fields = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(150px, 1fr))',
  gap: 12,
})

/** Stays at the lower edge of the panel, whose padding it covers. */
const Buttons = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: -16,
  zIndex: 1,
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'flex-end',
  gap: 8,
  margin: '0 -16px -16px',
  padding: '12px 16px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  background: theme.vars.palette.background.paper,
}))
