import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import { styled } from '@mui/material/styles'
import type { QuestionStatus } from '../../../contract/endpoints/deal/questions.ts'
import { PRIORITIES } from '../../shared/asking/priorities.ts'
import { PersonAvatar } from '../../shared/person-avatar.tsx'
import { personNamed } from '../../shared/people.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { dayAndMonth } from '../../ui/words/format.ts'
import { Time } from '../../ui/words/time.tsx'
import { WithExpert } from './experts/with-expert.tsx'
import { isOverdue, isUnanswered, type Page, type Question, lookOf } from './questions.ts'
import { rowStyles } from './row-styles.ts'

interface QuestionListProps {
  page: Page
  /** Whether the reader is an admin. */
  admin: boolean
  chosen: string | null
  onChoose: (id: string) => void
}

/** Admins read their list by status, with heads; to others it is one list, newest first. */
export function QuestionList({ page, admin, chosen, onChoose }: QuestionListProps) {
  const isHead = (at: number) => admin && page.questions[at]?.status !== page.questions[at - 1]?.status
  return (
    <List aria-label={t`Questions`} data-admin={admin}>
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
      {i18n._(lookOf(status).label)} <span className="number">{count}</span>
    </h2>
  )
}

function QuestionRow({ question, admin }: { question: Question; admin: boolean }) {
  const { status, number, subject, category, group, priority, place, assignee, experts } = question
  const { icon: Icon, label, colour } = lookOf(status)
  const rank = priority === null || priority === 'normal' ? undefined : PRIORITIES[priority]
  return (
    <>
      <Box component="span" className="state" title={i18n._(label)} sx={{ color: colour }}>
        <Icon size={16} aria-label={i18n._(label)} />
      </Box>
      <span className="name">{number === null ? '' : admin ? `Q-${number}` : number}</span>
      <span className="subject">
        <strong data-settled={!isUnanswered(question)}>{subject}</strong>
        {experts.length > 0 && <WithExpert experts={experts} />}
      </span>
      <span className="place">{place?.title}</span>
      <Box component="span" className="rank" sx={{ color: rank?.colour }} title={rank && i18n._(rank.label)}>
        {rank && <rank.icon size={15} aria-label={i18n._(rank.label)} />}
      </Box>
      <span className="category">{category}</span>
      {admin && <span className="group">{group?.name}</span>}
      <When question={question} />
      {admin && (
        <span className="who" title={assignee?.name}>
          {assignee && <PersonAvatar person={personNamed(assignee.name)} size={22} />}
          {assignee && <VisuallyHidden>{assignee.name}</VisuallyHidden>}
          {!assignee && isUnanswered(question) && <i title={t`Nobody yet`} />}
        </span>
      )}
    </>
  )
}

function When({ question }: { question: Question }) {
  const { due_on, answered_at, asked_at } = question
  if (due_on === null || !isUnanswered(question)) {
    return (
      <span className="when">
        <Time at={answered_at ?? asked_at} />
      </span>
    )
  }
  return (
    <span className="when" data-overdue={isOverdue(question)}>
      {isOverdue(question) ? t`overdue since ${dayAndMonth(due_on)}` : t`due ${dayAndMonth(due_on)}`}
    </span>
  )
}

/** Columns as wide as their widest value, in all rows alike. */
const List = styled('ul')(({ theme }) => ({
  display: 'grid',
  '--end': 'auto fit-content(130px) auto',
  '&[data-admin=true]': { '--end': 'auto fit-content(130px) fit-content(140px) auto auto' },
  gridTemplateColumns: 'auto auto minmax(0, 1fr) fit-content(220px) var(--end)',
  margin: 0,
  padding: 0,
  listStyle: 'none',
  li: { display: 'grid', gridColumn: '1 / -1', gridTemplateColumns: 'subgrid' },
  h2: {
    gridColumn: '1 / -1',
    margin: 0,
    padding: '9px 16px',
    fontSize: '0.8125rem',
    fontWeight: 600,
    background: theme.vars.palette.background.default,
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    '.number': { fontWeight: 400, color: theme.vars.palette.text.secondary },
  },
  'li:last-of-type > button': { borderBottom: 0 },
  '@container (max-width: 900px)': {
    gridTemplateColumns: 'auto auto minmax(0, 1fr) var(--end)',
    '.place': { display: 'none' },
  },
  // The name of the chip stays for screen readers.
  '@container (min-width: 600px) and (max-width: 900px)': {
    '.MuiChip-label': { position: 'absolute', clipPath: 'inset(50%)' },
    '.MuiChip-root .MuiChip-icon': { margin: '0 5px' },
  },
}))

const Row = styled('button')(({ theme }) => ({
  ...rowStyles(theme),
  display: 'grid',
  gridColumn: '1 / -1',
  gridTemplateColumns: 'subgrid',
  columnGap: 12,
  minHeight: 42,
  padding: '8px 16px',
  'strong, .place, .category, .group': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '.name, .place, .category, .when, strong[data-settled=true]': { color: theme.vars.palette.text.secondary },
  '.when[data-overdue=true]': { color: theme.vars.palette.error.main, fontWeight: 600 },
  '.group': { fontWeight: 500 },
  '.state, .rank, .who': { display: 'inline-flex' },
  '.subject': { display: 'flex', alignItems: 'center', gap: 8, minWidth: 0 },
  '.when': { textAlign: 'right', whiteSpace: 'nowrap' },
  '.who > i': { width: 22, height: 22, borderRadius: '50%', border: `1px dashed ${theme.vars.palette.text.disabled}` },
  strong: { fontWeight: 600, '&[data-settled=true]': { fontWeight: 500 } },
  [theme.breakpoints.down('sm')]: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: 8,
    rowGap: 4,
    padding: '12px 16px',
    '& > :empty': { display: 'none' },
    '.group, .category': { order: 1, maxWidth: '35%' },
    '.when': { order: 2, marginLeft: 'auto' },
    '.subject': { order: 3, flexBasis: '100%', flexWrap: 'wrap' },
    strong: { whiteSpace: 'normal', overflowWrap: 'anywhere', fontSize: '0.9375rem' },
    '.rank': { order: 4 },
    '.place': { order: 5, display: 'block', maxWidth: '70%' },
    '.who': { order: 6, marginLeft: 'auto' },
  },
}))
