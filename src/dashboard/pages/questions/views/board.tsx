import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { KeyboardEvent } from 'react'
import { messageOf } from '../../../api/failures.ts'
import { useReading } from '../../../api/query.ts'
import { PRIORITIES } from '../../../shared/asking/priorities.ts'
import { PersonAvatar } from '../../../shared/person-avatar.tsx'
import { personNamed } from '../../../shared/people.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { dayAndMonth } from '../../../ui/words/format.ts'
import { WithExpert } from '../experts/with-expert.tsx'
import { type Filters, isOverdue, listQuery, type Page, type Question, lookOf } from '../questions.ts'

/** In the order in which a question passes them. */
const COLUMNS = ['open', 'draft', 'to_approve', 'answered'] as const
type Column = (typeof COLUMNS)[number]

interface BoardProps {
  filters: Filters
  counts: Page['counts']
  chosen: string | null
  onChoose: (id: string) => void
  /** Shows all questions of a state in the list. */
  onAll: (status: Column) => void
}

/** The questions in columns by state. Arrows lead from card to card. */
export function Board({ filters, counts, chosen, onChoose, onAll }: BoardProps) {
  return (
    <Columns onKeyDown={moveFocus}>
      {COLUMNS.map((status) => (
        <BoardColumn
          key={status}
          {...{ status, filters, chosen, onChoose }}
          count={counts[status]}
          onAll={() => onAll(status)}
        />
      ))}
    </Columns>
  )
}

interface BoardColumnProps {
  status: Column
  filters: Filters
  count: number
  chosen: string | null
  onChoose: (id: string) => void
  onAll: () => void
}

function BoardColumn({ status, filters, count, chosen, onChoose, onAll }: BoardColumnProps) {
  const { after: _page, ...kept } = filters
  const { data, error } = useReading(listQuery(useWorkspaceId(), { ...kept, status, per_page: 25 }))
  const { icon: Icon, label, colour } = lookOf(status)
  const name = i18n._(label)
  return (
    <section aria-label={name} aria-busy={!data && !error}>
      <h2>
        <Icon size={15} aria-hidden color={`var(--mui-palette-${colour.replace('.', '-')})`} /> {name}{' '}
        <span className="number">{count}</span>
      </h2>
      {error && <FormError>{messageOf(error)}</FormError>}
      <ul>
        {data?.questions.map((question) => (
          <li key={question.id}>
            <Card type="button" aria-current={question.id === chosen} onClick={() => onChoose(question.id)}>
              <CardFacts question={question} />
            </Card>
          </li>
        ))}
      </ul>
      {data?.next != null && <Button onClick={onAll}>{t`Show all`}</Button>}
    </section>
  )
}

function CardFacts({ question }: { question: Question }) {
  const { number, subject, group, category, priority, due_on, assignee, experts } = question
  const rank = priority === null || priority === 'normal' ? undefined : PRIORITIES[priority]
  const overdue = isOverdue(question)
  return (
    <>
      <span className="facts">{[`Q-${number}`, group?.name, category].filter(Boolean).join(' · ')}</span>
      <strong>{subject}</strong>
      {experts.length > 0 && (
        <span>
          <WithExpert experts={experts} />
        </span>
      )}
      <span className="facts">
        {rank && <rank.icon size={15} aria-label={i18n._(rank.label)} />}
        {due_on !== null && question.status !== 'answered' && (
          <span data-overdue={overdue}>
            {overdue ? t`overdue since ${dayAndMonth(due_on)}` : t`due ${dayAndMonth(due_on)}`}
          </span>
        )}
        {assignee && (
          <span className="who" title={assignee.name}>
            <PersonAvatar person={personNamed(assignee.name)} size={22} />
            <VisuallyHidden>{assignee.name}</VisuallyHidden>
          </span>
        )}
      </span>
    </>
  )
}

/** Up and down within a column, left and right to the same height of the next column that has cards. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const columns = [...event.currentTarget.children].map((column) => [...column.querySelectorAll('li button')])
  const filled = columns.filter((cards) => cards.length > 0)
  const column = filled.findIndex((cards) => cards.includes(event.target as Element))
  const row = filled[column]?.indexOf(event.target as Element) ?? -1
  if (row < 0) return
  const next = {
    ArrowUp: filled[column]?.[row - 1],
    ArrowDown: filled[column]?.[row + 1],
    ArrowLeft: near(filled[column - 1], row),
    ArrowRight: near(filled[column + 1], row),
  }[event.key]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}

const near = (cards: Element[] | undefined, row: number) => cards?.[Math.min(row, cards.length - 1)]

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridAutoFlow: 'column',
  gridAutoColumns: 'minmax(232px, 1fr)',
  gap: 12,
  padding: '0 16px 16px',
  overflowX: 'auto',
  scrollSnapType: 'x proximity',
  scrollPadding: '0 16px',
  '& > section': {
    minWidth: 0,
    scrollSnapAlign: 'start',
    alignSelf: 'start',
    padding: 8,
    borderRadius: 12,
    background: theme.vars.palette.background.default,
    border: `1px solid ${theme.vars.palette.divider}`,
  },
  h2: { display: 'flex', alignItems: 'center', gap: 6, margin: '4px 6px 10px', fontSize: '0.8125rem', fontWeight: 600 },
  '.number': { fontWeight: 400, color: theme.vars.palette.text.secondary },
  ul: { display: 'grid', gap: 8, margin: 0, padding: 0, listStyle: 'none' },
  [theme.breakpoints.down('sm')]: { gridAutoColumns: '82%', scrollSnapType: 'x mandatory' },
}))

const Card = styled('button')(({ theme }) => ({
  display: 'grid',
  gap: 6,
  width: '100%',
  minHeight: 40,
  padding: '10px 12px',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  background: theme.vars.palette.background.paper,
  color: 'inherit',
  font: 'inherit',
  fontSize: '0.8125rem',
  textAlign: 'left',
  cursor: 'pointer',
  '&:hover': { borderColor: theme.vars.palette.text.disabled },
  '&[aria-current=true]': {
    borderColor: theme.vars.palette.primary.main,
    background: theme.vars.palette.selection.row,
  },
  strong: { fontWeight: 600, overflowWrap: 'anywhere' },
  '.facts': {
    display: 'flex',
    alignItems: 'center',
    gap: 6,
    color: theme.vars.palette.text.secondary,
    overflowWrap: 'anywhere',
  },
  '.facts:empty': { display: 'none' },
  '[data-overdue=true]': { color: theme.vars.palette.error.main, fontWeight: 600 },
  '.who': { display: 'inline-flex', marginLeft: 'auto' },
}))
