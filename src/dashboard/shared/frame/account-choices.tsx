import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import { Building2, Keyboard, LogOut, SquareTerminal, UserRound } from 'lucide-react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { showPalette } from '../palette/palette-state.ts'
import { nameOf } from '../people.ts'
import { useMe } from '../session.ts'
import { useSignOut } from '../use-sign-out.ts'

interface AccountChoicesProps {
  anchor: HTMLElement
  onClose: () => void
}

export function AccountChoices({ anchor, onClose }: AccountChoicesProps) {
  const me = useMe()
  const signOut = useSignOut()
  return (
    <Menu anchorEl={anchor} open onClose={onClose}>
      <Box component="li" role="none" sx={{ px: 2, py: 1, minWidth: 220 }}>
        <Typography sx={{ fontWeight: 600 }}>{nameOf(me)}</Typography>
        <Typography variant="caption" color="textSecondary">
          {me.email}
        </Typography>
      </Box>
      <Divider component="li" />
      <MenuItem component={Link} to={paths.account()} onClick={onClose}>
        <UserRound size={16} />
        <Trans>Account</Trans>
      </MenuItem>
      {me.organization_admin && (
        <MenuItem component={Link} to={paths.organization()} onClick={onClose}>
          <Building2 size={16} />
          <Trans>Organization</Trans>
        </MenuItem>
      )}
      <Divider component="li" />
      <MenuItem onClick={() => (onClose(), showPalette('commands'))}>
        <SquareTerminal size={16} />
        <span style={{ flex: 1 }}>{t`Commands…`}</span>
        <Typography variant="caption" color="textSecondary" aria-hidden>
          Ctrl+K
        </Typography>
      </MenuItem>
      <MenuItem onClick={() => (onClose(), showPalette('shortcuts'))}>
        <Keyboard size={16} />
        <span style={{ flex: 1 }}>{t`Keyboard shortcuts`}</span>
        <Typography variant="caption" color="textSecondary" aria-hidden>
          ?
        </Typography>
      </MenuItem>
      <Divider component="li" />
      <MenuItem onClick={() => (onClose(), void signOut())}>
        <LogOut size={16} />
        <Trans>Sign out</Trans>
      </MenuItem>
    </Menu>
  )
}
