import { applyChange, type Former, restore, type RightsChange } from '../changes/change-rights.ts'
import type { FolderTree, GroupRights } from '../sheet/folder-tree.ts'
import { createTurns } from '../sheet/turns.ts'

export interface PendingChange {
  change: RightsChange
  former: Former
}

/**
 * The rights of one group, with the pending changes on top. Data from the service always goes below the pending
 * changes, so a reply that crosses a change cannot make a cell flicker back.
 */
export class GroupColumn {
  readonly rights: GroupRights = new Map()
  /** Cascades overlap, so their order counts. */
  readonly inTurn = createTurns()
  /** Number of changes that have ended. A reply that was requested before the last one ended is stale. */
  settled = 0
  readonly #tree: FolderTree
  #pending: PendingChange[] = []

  constructor(tree: FolderTree) {
    this.#tree = tree
  }

  get busy(): boolean {
    return this.#pending.length > 0
  }

  begin(change: RightsChange): PendingChange {
    const pending = { change, former: applyChange(this.#tree, this.rights, change) }
    this.#pending.push(pending)
    return pending
  }

  /**
   * Ends a change; changes end in the order in which they began. A successful change just stays; a failed one is taken
   * out from below the later ones.
   */
  settle(pending: PendingChange, done: boolean): void {
    const rest = this.#pending.filter((other) => other !== pending)
    if (done) this.#pending = rest
    else {
      this.lift()
      this.#pending = rest
      this.lay()
    }
    this.settled++
  }

  /** Makes every reply that was requested before this moment stale. */
  overtake(): void {
    this.settled++
  }

  /** Removes the pending changes until `lay` applies them again. */
  lift(): void {
    for (const pending of this.#pending.toReversed()) restore(this.rights, pending.former)
  }

  lay(): void {
    for (const pending of this.#pending) pending.former = applyChange(this.#tree, this.rights, pending.change)
  }
}
