import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '../../../contract/index.ts'
import { sweepUploadKeys } from '../../store/files/upload-keys.ts'
import { Client } from '../../testing/client.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { spawnProcess } from '../../testing/spawn-process.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type Person, type World } from '../../testing/world.ts'

const PATIENCE = 20_000
const BODY = 'x'.repeat(2000)
const MINUTE = 60_000

let service: TestService
let world: World
let room: Room
let folder: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('Finance')
})

interface Sent {
  file_name?: string
  folder_id?: number
  unless_same?: boolean
  idempotency_key?: string
}

const send = (sent: Sent = {}, body = BODY, by: Pick<Client, 'call'> = world.alice) => {
  const query = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'plan.txt', ...sent }
  return by.call(api.files.upload, { query }, body)
}

async function versions(): Promise<number> {
  const { rows } = await sql`select from file_versions where workspace_id = ${room.workspace_id}`.execute(
    service.services.db,
  )
  return rows.length
}

/** Uploads to a process of the service that is stopped before it reads the request, until `meanwhile` is done. */
async function throughFrozenNode<T>(sent: Sent, meanwhile: () => Promise<T>) {
  const node = spawnProcess('main', service.config)
  try {
    const url = (await node.line(/^service: /)).slice('service: '.length)
    const through = new Client(url, world.alice.credentials)
    await through.call(api.users.me, {})
    node.child.kill('SIGSTOP')
    const stopped = performance.now()
    const first = send(sent, BODY, through)
    const retry = await meanwhile()
    await vi.waitFor(() => expect(performance.now() - stopped).toBeGreaterThan(1500), PATIENCE)
    node.child.kill('SIGCONT')
    return { first: await first, retry }
  } finally {
    await node.end('SIGKILL')
  }
}

describe('E6: a service that was stopped before it read an upload', () => {
  it.each([{}, { idempotency_key: randomUUID() }])(
    'stores no second version after a retry elsewhere: %j',
    async (sent) => {
      const { first, retry } = await throughFrozenNode(sent, () => send({ ...sent, unless_same: true }))
      expect(first).toEqual(retry)
      expect(await versions()).toBe(1)
    },
  )

  it('stores it if it was the only try, although the same bytes were uploaded before', async () => {
    await send({ unless_same: true })
    const { first } = await throughFrozenNode({}, async () => undefined)
    expect(first.version).toBe(2)
  })
})

describe('E6: a retry that overtakes the first try, without a key', () => {
  afterAll(() => service.setClock(undefined))

  it.each([
    ['agrees with', 0],
    ['is ahead of', 30_000],
    ['is behind', -30_000],
  ])('leaves one version where the clock of the service %s that of the database', async (_, ms) => {
    const retry = await send({ unless_same: true })
    service.setClock(new Date(Date.now() + ms))
    const { first } = await service.services.db.transaction().execute(async (tx) => {
      await sql`lock table api_keys in access exclusive mode`.execute(tx)
      const first = send()
      const waiting = sql`select from pg_locks where relation = 'api_keys'::regclass and not granted`
      await vi.waitFor(async () => expect((await waiting.execute(tx)).rows).not.toEqual([]), PATIENCE)
      // As if the retry had been stored meanwhile by another node.
      await sql`update file_versions set created_at = clock_timestamp() where file_id = ${retry.id}`.execute(tx)
      return { first }
    })
    expect(await first).toEqual(retry)
    // A later upload is a new version, even of the same bytes.
    expect(await send()).toMatchObject({ version: 2 })
    expect(await send({ unless_same: true })).toMatchObject({ version: 2 })
    expect(await send()).toMatchObject({ version: 3 })
  })
})

