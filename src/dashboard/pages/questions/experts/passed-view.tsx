import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { GraduationCap } from 'lucide-react'
import { useRead } from '../../../api/query.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { Sheet } from '../../../ui/dialogs/sheet.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { dayAndMonth } from '../../../ui/words/format.ts'
import { Time } from '../../../ui/words/time.tsx'
import { isLate, type Passed, type PassedPage, passedQuery, seenLook, stateLook } from './experts.ts'
import { rowStyles } from '../row-styles.ts'

export interface PassedListProps {
  page: PassedPage
  chosen: string | null
  after: string | undefined
  onChoose: (id: string) => void
  onTurn: (after: string | undefined) => void
  /** An admin looks at it. */
  isSeen?: boolean
}

/** The questions that were passed to the person as an expert. */
export const PassedView = (props: Omit<PassedListProps, 'page'>) => (
  <PassedList page={useRead(passedQuery(useWorkspaceId(), props.after))} {...props} />
)

/** Questions that were passed to an expert, first those that wait. */
export function PassedList({ page, chosen, after, onChoose, onTurn, isSeen = false }: PassedListProps) {
  const { questions, next } = page
  return (
    <>
      <Sheet>
        {questions.length === 0 && (
          <EmptyState
            icon={GraduationCap}
            title={isSeen ? t`No question is passed to this person now` : t`No question is passed to you now`}
          />
        )}
        <List aria-label={isSeen ? t`Questions passed to this person` : t`Questions passed to you`}>
          {questions.map((question) => (
            <li key={question.id}>
              <button type="button" aria-current={question.id === chosen} onClick={() => onChoose(question.id)}>
                <PassedFacts question={question} isSeen={isSeen} />
              </button>
            </li>
          ))}
        </List>
      </Sheet>
      <Box sx={{ display: 'flex', gap: 1, px: 2, pb: 2 }}>
        {after !== undefined && (
          <Button onClick={() => onTurn(undefined)}>
            <Trans>First questions</Trans>
          </Button>
        )}
        {next !== null && (
          <Button onClick={() => onTurn(next)}>
            <Trans>More questions</Trans>
          </Button>
        )}
      </Box>
    </>
  )
}

function PassedFacts({ question, isSeen }: { question: Passed; isSeen: boolean }) {
  const { state, subject, due_on, asked_at, place, category } = question
  const { icon: Icon, label, colour } = isSeen ? seenLook(state) : stateLook(state)
  const late = isLate(question)
  return (
    <>
      <Box component="span" sx={{ display: 'inline-flex', color: colour }} title={i18n._(label)}>
        <Icon size={16} aria-label={i18n._(label)} />
      </Box>
      <span className="words">
        <strong data-settled={state !== 'waiting'}>{subject}</strong>
        <small>{[place?.title, category].filter(Boolean).join(' · ')}</small>
      </span>
      <span className="when" data-overdue={late}>
        {due_on !== null && state === 'waiting' ? (
          late ? (
            t`overdue since ${dayAndMonth(due_on)}`
          ) : (
            t`due ${dayAndMonth(due_on)}`
          )
        ) : (
          <Time at={asked_at} />
        )}
      </span>
    </>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  button: { ...rowStyles(theme), display: 'flex', gap: 12, width: '100%', minHeight: 44, padding: '10px 16px' },
  'li:last-of-type > button': { borderBottom: 0 },
  '.words': { flex: 1, minWidth: 0, display: 'grid', gap: 2, overflowWrap: 'anywhere' },
  small: { fontSize: 'inherit', color: theme.vars.palette.text.secondary, '&:empty': { display: 'none' } },
  strong: { fontWeight: 600, '&[data-settled=true]': { fontWeight: 500, color: theme.vars.palette.text.secondary } },
  '.when': { whiteSpace: 'nowrap', color: theme.vars.palette.text.secondary },
  '.when[data-overdue=true]': { color: theme.vars.palette.error.main, fontWeight: 600 },
}))
