import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { type RunningService, startService } from '../app.ts'
import { ACTS } from '../db/hints.ts'
import { startPgBouncer } from '../testing/database/pgbouncer.ts'
import { type EventReader, readEvents } from '../testing/event-reader.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { ensureInstalled } from '../testing/system-packages.ts'
import { createWorld, type World } from '../testing/world.ts'

// Nodes of one installation, which share nothing but the database and the content.

const hasPooler = await ensureInstalled('pgbouncer')

let first: TestService
let second: RunningService
let world: World
beforeAll(async () => {
  first = await startTestService()
  world = await createWorld(first)
  second = await startService({ ...first.config, port: 0 })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

let serial = 0
const createFolder = () =>
  world.alice.call(api.folders.create, {
    body: { workspace_id: world.workspace_id, name: `Elsewhere ${++serial}`, parent_id: 0 },
  })

/** Follows at a node, and waits until what was there before has been told. */
async function followAt(node: RunningService): Promise<EventReader> {
  const reader = await readEvents(node, world.wendy, world.workspace_id)
  await createFolder()
  await expect.poll(() => reader.seen.length).toBeGreaterThan(0)
  return reader
}

/** Creates a folder at the first node. @returns milliseconds until each of the readers hears of it */
async function hear(...readers: EventReader[]): Promise<number[]> {
  const before = readers.map(({ seen }) => seen.length)
  await createFolder()
  const begun = performance.now()
  const hearing = readers.map(async ({ seen }, at) => {
    const heard = () => seen.slice(before[at]).flatMap(({ kinds }) => kinds)
    await expect.poll(heard, { interval: 5, timeout: 10_000 }).toContain('files')
    return performance.now() - begun
  })
  return Promise.all(hearing)
}

const listeners = async () => {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and query = ${`listen "${ACTS.channel}"`}`.execute(first.services.db)
  return rows.map(({ pid }) => pid)
}

test('a follower of one node hears of an act at another', async () => {
  const reader = await followAt(second)
  expect(await hear(reader)).toHaveLength(1)
  reader.leave()
})

test('a stream of one node ends when another removes its user', async () => {
  const { mallory, alice, workspace_id, group_id } = world
  const body = { workspace_id, email: mallory.email, send_email: false }
  await alice.call(api.groups.addMember, { params: { id: group_id }, body })
  const reader = await readEvents(second, mallory, workspace_id)
  expect(reader.status).toBe(200)
  await first.admin.call(api.users.remove, { query: { user: { id: mallory.id } } })
  await reader.ended
})

test('a node listens for acts while somebody follows, and a little longer', { timeout: 60_000 }, async () => {
  await expect.poll(listeners, { timeout: 30_000 }).toEqual([])
  const reader = await followAt(second)
  await expect.poll(listeners).toHaveLength(1)
  reader.leave()
  await expect.poll(listeners, { timeout: 30_000 }).toEqual([])
  const again = await followAt(second)
  await expect.poll(listeners).toHaveLength(1)
  again.leave()
})

test('a lost connection is replaced, and meanwhile looks tell of acts', { timeout: 60_000 }, async () => {
  const reader = await followAt(second)
  await expect.poll(listeners).toHaveLength(1)
  const before = await listeners()
  await sql`select pg_terminate_backend(pid) from unnest(${before}::int[]) pid`.execute(first.services.db)
  await hear(reader)
  await expect.poll(listeners, { timeout: 10_000 }).toHaveLength(1)
  expect(await listeners()).not.toEqual(before)
  await hear(reader)
  reader.leave()
})

describe('a node that gets no hints', () => {
  const isolated = (databaseDirectUrl: string | undefined) =>
    startService({ ...first.config, databaseDirectUrl, databaseMigrate: false, port: 0 })

  test('hears of acts by looking, and later than one that gets them', { timeout: 120_000 }, async () => {
    const third = await isolated(undefined)
    const [hinted, unhinted] = [await followAt(second), await followAt(third)]
    const total = { soon: 0, late: 0 }
    // Acts come at any moment between two looks.
    for (let at = 0; at < 10; at++) {
      await sleep(600 + 110 * at)
      const [soon = NaN, late = NaN] = await hear(hinted, unhinted)
      total.soon += soon
      total.late += late
    }
    expect(total.soon).toBeLessThan(total.late)
    hinted.leave()
    unhinted.leave()
    await third.close()
  })

  test.runIf(hasPooler)('hears of acts behind a pooler that loses notifications', { timeout: 60_000 }, async () => {
    const pooler = await startPgBouncer(first.config.databaseUrl, 2)
    const database = new URL(first.config.databaseUrl.replace('@/', '@localhost/')).pathname
    const third = await isolated(pooler.url.replace('@/postgres', `@${database}`).replace('&pgbouncer=true', ''))
    const reader = await followAt(third)
    for (let at = 0; at < 5; at++) expect(await hear(reader)).toHaveLength(1)
    reader.leave()
    await third.close()
    await pooler.dispose()
  })
})
