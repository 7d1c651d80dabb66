import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import { styled } from '@mui/material/styles'
import type { QuestionStatus } from '../../../contract/endpoints/deal/questions.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { dayAndMonth } from '../../ui/words/format.ts'
import { Time } from '../../ui/words/time.tsx'
import { isOverdue, isUnanswered, type Page, PRIORITIES, type Question, STATUSES } from './questions.ts'

interface QuestionListProps {
  page: Page
  chosen: string | null
  onChoose: (id: string) => void
}

/** Admins read their list by status, with heads; to others it is one list, newest first. */
export function QuestionList({ page, chosen, onChoose }: QuestionListProps) {
  const { admin } = useWorkspace()
  const isHead = (at: number) => admin && page.questions[at]?.status !== page.questions[at - 1]?.status
  return (
    <List aria-label={t`Questions`}>
      {page.questions.map((question, at) => (
        <li key={question.id}>
          {isHead(at) && <Head status={question.status} count={page.counts[question.status]} />}
          <Row type="button" aria-current={question.id === chosen} onClick={() => onChoose(question.id)}>
            <QuestionRow question={question} admin={admin} />
          </Row>
        </li>
      ))}
    </List>
  )
}

function Head({ status, count }: { status: QuestionStatus; count: number }) {
  return (
    <h2>
      {i18n._(STATUSES[status].label)} <span className="number">{count}</span>
    </h2>
  )
}

function QuestionRow({ question, admin }: { question: Question; admin: boolean }) {
  const { status, number, subject, category, group, priority, place } = question
  const { icon: Icon, label, colour } = STATUSES[status]
  const Rank = priority === null ? undefined : PRIORITIES[priority]
  return (
    <>
      <Box component="span" className="state" title={i18n._(label)} sx={{ color: colour }}>
        <Icon size={16} aria-label={i18n._(label)} />
      </Box>
      <span className="number name">{number === null ? '' : admin ? `Q-${number}` : number}</span>
      <strong data-settled={!isUnanswered(question)}>{subject}</strong>
      <span className="facts">
        {Rank && priority !== 'normal' && (
          <Box component="span" sx={{ color: Rank.colour, display: 'inline-flex' }} title={i18n._(Rank.label)}>
            <Rank.icon size={15} aria-label={i18n._(Rank.label)} />
          </Box>
        )}
        {[place?.title, category, admin && group?.name].filter(Boolean).join(' · ')}
      </span>
      <When question={question} />
    </>
  )
}

function When({ question }: { question: Question }) {
  const { due_on, assignee, answered_at, asked_at } = question
  if (due_on !== null && isUnanswered(question)) {
    return (
      <Box component="span" className="when" sx={{ color: isOverdue(question) ? 'error.main' : 'text.secondary' }}>
        {isOverdue(question) ? t`overdue since ${dayAndMonth(due_on)}` : t`due ${dayAndMonth(due_on)}`}
        {assignee && ` · ${assignee.name}`}
      </Box>
    )
  }
  return (
    <Box component="span" className="when" sx={{ color: 'text.secondary' }}>
      <Time at={answered_at ?? asked_at} />
      {assignee && ` · ${assignee.name}`}
    </Box>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  h2: {
    margin: 0,
    padding: '9px 16px',
    fontSize: '0.8125rem',
    fontWeight: 600,
    background: theme.vars.palette.background.default,
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    '.number': { fontWeight: 400, color: theme.vars.palette.text.secondary },
  },
  'li:last-of-type > button': { borderBottom: 0 },
}))

const Row = styled('button')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  width: '100%',
  minHeight: 42,
  padding: '8px 16px',
  border: 0,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  fontSize: '0.8125rem',
  textAlign: 'left',
  cursor: 'pointer',
  '&:hover': { background: theme.vars.palette.action.hover },
  '&[aria-current=true]': {
    background: theme.vars.palette.selection.row,
    boxShadow: `inset 3px 0 ${theme.vars.palette.primary.main}`,
  },
  '&:focus-visible': { outlineOffset: -2 },
  '.state': { display: 'inline-flex', flexShrink: 0 },
  '.name': { flexShrink: 0, minWidth: 36, color: theme.vars.palette.text.secondary },
  strong: {
    flex: '1 1 auto',
    minWidth: 0,
    fontWeight: 600,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  'strong[data-settled=true]': { fontWeight: 500, color: theme.vars.palette.text.secondary },
  '.facts': {
    display: 'inline-flex',
    gap: 6,
    flex: '0 1 auto',
    minWidth: 0,
    maxWidth: '40%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: theme.vars.palette.text.secondary,
  },
  '.when': { flexShrink: 0 },
  [theme.breakpoints.down('sm')]: {
    flexWrap: 'wrap',
    columnGap: 8,
    rowGap: 3,
    padding: '12px 16px',
    strong: { order: 4, flexBasis: '100%', whiteSpace: 'normal', fontSize: '0.9375rem' },
    '.name': { minWidth: 0 },
    '.facts': { order: 5, maxWidth: '100%' },
    '.when': { marginLeft: 'auto' },
  },
}))
