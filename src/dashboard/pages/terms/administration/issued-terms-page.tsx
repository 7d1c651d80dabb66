import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { useSearchParams } from 'react-router-dom'
import { prefetch, useRead } from '../../../api/query.ts'
import { idOf } from '../../../paths.ts'
import { useWorkspace } from '../../../shared/workspace.ts'
import { Choice } from '../../../ui/fields/choice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Part, Parts } from '../../../ui/part.tsx'
import { withValue } from '../../../ui/with-value.ts'
import { Answers } from './answers.tsx'
import { DraftForm } from './draft-form.tsx'
import { draftQuery, groupsQuery, versionsQuery } from './issued.ts'
import { VersionDialog } from './version-dialog.tsx'
import { Versions } from './versions.tsx'

export function loader({ params }: LoaderFunctionArgs) {
  const id = idOf(params['workspaceId'])
  return prefetch(versionsQuery(id), groupsQuery(id), draftQuery(id, undefined))
}

/** Where admins write and issue terms, and see who has accepted them. */
export function IssuedTermsPage() {
  const workspace = useWorkspace()
  const versions = useRead(versionsQuery(workspace.id))
  const groups = useRead(groupsQuery(workspace.id)).filter(({ kind }) => kind === 'custom')
  const [search, setSearch] = useSearchParams()
  const group = groups.find(({ id }) => String(id) === search.get('group'))
  const ofGroup = (id: number | null) => versions.filter(({ group_id }) => group_id === id)
  const own = ofGroup(group?.id ?? null)
  const reading = versions.find(({ id }) => String(id) === search.get('read'))
  const read = (id: string | undefined) => setSearch(withValue('read', id), { replace: true })
  return (
    <>
      <PageHeader title={t`Terms`} text={t`Members accept them before anything of the workspace is shown to them.`}>
        <div style={{ width: 240 }}>
          <Choice
            label={t`Terms of`}
            none={t`The workspace`}
            value={group ? String(group.id) : ''}
            options={groups.map(({ id, name }) => [String(id), name])}
            onChange={(id) => setSearch(withValue('group', id || undefined), { replace: true })}
          />
        </div>
      </PageHeader>
      <Columns>
        <Part title={t`Write`}>
          <DraftForm key={group?.id ?? 0} workspaceId={workspace.id} group={group} latest={own[0]} />
        </Part>
        <Parts>
          <Part title={t`Issued versions`}>
            <Versions workspaceId={workspace.id} group={group} versions={own} onRead={({ id }) => read(String(id))} />
          </Part>
          <Part title={t`Who is not bound`}>
            {t`Workspace admins, the owner of the team and organization admins enter without accepting. A group’s own terms replace those of the workspace for its members.`}
          </Part>
        </Parts>
      </Columns>
      <Answers workspace={workspace} />
      {reading && (
        <VersionDialog
          key={reading.id}
          workspaceId={workspace.id}
          version={reading}
          former={ofGroup(reading.group_id).find(({ version }) => version < reading.version)}
          onClose={() => read(undefined)}
        />
      )}
    </>
  )
}

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1.4fr) minmax(0, 1fr)',
  alignItems: 'start',
  gap: 16,
  padding: '0 16px 16px',
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))

export { IssuedTermsPage as Component }