describe('uploads with an idempotency key', () => {
  it('E6: are one however late the first try arrives, and whoever changed the file since', async () => {
    const idempotency_key = randomUUID()
    const retry = await send({ idempotency_key, unless_same: true })
    expect(await send({ idempotency_key })).toEqual(retry)
    expect(await send({ idempotency_key: idempotency_key.toUpperCase() })).toEqual(retry)

    const newer = await send({}, 'newer')
    expect(await send({ idempotency_key })).toEqual(newer)
    expect(await send({ idempotency_key, unless_same: true })).toEqual(newer)

    const body = { workspace_id: room.workspace_id, destination_folder_id: await room.folder('Legal') }
    await world.alice.call(api.files.move, { params: { id: retry.id }, body })
    expect(await send({ idempotency_key })).toMatchObject({ id: retry.id, folder_id: body.destination_folder_id })
    expect(await room.files(folder)).toEqual([])
    expect(await versions()).toBe(2)
  })

  it('E6: are one when they arrive together, with one activity', async () => {
    const idempotency_key = randomUUID()
    const tries = Array.from({ length: 8 }, (_, at) => send({ idempotency_key, unless_same: at % 2 === 1 }))
    const [first, ...others] = await Promise.all(tries)
    for (const other of others) expect(other).toEqual(first)
    expect(await versions()).toBe(1)
    expect((await room.messages()).filter((message) => message.includes('plan.txt'))).toHaveLength(1)
  })

  it('E6: are one as a new version of a file', async () => {
    await send({}, 'older')
    const idempotency_key = randomUUID()
    const [first, second] = await Promise.all([send({ idempotency_key }), send({ idempotency_key })])
    expect([first.version, second.version]).toEqual([2, 2])
  })

  it('E6: leave newer bytes alone after a retry that found its own bytes there already', async () => {
    await send()
    const idempotency_key = randomUUID()
    expect(await send({ idempotency_key, unless_same: true })).toMatchObject({ version: 1 })
    const newer = await send({}, 'newer')
    expect(await send({ idempotency_key })).toEqual(newer)
  })

  it('do not bring a deleted file back', async () => {
    const idempotency_key = randomUUID()
    const { id } = await send({ idempotency_key })
    await world.alice.call(api.files.remove, { params: { id }, query: { workspace_id: room.workspace_id } })
    const query = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'plan.txt', idempotency_key }
    expect(await world.alice.statusOf(api.files.upload, { query }, BODY)).toBe(404)
    expect(await send()).toMatchObject({ version: 1 })
  })

  it('are others with another key, person, folder, name or other bytes', async () => {
    const group = { file_managing_abilities: true }
    const params = { id: room.group_id }
    await world.alice.call(api.groups.update, { params, body: { workspace_id: room.workspace_id, group } })
    await room.grant(folder, 'upload')
    const idempotency_key = randomUUID()
    const other = await room.folder('Legal')
    expect(await send({ idempotency_key })).toMatchObject({ version: 1 })
    expect(await send({ idempotency_key: randomUUID() })).toMatchObject({ version: 2 })
    expect(await send({})).toMatchObject({ version: 3 })
    expect(await send({ idempotency_key }, BODY, world.bob as Person)).toMatchObject({ version: 4 })
    expect(await send({ idempotency_key }, 'other bytes')).toMatchObject({ version: 5 })
    expect(await send({ idempotency_key, file_name: 'other.txt' })).toMatchObject({ version: 1 })
    expect(await send({ idempotency_key, folder_id: other })).toMatchObject({ version: 1, folder_id: other })
    expect(await versions()).toBe(7)
  })

  it('are known for a day', async () => {
    const { db } = service.services
    const idempotency_key = randomUUID()
    await send({ idempotency_key })
    await sweepUploadKeys(db, new Date(Date.now() + 23 * 60 * MINUTE))
    expect(await send({ idempotency_key })).toMatchObject({ version: 1 })
    await sweepUploadKeys(db, new Date(Date.now() + 25 * 60 * MINUTE))
    expect(await send({ idempotency_key })).toMatchObject({ version: 2 })
  })

  it('refuse what is no UUID', async () => {
    const query = {
      workspace_id: room.workspace_id,
      folder_id: folder,
      file_name: 'plan.txt',
      idempotency_key: 'again',
    }
    expect(await world.alice.statusOf(api.files.upload, { query }, BODY)).toBe(422)
  })
})
