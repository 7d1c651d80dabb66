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

/** Something on the screen. */
function watch(endpoint: string, name: keyof typeof readings): () => void {
  const queryFn = () => Promise.resolve(++readings[name])
  return new QueryObserver(client, { queryKey: [endpoint, {}], queryFn, staleTime: 60_000 }).subscribe(() => {})
}

/** An action of this page that takes so long. */
function act(ms: number) {
  const mutationFn = () => new Promise<void>((done) => setTimeout(done, ms))
  void client.getMutationCache().build(client, { mutationFn }).execute(undefined)
}

describe('reading again', () => {
  it('reads what is on the screen soon after a change elsewhere', async () => {
    reader.change({ kinds: ['activities', 'files'], own: false })
    await vi.advanceTimersByTimeAsync(200)
    expect(readings).toEqual({ folder: 1, feed: 1 })
  })

  it('reads the record alone where somebody only read something', async () => {
    reader.change({ kinds: ['activities'], own: false })
    await vi.advanceTimersByTimeAsync(200)
    expect(readings).toEqual({ folder: 0, feed: 1 })
  })

  it('reads at most once a second, however much happens, and not less', async () => {
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

  it('does not take word of an own action for news, after which all was read anyway', async () => {
    act(10)
    await vi.advanceTimersByTimeAsync(500)
    reader.change({ kinds: ['activities', 'files'], own: true })
    await vi.advanceTimersByTimeAsync(4000)
    expect(readings).toEqual({ folder: 0, feed: 1 })
  })

  it('reads what the same person did in another browser', async () => {
    reader.change({ kinds: ['files'], own: true })
    await vi.advanceTimersByTimeAsync(200)
    expect(readings.folder).toBe(1)
  })

  it('reads everything after a gap, and nothing once it was stopped', async () => {
    reader.everything()
    await vi.advanceTimersByTimeAsync(200)
    reader.everything()
    reader.stop()
    await vi.advanceTimersByTimeAsync(5000)
    expect(readings).toEqual({ folder: 1, feed: 1 })
  })
})
