import { vi } from 'vitest'
import type { Change } from '../shared/live/follow-workspace.ts'

/** Stands in for the browser's EventSource; a test opens it, sends events and breaks it. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 2
  /** All instances in order of creation. */
  static made: FakeEventSource[] = []
  static get latest(): FakeEventSource {
    const latest = FakeEventSource.made.at(-1)
    if (!latest) throw new Error('nobody follows')
    return latest
  }

  static install(): void {
    FakeEventSource.made = []
    vi.stubGlobal('EventSource', FakeEventSource)
  }

  readonly url: string
  readyState = FakeEventSource.CONNECTING

  constructor(url: string) {
    super()
    this.url = url
    FakeEventSource.made.push(this)
  }

  open(): void {
    this.readyState = FakeEventSource.OPEN
    this.dispatchEvent(new Event('open'))
  }

  tell(change: Change): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(change) }))
  }

  /** Breaks the connection; `refused` closes it for good. */
  break(refused = false): void {
    this.readyState = refused ? FakeEventSource.CLOSED : FakeEventSource.CONNECTING
    this.dispatchEvent(new Event('error'))
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED
  }
}
