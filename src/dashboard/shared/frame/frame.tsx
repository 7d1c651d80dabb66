import { t } from '@lingui/core/macro'
import Box from '@mui/material/Box'
import { styled, useTheme } from '@mui/material/styles'
import { lazy, Suspense, useState } from 'react'
import { Navigate, Outlet, useLocation, useNavigationType, useNavigation } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { pageShown } from '../../ui/states/page-shown.ts'
import { PageSkeleton } from '../../ui/states/page-skeleton.tsx'
import { PendingBar } from '../../ui/states/pending-bar.tsx'
import { TrayCorner } from '../../ui/toasts/tray.tsx'
import { DownloadCorner } from '../downloads/download-corner.tsx'
import { useLiveWorkspace } from '../live/use-live-workspace.ts'
import { PalettePlace } from '../palette/palette-place.tsx'
import { FramedUser, useSession } from '../session.ts'
import { useWorkspaceIfAny } from '../workspace.ts'
import { Rail } from './rail.tsx'
import { TopBar } from './top-bar.tsx'
import { UnsavedChanges } from './unsaved-changes.tsx'
import { useOtherPerson } from './use-other-person.ts'
import { useOtherReader, useWholeWindow } from './whole-window.ts'

// Uploads of an earlier visit are looked for once the first page is shown.
const UploadCorner = lazy(async () => {
  await pageShown()
  return { default: (await import('../uploads/tray/upload-corner.tsx')).UploadCorner }
})
// Only phones need the drawer.
const Drawer = lazy(async () => ({ default: (await import('./drawer.tsx')).Drawer }))

/** The rail, the top bar and the page. Redirects to the sign-in when the session ends, in whatever way. */
export function Frame() {
  const { user, signed_out } = useSession()
  const { pathname, search } = useLocation()
  if (!user && signed_out) return <Navigate to={paths.signIn()} replace />
  if (!user) return <Navigate to={paths.signIn(pathname + search)} state="ended" replace />
  return (
    <FramedUser value={user}>
      <UnsavedChanges>
        <SignedInFrame userId={user.id} />
      </UnsavedChanges>
    </FramedUser>
  )
}

function SignedInFrame({ userId }: { userId: number }) {
  useOtherPerson(userId)
  useLiveWorkspace(useWorkspaceIfAny()?.id ?? -1)
  const pending = useNavigation().state !== 'idle'
  const phone = useMediaQuery(useTheme().breakpoints.down('sm'))
  const whole = useWholeWindow()
  const otherReader = useOtherReader()
  const { open, show, hide } = useDrawer()
  return (
    <Layout>
      <SkipLink href="#page">{t`Skip to the page`}</SkipLink>
      {!phone && !whole && <Rail />}
      <Suspense>{phone && open && <Drawer onClose={hide} />}</Suspense>
      <Box sx={{ position: 'relative', display: 'flex', flexDirection: 'column', gridColumn: -2, minWidth: 0 }}>
        {!whole && <TopBar onMenu={phone ? show : undefined} />}
        {pending && <PendingBar />}
        <Page id="page" tabIndex={-1}>
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </Page>
      </Box>
      <TrayCorner style={otherReader ? { display: 'none' } : undefined}>
        {!whole && <DownloadCorner />}
        <Suspense>
          <UploadCorner />
        </Suspense>
      </TrayCorner>
      <PalettePlace off={otherReader} />
    </Layout>
  )
}

/** The drawer stays open when a navigation ends that began before the drawer was opened; Back closes it. */
function useDrawer() {
  const { key } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const [drawer, setDrawer] = useState({ open: false, key })
  const set = (open: boolean) => setDrawer({ open, key })
  if (drawer.key !== key) set(drawer.open && !isBack)
  return { open: drawer.open, show: () => set(true), hide: () => set(false) }
}

const Layout = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gridTemplateRows: 'minmax(0, 1fr)',
  height: '100%',
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))

/** Scrolls pages that scroll as a whole; pages with their own panes fill it exactly. */
const Page = styled('main')({ flex: 1, minWidth: 0, minHeight: 0, overflow: 'auto', '&:focus': { outline: 'none' } })

const SkipLink = styled('a')(({ theme }) => ({
  position: 'absolute',
  left: 8,
  top: -60,
  zIndex: theme.zIndex.tooltip,
  padding: '8px 14px',
  borderRadius: 8,
  background: theme.vars.palette.primary.main,
  color: theme.vars.palette.primary.contrastText,
  '&:focus': { top: 8 },
}))

export { Frame as Component }
