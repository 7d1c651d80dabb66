import { t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { prefetch, read, useRead } from '../../api/query.ts'
import { idOf, paths } from '../../paths.ts'
import { folderPath, ROOT } from '../../shared/listing/folder-query.ts'
import { groupsQuery, peopleQuery, seenBy, type SeenWorkspace, useSeen } from '../../shared/view-as/seen-by.ts'
import { SeenFrame } from '../../shared/view-as/seen-frame.tsx'
import { useWorkspace } from '../../shared/workspace.ts'
import { Parts } from '../../ui/part.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { Access } from './access.tsx'
import { Greeting } from './greeting.tsx'
import { AMONG, Answers } from './answers.tsx'
import { NewFiles } from './new-files.tsx'
import { Protection } from './protection.tsx'
import { Columns, Page } from './welcome-page.tsx'

export const loader = ({ params }: LoaderFunctionArgs) => {
  const id = idOf(params['workspaceId'])
  return prefetch(peopleQuery(id), groupsQuery(id))
}

/** The landing page as a group or a person has it. */
export function SeenWelcomePage() {
  const workspace = useWorkspace()
  const seen = useSeen(workspace) ?? seenBy(workspace)
  useTitle(t`Welcome`)
  return (
    <SeenFrame workspace={seen} tab="welcome" leaveTo={paths.welcome(workspace.id)}>
      <SeenWelcome seen={seen} />
    </SeenFrame>
  )
}

export { SeenWelcomePage as Component }

function SeenWelcome({ seen }: { seen: SeenWorkspace }) {
  const { look, measures_reading } = useWorkspace()
  const { id, name, seenAs } = seen
  const welcome = useRead(read(api.workspaces.viewWelcomeAs, { params: { id }, query: seenAs }))
  const person = useRead(peopleQuery(id)).find(({ user }) => user.id === seenAs.user_id)
  const isAdmin = welcome.protection === null
  return (
    <div style={{ overflow: 'auto', minHeight: 0 }}>
      <Page>
        <Greeting
          workspace={{ id, name, look, admin: false }}
          welcome={welcome}
          name={person?.user.first_name ?? ''}
          files={folderPath(seen, ROOT)}
        />
        <Columns>
          <Parts>
            <NewFiles workspace={seen} welcome={welcome} />
            {!isAdmin && <SeenAnswers seen={seen} />}
          </Parts>
          <Parts>
            <Access welcome={welcome} admin={isAdmin} />
            <Protection protection={welcome.protection} measured={measures_reading} terms={welcome.terms} />
          </Parts>
        </Columns>
      </Page>
    </div>
  )
}

/** The same answers that they find there; their own page tells, besides, which they have not read yet. */
function SeenAnswers({ seen: { id, seenAs } }: { seen: SeenWorkspace }) {
  const list = (query: { faq?: true; status?: 'answered'; per_page: 25 | 100 }) =>
    read(api.questions.viewAs, { params: { workspace_id: id }, query: { ...seenAs, ...query } })
  const answered = useRead(list({ status: 'answered', per_page: AMONG })).questions
  const hasFaq = useRead(list({ faq: true, per_page: 25 })).questions.length > 0
  const questions = paths.viewAs(id, { group: seenAs.group_id, user: seenAs.user_id }, 'questions')
  return (
    <>
      <Answers
        answered={answered}
        to={(question) => `${questions}&question=${question}`}
        faq={hasFaq ? `${questions}&view=faq` : undefined}
      />
      {answered.length > 0 && (
        <Typography color="textSecondary">{t`Which answers they have not read yet is not shown here.`}</Typography>
      )}
    </>
  )
}
