import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createIdling } from '../jobs/idle.ts'
import { enqueue, msUntilDue } from '../jobs/queue.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createHinter, createHints, receiveHints, WORK } from './hints.ts'
import type { Db } from './pool.ts'

let service: TestService
let db: Db
const stop = new AbortController().signal

beforeAll(async () => {
  service = await startTestService()
  db = service.services.db
})
afterAll(() => service.close())

/** Whether a promise is resolved already. */
const outcome = (promise: Promise<void>) =>
  Promise.race([promise.then(() => 'resolved'), sleep(10).then(() => 'waiting')])

const run = (text: string) => sql.raw<{ pid: number }>(text).execute(db)

test('a hint reaches a worker that listens, also after its connection was lost', { timeout: 30_000 }, async () => {
  const hints = receiveHints(WORK, service.services.config.databaseDirectUrl)
  const give = createHinter(db, WORK)
  const isHeard = async () => {
    const before = hints.count()
    give()
    await expect.poll(() => hints.count(), { timeout: 10_000 }).toBeGreaterThan(before)
  }
  await isHeard()
  const listening = `pid from pg_stat_activity where datname = current_database() and query like 'listen%'`
  const { rows } = await run(`select pg_terminate_backend(pid), ${listening}`)
  expect(rows).toHaveLength(1)
  const others = async () => (await run(`select ${listening}`)).rows.filter(({ pid }) => pid !== rows[0]?.pid)
  await expect.poll(others, { timeout: 10_000 }).toHaveLength(1)
  await isHeard()
  await hints.close()
})

test('a hint that comes while a lane looks for a job is not missed', async () => {
  const hints = createHints(WORK, () => true)
  const seen = hints.count()
  hints.give()
  expect(await outcome(hints.after(seen, stop))).toBe('resolved')
  const waiting = hints.after(hints.count(), stop)
  expect(await outcome(waiting)).toBe('waiting')
  hints.give()
  expect(await outcome(waiting)).toBe('resolved')
})

test('hints are relied on a minute after the start, and after news that none announced', async () => {
  vi.useFakeTimers()
  const { after, distrust } = createHints({ channel: '', hintedMs: 3000, unhintedMs: 1000 }, () => true)
  const pause = async () => {
    const begun = Date.now()
    const ended = after(0, stop).then(() => Date.now() - begun)
    await vi.advanceTimersByTimeAsync(3000)
    return ended
  }
  expect(await pause()).toBe(1000)
  vi.advanceTimersByTime(60_000)
  expect(await pause()).toBe(3000)
  distrust()
  expect(await pause()).toBe(1000)
  vi.useRealTimers()
})

test('a lost hint only delays a job', { timeout: 30_000 }, async () => {
  await enqueue(db, 'mail', { to: 'bob@example.com', subject: '', text: '', html: '' })
  const waiting = createIdling(
    db,
    createHints(WORK, () => true),
  )(stop)
  await expect(waiting).resolves.toBeUndefined()
  await db.deleteFrom('jobs').execute()
})

test('an idle worker knows when the next job is due', async () => {
  expect(await msUntilDue(db)).toBe(Infinity)
  await run(`insert into jobs (kind, payload, run_at)
    values ('mail', '{}', now() + interval '1 minute'), ('mail', '{}', now() + interval '1 hour')`)
  const planned = await msUntilDue(db)
  expect(planned).toBeGreaterThan(30_000)
  expect(planned).toBeLessThanOrEqual(60_000)
  await run(`update jobs set run_at = now() - interval '1 second', leased_until = now() + interval '10 seconds'
    where run_at < now() + interval '2 minutes'`)
  expect(await msUntilDue(db)).toBeLessThanOrEqual(10_000)
  await run(`update jobs set leased_until = null`)
  expect(await msUntilDue(db)).toBe(0)
  await db.deleteFrom('jobs').execute()
})

test('a request hints at its work, a health probe does not', async () => {
  const hints = receiveHints(WORK, service.services.config.databaseDirectUrl)
  await expect.poll(() => hints.count(), { timeout: 10_000 }).toBeGreaterThan(0)
  await sleep(1000)
  const before = hints.count()
  await fetch(`${service.url}/readyz`)
  await fetch(`${service.url}/healthz`)
  await sleep(1000)
  expect(hints.count()).toBe(before)
  await fetch(`${service.url}/api/v1/users/me`)
  await expect.poll(() => hints.count(), { timeout: 10_000 }).toBeGreaterThan(before)
  await hints.close()
})
