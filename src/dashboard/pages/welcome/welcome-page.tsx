import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import type { LoaderFunctionArgs } from 'react-router-dom'
import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { prefetch, useRead } from '../../api/query.ts'
import { idOf, paths } from '../../paths.ts'
import { useQuestions } from '../../shared/frame/use-questions.ts'
import { useMe } from '../../shared/session.ts'
import { welcomeQuery } from '../../shared/welcome-query.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { Parts } from '../../ui/part.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { Access } from './access.tsx'
import { AnswersForYou } from './answers.tsx'
import { Greeting } from './greeting.tsx'
import { NewFiles } from './new-files.tsx'
import { Protection } from './protection.tsx'
import { Reading } from './reading.tsx'

export type Welcome = Reply<typeof api.workspaces.getWelcome>

export const loader = ({ params }: LoaderFunctionArgs) => prefetch(welcomeQuery(idOf(params['workspaceId'])))

/** The landing page of a workspace: what it is about, what is new, and what binds the reader. */
export function WelcomePage() {
  const workspace = useWorkspace()
  const welcome = useRead(welcomeQuery(workspace.id))
  const { first_name } = useMe()
  useTitle(t`Welcome`)
  return (
    <Page>
      <Greeting
        workspace={workspace}
        welcome={welcome}
        name={first_name}
        files={paths.files(workspace.id)}
        unread={welcome.new_files.filter(({ unread }) => unread)}
        mayAsk={Boolean(useQuestions(workspace)?.groups.length)}
      />
      <Columns>
        <Parts>
          <NewFiles workspace={workspace} welcome={welcome} />
          <AnswersForYou workspace={workspace} />
        </Parts>
        <Parts>
          <Reading reading={welcome.reading} />
          <Access welcome={welcome} admin={workspace.admin} />
          <Protection protection={welcome.protection} measured={workspace.measures_reading} terms={welcome.terms} />
        </Parts>
      </Columns>
    </Page>
  )
}

export const Page = styled('div')({ display: 'grid', gap: 16, padding: 16, alignContent: 'start' })

export const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 406px)',
  alignItems: 'start',
  gap: 16,
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))

export { WelcomePage as Component }
