import { t } from '@lingui/core/macro'
import { KeyRound } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { prefetch, read, useRead } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useMe } from '../../shared/session.ts'
import { chosenGroups, gridGroup, inOrder } from './grid/grid-groups.ts'
import { recallAccess, rememberAccess } from './grid/remembered.ts'
import { GroupPicker } from './grid/group-picker.tsx'
import { PermissionsPane } from './permissions-pane.tsx'

const groupsQuery = (workspace_id: number) => read(api.groups.list, { query: { workspace_id } })

export const loader = ({ params }: LoaderFunctionArgs) => prefetch(groupsQuery(idOf(params['workspaceId'])))

/** Shows who may view, download and upload: folders by the rights of one group, or of several side by side. */
export function PermissionsPage() {
  const workspace = useWorkspace()
  const { id: userId } = useMe()
  const all = inOrder(useRead(groupsQuery(workspace.id)))
  const [width] = useState(window.innerWidth)
  const [search, setSearch] = useSearchParams()
  // The rail leads here without groups in the address, also after others were chosen.
  // oxlint-disable-next-line react/exhaustive-deps -- what is remembered changes with the address
  const remembered = useMemo(() => recallAccess(userId, workspace.id).groups, [userId, workspace.id, search])
  const chosen = chosenGroups(all, search.getAll('group'), { remembered, width })
  const choose = (groupIds: number[]) => {
    rememberAccess(userId, workspace.id, { groups: groupIds })
    setSearch((before) => {
      before.delete('group')
      for (const id of groupIds) before.append('group', String(id))
      return before
    })
  }
  const isStaging = workspace.admin && search.has('staging')
  const stage = (isOn: boolean) =>
    setSearch((before) => {
      before.delete('staging')
      if (isOn) before.set('staging', '')
      return before
    })
  if (chosen.length === 0) return <NoGroups />
  return (
    <PermissionsPane
      userId={userId}
      key={[isStaging, ...chosen.map(({ id }) => id)].join()}
      isStaging={isStaging}
      onStaging={stage}
      workspace={workspace}
      groups={chosen.map((group) => gridGroup(group, workspace.admin))}
      picker={<GroupPicker all={all} chosen={chosen} onChoose={choose} />}
    />
  )
}

function NoGroups() {
  return (
    <>
      <PageHeader title={t`Access`} />
      <EmptyState icon={KeyRound} title={t`No group to show`} text={t`You are in no group of this workspace.`} />
    </>
  )
}

export { PermissionsPage as Component }
