import { applyChange, type Former, restore, type RightsChange } from './change-rights.ts'
import type { FolderTree, GroupRights } from './folder-tree.ts'
import { createTurns } from './turns.ts'

export interface PendingChange {
  change: RightsChange
  former: Former
}

/**
 * The rights of one group with the changes that are under way on top. What the service says always goes below the
 * pending changes, so a reply that crosses a change cannot make a cell flicker back.
 */
export class GroupColumn {
  readonly rights: GroupRights = new Map()
  /** Cascades overlap, their order counts. */
  readonly inTurn = createTurns()
  /** How many changes have come to an end; a reply asked for before the last one is out of date. */
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

  /** Changes end in the order in which they began. One that is done just stays; a failed one is taken out from below. */
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

  /** What was asked for before this moment is out of date. */
  overtake(): void {
    this.settled++
  }

  /** Takes the pending changes off, until `lay` puts them back. */
  lift(): void {
    for (const pending of this.#pending.toReversed()) restore(this.rights, pending.former)
  }

  lay(): void {
    for (const pending of this.#pending) pending.former = applyChange(this.#tree, this.rights, pending.change)
  }
}
