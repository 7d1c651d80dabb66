import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { Activity, Ellipsis, Eye, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { nameOf } from '../../shared/people.ts'
import type { Member } from './member.ts'

/** What an admin may want of a person: what they did, what they see, and that they go. */
export function PersonMenu({ person: { user, workspace_id }, onRemove }: { person: Member; onRemove: () => void }) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const name = nameOf(user)
  const remove = () => {
    setAnchor(undefined)
    onRemove()
  }
  return (
    <>
      <IconButton
        aria-label={t`Actions for ${name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Ellipsis size={16} />
      </IconButton>
      {anchor && (
        <Menu anchorEl={anchor} open onClose={() => setAnchor(undefined)}>
          <MenuItem component={Link} to={paths.activities(workspace_id, { user_id: user.id })}>
            <Activity size={16} aria-hidden />
            <Trans>What they did</Trans>
          </MenuItem>
          <MenuItem component={Link} to={paths.viewAs(workspace_id, { user: user.id })}>
            <Eye size={16} aria-hidden />
            <Trans>What they see</Trans>
          </MenuItem>
          <MenuItem onClick={remove} sx={{ color: 'error.main' }}>
            <UserMinus size={16} aria-hidden />
            <Trans>Remove from the workspace</Trans>
          </MenuItem>
        </Menu>
      )}
    </>
  )
}
