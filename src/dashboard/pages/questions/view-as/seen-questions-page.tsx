import { plural, t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { isAdminGroup } from '../../../../contract/rules.ts'
import { prefetch, read, useRead, useReading } from '../../../api/query.ts'
import { idOf, paths } from '../../../paths.ts'
import { groupsQuery, peopleQuery, seenBy, type SeenWorkspace, useSeen } from '../../../shared/view-as/seen-by.ts'
import { SeenFrame } from '../../../shared/view-as/seen-frame.tsx'
import { useWorkspace } from '../../../shared/workspace.ts'
import { Sheet } from '../../../ui/dialogs/sheet.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { withValue } from '../../../ui/with-value.ts'
import { Answer, Answers, NoAnswers, sectionsOf } from '../faq/faq-view.tsx'
import { QuestionList } from '../question-list.tsx'
import { Columns } from '../questions-page.tsx'
import { GivenAnswer } from '../thread/given-answer.tsx'
import { Panel, UnreadPanel } from '../thread/panel.tsx'
import { WhatWasAsked } from '../thread/question-thread.tsx'
import { ViewChoice } from '../views/view-choice.tsx'

type Seen = Reply<typeof api.questions.viewAs>
type View = 'list' | 'faq'

const seenQuery = ({ id, seenAs }: SeenWorkspace, view: View, after: string | undefined) =>
  read(api.questions.viewAs, {
    params: { workspace_id: id },
    query: { ...seenAs, per_page: 50, ...(view === 'faq' && { faq: true }), ...(after && { after }) },
  })

export const loader = ({ params }: LoaderFunctionArgs) => {
  const id = idOf(params['workspaceId'])
  return prefetch(peopleQuery(id), groupsQuery(id))
}

/** Questions and the FAQ exactly as a group or a person reads them; nothing can be asked or changed here. */
export function SeenQuestionsPage() {
  const workspace = useWorkspace()
  const seen = useSeen(workspace) ?? seenBy(workspace)
  return (
    <SeenFrame workspace={seen} tab="questions" leaveTo={paths.questions(workspace.id)}>
      <SeenQuestions key={JSON.stringify(seen.seenAs)} workspace={seen} />
    </SeenFrame>
  )
}

export { SeenQuestionsPage as Component }

function SeenQuestions({ workspace }: { workspace: SeenWorkspace }) {
  const [search, setSearch] = useSearchParams()
  const [after, setAfter] = useState<string>()
  const view: View = search.get('view') === 'faq' ? 'faq' : 'list'
  const page = useRead(seenQuery(workspace, view, after))
  const { seenAs } = workspace
  const isPerson = seenAs.user_id !== undefined
  const isAdminPerson = useRead(peopleQuery(workspace.id)).some(
    ({ user, admin }) => admin && user.id === seenAs.user_id,
  )
  const admin = useSeesAsAdmin(workspace) || isAdminPerson
  const chosen = search.get('question')
  const put = (name: string, value: string | undefined) => setSearch(withValue(name, value), { replace: true })
  const onChoose = (id: string) => put('question', id)
  return (
    <Columns data-chosen={chosen !== null}>
      <div className="list">
        <PageHeader title={t`Questions`} text={view === 'list' && summaryOf(page)}>
          <ViewChoice
            admin={false}
            passed={false}
            value={view}
            onChange={(next) => {
              setAfter(undefined)
              put('view', next === 'faq' ? next : undefined)
            }}
          />
        </PageHeader>
        {!admin && <Note>{t`Questions that are passed to an expert are not shown here.`}</Note>}
        {admin && (
          <Note>
            {isPerson
              ? t`This person is an admin. The board, drafts and notes are not shown here.`
              : t`The members of this group are admins. The board, drafts and notes are not shown here.`}
          </Note>
        )}
        {view === 'faq' ? (
          <SeenFaq page={page} onChoose={onChoose} />
        ) : (
          <SeenList {...{ page, admin, chosen, onChoose }} />
        )}
        <div style={{ padding: '0 16px 16px' }}>
          {after !== undefined && <Button onClick={() => setAfter(undefined)}>{t`First questions`}</Button>}
          {page.next !== null && <Button onClick={() => setAfter(page.next ?? undefined)}>{t`More questions`}</Button>}
        </div>
      </div>
      {chosen !== null && (
        <SeenThread
          key={chosen}
          workspace={workspace}
          admin={admin}
          id={chosen}
          onClose={() => put('question', undefined)}
        />
      )}
    </Columns>
  )
}

/** Whether the group that is looked through makes its members admins. */
function useSeesAsAdmin({ id, seenAs }: SeenWorkspace): boolean {
  return useRead(groupsQuery(id)).some((group) => group.id === seenAs.group_id && isAdminGroup(group))
}

const Note = ({ children }: { children: string }) => (
  <Typography color="textSecondary" sx={{ px: 2, pb: 1 }}>
    {children}
  </Typography>
)

function summaryOf({ counts }: Seen): string {
  const open = counts.to_approve + counts.open + counts.draft
  return [
    plural(open, { one: '# unanswered', other: '# unanswered' }),
    plural(counts.answered, { one: '# answered', other: '# answered' }),
  ].join(' · ')
}

interface SeenListProps {
  page: Seen
  admin: boolean
  chosen: string | null
  onChoose: (id: string) => void
}

function SeenList({ page, admin, chosen, onChoose }: SeenListProps) {
  return (
    <Sheet>
      {page.questions.length === 0 ? (
        <EmptyState icon={MessagesSquare} title={t`No questions to show`} />
      ) : (
        <QuestionList page={page} admin={admin} chosen={chosen} onChoose={onChoose} />
      )}
    </Sheet>
  )
}

function SeenFaq({ page, onChoose }: { page: Seen; onChoose: (id: string) => void }) {
  return (
    <Answers>
      {page.questions.length === 0 && <NoAnswers isFiltered={false} />}
      {sectionsOf(page.questions).map(({ key, title, entries }) => (
        <section key={key} aria-label={title}>
          <h2>{title}</h2>
          {entries.map((entry) => (
            <Answer key={entry.id} entry={entry} isOpen={false} onChoose={onChoose} />
          ))}
        </section>
      ))}
    </Answers>
  )
}

interface SeenThreadProps {
  workspace: SeenWorkspace
  /** Whether they are an admin. */
  admin: boolean
  id: string
  onClose: () => void
}

function SeenThread({ workspace, admin, id, onClose }: SeenThreadProps) {
  const params = { workspace_id: workspace.id, question_id: id }
  const { data, error, refetch } = useReading(read(api.questions.viewThreadAs, { params, query: workspace.seenAs }))
  if (!data) return <UnreadPanel error={error} onRetry={() => void refetch()} onClose={onClose} />
  return (
    <Panel aria-label={data.subject}>
      <WhatWasAsked thread={data} admin={admin} seen={workspace} onClose={onClose} />
      <GivenAnswer thread={data} seen={workspace} />
    </Panel>
  )
}
