import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import MenuItem from '@mui/material/MenuItem'
import { Activity, Eye, UserMinus } from 'lucide-react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { nameOf } from '../../shared/people.ts'
import { RowMenu } from '../../ui/fields/row-menu.tsx'
import type { Member } from './member.ts'

/** The actions of an admin on a person: show what they did, show what they see, remove them. */
export function PersonMenu({ person: { user, workspace_id }, onRemove }: { person: Member; onRemove: () => void }) {
  const name = nameOf(user)
  return (
    <RowMenu label={t`Actions for ${name}`}>
      <MenuItem component={Link} to={paths.activities(workspace_id, { user_id: user.id })}>
        <Activity size={16} aria-hidden />
        <Trans>What they did</Trans>
      </MenuItem>
      <MenuItem component={Link} to={paths.viewAs(workspace_id, { user: user.id })}>
        <Eye size={16} aria-hidden />
        <Trans>What they see</Trans>
      </MenuItem>
      <MenuItem onClick={onRemove} sx={{ color: 'error.main' }}>
        <UserMinus size={16} aria-hidden />
        <Trans>Remove from the workspace</Trans>
      </MenuItem>
    </RowMenu>
  )
}
