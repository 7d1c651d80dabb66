import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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

/** The newest answers for a reader, and the way to the FAQ if there is one. Renders nothing where there is neither. */
export function AnswersForYou({ workspace: { id, admin } }: { workspace: { id: number; admin: boolean } }) {
  const enabled = useQuestions({ id, admin })?.shown === true
  const { data: news } = useReading({ ...read(api.news.list, { query: { workspace_id: id } }), enabled })
  const query = { faq: true, per_page: 25 } as const
  const faq = useReading({ ...read(api.questions.list, { params: { workspace_id: id }, query }), enabled }).data
  const answers = (news?.items ?? []).flatMap(({ at, unread, question }) =>
    question?.status === 'answered' ? [{ ...question, at, unread }] : [],
  )
  const hasFaq = (faq?.questions.length ?? 0) > 0
  if (!enabled || (answers.length === 0 && !hasFaq)) return null
  return (
    <Part
      title={t`Answers for you`}
      action={hasFaq && <ButtonLink to={paths.questions(id, { view: 'faq' })}>{t`Frequent questions`}</ButtonLink>}
    >
      <PartList>
        {answers.slice(0, MOST).map(({ id: question, subject, at, unread }) => (
          <li key={question}>
            <MessagesSquare size={16} aria-hidden />
            <span className="name" style={{ flex: 1, fontWeight: unread ? 600 : undefined }}>
              <Link to={paths.questions(id, { view: 'list', question })} style={{ color: 'inherit' }}>
                {subject}
              </Link>
            </span>
            <Time at={at} />
          </li>
        ))}
      </PartList>
      {answers.length === 0 && <Trans>No answers for you in the last 90 days.</Trans>}
    </Part>
  )
}
