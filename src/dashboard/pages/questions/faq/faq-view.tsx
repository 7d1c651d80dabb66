import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { BookOpenText, Plus } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { ApiFailure, messageOf } from '../../../api/failures.ts'
import { read, useReading } from '../../../api/query.ts'
import { useWorkspace } from '../../../shared/workspace.ts'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { Opening } from '../../../ui/states/opening.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { Time } from '../../../ui/words/time.tsx'
import { again, type Filters } from '../questions.ts'
import { Text } from '../thread/given-answer.tsx'
import { FaqMenu } from './faq-menu.tsx'

const FaqDialog = lazy(async () => ({ default: (await import('./faq-dialog.tsx')).FaqDialog }))

type Entry = Reply<typeof api.questions.listTexts>['questions'][number]

interface FaqViewProps {
  filters: Filters
  onChoose: (id: string) => void
  onTurn: (after: string | undefined) => void
}

/** The FAQ by category, then the other answers that were given to everybody. Each opens in place. */
export function FaqView({ filters, onChoose, onTurn }: FaqViewProps) {
  const { q, category, after } = filters
  const wanted = {
    faq: true,
    per_page: 50 as const,
    ...(q && { q }),
    ...(category && { category }),
    ...(after && { after }),
  }
  const workspace = useWorkspace()
  const { id: workspace_id, admin } = workspace
  const [edited, setEdited] = useState<{ id?: string }>()
  const { data, error, refetch } = useReading({
    ...read(api.questions.listTexts, { params: { workspace_id }, query: wanted }),
    ...again(workspace),
  })
  const isGone = error instanceof ApiFailure && [403, 404].includes(error.code)
  if (error && (!data || isGone)) return <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows height={48} />
  const close = () => setEdited(undefined)
  const isWhole = q === undefined && after === undefined
  return (
    <Answers>
      {admin && (
        <div>
          <Button variant="outlined" startIcon={<Plus size={16} />} onClick={() => setEdited({})}>
            {t`Add to the FAQ`}
          </Button>
        </div>
      )}
      {data.questions.length === 0 && (
        <NoAnswers isFiltered={[q, category, after].some((each) => each !== undefined)} />
      )}
      {sectionsOf(data.questions).map(({ key, title, entries }) => (
        <section key={key} aria-label={title}>
          <h2>{title}</h2>
          {entries.map((entry) => (
            <Answer key={entry.id} entry={entry} isOpen={q !== undefined} onChoose={onChoose}>
              {admin && (
                <FaqMenu
                  entry={entry}
                  section={isWhole ? entries : undefined}
                  onEdit={() => setEdited({ id: entry.id })}
                />
              )}
            </Answer>
          ))}
        </section>
      ))}
      <div>
        {after !== undefined && <Button onClick={() => onTurn(undefined)}>{t`First answers`}</Button>}
        {data.next !== null && <Button onClick={() => onTurn(data.next ?? undefined)}>{t`More answers`}</Button>}
      </div>
      <Suspense fallback={<Opening onClose={close} />}>
        {edited && <FaqDialog id={edited.id} onClose={close} />}
      </Suspense>
    </Answers>
  )
}

interface Section {
  key: string
  title: string
  entries: Entry[]
}

/** Lists come in the order of their sections. */
export function sectionsOf(questions: readonly Entry[]): Section[] {
  const sections = new Map<string, Section>()
  for (const entry of questions) {
    const { faq, category } = entry
    // A category may have the same name as the others are given here.
    const key = JSON.stringify([faq, faq && category])
    const section = sections.get(key) ?? {
      key,
      title: faq ? (category ?? t`General`) : t`Other answers to all`,
      entries: [],
    }
    sections.set(key, section)
    section.entries.push(entry)
  }
  return [...sections.values()]
}

export function NoAnswers({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={BookOpenText}
      title={isFiltered ? t`No answer matches` : t`There are no frequent questions yet`}
    />
  )
}

interface AnswerProps {
  entry: Entry
  isOpen: boolean
  onChoose: (id: string) => void
  /** What admins do with it. */
  children?: ReactNode
}

export function Answer({ entry, isOpen, onChoose, children }: AnswerProps) {
  const { id, subject, text, answer, answered_at } = entry
  return (
    <article>
      <details open={isOpen}>
        <summary>{subject}</summary>
        <div>
          {text !== '' && <Text className="asked">{text}</Text>}
          <Text>{answer}</Text>
          <Typography variant="caption" color="textSecondary" component="p">
            <Time at={answered_at} />
            <Button size="small" sx={{ ml: 1 }} onClick={() => onChoose(id)}>
              {t`Show with documents`}
            </Button>
          </Typography>
        </div>
      </details>
      {children}
    </article>
  )
}

export const Answers = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 12,
  maxWidth: 760,
  padding: '0 16px 16px',
  h2: { margin: '8px 0 4px', fontSize: '0.9375rem', overflowWrap: 'anywhere' },
  article: {
    display: 'flex',
    alignItems: 'flex-start',
    gap: 8,
    padding: '6px 0',
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  details: { flex: 1, minWidth: 0 },
  summary: { padding: '8px 0', lineHeight: 1.4, fontWeight: 600, overflowWrap: 'anywhere', cursor: 'pointer' },
  'details > div': { display: 'grid', gap: 8, padding: '0 0 8px 18px' },
  '.asked': { color: theme.vars.palette.text.secondary },
}))
