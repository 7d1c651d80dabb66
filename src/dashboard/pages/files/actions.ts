import { msg } from '@lingui/core/macro'
import {
  ArchiveRestore,
  ArrowDown,
  ArrowDownAZ,
  ArrowUp,
  CornerLeftUp,
  Download,
  FolderInput,
  Eye,
  FolderPlus,
  Info,
  ListChecks,
  ListOrdered,
  MessagesSquare,
  PenLine,
  UsersRound,
  Copy,
  Trash2,
} from 'lucide-react'
import { actionOf, allowedAt, type Action as AnyAction } from '../../shared/actions/action.ts'
import type { Press } from '../../shared/actions/shortcut.ts'
import { ROOT } from '../../shared/listing/folder-query.ts'
import { isFile, isFolder, isUnsealable, type Abilities, type Entry } from '../../shared/listing/entries.ts'

/** The facts that decide which actions are available. */
export interface Situation {
  admin: boolean
  /** The page shows what somebody else sees, and changes nothing. */
  readOnly: boolean
  abilities: Abilities
  /** Whether the lines are in the order of the room, without a sort or a filter. */
  inOrder: boolean
  atRoot: boolean
  /** A group of the caller may ask questions. */
  mayAsk: boolean
  /** The details open by an action instead of standing beside the list. */
  detailsFolded: boolean
  touch: boolean
  /** Numbers of folders and of files in the open folder: the last places that a line can move to. */
  totals: { folders: number; files: number }
}

export type DraftQuestion = 'createDraft' | 'makeDraft' | 'publish'

/** The operations that actions run. */
export interface Commands {
  open: (entry: Entry) => void
  goUp: () => void
  download: (entries: readonly Entry[]) => void
  rename: (entry: Entry) => void
  shift: (entry: Entry, by: number) => void
  /** Opens a dialog for the entries. Without entries, it is about the open folder. */
  ask: (
    question: 'move' | 'copy' | 'remove' | 'who' | 'index' | 'renumber' | DraftQuestion,
    entries: readonly Entry[],
  ) => void
  askCreate: () => void
  askAbout: (file: Entry) => void
  showTrash: () => void
  chooseAll: () => void
  chooseAlso: (entry: Entry) => void
  showDetails: (entry: Entry | undefined) => void
}

type Place = 'lines' | 'bulk' | 'details' | 'order' | 'background' | 'branch' | 'tree' | 'toolbar'

export type Action = AnyAction<Situation, Commands, readonly Entry[], Place>

/** Maximum number of entries in one zip (the contract's `downloads.create`). */
const IN_ONE_ZIP = 10_000

const one = (entries: readonly Entry[]) => (entries.length === 1 ? entries[0] : undefined)
const withOne = (run: (commands: Commands, entry: Entry) => void): Action['run'] => {
  return (commands, entries) => {
    const entry = one(entries)
    if (entry) run(commands, entry)
  }
}

/**
 * Folders are managed by workspace admins. Groups with file-managing abilities may delete, rename and reindex files
 * (API description, Groups, `file_managing_abilities`).
 */
const mayManage = ({ admin, abilities }: Situation, entries: readonly Entry[]) =>
  entries.length > 0 && (admin || (abilities.manage && entries.every(isFile)))

const mayTransfer = ({ admin }: Situation, entries: readonly Entry[]) =>
  admin && entries.length > 0 && !entries.some((entry) => isFolder(entry) && entry.id === ROOT)

const isClean = (entry: Entry) =>
  isFolder(entry) ? !entry.source.path_node : entry.source.infected !== true && !entry.source.damaged

/** Whether the entries are one file whose download is a sealed copy; several files make a zip. */
export const isSealedFile = ({ abilities }: Situation, entries: readonly Entry[]) =>
  abilities.download && abilities.sealed && entries.length === 1 && entries.every(isFile)

const mayDownload = ({ abilities }: Situation, entries: readonly Entry[]) =>
  abilities.download && entries.length > 0 && entries.length <= IN_ONE_ZIP && entries.every(isClean)

export const isWithoutPages = (entry: Entry) => isFile(entry) && isUnsealable(entry.source.viewer_status)

const mayShift = (by: number): Action['may'] => {
  return (situation, entries) => {
    const entry = one(entries)
    if (!entry || !situation.inOrder || !mayManage(situation, entries)) return false
    const last = isFolder(entry) ? situation.totals.folders : situation.totals.files
    return entry.index + by >= 1 && entry.index + by <= last
  }
}

