import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { messageOf } from '../../../api/failures.ts'
import { useReading } from '../../../api/query.ts'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { Part } from '../../../ui/part.tsx'
import { Time } from '../../../ui/words/time.tsx'
import { type Answer, answersQuery } from './issued.ts'

const AT_FIRST = 100

export const ANSWER_WORDS: Record<Answer['answer'], MessageDescriptor> = {
  accepted: msg({ message: 'Accepted', context: 'answer' }),
  declined: msg({ message: 'Declined', context: 'answer' }),
  awaited: msg({ message: 'Awaited', context: 'answer' }),
}

const COLOURS = { accepted: 'success', declined: 'error', awaited: 'warning' } as const

/** Who has accepted or declined which version, and whose answer is awaited. */
export function Answers({ workspace }: { workspace: { id: number; name: string } }) {
  const { data: answers = [], error } = useReading(answersQuery(workspace.id))
  const [shown, setShown] = useState(AT_FIRST)
  const awaited = answers.filter(({ answer }) => answer === 'awaited').length
  return (
    <div style={{ padding: '0 16px 16px' }}>
      <Part title={t`Answers`}>
        {error && <FormError>{messageOf(error)}</FormError>}
        <Typography color="textSecondary" sx={{ mb: 1 }}>
          {plural(awaited, {
            0: 'No answer is awaited.',
            one: '# answer is awaited.',
            other: '# answers are awaited.',
          })}
        </Typography>
        {answers.length > 0 && <AnswersTable answers={answers.slice(0, shown)} />}
        {answers.length > shown && (
          <Button onClick={() => setShown(shown + AT_FIRST)}>
            <Trans>Show more</Trans>
          </Button>
        )}
      </Part>
    </div>
  )
}

function AnswersTable({ answers }: { answers: readonly Answer[] }) {
  return (
    <div style={{ overflowX: 'auto' }}>
      <Table size="small" aria-label={t`Answers`}>
        <TableHead>
          <TableRow>
            <TableCell>{t`Person`}</TableCell>
            <TableCell>{t`Answer`}</TableCell>
            <TableCell>{t`Version`}</TableCell>
            <TableCell>{t`When`}</TableCell>
            <TableCell>{t`From`}</TableCell>
            <TableCell>{t`Typed name`}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {answers.map((each) => (
            <AnswerRow key={`${each.user_id} ${each.terms_id} ${each.answered_at}`} answer={each} />
          ))}
        </TableBody>
      </Table>
    </div>
  )
}

function AnswerRow({ answer: each }: { answer: Answer }) {
  const { version, title, group_name } = each
  return (
    <TableRow>
      <TableCell sx={{ overflowWrap: 'anywhere', minWidth: 160 }}>
        {each.user_name}
        <Typography variant="caption" color="textSecondary" component="div">
          {[each.email, each.company].filter(Boolean).join(' · ')}
        </Typography>
      </TableCell>
      <TableCell>
        <Chip size="small" variant="outlined" color={COLOURS[each.answer]} label={i18n._(ANSWER_WORDS[each.answer])} />
      </TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere', minWidth: 140 }}>
        {t`${version} · ${title}`}
        <Typography variant="caption" color="textSecondary" component="div">
          {[group_name, !each.in_force && t`not in force for this person`].filter(Boolean).join(' · ')}
        </Typography>
      </TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap' }}>
        <Time at={each.answered_at} />
      </TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap' }}>{each.address || '–'}</TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere' }}>{each.typed_name || '–'}</TableCell>
    </TableRow>
  )
}
