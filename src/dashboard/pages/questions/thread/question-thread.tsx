import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useEffect } from 'react'
import { api } from '../../../../contract/index.ts'
import { ApiFailure, messageOf } from '../../../api/failures.ts'
import { useAction, useReading } from '../../../api/query.ts'
import { priorityName } from '../../../shared/asking/priorities.ts'
import { readNewsAgain } from '../../../shared/news/news-queries.ts'
import { PersonAvatar } from '../../../shared/person-avatar.tsx'
import { personNamed } from '../../../shared/people.ts'
import type { SeenWorkspace } from '../../../shared/view-as/seen-by.ts'
import { useWorkspace } from '../../../shared/workspace.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { calendarDate } from '../../../ui/words/format.ts'
import { Time } from '../../../ui/words/time.tsx'
import { WithExpert } from '../experts/with-expert.tsx'
import { again, isOverdue, lookOf, type Thread, threadQuery } from '../questions.ts'
import { AnswerForm } from './answer-form.tsx'
import { GivenAnswer, Text } from './given-answer.tsx'
import { Notes } from './notes.tsx'
import { HideButton, Panel, UnreadPanel } from './panel.tsx'
import { Place } from './place.tsx'
import { StatusChip } from './status-chip.tsx'
import { useLookedAt } from './use-looked-at.ts'

/** A question with its answer; for admins with the draft, the notes and who receives it. */
export function QuestionThread({ id, onClose }: { id: string; onClose: () => void }) {
  const workspace = useWorkspace()
  const { id: workspaceId, admin } = workspace
  const enabled = useLookedAt()
  const {
    data: thread,
    error,
    refetch,
  } = useReading({
    ...threadQuery(workspaceId, id),
    ...again(workspace),
    enabled,
  })
  // What was opened is no longer unread.
  const shown = thread && `${thread.id} ${thread.answered_at}`
  useEffect(() => {
    if (shown) void readNewsAgain()
  }, [shown])
  const isGone = error instanceof ApiFailure && [403, 404].includes(error.code)
  if (!thread || isGone) return <UnreadPanel error={error} onRetry={() => void refetch()} onClose={onClose} />
  return (
    <Panel aria-label={thread.subject}>
      <WhatWasAsked thread={thread} admin={admin} onClose={onClose} />
      {thread.work && <Notes thread={thread} work={thread.work} />}
      {thread.work ? <AnswerForm thread={thread} work={thread.work} /> : <GivenAnswer thread={thread} />}
      {thread.own && thread.status === 'open' && <Withdraw id={id} />}
    </Panel>
  )
}

interface WhatWasAskedProps {
  thread: Thread
  /** Whether the reader is an admin. */
  admin: boolean
  /** In whose place an admin reads. */
  seen?: SeenWorkspace
  onClose: () => void
}

export function WhatWasAsked({ thread, admin, seen, onClose }: WhatWasAskedProps) {
  const { number, subject, status } = thread
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        {number !== null && (
          <Typography color="textSecondary">{admin ? `Q-${number}` : t`Question ${number}`}</Typography>
        )}
        <StatusChip look={lookOf(status)} />
        {thread.faq && <Chip size="small" variant="outlined" label={t`FAQ`} />}
        {thread.experts.length > 0 && <WithExpert experts={thread.experts} />}
        {isOverdue(thread) && <Chip size="small" color="error" variant="outlined" label={t`Overdue`} />}
        <HideButton onClick={onClose} />
      </Box>
      <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
        {subject}
      </Typography>
      <Facts thread={thread} />
      <Asked thread={thread} seen={seen} />
    </>
  )
}

function Facts({ thread }: { thread: Thread }) {
  const { priority, category, group, due_on } = thread
  const facts: [string, string | null | undefined][] = [
    [t`Priority`, priority && priorityName(priority)],
    [t`Category`, category],
    [t`Asked by`, group?.name],
    [t`Due`, due_on && calendarDate(due_on)],
  ]
  const shown = facts.filter(([, value]) => value)
  if (shown.length === 0) return null
  return (
    <FactList>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </FactList>
  )
}

function Asked({ thread, seen }: { thread: Thread; seen: SeenWorkspace | undefined }) {
  const { asked_by, asked_at, text } = thread
  return (
    <div>
      {asked_by && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mb: 1 }}>
          <PersonAvatar person={personNamed(asked_by.name)} size={28} />
          <strong>{asked_by.name}</strong>
          <Typography component="span" color="textSecondary" sx={{ flexShrink: 0 }}>
            <Time at={asked_at} />
          </Typography>
        </Box>
      )}
      {text !== '' && <Text>{text}</Text>}
      <Place place={thread.place} seen={seen} />
    </div>
  )
}

function Withdraw({ id }: { id: string }) {
  const { id: workspace_id } = useWorkspace()
  const toasts = useToasts()
  const withdraw = useAction(api.questions.withdraw)
  const run = () =>
    withdraw.mutate(
      { params: { workspace_id, question_id: id } },
      { onError: (error) => toasts.failed(messageOf(error)) },
    )
  return (
    <Button variant="outlined" loading={withdraw.isPending} onClick={run} sx={{ alignSelf: 'start' }}>
      <Trans>Withdraw the question</Trans>
    </Button>
  )
}

const FactList = styled('dl')(({ theme }) => ({
  display: 'flex',
  flexShrink: 0,
  flexWrap: 'wrap',
  margin: 0,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  overflow: 'hidden',
  '& > div': { flex: '1 1 100px', padding: '8px 12px', boxShadow: `-1px -1px 0 ${theme.vars.palette.divider}` },
  dt: { color: theme.vars.palette.text.secondary },
  dd: { margin: 0, fontWeight: 600, overflowWrap: 'anywhere' },
}))
