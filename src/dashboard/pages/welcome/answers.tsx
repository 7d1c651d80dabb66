import { t } from '@lingui/core/macro'
import { MessagesSquare } from 'lucide-react'
import { Link } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { useQuestions } from '../../shared/frame/use-questions.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Part, PartList } from '../../ui/part.tsx'
import { Time } from '../../ui/words/time.tsx'

const MOST = 5
/** Own questions come by when they were asked: the newest answers are looked for among these. */
export const AMONG = 100

/** The newest answers for a reader, and the way to the FAQ if there is one. Renders nothing where there is neither. */
export function AnswersForYou({ workspace: { id, admin } }: { workspace: { id: number; admin: boolean } }) {
  const enabled = useQuestions({ id, admin })?.shown === true && !admin
  const { data: news } = useReading({ ...read(api.news.list, { query: { workspace_id: id } }), enabled })
  const list = (query: { faq?: true; status?: 'answered'; per_page: 25 | 100 }) => ({
    ...read(api.questions.list, { params: { workspace_id: id }, query }),
    enabled,
  })
  const { data: faq } = useReading(list({ faq: true, per_page: 25 }))
  const { data: answered } = useReading(list({ status: 'answered', per_page: AMONG }))
  const unread = new Set(news?.items.flatMap((item) => (item.unread && item.question ? [item.question.id] : [])))
  if (!enabled) return null
  return (
    <Answers
      answered={answered?.questions ?? []}
      unread={unread}
      to={(question) => paths.questions(id, { view: 'list', question })}
      faq={faq?.questions.length ? paths.questions(id, { view: 'faq' }) : undefined}
    />
  )
}

interface AnswersProps {
  answered: readonly { id: string; subject: string; answered_at: string | null }[]
  unread?: ReadonlySet<string>
  /** Returns the address of a question. */
  to: (question: string) => string
  /** The address of the FAQ, if it has questions. */
  faq: string | undefined
}

export function Answers({ answered, unread, to, faq }: AnswersProps) {
  const answers = answered.toSorted((a, b) => (b.answered_at ?? '').localeCompare(a.answered_at ?? ''))
  if (answers.length === 0 && faq === undefined) return null
  return (
    <Part
      title={t`Answers for you`}
      action={faq !== undefined && <ButtonLink to={faq}>{t`Frequent questions`}</ButtonLink>}
    >
      <PartList>
        {answers.slice(0, MOST).map(({ id, subject, answered_at }) => (
          <li key={id}>
            <MessagesSquare size={16} aria-hidden />
            <span className="name" style={{ flex: 1, fontWeight: unread?.has(id) ? 600 : undefined }}>
              <Link to={to(id)} style={{ color: 'inherit' }}>
                {subject}
              </Link>
            </span>
            <Time at={answered_at} />
          </li>
        ))}
      </PartList>
    </Part>
  )
}
