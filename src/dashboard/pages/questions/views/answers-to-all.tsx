import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { BookOpenText } from 'lucide-react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useReading } from '../../../api/query.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { Time } from '../../../ui/words/time.tsx'
import type { Filters } from '../questions.ts'
import { Text } from '../thread/given-answer.tsx'

interface AnswersToAllProps {
  filters: Filters
  onChoose: (id: string) => void
  onTurn: (after: string | undefined) => void
}

/** The answers that were given to everybody, with their questions, to be read one after the other. */
export function AnswersToAll({ filters, onChoose, onTurn }: AnswersToAllProps) {
  const { q, category, after } = filters
  const wanted = {
    faq: true,
    per_page: 25 as const,
    ...(q && { q }),
    ...(category && { category }),
    ...(after && { after }),
  }
  const params = { workspace_id: useWorkspaceId() }
  const { data, error, refetch } = useReading(read(api.questions.listTexts, { params, query: wanted }))
  if (error) return <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows height={96} />
  if (data.questions.length === 0) {
    const isFiltered = q !== undefined || category !== undefined
    return (
      <EmptyState
        icon={BookOpenText}
        title={isFiltered ? t`No answer matches` : t`No answer was given to everybody yet`}
      />
    )
  }
  return (
    <Answers>
      {data.questions.map(({ id, subject, text, answer, category: kind, answered_at }) => (
        <article key={id}>
          <h2>
            <button type="button" onClick={() => onChoose(id)}>
              {subject}
            </button>
          </h2>
          <Typography variant="caption" color="textSecondary" component="p">
            {kind !== null && `${kind} · `}
            <Time at={answered_at} />
          </Typography>
          {text !== '' && <Text className="asked">{text}</Text>}
          <Text>{answer}</Text>
        </article>
      ))}
      <div>
        {after !== undefined && <Button onClick={() => onTurn(undefined)}>{t`First answers`}</Button>}
        {data.next !== null && <Button onClick={() => onTurn(data.next ?? undefined)}>{t`More answers`}</Button>}
      </div>
    </Answers>
  )
}

const Answers = styled('div')(({ theme }) => ({
  display: 'grid',
  maxWidth: 760,
  padding: '0 16px 16px',
  article: { display: 'grid', gap: 6, padding: '14px 0', borderBottom: `1px solid ${theme.vars.palette.divider}` },
  h2: { margin: 0, fontSize: '0.9375rem', lineHeight: 1.4 },
  'h2 > button': {
    padding: 0,
    border: 0,
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    fontWeight: 600,
    textAlign: 'left',
    overflowWrap: 'anywhere',
    cursor: 'pointer',
    '&:hover': { textDecoration: 'underline' },
  },
  '.asked': { color: theme.vars.palette.text.secondary },
}))
