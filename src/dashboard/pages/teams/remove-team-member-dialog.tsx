import { t } from '@lingui/core/macro'
import { useNavigate } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import type { User } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { nameOf } from '../../shared/people.ts'
import { useMe } from '../../shared/session.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import type { TeamInfo } from './team-info.ts'

interface RemoveTeamMemberDialogProps {
  team: TeamInfo
  user: User
  onClose: () => void
}

/** Says what else the user loses, and why a removal is refused. A user who leaves goes to the home page. */
export function RemoveTeamMemberDialog({ team, user, onClose }: RemoveTeamMemberDialogProps) {
  const navigate = useNavigate()
  const isMe = useMe().id === user.id
  const remove = useAction(api.teams.removeMember, {
    // Leave before everything is read again, because the user may no longer read this page.
    onDone: () => (isMe ? navigate(paths.home(), { replace: true }) : onClose()),
  })
  const { name: teamName } = team
  const name = nameOf(user)
  return (
    <ConfirmDialog
      open
      title={isMe ? t`Leave ${teamName}?` : t`Remove ${name}?`}
      confirm={isMe ? t`Leave` : t`Remove`}
      pending={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { id: team.id }, query: { user_id: user.id } })}
      onClose={onClose}
    >
      {isMe
        ? t`You will no longer create workspaces in ${teamName} or change the team. In its workspaces nothing is taken away but the protection of a Team Admin: other admins can then remove you.`
        : t`${name} will no longer create workspaces in ${teamName} or change the team. In its workspaces nothing is taken away but the protection of a Team Admin: other admins can then remove them.`}
    </ConfirmDialog>
  )
}
