import { useQuery } from '@tanstack/react-query'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useAction } from '../../api/query.ts'
import type { User } from '../../api/session.ts'
import { nameOf } from '../../shared/people.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { GroupInfo } from './group-info.ts'

interface RemoveMemberDialogProps {
  group: GroupInfo
  member: User
  onClose: () => void
}

/** Says what else goes with the membership, and why it was refused where it is. */
export function RemoveMemberDialog({ group, member, onClose }: RemoveMemberDialogProps) {
  const remove = useAction(api.groups.removeMember, { onDone: onClose })
  const { data: people } = useQuery(read(api.workspaces.listMembers, { params: { id: group.workspace_id } }))
  const others = people
    ?.find(({ user }) => user.id === member.id)
    ?.groups.filter(({ id, name }) => id !== group.id && name !== 'All Members')
  const name = nameOf(member)
  return (
    <ConfirmDialog
      open
      title={`Remove ${name}?`}
      confirm="Remove"
      pending={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
      onConfirm={() =>
        remove.mutate({ params: { id: group.id }, query: { workspace_id: group.workspace_id, user_id: member.id } })
      }
      onClose={onClose}
    >
      {others?.length === 0
        ? `${group.name} is the last group of ${name}, who will lose access to the workspace.`
        : `${name} will lose what ${group.name} grants. Other groups are not affected.`}
    </ConfirmDialog>
  )
}
