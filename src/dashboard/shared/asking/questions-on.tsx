import { plural, t } from '@lingui/core/macro'
import { Link } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { paths } from '../../paths.ts'

const FRESH_MS = 30_000

interface QuestionsOnProps {
  workspaceId: number
  fileId: number
  /** What separates them from what stands before. */
  after?: string
}

/** How many questions on a document the user may see, as a link to them. Renders nothing if there are none. */
export function QuestionsOn({ workspaceId: workspace_id, fileId: file_id, after = '' }: QuestionsOnProps) {
  const { data } = useReading({
    ...read(api.questions.count, { params: { workspace_id }, query: { file_id } }),
    staleTime: FRESH_MS,
  })
  const { to_approve = 0, open: unbegun = 0, draft = 0, answered = 0 } = data?.counts ?? {}
  const open = to_approve + unbegun + draft
  if (open + answered === 0) return null
  return (
    <>
      {after}
      <Link to={paths.questions(workspace_id, { file: file_id, view: 'list' })} style={{ color: 'inherit' }}>
        {wordsOf(open, answered)}
      </Link>
    </>
  )
}

function wordsOf(open: number, answered: number): string {
  if (answered === 0) return plural(open, { one: '# open question', other: '# open questions' })
  if (open === 0) return plural(answered, { one: '# answered question', other: '# answered questions' })
  return t`Questions: ${open} open, ${answered} answered`
}
