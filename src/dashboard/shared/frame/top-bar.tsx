import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Menu } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { SIZES } from '../../theme.ts'
import { UNPRINTED } from '../../ui/print.ts'
import { DownloadsButton } from '../downloads/downloads-button.tsx'
import { shortcutText } from '../actions/shortcut.ts'
import { showPalette } from '../palette/palette-state.ts'
import { useWorkspaceIfAny } from '../workspace.ts'
import { AccountMenu } from './account-menu.tsx'
import { FileSearch } from './file-search.tsx'
import { NewsLink } from './news-link.tsx'
import { RoomSwitch } from './rooms/room-switch.tsx'
import { SchemeToggle } from './scheme-toggle.tsx'

const RoomLook = lazy(() => import('../branding/room-look.tsx'))

interface TopBarProps {
  /** Opens the drawer; undefined where the rail is shown instead. */
  onMenu: (() => void) | undefined
}

export function TopBar({ onMenu }: TopBarProps) {
  const workspace = useWorkspaceIfAny()
  const key = shortcutText({ key: 'k', command: true })
  return (
    <Bar className={UNPRINTED}>
      {onMenu && (
        <IconButton onClick={onMenu} aria-label={t`Menu`} atStart>
          <Menu size={20} />
        </IconButton>
      )}
      <Name>{workspace ? <RoomSwitch id={workspace.id} name={workspace.name} /> : 'Strongroom'}</Name>
      {workspace && <FileSearch key={workspace.id} />}
      <Space />
      <Suspense>{workspace?.look && <RoomLook workspaceId={workspace.id} look={workspace.look} />}</Suspense>
      <Commands onClick={() => showPalette('commands')} aria-label={`${key}: ${t`Commands`}`} title={t`Commands`}>
        {key}
      </Commands>
      {workspace && <DownloadsButton workspaceId={workspace.id} />}
      <NewsLink />
      <SchemeToggle />
      <AccountMenu />
    </Bar>
  )
}

const Bar = styled('header')(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  height: SIZES.bar,
  flexShrink: 0,
  padding: '0 16px',
  minWidth: 0,
  background: theme.vars.palette.background.paper,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))

const Name = styled('span')(({ theme }) => ({
  fontSize: 15,
  fontWeight: 650,
  letterSpacing: '-0.005em',
  display: 'flex',
  minWidth: 0,
  [theme.breakpoints.down('sm')]: { flex: 1 },
}))

const Commands = styled(IconButton)(({ theme }) => ({
  padding: '4px 8px',
  border: `1px solid ${theme.vars.palette.divider}`,
  fontSize: '0.75rem',
  color: theme.vars.palette.text.secondary,
  '@media (hover: none)': { display: 'none' },
  [theme.breakpoints.down('sm')]: { display: 'none' },
}))

const Space = styled('span')(({ theme }) => ({ flex: 1, [theme.breakpoints.down('sm')]: { display: 'none' } }))
