import {
  ArchiveRestore,
  ArrowDown,
  ArrowUp,
  CornerLeftUp,
  Download,
  FolderInput,
  FolderOpen,
  FolderPlus,
  Info,
  ListChecks,
  PenLine,
  Copy,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import { isFile, isFolder, type Abilities, type Entry } from './entries.ts'

/** What an action may depend on. */
export interface Situation {
  admin: boolean
  abilities: Abilities
  /** The lines stand in the order of the room: no sort, no filter. */
  inOrder: boolean
  atRoot: boolean
  /** The details are not beside the list but behind an action. */
  detailsFolded: boolean
  touch: boolean
  /** Folders and files there are, as far as their places go. */
  totals: { folders: number; files: number }
}

/** What the actions set going. */
export interface Commands {
  open: (entry: Entry) => void
  goUp: () => void
  download: (entries: readonly Entry[]) => void
  rename: (entry: Entry) => void
  shift: (entry: Entry, by: number) => void
  ask: (question: 'move' | 'copy' | 'remove', entries: readonly Entry[]) => void
  askCreate: () => void
  showTrash: () => void
  chooseAll: () => void
  chooseAlso: (entry: Entry) => void
  showDetails: (entry: Entry | undefined) => void
}

type Place = 'lines' | 'bulk' | 'details' | 'order' | 'background' | 'tree'

interface Shortcut {
  key: string
  command?: boolean
  alt?: boolean
}

export interface Action {
  id: string
  label: string
  icon: LucideIcon
  places: readonly Place[]
  shortcut?: Shortcut
  /** Destroys something. */
  danger?: true
  /** Begins a new part of a menu. */
  divided?: true
  may: (situation: Situation, entries: readonly Entry[]) => boolean
  run: (commands: Commands, entries: readonly Entry[]) => void
}

/** What one zip may be made of (the contract's `downloads.create`). */
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

const mayTransfer = ({ admin }: Situation, entries: readonly Entry[]) => admin && entries.length > 0

const isClean = (entry: Entry) => (isFolder(entry) ? !entry.source.path_node : entry.source.infected !== true)

const mayShift = (by: number): Action['may'] => {
  return (situation, entries) => {
    const entry = one(entries)
    if (!entry || !situation.inOrder || !mayManage(situation, entries)) return false
    const last = isFolder(entry) ? situation.totals.folders : situation.totals.files
    return entry.index + by >= 1 && entry.index + by <= last
  }
}

/** Everything one can do here, once: the toolbar, the menus, the shortcuts and the bulk bar all read this list. */
export const actions: readonly Action[] = [
  {
    id: 'open',
    label: 'Open',
    icon: FolderOpen,
    places: ['lines', 'details'],
    shortcut: { key: 'Enter' },
    may: (_, entries) => one(entries)?.kind === 'folder',
    run: withOne((commands, entry) => commands.open(entry)),
  },
  {
    id: 'download',
    label: 'Download',
    icon: Download,
    places: ['lines', 'bulk', 'details'],
    shortcut: { key: 's', command: true },
    may: ({ abilities }, entries) =>
      abilities.download && entries.length > 0 && entries.length <= IN_ONE_ZIP && entries.every(isClean),
    run: (commands, entries) => commands.download(entries),
  },
  {
    id: 'details',
    label: 'Details',
    icon: Info,
    places: ['lines', 'background'],
    may: ({ detailsFolded }, entries) => detailsFolded && entries.length <= 1,
    run: (commands, entries) => commands.showDetails(entries[0]),
  },
  {
    id: 'choose',
    label: 'Select',
    icon: ListChecks,
    places: ['lines'],
    may: ({ touch }, entries) => touch && entries.length === 1,
    run: withOne((commands, entry) => commands.chooseAlso(entry)),
  },
  {
    id: 'rename',
    label: 'Rename',
    icon: PenLine,
    places: ['lines', 'details'],
    divided: true,
    shortcut: { key: 'F2' },
    may: (situation, entries) => entries.length === 1 && mayManage(situation, entries),
    run: withOne((commands, entry) => commands.rename(entry)),
  },
  {
    id: 'move',
    label: 'Move to…',
    icon: FolderInput,
    places: ['lines', 'bulk', 'details'],
    may: mayTransfer,
    run: (commands, entries) => commands.ask('move', entries),
  },
  {
    id: 'copy',
    label: 'Copy to…',
    icon: Copy,
    places: ['lines', 'bulk', 'details'],
    may: (situation, entries) => mayTransfer(situation, entries) && entries.every(isClean),
    run: (commands, entries) => commands.ask('copy', entries),
  },
  {
    id: 'moveUp',
    label: 'Move up',
    icon: ArrowUp,
    places: ['lines', 'order'],
    divided: true,
    shortcut: { key: 'ArrowUp', alt: true },
    may: mayShift(-1),
    run: withOne((commands, entry) => commands.shift(entry, -1)),
  },
  {
    id: 'moveDown',
    label: 'Move down',
    icon: ArrowDown,
    places: ['lines', 'order'],
    shortcut: { key: 'ArrowDown', alt: true },
    may: mayShift(1),
    run: withOne((commands, entry) => commands.shift(entry, 1)),
  },
  {
    id: 'remove',
    label: 'Delete…',
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
    label: 'New folder',
    icon: FolderPlus,
    places: ['background'],
    shortcut: { key: 'n', alt: true },
    may: ({ abilities }) => abilities.upload,
    run: (commands) => commands.askCreate(),
  },
  {
    id: 'goUp',
    label: 'Up one folder',
    icon: CornerLeftUp,
    places: ['background'],
    shortcut: { key: 'Backspace' },
    may: ({ atRoot }) => !atRoot,
    run: (commands) => commands.goUp(),
  },
  {
    id: 'trash',
    label: 'Recently deleted',
    icon: ArchiveRestore,
    places: ['background', 'tree'],
    may: ({ admin }) => admin,
    run: (commands) => commands.showTrash(),
  },
  {
    id: 'chooseAll',
    label: 'Select all',
    icon: ListChecks,
    places: ['background'],
    shortcut: { key: 'a', command: true },
    may: () => true,
    run: (commands) => commands.chooseAll(),
  },
]

/** What may be done at a place, in order. */
export const actionsAt = (place: Place, situation: Situation, entries: readonly Entry[]): Action[] =>
  actions.filter((action) => action.places.includes(place) && action.may(situation, entries))

/** A key as it was pressed. */
export interface Press {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** The action a key stands for, where it may be done now. */
export const actionFor = (press: Press, situation: Situation, entries: readonly Entry[]): Action | undefined =>
  actions.find(({ shortcut, may }) => shortcut && isPressed(shortcut, press) && may(situation, entries))

function isPressed({ key, command = false, alt = false }: Shortcut, press: Press): boolean {
  if (press.shiftKey || command !== (press.ctrlKey || press.metaKey) || alt !== press.altKey) return false
  // With Alt a Mac types another letter; the place of the key stays.
  return press.key.toLowerCase() === key.toLowerCase() || (alt && press.code === `Key${key.toUpperCase()}`)
}

const SIGNS: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', Delete: 'Del', Backspace: '⌫' }

/** "Ctrl+A", as a menu shows it. */
export function shortcutText({ key, command, alt }: Shortcut): string {
  const sign = SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  return [command && 'Ctrl', alt && 'Alt', sign].filter(Boolean).join('+')
}
