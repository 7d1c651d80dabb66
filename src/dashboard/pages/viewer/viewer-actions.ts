import { msg, t } from '@lingui/core/macro'
import {
  ChevronDown,
  ChevronsDown,
  ChevronsUp,
  ChevronUp,
  Download,
  Expand,
  FolderOpen,
  History,
  MessagesSquare,
  MoveHorizontal,
  PanelLeft,
  Printer,
  RotateCw,
  Scan,
  Search,
  ShieldCheck,
  SkipBack,
  SkipForward,
  UsersRound,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { actionOf, allowedAt, keyHintsOf, type Action as AnyAction } from '../../shared/actions/action.ts'
import type { KeyHint } from '../../shared/actions/offers.ts'
import type { Press } from '../../shared/actions/shortcut.ts'
import { LARGEST, SMALLEST, type Zoom } from './pages/page-layout.ts'

export interface ViewSituation {
  shown: boolean
  page: number
  pages: number
  scale: number
  /** Whether the widest page is as wide as the window. */
  fillsWidth: boolean
  zoom: Zoom
  mayDownload: boolean
  /** A download is a sealed copy. */
  sealed: boolean
  /** Whether the current version is neither infected nor damaged. */
  intact: boolean
  mayManage: boolean
  mayPrint: boolean
  mayFind: boolean
  /** A group of the reader may ask questions. */
  mayAsk: boolean
  /** Ids of the files before and after this one in its folder. */
  previous: number | undefined
  next: number | undefined
  /** Whether the current page fits into the window as a whole. */
  fits: boolean
  admin: boolean
  /** Phones have no space for thumbnails. */
  phone: boolean
}

export interface ViewCommands {
  close: () => void
  openNeighbour: (step: 1 | -1) => void
  turnPage: (step: 1 | -1) => void
  goTo: (page: number) => void
  zoom: (zoom: Zoom) => void
  stepZoom: (direction: 1 | -1) => void
  rotate: () => void
  toggleThumbnails: () => void
  toggleVersions: () => void
  download: () => void
  print: () => void
  find: () => void
  showInFolder: () => void
  showWho: () => void
  ask: () => void
}

type Place = 'find' | 'frame' | 'file' | 'pages' | 'zoom' | 'fit' | 'tools' | 'main' | 'keys'

export type ViewAction = AnyAction<ViewSituation, ViewCommands, undefined, Place>

/** All actions of the viewer. Its bars, menus and keys and the command palette read this list. */
export const viewActions: readonly ViewAction[] = [
  {
    id: 'close',
    label: msg`Close`,
    icon: X,
    places: ['frame'],
    shortcut: { key: 'Escape' },
    may: () => true,
    run: ({ close }) => close(),
  },
  {
    id: 'previousFile',
    label: msg`Previous file`,
    icon: SkipBack,
    places: ['file'],
    shortcut: { key: 'p' },
    may: ({ previous }) => previous !== undefined,
    run: ({ openNeighbour }) => openNeighbour(-1),
  },
  {
    id: 'nextFile',
    label: msg`Next file`,
    icon: SkipForward,
    places: ['file'],
    shortcut: { key: 'n' },
    may: ({ next }) => next !== undefined,
    run: ({ openNeighbour }) => openNeighbour(1),
  },
  {
    id: 'previousPage',
    label: msg`Previous page`,
    icon: ChevronUp,
    places: ['pages'],
    shortcut: { key: 'ArrowLeft' },
    may: ({ shown, page }) => shown && page > 1,
    run: ({ turnPage }) => turnPage(-1),
  },
  {
    id: 'nextPage',
    label: msg`Next page`,
    icon: ChevronDown,
    places: ['pages'],
    shortcut: { key: 'ArrowRight' },
    may: ({ shown, page, pages }) => shown && page < pages,
    run: ({ turnPage }) => turnPage(1),
  },
  {
    id: 'firstPage',
    label: msg`First page`,
    icon: ChevronsUp,
    places: ['keys'],
    shortcut: { key: 'Home' },
    may: ({ shown }) => shown,
    run: ({ goTo }) => goTo(1),
  },
  {
    id: 'lastPage',
    label: msg`Last page`,
    icon: ChevronsDown,
    places: ['keys'],
    shortcut: { key: 'End' },
    may: ({ shown }) => shown,
    run: ({ goTo }) => goTo(Number.POSITIVE_INFINITY),
  },
  {
    id: 'zoomOut',
    label: msg`Zoom out`,
    icon: ZoomOut,
    places: ['zoom'],
    shortcut: { key: '-' },
    may: ({ shown, scale }) => shown && scale > SMALLEST,
    run: ({ stepZoom }) => stepZoom(-1),
  },
  {
    id: 'zoomIn',
    label: msg`Zoom in`,
    icon: ZoomIn,
    places: ['zoom'],
    shortcut: { key: '+' },
    may: ({ shown, scale }) => shown && scale < LARGEST,
    run: ({ stepZoom }) => stepZoom(1),
  },
  {
    id: 'fitWidth',
    label: msg`Fit width`,
    icon: MoveHorizontal,
    places: ['fit'],
    shortcut: { key: 'w' },
    may: ({ shown }) => shown,
    run: ({ zoom }) => zoom('width'),
  },
  {
    id: 'fitPage',
    label: msg`Fit page`,
    icon: Scan,
    places: ['fit'],
    shortcut: { key: 'f' },
    may: ({ shown }) => shown,
    run: ({ zoom }) => zoom('page'),
  },
  {
    id: 'fullSize',
    label: msg`100 %`,
    icon: Expand,
    places: ['fit'],
    shortcut: { key: '0' },
    may: ({ shown }) => shown,
    run: ({ zoom }) => zoom(1),
  },
  {
    id: 'rotate',
    label: msg`Rotate`,
    icon: RotateCw,
    places: ['tools'],
    divided: true,
    shortcut: { key: 'r' },
    may: ({ shown }) => shown,
    run: ({ rotate }) => rotate(),
  },
  {
    id: 'find',
    label: msg`Find in the document`,
    icon: Search,
    places: ['tools', 'find'],
    shortcut: { key: 'f', command: true },
    may: ({ shown, mayFind }) => shown && mayFind,
    run: ({ find }) => find(),
  },
  {
    id: 'thumbnails',
    label: msg`Thumbnails`,
    icon: PanelLeft,
    places: ['tools'],
    shortcut: { key: 't' },
    may: ({ shown, phone }) => shown && !phone,
    run: ({ toggleThumbnails }) => toggleThumbnails(),
  },
  {
    id: 'versions',
    label: msg`Versions`,
    icon: History,
    places: ['tools'],
    shortcut: { key: 'v' },
    may: ({ mayManage }) => mayManage,
    run: ({ toggleVersions }) => toggleVersions(),
  },
  {
    id: 'showInFolder',
    label: msg`Show in its folder`,
    icon: FolderOpen,
    places: ['tools'],
    shortcut: { key: 'o' },
    may: () => true,
    run: ({ showInFolder }) => showInFolder(),
  },
  {
    id: 'who',
    label: msg`Who can see this?`,
    icon: UsersRound,
    places: ['tools'],
    shortcut: { key: 'i', command: true },
    may: ({ admin }) => admin,
    run: ({ showWho }) => showWho(),
  },
  {
    id: 'ask',
    label: msg`Ask about this`,
    icon: MessagesSquare,
    places: ['tools'],
    shortcut: { key: 'q' },
    may: ({ shown, mayAsk }) => shown && mayAsk,
    run: ({ ask }) => ask(),
  },
  {
    id: 'print',
    label: msg`Print`,
    icon: Printer,
    places: ['tools'],
    shortcut: { key: 'p', command: true },
    may: ({ shown, mayPrint }) => shown && mayPrint,
    run: ({ print }) => print(),
  },
  {
    id: 'download',
    label: msg`Download`,
    icon: Download,
    places: ['main'],
    shortcut: { key: 's', command: true },
    may: ({ mayDownload, intact, sealed }) => mayDownload && intact && !sealed,
    run: ({ download }) => download(),
  },
  {
    id: 'download-sealed',
    label: msg`Download sealed copy`,
    icon: ShieldCheck,
    places: ['main'],
    shortcut: { key: 's', command: true },
    may: ({ mayDownload, intact, sealed }) => mayDownload && intact && sealed,
    run: ({ download }) => download(),
  },
]

export const viewActionsAt = (place: Place, situation: ViewSituation): ViewAction[] =>
  allowedAt(viewActions, place, situation, undefined)

export const viewActionFor = (press: Press, situation: ViewSituation): ViewAction | undefined =>
  actionOf(viewActions, press, situation, undefined)

/** All keys of the viewer, for the list of shortcuts. */
export const viewKeyHints = (): KeyHint[] => [
  { keys: t`↑ ↓ PgUp PgDn`, label: t`Scroll` },
  ...keyHintsOf(viewActions),
  { keys: 'F3', label: t`Next hit` },
]

/** Returns all actions of a bar, available or not, so that no button moves. */
export const viewActionsOf = (place: Place): ViewAction[] => viewActions.filter(({ places }) => places.includes(place))
