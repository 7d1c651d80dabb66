import { expect, it } from 'vitest'
import { createRateLimit } from './rate-limit.ts'

function limited(count: number, periodMs: number, burst: number, maxNames?: number) {
  const clock = { now: 1_000_000 }
  const limit = createRateLimit({ count, periodMs, burst }, () => new Date(clock.now), maxNames)
  return { limit, clock }
}

it('allows the burst at once, then each event as soon as it is earned', () => {
  const { limit, clock } = limited(10, 1000, 3)
  expect([1, 2, 3].map(() => limit.take('a').remaining)).toEqual([2, 1, 0])
  expect(limit.take('a')).toMatchObject({ remaining: 0, waitMs: expect.closeTo(100, 3), wholeInMs: 300 })
  clock.now += 99
  expect(limit.take('a').waitMs).toBeCloseTo(1, 3)
  clock.now += 1
  expect(limit.take('a').waitMs).toBe(0)
  expect(limit.take('a').waitMs).toBeGreaterThan(0)
})

it('a refused event costs nothing', () => {
  const { limit, clock } = limited(1, 1000, 1)
  limit.take('a')
  for (let at = 0; at < 50; at++) limit.take('a')
  clock.now += 1000
  expect(limit.take('a').waitMs).toBe(0)
})

it('a bucket never holds more than the burst', () => {
  const { limit, clock } = limited(10, 1000, 3)
  limit.take('a')
  clock.now += 3_600_000
  expect(limit.look('a')).toEqual({ remaining: 3, wholeInMs: 0, waitMs: 0 })
})

it('looking takes nothing, and names have separate buckets', () => {
  const { limit } = limited(1, 60_000, 1)
  expect([limit.look('a').remaining, limit.look('a').remaining]).toEqual([1, 1])
  limit.take('a')
  expect([limit.look('a').remaining, limit.look('b').remaining]).toEqual([0, 1])
})

it('a third of a second causes no rounding error', () => {
  const { limit, clock } = limited(3, 1000, 3)
  for (let second = 0; second < 1000; second++) {
    expect([1, 2, 3, 4].map(() => limit.take('a').waitMs === 0)).toEqual([true, true, true, false])
    clock.now += 1000
  }
})

it('after a clock went back, no caller waits longer than for an empty bucket', () => {
  const { limit, clock } = limited(1, 1000, 1)
  limit.take('a')
  clock.now -= 500_000
  expect(limit.look('a').waitMs).toBeCloseTo(1000, 1)
})

it('forgets the least recently used name, so that memory stays bounded', () => {
  const { limit } = limited(1, 60_000, 1, 2)
  for (const name of ['a', 'b', 'c']) limit.take(name)
  expect(['a', 'b', 'c'].map((name) => limit.look(name).remaining)).toEqual([1, 0, 0])
})
