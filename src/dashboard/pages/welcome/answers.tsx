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
const AMONG = 100

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
  const answers = (answered?.questions ?? []).toSorted((a, b) =>
    (b.answered_at ?? '').localeCompare(a.answered_at ?? ''),
  )
  const hasFaq = (faq?.questions.length ?? 0) > 0
  if (!enabled || (answers.length === 0 && !hasFaq)) return null
  return (
    <Part
      title={t`Answers for you`}
      action={hasFaq && <ButtonLink to={paths.questions(id, { view: 'faq' })}>{t`Frequent questions`}</ButtonLink>}
    >
      <PartList>
        {answers.slice(0, MOST).map(({ id: question, subject, answered_at }) => (
          <li key={question}>
            <MessagesSquare size={16} aria-hidden />
            <span className="name" style={{ flex: 1, fontWeight: unread.has(question) ? 600 : undefined }}>
              <Link to={paths.questions(id, { view: 'list', question })} style={{ color: 'inherit' }}>
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
