import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { prefetch } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { Branding } from '../../shared/branding/branding.tsx'
import { welcomeQuery } from '../../shared/welcome-query.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Part, Parts } from '../../ui/part.tsx'
import { ApiAccess, apiAccessQuery } from './api-access.tsx'
import { LeaveWorkspace } from './leave-workspace.tsx'
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
  const sections = sectionsOf(workspace)
  return (
    <>
      <PageHeader title={t`Settings`} />
      <Columns>
        <Contents aria-label={t`Sections`}>
          {sections.map(({ id, title }) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
        </Contents>
        <Parts>
          {sections.map(({ id, title, content }) => (
            <Section key={id} id={id} className={id}>
              <Part title={title}>{content}</Part>
            </Section>
          ))}
        </Parts>
      </Columns>
    </>
  )
}

const sectionsOf = (workspace: ReturnType<typeof useWorkspace>) => [
  { id: 'name', title: t`Workspace`, content: <WorkspaceName key={workspace.id} workspace={workspace} /> },
  { id: 'welcome', title: t`Welcome page`, content: <WelcomeTexts key={workspace.id} workspaceId={workspace.id} /> },
  { id: 'branding', title: t`Branding`, content: <Branding place={{ workspaceId: workspace.id }} /> },
  { id: 'terms', title: t`Terms`, content: <Terms workspaceId={workspace.id} /> },
  { id: 'numbers', title: t`Numbers of folders and files`, content: <NumberingChoice workspace={workspace} /> },
  { id: 'reading', title: t`Reading times`, content: <ReadingTimes workspace={workspace} /> },
  ...(workspace.team_member ? [{ id: 'again', title: t`Use again`, content: <UseAgain workspace={workspace} /> }] : []),
  { id: 'api', title: t`API access`, content: <ApiAccess workspaceId={workspace.id} /> },
  { id: 'danger', title: t`Danger zone`, content: <LeaveWorkspace workspace={workspace} /> },
]

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '200px minmax(0, 720px)',
  gap: 24,
  padding: '0 16px 16px',
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))

const Contents = styled('nav')(({ theme }) => ({
  position: 'sticky',
  top: 12,
  alignSelf: 'start',
  display: 'grid',
  gap: 2,
  a: { padding: '6px 10px', borderRadius: 8, color: theme.vars.palette.text.secondary, textDecoration: 'none' },
  'a:hover': { background: theme.vars.palette.selection.item, color: theme.vars.palette.text.primary },
  'a:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  [theme.breakpoints.down('md')]: { display: 'none' },
}))

const Section = styled('div')(({ theme }) => ({
  scrollMarginTop: 12,
  '&.danger > section': { borderColor: theme.vars.palette.error.main },
}))

export { SettingsPage as Component }
