import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { nameOf } from '../people.ts'
import { PersonAvatar } from '../person-avatar.tsx'
import { useMe } from '../session.ts'
import { useSignOut } from '../use-sign-out.ts'

export function AccountMenu() {
  const me = useMe()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const signOut = useSignOut()
  return (
    <>
      <IconButton
        aria-label={`Account of ${nameOf(me)}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ borderRadius: '50%', p: 0.25 }}
      >
        <PersonAvatar person={me} size={28} />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <Box component="li" role="none" sx={{ px: 2, py: 1, minWidth: 220 }}>
          <Typography sx={{ fontWeight: 600 }}>{nameOf(me)}</Typography>
          <Typography variant="caption" color="textSecondary">
            {me.email}
          </Typography>
        </Box>
        <Divider component="li" />
        <MenuItem onClick={signOut}>
          <LogOut size={16} />
          Sign out
        </MenuItem>
      </Menu>
    </>
  )
}
