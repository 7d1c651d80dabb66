import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { LayoutGrid, Server } from 'lucide-react'
import { Link, NavLink } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { SIZES } from '../../theme.ts'
import { Mark } from '../../ui/mark.tsx'
import { UNPRINTED } from '../../ui/print.ts'
import { useQuestions } from './use-questions.ts'
import { PersonAvatar } from '../person-avatar.tsx'
import { useMe } from '../session.ts'
import { useWorkspaceId, useWorkspaceIfAny } from '../workspace.ts'
import { type Section, sections } from './sections.ts'

/** The main navigation: the spaces and, inside a workspace, the sections that the user may use. */
export function Rail({ onLeave }: { onLeave?: () => void }) {
  const workspace = useWorkspaceIfAny()
  const outside = useWorkspaceId() < 0
  const me = useMe()
  const shown = useQuestions(workspace)?.shown
  const may = ({ adminsOnly, ifQuestions }: Section) => workspace?.admin || (!adminsOnly && (!ifQuestions || shown))
  const open = workspace ? sections.filter(may) : []
  return (
    <Bar aria-label={t`Main`} className={UNPRINTED}>
      <Home to={paths.home()} onClick={onLeave} aria-label={t`Strongroom, to your workspaces`}>
        <Mark size={26} />
      </Home>
      <Entry to={paths.home()} onClick={onLeave} end>
        <LayoutGrid size={20} aria-hidden />
        <span>{t`Spaces`}</span>
      </Entry>
      {workspace &&
        open.map(({ label, icon: Icon, to }) => (
          <Entry key={to(workspace.id)} to={to(workspace.id)} onClick={onLeave}>
            <Icon size={20} aria-hidden />
            <span>{i18n._(label)}</span>
          </Entry>
        ))}
      {outside && (
        <Entry to={paths.account()} onClick={onLeave}>
          <PersonAvatar person={me} />
          <span>{t`Account`}</span>
        </Entry>
      )}
      {me.installation_admin && (
        <Entry to={paths.system()} onClick={onLeave} sx={{ mt: 'auto' }}>
          <Server size={20} aria-hidden />
          <span>{t`System`}</span>
        </Entry>
      )}
    </Bar>
  )
}

const Bar = styled('nav')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'stretch',
  gap: 2,
  width: SIZES.rail,
  height: '100%',
  padding: '0 8px 12px',
  overflowY: 'auto',
  scrollbarWidth: 'none',
  background: theme.vars.palette.rail.main,
  color: theme.vars.palette.rail.text,
}))

const Home = styled(Link)({ display: 'grid', placeItems: 'center', height: 60, flexShrink: 0, borderRadius: 8 })

const Entry = styled(NavLink)(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 5,
  height: 54,
  flexShrink: 0,
  borderRadius: 8,
  color: 'inherit',
  fontSize: 11,
  fontWeight: 500,
  lineHeight: 1.2,
  textDecoration: 'none',
  // Languages with longer words need to break them.
  '& span': { maxWidth: '100%', textAlign: 'center', hyphens: 'auto', overflowWrap: 'anywhere' },
  '&:hover': { background: `color-mix(in srgb, ${theme.vars.palette.rail.active} 55%, transparent)` },
  '&.active': { background: theme.vars.palette.rail.active, color: '#ffffff', fontWeight: 600 },
  // The rail is dark in both schemes, so the ring is always white.
  '&:focus-visible': { outline: `2px solid ${theme.palette.common.white}`, outlineOffset: -2 },
}))
