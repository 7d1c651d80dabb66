import type { Reply } from '../../../../contract/endpoint.ts'
import type { permissions } from '../../../../contract/endpoints/permissions.ts'
import { numberedName } from '../../../shared/listing/entries.ts'
import type { Packed } from './rights.ts'

export type SheetPage = Reply<typeof permissions.sheet>
export type SheetRow = SheetPage['rows'][number]

export const ROOT = 0

export interface FolderNode {
  id: number
  name: string
  /** 1-based place among its siblings. */
  position: number
  /** -1 for All Folders. */
  parentId: number
  depth: number
  /** Number of direct subfolders, loaded or not. */
  children: number
}

/** The loaded folders. A level is the list of direct subfolders of one folder. */
export interface FolderTree {
  nodes: Map<number, FolderNode>
  levels: Map<number, number[]>
}

export type GroupRights = Map<number, Packed>

export const emptyTree = (): FolderTree => ({ nodes: new Map(), levels: new Map() })

/** Forgets the levels of a folder and its descendants that are not shown. They are read again when they are. */
export function closeBelow(tree: FolderTree, id: number, shown: ReadonlySet<number>): void {
  for (const each of [id, ...descendants(tree, id)]) if (!shown.has(each)) tree.levels.delete(each)
}

/** Returns the folders above, from the parent up to All Folders. */
export function ancestors(tree: FolderTree, id: number): number[] {
  const found: number[] = []
  for (let node = tree.nodes.get(id); node && node.parentId >= 0; node = tree.nodes.get(node.parentId)) {
    found.push(node.parentId)
  }
  return found
}

/** Returns every loaded folder below, in the order of the tree. */
export function descendants(tree: FolderTree, id: number): number[] {
  const found: number[] = []
  const waiting = [...(tree.levels.get(id) ?? [])].toReversed()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next)
    const level = tree.levels.get(next)
    if (level) for (let place = level.length - 1; place >= 0; place--) waiting.push(level[place] as number)
  }
  return found
}

/** Returns the rows to show: All Folders, then every folder whose ancestors are all expanded. */
export function expandedRows(tree: FolderTree, expanded: ReadonlySet<number>): number[] {
  return rowsWhere(tree, (id) => id === ROOT || expanded.has(id))
}

/** Returns the loaded folders whose name contains the text, with their ancestors. */
export function matchingRows(tree: FolderTree, text: string): number[] {
  const wanted = text.trim().toLocaleLowerCase()
  const kept = new Set<number>([ROOT])
  for (const node of tree.nodes.values()) {
    if (!node.name.toLocaleLowerCase().includes(wanted)) continue
    for (let at: FolderNode | undefined = node; at && !kept.has(at.id); at = tree.nodes.get(at.parentId))
      kept.add(at.id)
  }
  return rowsWhere(tree, () => true).filter((id) => kept.has(id))
}

function rowsWhere(tree: FolderTree, open: (id: number) => boolean): number[] {
  if (!tree.nodes.has(ROOT)) return []
  const rows: number[] = []
  const waiting = [ROOT]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    rows.push(id)
    const level = open(id) ? tree.levels.get(id) : undefined
    if (level) for (let place = level.length - 1; place >= 0; place--) waiting.push(level[place] as number)
  }
  return rows
}

export function unloadedFolders({ nodes, levels }: FolderTree): number[] {
  const found: number[] = []
  for (const level of levels.values())
    for (const id of level) if ((nodes.get(id)?.children ?? 0) > 0 && !levels.has(id)) found.push(id)
  return found
}

/** "2.3"; "" for All Folders. */
export function outlineOf(tree: FolderTree, id: number): string {
  const above = [id, ...ancestors(tree, id)].filter((at) => at !== ROOT).toReversed()
  return above.map((at) => tree.nodes.get(at)?.position ?? '').join('.')
}

/** "2.3 Contracts"; undefined for a folder that is not loaded. */
export function nameIn(tree: FolderTree, id: number): string | undefined {
  const name = tree.nodes.get(id)?.name
  return name === undefined || id === ROOT ? name : numberedName(outlineOf(tree, id), name)
}

/** Returns the path of a folder for screen readers: "Corporate, Finance". */
export function pathNames(tree: FolderTree, id: number): string {
  const names = [id, ...ancestors(tree, id)].filter((at) => at !== ROOT || id === ROOT)
  return names
    .map((at) => tree.nodes.get(at)?.name ?? '')
    .toReversed()
    .join(', ')
}
