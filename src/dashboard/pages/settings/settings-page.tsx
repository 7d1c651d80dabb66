import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { prefetch } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { ApiAccess, apiAccessQuery } from './api-access.tsx'
import { WorkspaceName } from './workspace-name.tsx'

export const loader = ({ params }: LoaderFunctionArgs) => prefetch(apiAccessQuery(idOf(params['workspaceId'])))

export function SettingsPage() {
  const workspace = useWorkspace()
  return (
    <>
      <PageHeader title={t`Settings`} />
      <Parts>
        <Part title={t`Workspace`}>
          <WorkspaceName key={workspace.name} workspace={workspace} />
        </Part>
        <Part title={t`API access`}>
          <ApiAccess workspaceId={workspace.id} />
        </Part>
      </Parts>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Sheet aria-label={title} sx={{ m: 0, p: 2 }}>
      <Typography variant="h2" sx={{ mb: 1.5 }}>
        {title}
      </Typography>
      {children}
    </Sheet>
  )
}

const Parts = styled('div')({ display: 'grid', gap: 16, maxWidth: 720, padding: '0 16px 16px' })

export { SettingsPage as Component }
