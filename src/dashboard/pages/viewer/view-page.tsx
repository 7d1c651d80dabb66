import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Drawer from '@mui/material/Drawer'
import GlobalStyles from '@mui/material/GlobalStyles'
import { keyframes, styled } from '@mui/material/styles'
import { FileX2 } from 'lucide-react'
import { lazy, memo, Suspense, useEffect, useMemo } from 'react'
import { Link, useParams, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { prefetch, useAction } from '../../api/query.ts'
import { idOf, paths } from '../../paths.ts'
import { useOffers } from '../../shared/actions/offers.ts'
import { useQuestions } from '../../shared/frame/use-questions.ts'
import { readNewsAgain } from '../../shared/news/news-queries.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { late } from '../../ui/states/late.ts'
import { Opening } from '../../ui/states/opening.tsx'
import { withTexts } from '../../ui/words/language.ts'
import { numberedName } from '../../shared/listing/entries.ts'
import { folderPath, ROOT, type Workspace } from '../../shared/listing/folder-query.ts'
import { handlingQuery } from '../../shared/view-as/handling.ts'
import { readerIn, useSeen } from '../../shared/view-as/seen-by.ts'
import { useScreen } from '../../shared/listing/use-screen.ts'
import { FindBar } from './find/find-bar.tsx'
import { FindOwner, useFinding } from './find/find-owner.tsx'
import { HitTicks } from './find/hit-ticks.tsx'
import { PageCanvas } from './pages/page-canvas.tsx'
import { pagesQuery } from './pages/use-pages.ts'
import { Thumbnails } from './pages/thumbnails.tsx'
import { Reading } from './reading/reading.tsx'
import { useViewerKeys } from './use-viewer-keys.ts'
import { shownIn } from './use-viewer-url.ts'
import { fileQuery, FileOwner, isIntact, useViewedFile } from './viewed-file.tsx'
import { viewActions, viewKeyHints } from './viewer-actions.ts'
import { PhoneBar, ViewerBar } from './viewer-bar.tsx'
import { CommandsOwner, useViewerCommands } from './viewer-commands.tsx'
import { SightOwner, useLooking, useSight, useSituation } from './viewer-sight.tsx'
import { ViewerState } from './viewer-state.tsx'
import { VersionsPanel } from './versions-panel.tsx'

const WhoDrawer = lazy(async () => ({ default: (await import('../../shared/who/who-drawer.tsx')).WhoDrawer }))
// Loaded only for admins who view as somebody.
const ReaderBanner = lazy(async () => ({
  default: (await import('../../shared/view-as/reader-banner.tsx')).ReaderBanner,
}))
const Delivered = lazy(async () => ({ default: (await import('../../shared/view-as/delivered.tsx')).Delivered }))
// Loaded only to ask.
const AskDialog = lazy(
  withTexts('deal', async () => ({ default: (await import('../../shared/asking/ask-dialog.tsx')).AskDialog })),
)
// Loaded only for printing.
const PrintDialog = lazy(async () => ({ default: (await import('./print/print-dialog.tsx')).PrintDialog }))

export function loader({ params, request }: LoaderFunctionArgs) {
  const [workspaceId, fileId] = [idOf(params['workspaceId']), idOf(params['fileId'])]
  const search = new URL(request.url).searchParams
  const reader = readerIn(search)
  if (reader) return prefetch(handlingQuery(workspaceId, fileId, reader))
  const { page, version } = shownIn(search)
  return prefetch(fileQuery(workspaceId, fileId), pagesQuery({ workspaceId, fileId, version }, page, true))
}

/** Page and version change only the query of the address, which needs no new data here. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.pathname !== nextUrl.pathname

export function ViewPage() {
  const workspace = useWorkspace()
  const fileId = idOf(useParams()['fileId'])
  const seen = useSeen(workspace)
  return <Viewer key={JSON.stringify([fileId, seen?.seenAs])} workspace={seen ?? workspace} />
}

export { ViewPage as Component }

/** Four owners hold the state of the viewer: the address and the document, the pages in view, the search, commands. */
const Viewer = memo(function Viewer({ workspace }: { workspace: Workspace }) {
  // What was viewed is no longer unread.
  useEffect(() => () => void readNewsAgain(), [])
  return (
    <FileOwner workspace={workspace}>
      <SightOwner>
        <FindOwner>
          <CommandsOwner>
            <ViewerKeys />
            <ViewerOffers />
            <ViewerFrame />
          </CommandsOwner>
        </FindOwner>
      </SightOwner>
    </FileOwner>
  )
})

function ViewerFrame() {
  const viewed = useViewedFile()
  const { document } = viewed
  const { phone } = useScreen()
  return (
    <Frame>
      {document?.printable !== true && <GlobalStyles styles={NOTHING_ON_PAPER} />}
      <Seen />
      <ViewerBar />
      <OlderVersion />
      <Middle>
        <Rail />
        <Stage className={phone ? 'phone' : ''} aria-busy={isComing(viewed)}>
          <FindBar />
          <Content />
          {!phone && <HitTicks />}
        </Stage>
        <Versions />
      </Middle>
      {phone && <PhoneBar />}
      <Print />
      <Reading />
      <Who />
      <Ask />
    </Frame>
  )
}

/** The banner of an admin who views as somebody. */
function Seen() {
  const { workspace, key, file } = useViewedFile()
  const { id, seenAs } = workspace
  return (
    seenAs && (
      <Suspense>
        <ReaderBanner workspace={{ ...workspace, seenAs }} leaveTo={paths.view(id, key.fileId)}>
          {file && <Delivered workspaceId={id} reader={seenAs} file={file} />}
        </ReaderBanner>
      </Suspense>
    )
  )
}

function Rail() {
  const { shown, shownVersion, pages: count } = useViewedFile()
  const { window, sizes, pages, renew } = useSight()
  const { onThumbsInSight } = useLooking()
  const { commands, panels } = useViewerCommands()
  const { phone } = useScreen()
  const { found } = useFinding()
  if (!shown || phone || !panels.thumbnails || count < 2) return null
  return (
    <Thumbnails
      key={shownVersion}
      sizes={sizes}
      pages={pages}
      hits={found.pages}
      current={window.sight.page}
      onGo={commands.goTo}
      onSight={onThumbsInSight}
      renew={renew}
    />
  )
}

function Print() {
  const { file, key, shown, pages } = useViewedFile()
  const { page } = useSight().window.sight
  const { printing, endPrinting } = useViewerCommands()
  return (
    <Suspense fallback={<Opening onClose={endPrinting} />}>
      {printing && file && shown && (
        <PrintDialog title={file.title} file={key} pages={pages} page={page} onClose={endPrinting} />
      )}
    </Suspense>
  )
}

function Who() {
  const { workspace, file } = useViewedFile()
  const { asksWho, closeWho } = useViewerCommands()
  if (!asksWho || !file) return null
  const { id, title, outline, number_length, folder_id: folderId } = file
  const name = numberedName(outline, title, number_length)
  return (
    <Suspense fallback={<Opening onClose={closeWho} />}>
      <WhoDrawer workspaceId={workspace.id} kind="file" {...{ id, name }} folderId={folderId} onClose={closeWho} />
    </Suspense>
  )
}

/** The file and the page in view are what the question is on. */
function Ask() {
  const { workspace, file } = useViewedFile()
  const { asks, closeAsking } = useViewerCommands()
  const settings = useQuestions(workspace)
  const { pageInView } = useLooking()
  if (!asks || !file || !settings) return null
  return (
    <Suspense fallback={<Opening onClose={closeAsking} />}>
      <AskDialog settings={settings} on={{ fileId: file.id, page: pageInView() }} onClose={closeAsking} />
    </Suspense>
  )
}

/** The pages, or a message in their place. */
function Content() {
  const viewed = useViewedFile()
  const { workspace, file, document, error, shown, shownVersion, abilities } = viewed
  const { commands, printing } = useViewerCommands()
  const retry = useAction(api.documents.retry)
  if (error && (isGone(error) || !file || !document)) return <Failure error={error} />
  // Pages and thumbnails appear together, each in its place, so that nothing moves.
  if (!file || !document || isComing(viewed)) return <Coming role="status" aria-label={t`Loading`} />
  if (shown) return <PageCanvas key={shownVersion} title={file.title} unprinted={printing} />
  const onRetry = () => retry.mutate({ body: { workspace_id: workspace.id, file_ids: [file.id] } })
  const mayDownload = abilities?.download === true && isIntact(file)
  return (
    <ViewerState
      document={document}
      infected={file.infected === true}
      onDownload={mayDownload ? commands.download : undefined}
      onRetry={workspace.admin ? onRetry : undefined}
      onClose={commands.close}
    />
  )
}

const isComing = ({ file, document, shown, settled, error }: ReturnType<typeof useViewedFile>) =>
  !error && (!file || !document || (!shown && !settled))

/** A user who loses the right to view while the file is open no longer sees it. */
const isGone = (error: Error) => error instanceof ApiFailure && (error.code === 404 || error.code === 403)

function Failure({ error }: { error: Error }) {
  const { workspace, retry } = useViewedFile()
  if (isGone(error)) {
    return (
      <Said>
        <EmptyState
          icon={FileX2}
          heading="h1"
          title={t`There is no such file`}
          text={t`It may have been deleted, or your groups do not give access to it.`}
          action={
            <Button variant="outlined" component={Link} to={folderPath(workspace, ROOT)}>
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

function OlderVersion() {
  const { file, shownVersion, url } = useViewedFile()
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

function Versions() {
  const { file, document, url, shownVersion, abilities } = useViewedFile()
  const { commands, downloadVersion, panels } = useViewerCommands()
  const { phone } = useScreen()
  if (!file || abilities?.manage !== true) return null
  // Single versions are not sealed, and none is given while the newest is infected or damaged.
  const mayDownload = abilities.download && isIntact(file) && document?.printable !== false
  const choose = (version: number) => {
    if (phone) commands.toggleVersions()
    url.setVersion(version === file.version ? undefined : version)
  }
  const panel = (
    <VersionsPanel
      workspaceId={url.workspaceId}
      fileId={file.id}
      version={shownVersion}
      onChoose={choose}
      onDownload={mayDownload ? downloadVersion : undefined}
    />
  )
  if (!phone) return panels.versions && panel
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

/** Handles keys. Draws nothing. */
function ViewerKeys() {
  useViewerKeys(useSituation(), useViewerCommands().commands, useSight().window.scroller)
  return null
}

/** Offers the actions in the command palette. Draws nothing. */
function ViewerOffers() {
  const name = useViewedFile().file?.title
  const situation = useSituation()
  const { commands } = useViewerCommands()
  const title = name === undefined ? t`Viewer` : t`“${name}”`
  const offers = useMemo(() => {
    const may = viewActions.filter((action) => action.may(situation, undefined))
    return may.map(({ id, label, icon, shortcut, run }) => {
      return { id: `view-${id}`, label: i18n._(label), icon, shortcut, run: () => run(commands, undefined) }
    })
  }, [situation, commands])
  useOffers(useMemo(() => ({ title, offers, keys: [] }), [title, offers]))
  useOffers(useMemo(() => ({ title: t`Viewer`, offers: [], keys: viewKeyHints() }), []))
  return null
}

/** A user who may only view must not print, and under DRM a document leaves the service only in a sealed copy. */
const NOTHING_ON_PAPER = { '@media print': { html: { display: 'none' } } }

const Frame = styled('div')({ display: 'flex', flexDirection: 'column', height: '100%', minHeight: 0 })

const Stage = styled('div')({
  position: 'relative',
  display: 'flex',
  flex: 1,
  minWidth: 0,
  '&.phone': { flexDirection: 'column' },
  '&[aria-busy=true]': { visibility: 'hidden' },
})

const Middle = styled('div')({ display: 'flex', flex: 1, minHeight: 0, position: 'relative' })

const Coming = styled('div')(({ theme }) => ({
  flex: 1,
  visibility: 'visible',
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
