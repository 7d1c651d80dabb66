import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createReader } from './read-again.ts'

let client: QueryClient
let reader: ReturnType<typeof createReader>
let readings: Record<'folder' | 'feed', number>
let stops: (() => void)[]

beforeEach(async () => {
  vi.useFakeTimers()
  client = new QueryClient()
  readings = { folder: 0, feed: 0 }
  stops = [watch('GET /folders/{id}', 'folder'), watch('GET /activities/workspace/{workspace_id}', 'feed')]
  await vi.advanceTimersByTimeAsync(10)
  readings = { folder: 0, feed: 0 }
  reader = createReader(client)
  await vi.advanceTimersByTimeAsync(5000)
})
afterEach(() => {
  reader.stop()
  for (const stop of stops) stop()
  vi.useRealTimers()
})

/** Observes a query, as a component on the screen does. */
function watch(endpoint: string, name: keyof typeof readings): () => void {
  const queryFn = () => Promise.resolve(++readings[name])
  return new QueryObserver(client, { queryKey: [endpoint, {}], queryFn, staleTime: 60_000 }).subscribe(() => {})
}

/** Runs an action of this page that takes this many milliseconds. */
function act(ms: number) {
  const mutationFn = () => new Promise<void>((done) => setTimeout(done, ms))
  void client.getMutationCache().build(client, { mutationFn }).execute(undefined)
}

describe('reading again', () => {
  it('reads the queries on the screen soon after a change elsewhere', async () => {
    reader.change({ kinds: ['activities', 'files'], own: false })
    await vi.advanceTimersByTimeAsync(200)
    expect(readings).toEqual({ folder: 1, feed: 1 })
  })

  it('reads only the feed if only activities changed', async () => {
    reader.change({ kinds: ['activities'], own: false })
    await vi.advanceTimersByTimeAsync(200)
    expect(readings).toEqual({ folder: 0, feed: 1 })
  })

  it('reads once a second during frequent changes', async () => {
    for (let at = 0; at < 50; at++) {
      reader.change({ kinds: ['files'], own: false })
      await vi.advanceTimersByTimeAsync(100)
    }
    await vi.advanceTimersByTimeAsync(2000)
    expect(readings.folder).toBeGreaterThanOrEqual(5)
    expect(readings.folder).toBeLessThanOrEqual(6)
  })

  it('waits for an action of this page', async () => {
    act(2000)
    reader.change({ kinds: ['files'], own: false })
    await vi.advanceTimersByTimeAsync(1900)
    expect(readings.folder).toBe(0)
    await vi.advanceTimersByTimeAsync(500)
    expect(readings.folder).toBe(1)
  })

  it('reads only the feed after the event of an own action, since the action has read the rest', async () => {
    act(10)
    await vi.advanceTimersByTimeAsync(500)
    reader.change({ kinds: ['activities', 'files'], own: true })
    await vi.advanceTimersByTimeAsync(4000)
    expect(readings).toEqual({ folder: 0, feed: 1 })
  })

  it('reads after a change by the same user in another browser', async () => {
    reader.change({ kinds: ['files'], own: true })
    await vi.advanceTimersByTimeAsync(200)
    expect(readings.folder).toBe(1)
  })

  it('reads everything after a gap, and nothing once it is stopped', async () => {
    reader.everything()
    await vi.advanceTimersByTimeAsync(200)
    reader.everything()
    reader.stop()
    await vi.advanceTimersByTimeAsync(5000)
    expect(readings).toEqual({ folder: 1, feed: 1 })
  })
})
