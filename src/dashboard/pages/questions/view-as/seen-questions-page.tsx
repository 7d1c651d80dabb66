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
import type { Reader } from '../../../shared/listing/folder-query.ts'
import { groupsQuery, peopleQuery, seenBy, type SeenWorkspace, useSeen } from '../../../shared/view-as/seen-by.ts'
import { SeenFrame } from '../../../shared/view-as/seen-frame.tsx'
import { useWorkspace } from '../../../shared/workspace.ts'
import { Sheet } from '../../../ui/dialogs/sheet.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { withValue } from '../../../ui/with-value.ts'
import { passedAsQuery, passedThreadAsQuery } from '../experts/experts.ts'
import { PassedHead } from '../experts/passed-head.tsx'
import { PassedList, type PassedListProps } from '../experts/passed-view.tsx'
import { PassedWords } from '../experts/passed-words.tsx'
import { Answer, Answers, NoAnswers, sectionsOf } from '../faq/faq-view.tsx'
import { QuestionList } from '../question-list.tsx'
import { Columns } from '../questions-page.tsx'
import { GivenAnswer } from '../thread/given-answer.tsx'
import { Panel, UnreadPanel } from '../thread/panel.tsx'
import { WhatWasAsked } from '../thread/question-thread.tsx'
import { ViewChoice } from '../views/view-choice.tsx'

type Seen = Reply<typeof api.questions.viewAs>
type View = 'passed' | 'list' | 'faq'
const VIEWS: readonly View[] = ['passed', 'list', 'faq']

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
  const { user_id } = workspace.seenAs
  return user_id === undefined ? (
    <SeenViews workspace={workspace} isExpert={false} />
  ) : (
    <QuestionsOfPerson workspace={workspace} userId={user_id} />
  )
}

interface OfPersonProps {
  workspace: SeenWorkspace
  userId: number
}

/** To an expert, what was passed to them comes first. */
function QuestionsOfPerson({ workspace, userId }: OfPersonProps) {
  const passed = useRead(passedAsQuery(workspace.id, userId)).questions
  return <SeenViews workspace={workspace} isExpert={passed.length > 0} />
}

function SeenViews({ workspace, isExpert }: { workspace: SeenWorkspace; isExpert: boolean }) {
  const [search, setSearch] = useSearchParams()
  const [after, setAfter] = useState<string>()
  const first: View = isExpert ? 'passed' : 'list'
  const view = VIEWS.find((each) => each === search.get('view') && (each !== 'passed' || isExpert)) ?? first
  const page = useRead(seenQuery(workspace, view, view === 'passed' ? undefined : after))
  const admin = useSeesAsAdmin(workspace)
  const [chosen, passed] = [search.get('question'), search.get('passed')]
  const put = (name: string, value: string | undefined) => setSearch(withValue(name, value), { replace: true })
  /** One panel at a time. */
  const choose = (name: 'question' | 'passed', id?: string) => {
    const other = name === 'question' ? 'passed' : 'question'
    setSearch((before) => withValue(other, undefined)(withValue(name, id)(before)), { replace: true })
  }
  const onChoose = (id: string) => choose('question', id)
  return (
    <Columns data-chosen={chosen !== null || passed !== null}>
      <div className="list">
        <PageHeader title={t`Questions`} text={summaryIn(view, page)}>
          <ViewChoice
            admin={false}
            passed={isExpert}
            isSeen
            value={view}
            onChange={(next) => {
              setAfter(undefined)
              put('view', next === first ? undefined : next)
            }}
          />
        </PageHeader>
        <LeftOut seenAs={workspace.seenAs} admin={admin} />
        {view === 'passed' && (
          <PassedToPerson
            workspace={workspace}
            chosen={passed}
            after={after}
            onChoose={(id) => choose('passed', id)}
            onTurn={setAfter}
          />
        )}
        {view === 'faq' && <SeenFaq page={page} onChoose={onChoose} />}
        {view === 'list' && <SeenList {...{ page, admin, chosen, onChoose }} />}
        {view !== 'passed' && (
          <div style={{ padding: '0 16px 16px' }}>
            {after !== undefined && <Button onClick={() => setAfter(undefined)}>{t`First questions`}</Button>}
            {page.next !== null && (
              <Button onClick={() => setAfter(page.next ?? undefined)}>{t`More questions`}</Button>
            )}
          </div>
        )}
      </div>
      {chosen !== null && (
        <SeenThread key={chosen} workspace={workspace} admin={admin} id={chosen} onClose={() => choose('question')} />
      )}
      {chosen === null && passed !== null && (
        <SeenPassed key={passed} workspace={workspace} id={passed} onClose={() => choose('passed')} />
      )}
    </Columns>
  )
}

/** Whether the group or the person that is looked through is an admin. */
function useSeesAsAdmin({ id, seenAs: { group_id, user_id } }: SeenWorkspace): boolean {
  const people = useRead(peopleQuery(id))
  const groups = useRead(groupsQuery(id))
  if (user_id !== undefined) return people.some(({ user, admin }) => admin && user.id === user_id)
  return groups.some((group) => group.id === group_id && isAdminGroup(group))
}

/** Tells what a reader may see beside what is shown here. */
function LeftOut({ seenAs: { user_id }, admin }: { seenAs: Reader; admin: boolean }) {
  if (!admin) {
    if (user_id !== undefined) return null
    return (
      <Note>{t`Questions that were passed to single members as experts are shown in the view as that person.`}</Note>
    )
  }
  return (
    <Note>
      {user_id === undefined
        ? t`The members of this group are admins. The board, drafts and notes are not shown here.`
        : t`This person is an admin. The board, drafts and notes are not shown here.`}
    </Note>
  )
}

const Note = ({ children }: { children: string }) => (
  <Typography color="textSecondary" sx={{ px: 2, pb: 1 }}>
    {children}
  </Typography>
)

function summaryIn(view: View, { counts }: Seen): string | false {
  if (view === 'faq') return false
  if (view === 'passed') return t`Questions with which the help of this person is asked for`
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

function PassedToPerson({
  workspace: { id, seenAs },
  ...props
}: Omit<PassedListProps, 'page'> & { workspace: SeenWorkspace }) {
  return <PassedList page={useRead(passedAsQuery(id, seenAs.user_id ?? 0, props.after))} {...props} isSeen />
}

interface SeenPassedProps {
  workspace: SeenWorkspace
  id: string
  onClose: () => void
}

/** A question as it was passed to the person; nothing can be replied in another's name. */
function SeenPassed({ workspace, id, onClose }: SeenPassedProps) {
  const { user_id = 0 } = workspace.seenAs
  const params = { workspace_id: workspace.id, question_id: id, user_id }
  const { data: thread, error, refetch } = useReading(passedThreadAsQuery(params))
  if (!thread || error) return <UnreadPanel error={error} onRetry={() => void refetch()} onClose={onClose} />
  return (
    <Panel aria-label={thread.subject}>
      <PassedHead thread={thread} isSeen onClose={onClose} />
      <PassedWords thread={thread} seen={workspace} />
    </Panel>
  )
}
