import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Drawer from '@mui/material/Drawer'
import GlobalStyles from '@mui/material/GlobalStyles'
import { keyframes, styled } from '@mui/material/styles'
import { FileX2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { Link, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from 'react-router-dom'
import { api } from '../../../../contract/index.ts'
import { ApiFailure, messageOf } from '../../../api/failures.ts'
import { prefetch, useAction } from '../../../api/query.ts'
import { idOf, paths } from '../../../paths.ts'
import { useOffers } from '../../../shared/actions/offers.ts'
import { useWorkspace } from '../../../shared/workspace.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { late } from '../../../ui/late.ts'
import { PageCanvas } from './page-canvas.tsx'
import { Thumbnails } from './thumbnails.tsx'
import { useFollowedPage } from './use-followed-page.ts'
import { fileQuery, useViewer, type Viewer } from './use-viewer.ts'
import { useViewerKeys } from './use-viewer-keys.ts'
import { useViewerUrl } from './use-viewer-url.ts'
import { viewActions, viewKeyHints } from './viewer-actions.ts'
import { PhoneBar, ViewerBar } from './viewer-bar.tsx'
import { ViewerState } from './viewer-state.tsx'
import { VersionsPanel } from './versions-panel.tsx'

// Loaded only for printing.
const PrintDialog = lazy(async () => ({ default: (await import('./print-dialog.tsx')).PrintDialog }))

export const loader = ({ params }: LoaderFunctionArgs) =>
  prefetch(fileQuery(idOf(params['workspaceId']), idOf(params['fileId'])))

/** Page and version change only the query of the address, which needs no new data here. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.pathname !== nextUrl.pathname

export function ViewPage() {
  return <ViewerOf key={useViewerUrl().fileId} />
}

export { ViewPage as Component }

function ViewerOf() {
  const viewer = useViewer(useWorkspace())
  const { file, screen, situation, commands, window } = viewer
  useViewerKeys(situation, commands, window.scroller)
  useFollowedPage(viewer)
  useViewerOffers(viewer)
  useEffect(() => {
    if (file) document.title = `${file.title} – Strongroom`
  }, [file])
  return (
    <Frame>
      {!situation.mayPrint && <GlobalStyles styles={NOTHING_ON_PAPER} />}
      <ViewerBar viewer={viewer} />
      <OlderVersion viewer={viewer} />
      <Middle>
        {situation.shown && !screen.phone && viewer.panels.thumbnails && viewer.sizes.length > 1 && (
          <Thumbnails
            key={viewer.shownVersion}
            sizes={viewer.sizes}
            pages={viewer.urls.pages}
            current={situation.page}
            onGo={commands.goTo}
            onSight={viewer.onThumbsInSight}
            renew={viewer.urls.renew}
          />
        )}
        <Content viewer={viewer} />
        <Versions viewer={viewer} />
      </Middle>
      {screen.phone && <PhoneBar viewer={viewer} />}
      <Suspense>
        {viewer.printing && file && situation.shown && (
          <PrintDialog
            title={file.title}
            file={viewer.key}
            pages={situation.pages}
            page={situation.page}
            onClose={viewer.endPrinting}
          />
        )}
      </Suspense>
    </Frame>
  )
}

/** The pages, or a message in their place. */
function Content({ viewer }: { viewer: Viewer }) {
  const { file, document, error, situation, commands, workspace } = viewer
  const retry = useAction(api.documents.retry)
  if (error && (isGone(error) || !file || !document)) return <Failure error={error} viewer={viewer} />
  // Pages and thumbnails appear together, each in its place, so that nothing moves.
  if (!file || !document) return <Coming role="status" aria-label={t`Loading`} />
  if (situation.shown) return <Canvas viewer={viewer} />
  const onRetry = () => retry.mutate({ body: { workspace_id: workspace.id, file_ids: [file.id] } })
  return (
    <ViewerState
      status={document.status}
      reason={document.reason}
      infected={file.infected === true}
      onDownload={situation.mayDownload && situation.intact ? commands.download : undefined}
      onRetry={workspace.admin ? onRetry : undefined}
      onClose={commands.close}
    />
  )
}

function Canvas({ viewer: { file, shownVersion, window, urls, turn, printing } }: { viewer: Viewer }) {
  return (
    <PageCanvas
      key={shownVersion}
      title={file?.title ?? t`the file`}
      window={window}
      pages={urls.pages}
      turn={turn}
      renew={urls.renew}
      unprinted={printing}
    />
  )
}

/** A user who loses the right to view while the file is open no longer sees it. */
const isGone = (error: Error) => error instanceof ApiFailure && (error.code === 404 || error.code === 403)

function Failure({ error, viewer: { workspace, retry } }: { error: Error; viewer: Viewer }) {
  if (isGone(error)) {
    return (
      <Said>
        <EmptyState
          icon={FileX2}
          heading="h1"
          title={t`There is no such file`}
          text={t`It may have been deleted, or your groups do not give access to it.`}
          action={
            <Button variant="outlined" component={Link} to={paths.files(workspace.id)}>
              <Trans>Go to the files</Trans>
            </Button>
          }
        />
      </Said>
    )
  }
  const requestId = error instanceof ApiFailure ? error.requestId : undefined
  return (
    <Said>
      <ErrorState heading="h1" message={messageOf(error)} requestId={requestId} onRetry={retry} />
    </Said>
  )
}

function OlderVersion({ viewer: { file, shownVersion, url } }: { viewer: Viewer }) {
  if (!file || shownVersion >= file.version) return null
  const newest = file.version
  return (
    <Notice role="status">
      <Trans>
        You are looking at version {shownVersion} of {newest}.
      </Trans>
      <Button onClick={() => url.setVersion(undefined)}>
        <Trans>Show the newest</Trans>
      </Button>
    </Notice>
  )
}

function Versions({ viewer }: { viewer: Viewer }) {
  const { panels, situation, file, url, shownVersion, screen, commands } = viewer
  if (!file || !situation.mayManage) return null
  const choose = (version: number) => {
    if (screen.phone) commands.toggleVersions()
    url.setVersion(version === file.version ? undefined : version)
  }
  const panel = (
    <VersionsPanel
      workspaceId={url.workspaceId}
      fileId={file.id}
      version={shownVersion}
      onChoose={choose}
      onDownload={situation.mayDownload ? (version) => void viewer.downloadVersion(version) : undefined}
    />
  )
  if (!screen.phone) return panels.versions && panel
  const paper = { maxHeight: '70vh', borderRadius: '12px 12px 0 0' }
  return (
    <Drawer
      anchor="bottom"
      open={panels.versions}
      onClose={commands.toggleVersions}
      slotProps={{ paper: { sx: paper, 'aria-label': t`Versions` } }}
    >
      {panel}
    </Drawer>
  )
}

function useViewerOffers({ situation, commands, file }: Viewer) {
  const name = file?.title
  const title = name === undefined ? t`Viewer` : t`“${name}”`
  const offers = useMemo(() => {
    const may = viewActions.filter((action) => action.may(situation, undefined))
    return may.map(({ id, label, icon, shortcut, run }) => {
      return { id: `view-${id}`, label: i18n._(label), icon, shortcut, run: () => run(commands, undefined) }
    })
  }, [situation, commands])
  useOffers(useMemo(() => ({ title, offers, keys: [] }), [title, offers]))
  useOffers(useMemo(() => ({ title: t`Viewer`, offers: [], keys: viewKeyHints() }), []))
}

/** A user who may only view must not print, and under DRM a document leaves the service only in a sealed copy. */
const NOTHING_ON_PAPER = { '@media print': { html: { display: 'none' } } }

const Frame = styled('div')({ display: 'flex', flexDirection: 'column', height: '100%', minHeight: 0 })

const Middle = styled('div')({ display: 'flex', flex: 1, minHeight: 0, position: 'relative' })

const Coming = styled('div')(({ theme }) => ({
  flex: 1,
  background: theme.vars.palette.background.default,
  '&::before': {
    content: '""',
    display: 'block',
    width: 28,
    height: 28,
    margin: '30vh auto 0',
    borderRadius: '50%',
    border: `3px solid ${theme.vars.palette.divider}`,
    borderTopColor: theme.vars.palette.primary.main,
    animation: `${late}, ${turn} 0.9s linear infinite`,
  },
}))

const turn = keyframes({ to: { transform: 'rotate(360deg)' } })

const Said = styled('div')({ flex: 1, minWidth: 0, overflow: 'auto' })

const Notice = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 8,
  padding: '4px 12px',
  flexShrink: 0,
  background: theme.vars.palette.selection.item,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))
