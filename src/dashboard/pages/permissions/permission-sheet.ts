import type { RightsChange } from './change-rights.ts'
import type { Inverse } from './inverse.ts'
import {
  ancestors,
  closeBelow,
  descendants,
  emptyTree,
  type PermissionEntry,
  ROOT,
  unloadedFolders,
} from './folder-tree.ts'
import { GroupColumn } from './group-column.ts'

export interface PermissionSource {
  list(groupId: number, folderId: number): Promise<PermissionEntry[]>
  /** Makes a change; answers the changes that bring back exactly what was. */
  set(groupId: number, change: RightsChange): Promise<Inverse>
  restore(inverse: Inverse): Promise<unknown>
}

/** Levels read by one "Expand all"; the next one goes on from there. */
export const EXPAND_LIMIT = 200
/** Levels below a changed folder that are read again after it. */
const RECONCILE_LIMIT = 20
/** Levels that one look at the page reads again. */
const REFRESH_LIMIT = 40
const AT_ONCE = 6

/** What the permission grid shows and does: folders as far as loaded, the rights of each group, what is expanded. */
export class PermissionSheet {
  readonly tree = emptyTree()
  readonly expanded = new Set<number>([ROOT])
  readonly loading = new Set<number>()
  /** Counts every change of what is shown; `rowsVersion` only those of which rows there are. */
  version = 0
  rowsVersion = 0
  readonly #columns: Map<number, GroupColumn>
  readonly #source: PermissionSource
  readonly #listeners = new Set<() => void>()

  constructor(groupIds: readonly number[], source: PermissionSource) {
    this.#source = source
    this.#columns = new Map(groupIds.map((id) => [id, new GroupColumn(this.tree)]))
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getVersion = (): number => this.version

  column(groupId: number): GroupColumn {
    const column = this.#columns.get(groupId)
    if (!column) throw new Error(`group ${groupId} has no column`)
    return column
  }

  /** Starts as another sheet is: the top level, and what is expanded there. */
  async start(like?: PermissionSheet): Promise<void> {
    const expanded = [...(like?.expanded ?? [])].filter((id) => id !== ROOT).slice(0, REFRESH_LIMIT)
    await this.#loadMany([ROOT])
    // What has been deleted meanwhile stays out.
    await this.#loadMany(expanded).catch(() => undefined)
    for (const id of expanded) if (this.tree.levels.has(id)) this.expanded.add(id)
  }

  /** Reads one level for every group. */
  async #loadLevel(folderId: number): Promise<void> {
    await Promise.all([...this.#columns].map(([groupId, column]) => this.#loadColumn(groupId, column, folderId)))
  }

  /** A reply that a change has overtaken is asked for again. */
  async #loadColumn(groupId: number, column: GroupColumn, folderId: number): Promise<void> {
    for (;;) {
      const asked = column.settled
      const entries = await this.#source.list(groupId, folderId)
      if (asked !== column.settled) continue
      column.take(folderId, entries)
      return
    }
  }

  async expand(id: number): Promise<void> {
    if (this.expanded.has(id)) return
    this.expanded.add(id)
    if (this.tree.levels.has(id)) return this.#changed(true)
    this.loading.add(id)
    this.#changed(false)
    try {
      await this.#loadLevel(id)
    } catch (failure) {
      this.expanded.delete(id)
      throw failure
    } finally {
      this.loading.delete(id)
      this.#changed(true)
    }
  }

  collapse(id: number): void {
    if (id !== ROOT && this.expanded.delete(id)) this.#changed(true)
  }

  collapseAll(): void {
    this.expanded.clear()
    this.expanded.add(ROOT)
    this.#changed(true)
  }

  /** Expands what is loaded, then loads further levels from the top down. Answers how many folders are still closed. */
  async expandAll(limit = EXPAND_LIMIT): Promise<number> {
    let left = limit
    for (let closed = unloadedFolders(this.tree); closed.length > 0 && left > 0; closed = unloadedFolders(this.tree)) {
      const next = closed.slice(0, left)
      left -= next.length
      await this.#loadMany(next)
    }
    for (const id of this.tree.levels.keys()) this.expanded.add(id)
    this.#changed(true)
    return unloadedFolders(this.tree).length
  }

  /**
   * Shows the change at once, makes it, then reads the levels it concerns again. Rolls back and throws when it fails.
   * Answers what undoes it.
   */
  change(groupId: number, change: RightsChange): Promise<Inverse> {
    const column = this.column(groupId)
    const pending = column.begin(change)
    this.#changed(false)
    return column.inTurn(async () => {
      let done = false
      try {
        const inverse = await this.#source.set(groupId, change)
        done = true
        return inverse
      } finally {
        column.settle(pending, done)
        this.#changed(false)
        if (!column.busy) void this.#reconcile(change.folderId)
      }
    })
  }

  /** Takes back what was changed on a folder and below; shown when it is done. */
  undo(groupId: number, folderId: number, inverse: Inverse): Promise<void> {
    const column = this.column(groupId)
    return column.inTurn(async () => {
      await this.#source.restore(inverse)
      column.overtake()
      closeBelow(this.tree, folderId, this.expanded)
      await this.#reconcile(folderId)
    })
  }

  /** Reads again what is shown, from the top. */
  async refresh(): Promise<void> {
    const shown = [...this.tree.levels.keys()].filter((id) => this.expanded.has(id))
    await this.#loadMany(shown.slice(0, REFRESH_LIMIT))
  }

  /** Reads again what a change has altered: the levels above, and the first of those below. */
  async #reconcile(folderId: number): Promise<void> {
    const above = ancestors(this.tree, folderId)
    const below = [folderId, ...descendants(this.tree, folderId)].filter((id) => this.expanded.has(id))
    const loaded = [...new Set([ROOT, ...above, ...below.slice(0, RECONCILE_LIMIT)])]
    // Left alone on failure: what is shown was accepted by the service.
    await this.#loadMany(loaded.filter((id) => this.tree.levels.has(id))).catch(() => undefined)
  }

  async #loadMany(ids: readonly number[]): Promise<void> {
    const waiting = [...ids]
    const work = async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await this.#loadLevel(id)
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, ids.length) }, work)).finally(() => this.#changed(true))
  }

  #changed(rows: boolean): void {
    this.version++
    if (rows) this.rowsVersion++
    for (const listener of this.#listeners) listener()
  }
}
