import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { Plus, Users } from 'lucide-react'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { prefetch, useRead } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { withValue } from '../../ui/with-value.ts'
import { CreateGroupDialog } from './create-group-dialog.tsx'
import { groupsQuery, inOrder } from './group-info.ts'
import { GroupsTable } from './groups-table.tsx'

export const loader = ({ params }: LoaderFunctionArgs) => prefetch(groupsQuery(idOf(params['workspaceId'])))

export function GroupsPage() {
  const workspace = useWorkspace()
  const groups = inOrder(useRead(groupsQuery(workspace.id)))
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const shown = groups.filter(({ name }) => name.toLocaleLowerCase().includes(q.trim().toLocaleLowerCase()))
  const filter = (text: string) => setSearch(withValue('q', text || undefined), { replace: true })
  const close = () => setSearch(withValue('new', undefined), { replace: true })
  const creating = search.has('new')
  return (
    <>
      <PageHeader title={workspace.admin ? t`Groups` : t`Your groups`}>
        <SearchField value={q} onChange={filter} label={t`Filter groups`} width={180} />
        {workspace.admin && (
          <Button variant="contained" startIcon={<Plus size={16} />} onClick={() => setSearch(withValue('new', ''))}>
            <Trans>New group</Trans>
          </Button>
        )}
      </PageHeader>
      <Sheet>
        {shown.length > 0 ? (
          <GroupsTable groups={shown} counted={workspace.admin} />
        ) : (
          <NoGroups filtered={q !== ''} onClear={() => filter('')} />
        )}
      </Sheet>
      {workspace.admin && creating && <CreateGroupDialog workspaceId={workspace.id} onClose={close} />}
    </>
  )
}

function NoGroups({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) {
    return (
      <EmptyState icon={Users} title={t`You are in no group`} text={t`A workspace admin puts people into groups.`} />
    )
  }
  return (
    <EmptyState
      icon={Users}
      title={t`No group matches`}
      action={
        <Button onClick={onClear}>
          <Trans>Show all groups</Trans>
        </Button>
      }
    />
  )
}

export { GroupsPage as Component }
