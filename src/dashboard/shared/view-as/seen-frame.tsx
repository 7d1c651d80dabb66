import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { SeenSearch } from './seen-search.tsx'
import { ReaderBanner } from './reader-banner.tsx'
import type { SeenWorkspace } from './seen-by.ts'

interface SeenFrameProps {
  workspace: SeenWorkspace
  tab: 'files' | 'questions' | 'welcome' | 'search'
  /** The same place, as the admin sees it. */
  leaveTo: string
  children: ReactNode
}

/**
 * A page as a group or a person has it, below the banner that says so. It fills the window, because the rail is the admin's
 * own.
 */
export function SeenFrame({ workspace, tab, leaveTo, children }: SeenFrameProps) {
  const { id, seenAs } = workspace
  const who = { group: seenAs.group_id, user: seenAs.user_id }
  const tabs = [
    { key: 'files', label: t`Files`, to: paths.viewAs(id, who) },
    { key: 'questions', label: t`Questions`, to: paths.viewAs(id, who, 'questions') },
    { key: 'welcome', label: t`Welcome page`, to: paths.viewAs(id, who, 'welcome') },
  ]
  return (
    <Window>
      <ReaderBanner workspace={workspace} leaveTo={leaveTo} />
      <Bar>
        <Tabs aria-label={t`What they see`}>
          {tabs.map(({ key, label, to }) => (
            <Link key={key} to={to} aria-current={key === tab ? 'page' : undefined}>
              {label}
            </Link>
          ))}
        </Tabs>
        <SeenSearch workspace={workspace} />
      </Bar>
      {children}
    </Window>
  )
}

const Window = styled('div')({
  display: 'grid',
  gridTemplateRows: 'auto auto minmax(0, 1fr)',
  gridTemplateColumns: 'minmax(0, 1fr)',
  height: '100%',
  minHeight: 0,
})

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '0 12px',
  padding: '0 16px 0 12px',
  background: theme.vars.palette.background.paper,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  form: { flex: '0 1 320px' },
  [theme.breakpoints.down('sm')]: { form: { flex: '1 0 100%', padding: '0 4px 8px' } },
}))

const Tabs = styled('nav')(({ theme }) => ({
  display: 'flex',
  gap: 4,
  overflowX: 'auto',
  a: {
    padding: '11px 8px 9px',
    fontSize: '0.8125rem',
    fontWeight: 500,
    whiteSpace: 'nowrap',
    color: theme.vars.palette.text.secondary,
    textDecoration: 'none',
    borderBottom: '2px solid transparent',
  },
  'a:hover': { color: theme.vars.palette.text.primary },
  'a[aria-current]': {
    color: theme.vars.palette.text.primary,
    fontWeight: 600,
    borderBottomColor: theme.vars.palette.primary.main,
  },
  'a:focus-visible': { outlineOffset: -2 },
}))
