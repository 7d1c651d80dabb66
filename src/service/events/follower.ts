import type * as z from 'zod/mini'
import type { EventKind, workspaceEvent } from '../../contract/endpoints/events.ts'
import type { Workspace } from '../access/scopes.ts'

export type WorkspaceEvent = z.output<typeof workspaceEvent>

/** One stream. It merges events that the reader does not take at once, so that a slow reader costs no memory. */
export class Follower implements AsyncIterableIterator<WorkspaceEvent> {
  readonly workspace: Workspace
  readonly until: number
  admin: boolean
  groupIds: readonly number[]
  /** Whether it has received the events from just before it came. */
  greeted = false
  #kinds = new Set<EventKind>()
  #own = true
  #over = false
  #waiting: ((result: IteratorResult<WorkspaceEvent>) => void) | undefined
  readonly #onEnd: (follower: Follower) => void

  /** @param until milliseconds since 1970 */
  constructor(workspace: Workspace, until: number, onEnd: (follower: Follower) => void) {
    this.workspace = workspace
    this.admin = workspace.admin
    this.groupIds = workspace.group_ids
    this.until = until
    this.#onEnd = onEnd
  }

  tell(kinds: readonly EventKind[], own: boolean): void {
    if (kinds.length === 0) return
    for (const kind of kinds) this.#kinds.add(kind)
    this.#own &&= own
  }

  /** Hands over the merged events, if the reader waits for them. */
  flush(): void {
    if (!this.#waiting || this.#kinds.size === 0) return
    this.#waiting({ done: false, value: this.#take() })
    this.#waiting = undefined
  }

  end(): void {
    if (this.#over) return
    this.#over = true
    this.#waiting?.({ done: true, value: undefined })
    this.#onEnd(this)
  }

  #take(): WorkspaceEvent {
    const event = { kinds: [...this.#kinds], own: this.#own }
    this.#kinds = new Set()
    this.#own = true
    return event
  }

  async next(): Promise<IteratorResult<WorkspaceEvent>> {
    if (this.#kinds.size > 0) return { done: false, value: this.#take() }
    if (this.#over) return { done: true, value: undefined }
    return new Promise((resolve) => (this.#waiting = resolve))
  }

  async return(): Promise<IteratorResult<WorkspaceEvent>> {
    this.end()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
