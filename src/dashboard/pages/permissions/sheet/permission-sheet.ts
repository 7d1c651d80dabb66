import type { RightsChange } from '../changes/change-rights.ts'
import type { Inverse } from '../changes/inverse.ts'
import { ancestors, closeBelow, descendants, emptyTree, ROOT, type SheetPage, unloadedFolders } from './folder-tree.ts'
import { GroupColumn } from '../grid/group-column.ts'
import { TreeReading } from './tree-reading.ts'
import { createTurns } from './turns.ts'
import { type Done, UndoHistory } from '../changes/undo-history.ts'

/** Reads the levels below several folders, or everything below one folder. */
export type Reading = { folder_ids: number[] } | { below: number }

export interface PermissionSource {
  /** Reads a page, with the rights in the order of the groups. */
  read(reading: Reading, after: string | undefined): Promise<SheetPage>
  /** Makes a change. Returns the changes that bring back exactly the rights from before. */
  set(groupId: number, change: RightsChange): Promise<Inverse>
  restore(inverse: Inverse): Promise<unknown>
}

/** Maximum number of pages in one reading of everything. Folders beyond that stay closed. */
const PAGE_LIMIT = 50
/** With more levels than this, one reading of everything is less work. */
const MANY_LEVELS = 40
/** Number of levels below a changed folder that are read again after the change. */
const RECONCILE_LIMIT = 20

/** State and operations of the permission grid: the loaded folders, the rights per group, the expanded folders. */
export class PermissionSheet {
  readonly tree = emptyTree()
  readonly expanded = new Set<number>([ROOT])
  readonly loading = new Set<number>()
  readonly history = new UndoHistory()
  /** Whether folders are shown that are not expanded, because a filter searches all of them. */
  showsAll = false
  /** `version` counts every visible change; `rowsVersion` only changes of the set of rows, `rightsVersion` only of rights. */
  version = 0
  rowsVersion = 0
  rightsVersion = 0
  readonly #columns: Map<number, GroupColumn>
  readonly #source: PermissionSource
  readonly #listeners = new Set<() => void>()
  /** Readings run one after the other, in the order of their requests. */
  readonly #readInTurn = createTurns()
  #readingAll: Promise<void> | undefined
  /** Number of changes under way that the rows do not predict. */
  #restoring = 0

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

  /** Reads the top level and the levels below these folders. */
  async start(open: Iterable<number> = []): Promise<void> {
    const expanded = [...new Set([ROOT, ...open])]
    await (expanded.length > MANY_LEVELS ? this.#readAll() : this.#read({ folder_ids: expanded }))
    // Folders that were deleted meanwhile stay out.
    for (const id of expanded) if (this.tree.levels.has(id)) this.expanded.add(id)
    this.#changed(true)
  }

  /** Reads all folders that are not loaded yet, up to the page limit. */
  readMissing(): Promise<void> {
    if (!this.#readingAll && unloadedFolders(this.tree).length === 0) return Promise.resolve()
    return this.#readAll()
  }

  get isReadingAll(): boolean {
    return this.#readingAll !== undefined
  }

  #readAll(): Promise<void> {
    if (this.#readingAll) return this.#readingAll
    this.#readingAll = this.#read({ below: ROOT }).finally(() => {
      this.#readingAll = undefined
      this.#changed(true)
    })
    this.#changed(false)
    return this.#readingAll
  }

