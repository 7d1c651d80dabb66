import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Divider from '@mui/material/Divider'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import { LayoutGrid, Vault } from 'lucide-react'
import { Link } from 'react-router-dom'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { naturally } from '../../../ui/words/format.ts'

/** More are found on the page of all spaces, and by Ctrl+K. */
const MOST = 12

interface RoomChoicesProps {
  current: number
  anchor: HTMLElement
  onClose: () => void
}

export function RoomChoices({ current, anchor, onClose }: RoomChoicesProps) {
  const { data, isPending, isError } = useReading(read(api.users.workspaces))
  const others = (data?.workspaces ?? [])
    .filter(({ id }) => id !== current)
    .toSorted((a, b) => Number(b.favourite) - Number(a.favourite) || naturally(a.name, b.name))
  return (
    <Menu
      open
      anchorEl={anchor}
      onClose={onClose}
      slotProps={{ list: { 'aria-label': t`Workspaces` }, paper: { sx: { minWidth: 260, maxWidth: 420 } } }}
    >
      {others.slice(0, MOST).map(({ id, name, team_name }) => (
        <MenuItem key={id} component={Link} to={paths.workspace(id)} onClick={onClose}>
          <Vault size={16} aria-hidden />
          <div style={{ minWidth: 0 }}>
            <Typography noWrap>{name}</Typography>
            <Typography variant="caption" color="textSecondary" component="p" noWrap>
              {team_name}
            </Typography>
          </div>
        </MenuItem>
      ))}
      {others.length === 0 && (
        <MenuItem disabled>
          {isPending ? t`Loading` : isError ? t`They cannot be read now.` : t`No other workspace`}
        </MenuItem>
      )}
      <Divider component="li" />
      <MenuItem component={Link} to={paths.home()} onClick={onClose}>
        <LayoutGrid size={16} aria-hidden />
        <Trans>All spaces</Trans>
      </MenuItem>
    </Menu>
  )
}
