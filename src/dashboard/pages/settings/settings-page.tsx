import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { prefetch } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { welcomeQuery } from '../../shared/welcome-query.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Part, Parts } from '../../ui/part.tsx'
import { ApiAccess, apiAccessQuery } from './api-access.tsx'
import { NumberingChoice } from './numbering.tsx'
import { ReadingTimes } from './reading-times.tsx'
import { Terms } from './terms.tsx'
import { UseAgain } from './use-again.tsx'
import { WelcomeTexts } from './welcome-texts.tsx'
import { WorkspaceName } from './workspace-name.tsx'

export function loader({ params }: LoaderFunctionArgs) {
  const id = idOf(params['workspaceId'])
  return prefetch(apiAccessQuery(id), welcomeQuery(id))
}

export function SettingsPage() {
  const workspace = useWorkspace()
  return (
    <>
      <PageHeader title={t`Settings`} />
      <Column>
        <Parts>
          <Part title={t`Workspace`}>
            <WorkspaceName key={workspace.id} workspace={workspace} />
          </Part>
          <Part title={t`Welcome page`}>
            <WelcomeTexts workspaceId={workspace.id} />
          </Part>
          <Part title={t`Terms`}>
            <Terms workspaceId={workspace.id} />
          </Part>
          <Part title={t`Numbers of folders and files`}>
            <NumberingChoice workspace={workspace} />
          </Part>
          <Part title={t`Reading times`}>
            <ReadingTimes workspace={workspace} />
          </Part>
          {workspace.team_member && (
            <Part title={t`Use again`}>
              <UseAgain workspace={workspace} />
            </Part>
          )}
          <Part title={t`API access`}>
            <ApiAccess workspaceId={workspace.id} />
          </Part>
        </Parts>
      </Column>
    </>
  )
}

const Column = styled('div')({ maxWidth: 720, padding: '0 16px 16px' })

export { SettingsPage as Component }
