import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import ListItemText from '@mui/material/ListItemText'
import MenuItem from '@mui/material/MenuItem'
import { Activity, Eye, UserMinus } from 'lucide-react'
import { Link } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { nameOf } from '../../shared/people.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { RowMenu } from '../../ui/fields/row-menu.tsx'
import type { Member } from './member.ts'

/** The actions of an admin on a person: show what they did, show what they see, remove them. */
export function PersonMenu({ person, onRemove }: { person: Member; onRemove: () => void }) {
  const { user, workspace_id } = person
  const name = nameOf(user)
  return (
    <RowMenu label={t`Actions for ${name}`}>
      <MenuItem component={Link} to={paths.activities(workspace_id, { user_id: user.id })}>
        <Activity size={16} aria-hidden />
        <Trans>What they did</Trans>
      </MenuItem>
      <MenuItem component={Link} to={paths.viewAs(workspace_id, { user: user.id })}>
        <Eye size={16} aria-hidden />
        <Trans context="one person">What they see</Trans>
      </MenuItem>
      <RemoveItem person={person} onRemove={onRemove} />
    </RowMenu>
  )
}

/** Apart, so that only an open menu reads who else is an admin. */
function RemoveItem({ person, onRemove }: { person: Member; onRemove: () => void }) {
  const stays = useStays(person)
  return (
    <MenuItem onClick={onRemove} disabled={stays !== undefined} sx={{ color: 'error.main' }}>
      <UserMinus size={16} aria-hidden />
      <ListItemText primary={t`Remove from the workspace`} secondary={stays} />
    </MenuItem>
  )
}

/** Why the service would refuse to remove the person (decisions, section 4). */
function useStays({ admin, team_member, workspace_id }: Member): string | undefined {
  const isOfTeam = useWorkspace().team_member
  const { data: people = [] } = useReading(read(api.workspaces.listMembers, { params: { id: workspace_id } }))
  if (!admin) return undefined
  if (people.filter((each) => each.admin).length === 1) return t`The last Workspace Admin stays.`
  return team_member && !isOfTeam ? t`Only members of the team remove its admins.` : undefined
}
