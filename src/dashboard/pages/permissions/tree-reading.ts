import { t } from '@lingui/core/macro'
import { ownBits } from './rights.ts'
import { descendants, type FolderTree, type GroupRights, ROOT, type SheetRow } from './folder-tree.ts'

/**
 * Takes rows into the tree as they come, page by page. Levels that were loaded before stay as they are until the last
 * page is there; new ones grow.
 */
export class TreeReading {
  readonly #tree: FolderTree
  readonly #rights: readonly GroupRights[]
  readonly #levels = new Map<number, number[]>()

  /** The rights of the groups in the order in which rows tell them. */
  constructor(tree: FolderTree, rights: readonly GroupRights[]) {
    this.#tree = tree
    this.#rights = rights
  }

  /**
   * Folders come before those inside of them; what is in a folder that is not loaded is left out. `onNews` hears of each
   * right that is another than the one that was known.
   */
  take(rows: readonly SheetRow[], onNews?: (column: number, folderId: number) => void): void {
    for (const row of rows) {
      for (const [column, packed] of onNews ? row.rights.entries() : []) {
        const known = this.#rights[column]?.get(row.id)
        if (known !== undefined && ownBits(known) !== ownBits(packed)) onNews?.(column, row.id)
      }
      this.#takeRow(row)
    }
  }

  #takeRow({ id, parent_id, name, index, children, rights }: SheetRow): void {
    const { nodes, levels } = this.#tree
    const parent = id === ROOT ? undefined : nodes.get(parent_id)
    if (id !== ROOT && !parent) return
    nodes.set(id, {
      id,
      name: parent ? name : t`All Folders`,
      position: index,
      parentId: parent ? parent_id : -1,
      depth: parent ? parent.depth + 1 : 0,
      children,
    })
    for (const [column, packed] of rights.entries()) this.#rights[column]?.set(id, packed)
    if (!parent) return
    const level = this.#levels.get(parent_id)
    if (level) return void level.push(id)
    this.#levels.set(parent_id, [id])
    if (!levels.has(parent_id)) levels.set(parent_id, this.#levels.get(parent_id) ?? [])
  }

  /** All of these levels have been read to their ends. */
  finish(asked: Iterable<number> = []): void {
    const { nodes, levels } = this.#tree
    for (const id of new Set([...asked, ...this.#levels.keys()])) {
      const before = levels.get(id)
      const now = this.#levels.get(id) ?? []
      now.sort((a, b) => (nodes.get(a)?.position ?? 0) - (nodes.get(b)?.position ?? 0))
      levels.set(id, now)
      if (before && before !== now) this.#forgetAbsent(id, before, now)
    }
  }

  /** The reading ends before its end: at the folder with this path of ids, so that all levels on it are incomplete. */
  breakOff(path: string): void {
    this.#drop(path.split('.').map(Number))
    this.finish()
  }

  /** No level is known to be complete. */
  abandon(): void {
    this.#drop([...this.#levels.keys()])
  }

  #drop(ids: readonly number[]): void {
    for (const id of ids) {
      if (this.#levels.has(id) && this.#tree.levels.get(id) === this.#levels.get(id)) this.#tree.levels.delete(id)
      this.#levels.delete(id)
    }
  }

  /** Folders that are gone, or moved elsewhere, leave with everything that was loaded below them. */
  #forgetAbsent(parentId: number, before: readonly number[], now: readonly number[]): void {
    const { nodes, levels } = this.#tree
    const kept = new Set(now)
    for (const id of before) {
      if (kept.has(id) || nodes.get(id)?.parentId !== parentId) continue
      for (const gone of [id, ...descendants(this.#tree, id)]) {
        nodes.delete(gone)
        levels.delete(gone)
        for (const rights of this.#rights) rights.delete(gone)
      }
    }
  }
}
