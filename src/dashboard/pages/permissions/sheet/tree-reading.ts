import { t } from '@lingui/core/macro'
import { ownBits } from './rights.ts'
import { descendants, type FolderTree, type GroupRights, ROOT, type SheetRow } from './folder-tree.ts'

/**
 * Takes rows into the tree page by page. Levels that were loaded before stay as they are until the last page is taken;
 * new levels grow.
 */
export class TreeReading {
  readonly #tree: FolderTree
  readonly #rights: readonly GroupRights[]
  readonly #levels = new Map<number, number[]>()

  /** `rights` has the groups in the order of the rights in a row. */
  constructor(tree: FolderTree, rights: readonly GroupRights[]) {
    this.#tree = tree
    this.#rights = rights
  }

  /**
   * Folders must come before those inside them; a row whose parent is not loaded is left out. `onNews` is called for
   * each right that differs from the known one.
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

  /** Ends a reading in which all of these levels were read completely. */
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

  /** Ends a reading early, at the folder with this path of ids. All levels on the path are incomplete. */
  breakOff(path: string): void {
    this.#drop(path.split('.').map(Number))
    this.finish()
  }

  abandon(): void {
    this.#drop([...this.#levels.keys()])
  }

  #drop(ids: readonly number[]): void {
    for (const id of ids) {
      if (this.#levels.has(id) && this.#tree.levels.get(id) === this.#levels.get(id)) this.#tree.levels.delete(id)
      this.#levels.delete(id)
    }
  }

  /** Removes folders that are gone, or moved elsewhere, with everything that was loaded below them. */
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
