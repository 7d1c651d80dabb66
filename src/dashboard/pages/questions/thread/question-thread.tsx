import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { FileText, Folder, X } from 'lucide-react'
import { useEffect } from 'react'
import { Link as RouterLink } from 'react-router-dom'
import { api } from '../../../../contract/index.ts'
import { ApiFailure, messageOf } from '../../../api/failures.ts'
import { useAction, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { type Look, PRIORITIES } from '../../../shared/asking/priorities.ts'
import { readNewsAgain } from '../../../shared/news/news-queries.ts'
import { PersonAvatar } from '../../../shared/person-avatar.tsx'
import { useWorkspace } from '../../../shared/workspace.ts'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { calendarDate } from '../../../ui/words/format.ts'
import { Time } from '../../../ui/words/time.tsx'
import { isOverdue, personNamed, STATUSES, type Thread, threadQuery } from '../questions.ts'
import { AnswerForm } from './answer-form.tsx'
import { GivenAnswer, Text } from './given-answer.tsx'
import { Notes } from './notes.tsx'

/** A question with its answer; for admins with the draft, the notes and who receives it. */
export function QuestionThread({ id, onClose }: { id: string; onClose: () => void }) {
  const { id: workspaceId, admin } = useWorkspace()
  const { data: thread, error, refetch } = useReading(threadQuery(workspaceId, id))
  // What was opened is no longer unread.
  const shown = thread && `${thread.id} ${thread.answered_at}`
  useEffect(() => {
    if (shown) void readNewsAgain()
  }, [shown])
  const close = (
    <IconButton aria-label={t`Hide the question`} onClick={onClose} sx={{ ml: 'auto' }}>
      <X size={18} />
    </IconButton>
  )
  const isGone = error instanceof ApiFailure && [403, 404].includes(error.code)
  if (!thread || isGone) {
    return (
      <Panel aria-label={t`Question`}>
        {close}
        {error ? (
          <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows height={56} />
        )}
      </Panel>
    )
  }
  const { number, subject, status } = thread
  return (
    <Panel aria-label={subject}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        {number !== null && (
          <Typography color="textSecondary">{admin ? `Q-${number}` : t`Question ${number}`}</Typography>
        )}
        <StatusChip look={STATUSES[status]} />
        {thread.faq && <Chip size="small" variant="outlined" label={t`FAQ`} />}
        {isOverdue(thread) && <Chip size="small" color="error" variant="outlined" label={t`Overdue`} />}
        {close}
      </Box>
      <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
        {subject}
      </Typography>
      <Facts thread={thread} />
      <Asked thread={thread} />
      {thread.work && <Notes thread={thread} work={thread.work} />}
      {thread.work ? <AnswerForm thread={thread} work={thread.work} /> : <GivenAnswer thread={thread} />}
      {thread.own && status === 'open' && <Withdraw id={id} />}
    </Panel>
  )
}

function StatusChip({ look: { icon: Icon, label, colour } }: { look: Look }) {
  const background = 'color-mix(in srgb, currentColor 12%, transparent)'
  return (
    <Chip
      size="small"
      icon={<Icon size={13} aria-hidden />}
      label={i18n._(label)}
      sx={{ color: colour, background, '& .MuiChip-icon': { color: 'inherit', ml: '7px' } }}
    />
  )
}

function Facts({ thread }: { thread: Thread }) {
  const { priority, category, group, due_on } = thread
  const facts: [string, string | null | undefined][] = [
    [t`Priority`, priority && i18n._(PRIORITIES[priority].label)],
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

function Asked({ thread }: { thread: Thread }) {
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
      <Place thread={thread} />
    </div>
  )
}

function Place({ thread: { place } }: { thread: Thread }) {
  const { id: workspaceId } = useWorkspace()
  if (!place) return null
  const { file_id, folder_id, title, page_number, deleted } = place
  const page = page_number === null ? '' : t`, page ${page_number}`
  if (deleted) return <Typography color="textSecondary">{t`${title}${page}, deleted since`}</Typography>
  const to =
    file_id === null
      ? paths.files(workspaceId, folder_id)
      : paths.view(workspaceId, file_id, page_number === null ? {} : { page: page_number })
  const Icon = file_id === null ? Folder : FileText
  return (
    <PlaceLink to={to}>
      <Icon size={15} aria-hidden /> {title}
      {page}
    </PlaceLink>
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

const Panel = styled('section')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: 14,
  width: 540,
  flexShrink: 0,
  padding: 16,
  overflowY: 'auto',
  borderLeft: `1px solid ${theme.vars.palette.divider}`,
  background: theme.vars.palette.background.paper,
  [theme.breakpoints.down('lg')]: { width: '100%', flexShrink: 1, borderLeft: 0 },
}))

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

const PlaceLink = styled(RouterLink)(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  maxWidth: '100%',
  marginTop: 8,
  padding: '5px 10px',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  color: 'inherit',
  fontWeight: 600,
  textDecoration: 'none',
  overflowWrap: 'anywhere',
}))
