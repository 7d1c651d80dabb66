import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { type DatabaseRelay, startDatabaseRelay } from '../testing/database/database-relay.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

// Error events without a listener fail the test run.

let relay: DatabaseRelay
let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService({}, async (url) => {
    relay = await startDatabaseRelay(url)
    return relay.url
  })
  world = await createWorld(service)
  room = await createRoom(world)
})
afterAll(async () => {
  await service.close()
  await relay.dispose()
})

const newFolder = (name: string) =>
  world.alice.fetch('/api/v1/folders', {
    method: 'POST',
    body: JSON.stringify({ workspace_id: room.workspace_id, name, parent_id: 0 }),
  })

async function names(): Promise<string[]> {
  const { workspace_id } = room
  const top = await world.alice.call(api.folders.get, { params: { id: 0 }, query: { workspace_id } })
  return top.immediate_subfolders.map(({ name }) => name)
}

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  const { error } = (await response.json()) as { error: { code: number; request_id: string } }
  expect(error).toMatchObject({ code: 503, request_id: response.headers.get('x-request-id') })
}

test('J4: requests whose database connections break get 503, and the next ones get their answers', async () => {
  for (let round = 0; round < 5; round++) {
    const asked = Array.from({ length: 12 }, (_, at) => newFolder(`round ${round} ${at}`))
    setTimeout(relay.cut, round * 4)
    for (const response of await Promise.all(asked)) {
      if (response.status !== 201) await expectUnavailable(response)
    }
  }
  expect((await newFolder('after the cuts')).status).toBe(201)
  const found = await names()
  expect(new Set(found).size).toBe(found.length)
})

test('J4: while the database is away every request gets 503, and the service recovers by itself', async () => {
  await relay.close()
  await expectUnavailable(await newFolder('away'))
  await expectUnavailable(await world.alice.fetch('/readyz'))
  expect((await world.alice.fetch('/healthz')).status).toBe(200)
  await relay.open()
  expect((await world.alice.fetch('/readyz')).status).toBe(200)
  expect((await newFolder('back')).status).toBe(201)
  expect(await names()).not.toContain('away')
})

test('J4: a change that loses its connection before the commit reply gets 503 and happens at most once', async () => {
  for (const statement of ['insert into folders', 'commit']) {
    // A new connection sends each statement with its text, which the relay looks for.
    relay.cut()
    relay.cutAfter(statement)
    await expectUnavailable(await newFolder(`cut at ${statement}`))
    relay.cutAfter(undefined)
  }
  const found = await names()
  expect(new Set(found).size).toBe(found.length)
})

test('K23: a request with a statement that reaches its time limit gets 503', async () => {
  const { db } = service.services
  const asked = await db.transaction().execute(async (tx) => {
    await sql`lock table folders in access exclusive mode`.execute(tx)
    const waiting = newFolder('too slow')
    // Cancels the statement as PostgreSQL does at the limit, without waiting a minute.
    const cancel = () =>
      sql<{ canceled: boolean }>`
      select pg_cancel_backend(pid) as canceled from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    while ((await cancel()).rows.length === 0) await sleep(10)
    return waiting
  })
  expect([asked.status, asked.headers.get('retry-after')]).toEqual([503, '10'])
  expect(await asked.json()).toMatchObject({ error: { code: 503, request_id: asked.headers.get('x-request-id') } })
})
