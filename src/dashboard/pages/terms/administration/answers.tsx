import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../api/failures.ts'
import { useReading } from '../../../api/query.ts'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { Part } from '../../../ui/part.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { Time } from '../../../ui/words/time.tsx'
import { type Answer, answerName, answersQuery } from './issued.ts'

const AT_FIRST = 100

const COLOURS = { accepted: 'success', declined: 'error', awaited: 'warning' } as const

/** Who has accepted or declined which version, and whose answer is awaited. */
export function Answers({ workspace }: { workspace: { id: number; name: string } }) {
  const { data, error } = useReading(answersQuery(workspace.id))
  const [shown, setShown] = useState(AT_FIRST)
  const answers = data ?? []
  const awaited = answers.filter(({ answer }) => answer === 'awaited').length
  return (
    <div style={{ padding: '0 16px 16px' }}>
      <Part title={t`Answers`} action={<Export workspace={workspace} />}>
        {error && <FormError>{messageOf(error)}</FormError>}
        {data && (
          <Typography color="textSecondary" sx={{ mb: 1 }}>
            {plural(awaited, {
              0: 'No answer is awaited.',
              one: '# answer is awaited.',
              other: '# answers are awaited.',
            })}
          </Typography>
        )}
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

/** The same record in both formats, also what the table does not show yet. */
function Export({ workspace }: { workspace: { id: number; name: string } }) {
  const toasts = useToasts()
  const save = useMutation({
    mutationFn: async (format: 'xlsx' | 'pdf') => (await import('./export-answers.ts')).EXPORTS[format](workspace),
    onError: (error) => toasts.failed(messageOf(error)),
  })
  const button = (format: 'xlsx' | 'pdf', label: string) => (
    <Button
      variant="outlined"
      startIcon={<Download size={15} />}
      loading={save.isPending && save.variables === format}
      onClick={() => save.mutate(format)}
    >
      {label}
    </Button>
  )
  return (
    <div style={{ display: 'flex', gap: 8 }}>
      {button('xlsx', t`Excel (XLSX)`)}
      {button('pdf', t`PDF`)}
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
  const { version, title, group_name, file_name } = each
  return (
    <TableRow>
      <TableCell sx={{ overflowWrap: 'anywhere', minWidth: 160 }}>
        {each.user_name}
        <Typography variant="caption" color="textSecondary" component="div">
          {[each.email, each.company].filter(Boolean).join(' · ')}
        </Typography>
      </TableCell>
      <TableCell>
        <Chip size="small" variant="outlined" color={COLOURS[each.answer]} label={answerName(each.answer)} />
      </TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere', minWidth: 140 }}>
        {t`${version} · ${title}`}
        <Typography variant="caption" color="textSecondary" component="div">
          {[group_name, file_name, !each.in_force && t`not in force for this person`].filter(Boolean).join(' · ')}
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