/** All actions of the page. The toolbar, the menus, the shortcuts and the bulk bar all read this list. */
export const actions: readonly Action[] = [
  {
    id: 'open',
    label: msg({ message: 'Open', context: 'verb' }),
    icon: Eye,
    places: ['lines', 'details', 'branch'],
    shortcut: { key: 'Enter' },
    may: (_, entries) => entries.length === 1,
    run: withOne((commands, entry) => commands.open(entry)),
  },
  {
    id: 'download',
    label: msg`Download`,
    icon: Download,
    places: ['lines', 'bulk', 'details'],
    shortcut: { key: 's', command: true },
    may: (situation, entries) => mayDownload(situation, entries) && !isSealedFile(situation, entries),
    run: (commands, entries) => commands.download(entries),
  },
  {
    id: 'downloadSealed',
    label: msg`Download sealed copy`,
    icon: Download,
    places: ['lines', 'bulk', 'details'],
    shortcut: { key: 's', command: true },
    may: (situation, entries) =>
      mayDownload(situation, entries) && isSealedFile(situation, entries) && !entries.some(isWithoutPages),
    run: (commands, entries) => commands.download(entries),
  },
  {
    id: 'details',
    label: msg`Details`,
    icon: Info,
    places: ['lines', 'background'],
    may: ({ detailsFolded }, entries) => detailsFolded && entries.length <= 1,
    run: (commands, entries) => commands.showDetails(entries[0]),
  },
  {
    id: 'who',
    label: msg`Who can see this?`,
    icon: UsersRound,
    places: ['lines', 'background', 'branch'],
    shortcut: { key: 'i', command: true },
    may: ({ admin }, entries) => admin && entries.length <= 1,
    run: (commands, entries) => commands.ask('who', entries),
  },
  {
    id: 'ask',
    label: msg`Ask about this`,
    icon: MessagesSquare,
    places: ['lines'],
    may: ({ mayAsk, readOnly }, entries) => mayAsk && !readOnly && entries.length === 1 && entries.every(isFile),
    run: withOne((commands, entry) => commands.askAbout(entry)),
  },
  {
    id: 'choose',
    label: msg({ message: 'Select', context: 'verb' }),
    icon: ListChecks,
    places: ['lines'],
    may: ({ touch }, entries) => touch && entries.length === 1,
    run: withOne((commands, entry) => commands.chooseAlso(entry)),
  },
  {
    id: 'rename',
    label: msg`Rename`,
    icon: PenLine,
    places: ['lines', 'details'],
    divided: true,
    shortcut: { key: 'F2' },
    may: (situation, entries) => entries.length === 1 && mayManage(situation, entries),
    run: withOne((commands, entry) => commands.rename(entry)),
  },
  {
    id: 'move',
    label: msg`Move to…`,
    icon: FolderInput,
    places: ['lines', 'bulk', 'details', 'branch'],
    may: mayTransfer,
    run: (commands, entries) => commands.ask('move', entries),
  },
  {
    id: 'copy',
    label: msg`Copy to…`,
    icon: Copy,
    places: ['lines', 'bulk', 'details', 'branch'],
    may: (situation, entries) => mayTransfer(situation, entries) && entries.every(isClean),
    run: (commands, entries) => commands.ask('copy', entries),
  },
  {
    id: 'moveUp',
    label: msg`Move up`,
    icon: ArrowUp,
    places: ['lines', 'order'],
    divided: true,
    shortcut: { key: 'ArrowUp', alt: true },
    may: mayShift(-1),
    run: withOne((commands, entry) => commands.shift(entry, -1)),
  },
  {
    id: 'moveDown',
    label: msg`Move down`,
    icon: ArrowDown,
    places: ['lines', 'order'],
    shortcut: { key: 'ArrowDown', alt: true },
    may: mayShift(1),
    run: withOne((commands, entry) => commands.shift(entry, 1)),
  },
  {
    id: 'remove',
    label: msg`Delete…`,
    icon: Trash2,
    places: ['lines', 'bulk', 'details'],
    divided: true,
    danger: true,
    shortcut: { key: 'Delete' },
    may: mayManage,
    run: (commands, entries) => commands.ask('remove', entries),
  },
  {
    id: 'create',
    label: msg`New folder`,
    icon: FolderPlus,
    places: ['background', 'toolbar'],
    shortcut: { key: 'n', alt: true },
    may: ({ abilities }) => abilities.upload,
    run: (commands) => commands.askCreate(),
  },
  {
    id: 'goUp',
    label: msg`Up one folder`,
    icon: CornerLeftUp,
    places: ['background'],
    shortcut: { key: 'Backspace' },
    may: ({ atRoot }) => !atRoot,
    run: (commands) => commands.goUp(),
  },
  {
    id: 'exportIndex',
    label: msg`Export index…`,
    icon: ListOrdered,
    places: ['background', 'tree'],
    may: ({ readOnly }) => !readOnly,
    run: (commands) => commands.ask('index', []),
  },
  {
    id: 'renumber',
    label: msg`Number by name…`,
    icon: ArrowDownAZ,
    places: ['background'],
    may: ({ admin, totals }) => admin && totals.folders + totals.files > 1,
    run: (commands) => commands.ask('renumber', []),
  },
  {
    id: 'trash',
    label: msg`Recently deleted`,
    icon: ArchiveRestore,
    places: ['background', 'tree'],
    may: ({ admin }) => admin,
    run: (commands) => commands.showTrash(),
  },
  {
    id: 'chooseAll',
    label: msg`Select all`,
    icon: ListChecks,
    places: ['background'],
    shortcut: { key: 'a', command: true },
    may: () => true,
    run: (commands) => commands.chooseAll(),
  },
]

export const actionsAt = (place: Place, situation: Situation, entries: readonly Entry[]): Action[] =>
  allowedAt(actions, place, situation, entries)

export const actionFor = (press: Press, situation: Situation, entries: readonly Entry[]): Action | undefined =>
  actionOf(actions, press, situation, entries)
