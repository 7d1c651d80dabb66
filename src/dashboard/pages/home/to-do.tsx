import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { CalendarClock, FileWarning, type LucideIcon, MailQuestion, MessagesSquare, UserPen } from 'lucide-react'
import { ButtonLink } from '../../ui/button.tsx'
import { SectionTitle } from './aside.tsx'
import type { Task } from './tasks.ts'
import { TILE } from './workspace-card.tsx'

const OPEN = msg`Open`
const LOOKS: Record<Task['kind'], { icon: LucideIcon; action: MessageDescriptor }> = {
  failed_drafts: { icon: FileWarning, action: msg`See why` },
  overdue_questions: { icon: MessagesSquare, action: OPEN },
  failed_files: { icon: FileWarning, action: msg`See why` },
  to_approve: { icon: MessagesSquare, action: OPEN },
  to_answer: { icon: MessagesSquare, action: OPEN },
  access_ends: { icon: CalendarClock, action: msg`Extend` },
  changed_names: { icon: UserPen, action: msg`Accept names` },
  awaited_members: { icon: MailQuestion, action: msg`Remind` },
  unplanned_drafts: { icon: UserPen, action: OPEN },
  awaited_groups: { icon: MailQuestion, action: OPEN },
}

/** What an admin should look at, most urgent first. Hidden if there is nothing. */
export function ToDo({ tasks }: { tasks: readonly Task[] }) {
  if (tasks.length === 0) return null
  const total = tasks.length
  return (
    <section aria-label={t`To do`}>
      <SectionTitle>
        <Trans>To do</Trans> <Count>{total}</Count>
      </SectionTitle>
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <Tasks>
          {tasks.map((task) => (
            <TaskLine key={task.key} task={task} />
          ))}
        </Tasks>
      </Paper>
    </section>
  )
}

function TaskLine({ task: { kind, title, where, to } }: { task: Task }) {
  const { icon: Icon, action } = LOOKS[kind]
  return (
    <li>
      <span className={`tile ${kind}`} aria-hidden>
        <Icon size={17} />
      </span>
      <span className="words">
        <strong>{title}</strong>
        <Typography component="span" variant="caption" color="textSecondary" noWrap title={where}>
          {where}
        </Typography>
      </span>
      <ButtonLink to={to} variant="outlined">
        {i18n._(action)}
      </ButtonLink>
    </li>
  )
}

const Count = styled('span')(({ theme }) => ({
  marginLeft: 4,
  padding: '1px 7px',
  borderRadius: 6,
  background: theme.vars.palette.selection.row,
  fontSize: '0.75rem',
}))

const Tasks = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& li': { display: 'flex', alignItems: 'center', gap: 12, minHeight: 54, padding: '8px 16px' },
  '& li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& .words': { flex: 1, minWidth: 0, display: 'grid', fontSize: '0.875rem' },
  '& strong': { fontWeight: 600, overflowWrap: 'anywhere' },
  '& .tile': {
    ...tint(theme.vars.palette.primary.main),
    ...TILE,
  },
  '& .failed_files, & .failed_drafts, & .overdue_questions': tint(theme.vars.palette.error.main),
  '& .access_ends': tint(theme.vars.palette.warning.main),
}))

function tint(color: string) {
  return { color, background: `color-mix(in srgb, ${color} 14%, transparent)` }
}
