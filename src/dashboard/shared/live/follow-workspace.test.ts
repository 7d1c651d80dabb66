import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeEventSource } from '../../testing/fake-event-source.ts'
import { type Change, followWorkspace, POLL_MS } from './follow-workspace.ts'

let changes: Change[]
let gaps: number
let leave: () => void
const change: Change = { kinds: ['files'], own: false }

beforeEach(() => {
  vi.useFakeTimers()
  FakeEventSource.install()
  show('visible')
  changes = []
  gaps = 0
  leave = followWorkspace(5, { onChange: (each) => changes.push(each), onGap: () => gaps++ })
})
afterEach(() => {
  leave()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(document, 'visibilityState')
})

function show(visibilityState: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState })
  document.dispatchEvent(new Event('visibilitychange'))
}

describe('following a workspace', () => {
  it('passes on the events of the service', () => {
    expect(FakeEventSource.latest.url).toBe('/api/v1/workspaces/5/events')
    FakeEventSource.latest.open()
    FakeEventSource.latest.tell(change)
    expect(changes).toEqual([change])
    expect(gaps).toBe(0)
  })

  it('polls while there is no stream, and once more when the stream is back', () => {
    FakeEventSource.latest.open()
    FakeEventSource.latest.break()
    FakeEventSource.latest.break()
    vi.advanceTimersByTime(2 * POLL_MS)
    expect(gaps).toBe(2)
    FakeEventSource.latest.open()
    expect(gaps).toBe(3)
    vi.advanceTimersByTime(10 * POLL_MS)
    expect(gaps).toBe(3)
  })

  it('retries later if the stream was refused', () => {
    FakeEventSource.latest.break(true)
    vi.advanceTimersByTime(61_000)
    expect(FakeEventSource.made).toHaveLength(2)
    FakeEventSource.latest.open()
    vi.advanceTimersByTime(600_000)
    expect(FakeEventSource.made).toHaveLength(2)
  })

  it('holds no connection while the tab is hidden, and catches up when it is shown', () => {
    const first = FakeEventSource.latest
    first.open()
    show('hidden')
    expect(first.readyState).toBe(FakeEventSource.CLOSED)
    vi.advanceTimersByTime(10 * POLL_MS)
    expect(gaps).toBe(0)
    show('visible')
    FakeEventSource.latest.open()
    expect([FakeEventSource.made.length, gaps]).toEqual([2, 1])
  })

  it('closes the stream and stops retrying when it is left', () => {
    leave()
    expect(FakeEventSource.latest.readyState).toBe(FakeEventSource.CLOSED)
    show('visible')
    vi.advanceTimersByTime(600_000)
    expect([FakeEventSource.made.length, gaps]).toEqual([1, 0])
  })
})
