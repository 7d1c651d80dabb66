import { expect, test } from 'vitest'
import { runEach } from './run-each.ts'

test('runs a few items at a time, and every item once', async () => {
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
  }
  const outcome = await runEach([1, 2, 3, 4, 5, 6, 7], work, { atOnce: 3 })
  expect(most).toBe(3)
  expect(outcome.done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('a failure is reported and does not stop the other items', async () => {
  const progress: number[] = []
  const work = async (item: number) => {
    if (item === 2) throw new Error('locked')
  }
  const outcome = await runEach([1, 2, 3], work, { atOnce: 1, onProgress: (finished) => progress.push(finished) })
  expect(outcome.done).toEqual([1, 3])
  expect(outcome.failed).toEqual([{ item: 2, error: new Error('locked') }])
  expect(progress).toEqual([1, 2, 3])
})

test('stopping lets running work finish and returns the items that were not started', async () => {
  const stop = new AbortController()
  const work = async (item: number) => {
    if (item === 2) stop.abort()
  }
  const outcome = await runEach([1, 2, 3, 4], work, { atOnce: 1, signal: stop.signal })
  expect(outcome).toMatchObject({ done: [1, 2], failed: [], left: [3, 4] })
})
