import { t } from '@lingui/core/macro'
import { api } from '../../../../contract/index.ts'
import { isAdminGroup, leavesWorkspace } from '../../../../contract/rules.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useAction, useReading } from '../../../api/query.ts'
import type { User } from '../../../api/session.ts'
import { nameOf } from '../../../shared/people.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { type GroupInfo, groupsQuery } from '../group-info.ts'

interface RemoveMemberDialogProps {
  group: GroupInfo
  member: User
  onClose: () => void
}

/** Says what else the member loses, and shows the reason if the removal is refused. */
export function RemoveMemberDialog({ group, member, onClose }: RemoveMemberDialogProps) {
  const remove = useAction(api.groups.removeMember, { onDone: onClose })
  const leaves = useLeavesWorkspace(group, member)
  const name = nameOf(member)
  return (
    <ConfirmDialog
      open
      title={t`Remove ${name}?`}
      confirm={t`Remove`}
      pending={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
      onConfirm={() =>
        remove.mutate({ params: { id: group.id }, query: { workspace_id: group.workspace_id, user_id: member.id } })
      }
      onClose={onClose}
    >
      {consequence(group, name, leaves)}
    </ConfirmDialog>
  )
}

function useLeavesWorkspace(group: GroupInfo, member: User): boolean {
  const { data: all = [] } = useReading(groupsQuery(group.workspace_id))
  const { data: people = [] } = useReading(read(api.workspaces.listMembers, { params: { id: group.workspace_id } }))
  const own = people.find(({ user }) => user.id === member.id)?.groups
  return (
    own !== undefined &&
    leavesWorkspace(
      group,
      all.filter(({ id }) => own.some((each) => each.id === id)),
    )
  )
}

function consequence(group: GroupInfo, name: string, leaves: boolean): string {
  const { name: groupName } = group
  if (group.is_draft) return t`${name} will not get in when ${groupName} is published. Other groups are not affected.`
  if (group.kind === 'all_members') return t`${name} will leave every group and lose access to the workspace.`
  if (leaves) return t`${groupName} is the last group of ${name}, who will lose access to the workspace.`
  if (isAdminGroup(group)) return t`${name} will no longer administer the workspace. Other groups are not affected.`
  return t`${name} will lose what ${groupName} grants. Other groups are not affected.`
}