  #read(reading: Reading): Promise<void> {
    return this.#readInTurn(() => this.#readPages(reading))
  }

  /** Processes each page in a task of its own. */
  async #readPages(reading: Reading): Promise<void> {
    const columns = [...this.#columns.values()]
    const taking = new TreeReading(
      this.tree,
      columns.map(({ rights }) => rights),
    )
    const groupIds = [...this.#columns.keys()]
    const onNews = (column: number, folderId: number) => this.history.forget(groupIds[column] ?? 0, folderId)
    const atBase = (run: () => void) => {
      for (const column of columns) column.lift()
      run()
      for (const column of columns) column.lay()
    }
    const limit = 'below' in reading ? PAGE_LIMIT : Infinity
    let after: string | undefined
    try {
      for (let pages = 0; pages < limit;) {
        const settled = this.#settled
        const page = await this.#source.read(reading, after)
        // Ask again if a change has overtaken the reply.
        if (settled !== this.#settled) continue
        const isOwn = this.#restoring > 0 || columns.some(({ busy }) => busy)
        atBase(() => taking.take(page.rows, isOwn || !this.history.last ? undefined : onNews))
        pages++
        after = page.next ?? undefined
        if (after === undefined) break
      }
    } catch (failure) {
      taking.abandon()
      throw failure
    }
    atBase(() => (after === undefined ? taking.finish(this.#levelsOf(reading)) : taking.breakOff(after)))
  }

  #levelsOf(reading: Reading): number[] {
    return 'below' in reading ? this.#levelsBelow(reading.below) : reading.folder_ids
  }

  get #settled(): number {
    return [...this.#columns.values()].reduce((sum, { settled }) => sum + settled, 0)
  }

  #levelsBelow(id: number): number[] {
    return [id, ...descendants(this.tree, id)].filter((each) => this.tree.levels.has(each))
  }

  async expand(id: number): Promise<void> {
    if (this.expanded.has(id)) return
    this.expanded.add(id)
    if (this.tree.levels.has(id) && !this.#readingAll) return this.#changed(true)
    this.loading.add(id)
    this.#changed(false)
    try {
      await this.#read({ folder_ids: [id] })
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

  /** Reads missing folders and expands everything. Returns how many folders stay closed because there are too many. */
  async expandAll(): Promise<number> {
    await this.readMissing()
    for (const id of this.tree.levels.keys()) this.expanded.add(id)
    this.#changed(true)
    return unloadedFolders(this.tree).length
  }

  /**
   * Shows the change at once, sends it, then reads the affected levels again. Rolls back and throws if the service
   * refuses it. Returns the changes that undo it.
   */
  change(groupId: number, change: RightsChange): Promise<Inverse> {
    const column = this.column(groupId)
    const pending = column.begin(change)
    this.rightsVersion++
    this.#changed(false)
    return column.inTurn(async () => {
      let done = false
      try {
        const inverse = await this.#source.set(groupId, change)
        done = true
        return inverse
      } finally {
        column.settle(pending, done)
        this.rightsVersion++
        this.#changed(false)
        if (!column.busy) void this.#reconcile(change.folderId)
      }
    })
  }

  /** Remembers how to undo a change of a column. An undo is shown only after it is done. */
  changed(text: string, groupId: number, folderId: number, inverse: Inverse): Done {
    const done = {
      text,
      concerns: (group: number, id: number) =>
        group === groupId && (id === folderId || ancestors(this.tree, id).includes(folderId)),
      undo: () => this.column(groupId).inTurn(() => this.#restore(folderId, inverse)),
    }
    this.#remember(done)
    return done
  }

  /** Applies changes that were made outside the rows, such as an import. Returns how to undo them. */
  accept(text: string, inverse: Inverse): Done {
    const done = { text, concerns: () => true, undo: () => this.#restore(ROOT, inverse) }
    this.#remember(done)
    // The changes are made, even if they cannot be read now; following the workspace reads them again.
    void this.#unforetold(() => this.refresh()).catch(() => undefined)
    return done
  }

  #remember(done: Done): void {
    this.history.add(done)
    this.#changed(false)
  }

  /** Undoes a change. Returns false if it can no longer be undone. A failed undo can be tried again. */
  async takeBack(done: Done): Promise<boolean> {
    if (!this.history.drop(done)) return false
    this.#changed(false)
    await done.undo().catch((failure: unknown) => {
      this.#remember(done)
      throw failure
    })
    return true
  }

  #restore(folderId: number, inverse: Inverse): Promise<void> {
    return this.#unforetold(async () => {
      await this.#source.restore(inverse)
      for (const column of this.#columns.values()) column.overtake()
      this.rightsVersion++
      closeBelow(this.tree, folderId, this.expanded)
      await this.#readAgain(folderId)
    })
  }

  async #unforetold(work: () => Promise<void>): Promise<void> {
    this.#restoring++
    await work().finally(() => this.#restoring--)
  }

  /** Reads again what is shown. The rest is read when it is shown. */
  refresh(): Promise<void> {
    this.rightsVersion++
    if (this.showsAll) return this.#readAll()
    closeBelow(this.tree, ROOT, this.expanded)
    return this.#readAgain(ROOT)
  }

  /** Reads again the levels above a folder and all shown levels below it. */
  async #readAgain(folderId: number): Promise<void> {
    const above = [ROOT, ...ancestors(this.tree, folderId)]
    const shown = this.#levelsBelow(folderId).filter((id) => this.expanded.has(id))
    if (shown.length > MANY_LEVELS) {
      await this.#read({ below: folderId })
      await this.#read({ folder_ids: above })
    } else await this.#read({ folder_ids: [...new Set([...above, ...shown])] })
    this.#changed(true)
  }

  /** Reads again the levels that a change affects: those above, and the first of those below. */
  async #reconcile(folderId: number): Promise<void> {
    const below = this.#levelsBelow(folderId).filter((id) => this.expanded.has(id))
    const levels = new Set([ROOT, ...ancestors(this.tree, folderId), ...below.slice(0, RECONCILE_LIMIT)])
    // A failure is ignored, because the service has accepted what is shown.
    await this.#read({ folder_ids: [...levels] }).catch(() => undefined)
    this.#changed(true)
  }

  #changed(rows: boolean): void {
    this.version++
    if (rows) this.rowsVersion++
    for (const listener of this.#listeners) listener()
  }
}
