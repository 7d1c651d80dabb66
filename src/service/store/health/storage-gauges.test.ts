import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRoom, type Room } from '../../testing/room.ts'
import { ON_DISK, startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { recordBackup } from './backups.ts'
import { installationGauges } from './gauges.ts'
import { storageGauges } from './storage-gauges.ts'

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService(ON_DISK)
  world = await createWorld(service)
  room = await createRoom(world)
  await room.upload(world.alice, 0, 'a.txt', 'twelve bytes')
})
afterAll(() => service.close())

/** A new gauge: an old one remembers its reading. */
const ofStorage = (name: string, overrides = {}) =>
  storageGauges(service.services.db, { ...service.config, ...overrides })[name]!.read()
const ofInstallation = (name: string) => installationGauges(service.services.db)[name]!.read()

test('the content store is up while it has the content of this database', async () => {
  expect(await ofStorage('content_store_up')).toEqual([[{}, 1]])
  const blobs = join(service.config.dataDir, 'blobs')
  await rename(blobs, `${blobs}-away`)
  await mkdir(blobs)
  expect(await ofStorage('content_store_up')).toEqual([[{}, 0]])
  await rm(blobs, { recursive: true })
  await rename(`${blobs}-away`, blobs)
  expect(await ofStorage('content_store_up')).toEqual([[{}, 1]])
})

test('a bucket that does not answer is down, and has no disk', async () => {
  const blobPlace = { bucket: 'none', prefix: '', endpoint: 'http://127.0.0.1:1', region: undefined, encryption: {} }
  expect(await ofStorage('content_store_up', { blobPlace })).toEqual([[{}, 0]])
  expect(await ofStorage('disk_free_bytes', { blobPlace })).toEqual([[{ folder: 'data' }, expect.any(Number)]])
})

test('the disks of data folder and content have free room and a size, and an absent folder has none', async () => {
  const folders = [{ folder: 'data' }, { folder: 'content' }]
  const [free, size] = [await ofStorage('disk_free_bytes'), await ofStorage('disk_size_bytes')]
  expect([free.map(([labels]) => labels), size.map(([labels]) => labels)]).toEqual([folders, folders])
  expect(free[0]?.[1]).toBeLessThanOrEqual(size[0]?.[1] ?? 0)
  const absent = { blobPlace: { folder: join(service.config.dataDir, 'none') } }
  expect((await ofStorage('disk_size_bytes', absent)).map(([labels]) => labels)).toEqual([{ folder: 'data' }])
})

test('damaged content is counted once, by what was found', async () => {
  const counts = async () =>
    Object.fromEntries((await ofInstallation('content_damaged')).map(([{ damage }, value]) => [damage, value]))
  expect(await counts()).toEqual({ missing: 0, length: 0, bytes: 0 })
  await sql`update documents set damage = 'missing', damaged_at = now()`.execute(service.services.db)
  expect(await counts()).toEqual({ missing: 1, length: 0, bytes: 0 })
})

test('backups have an age and a state only where they are recorded', async () => {
  const read = async () => [await ofInstallation('backup_age_seconds'), await ofInstallation('backup_failed')]
  const note = (hoursAgo: number, failure: string | null) => {
    const begun_at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
    const amounts = { database_bytes: 1, files: 1, bytes: 1, new_bytes: 1, damaged: 0 }
    return recordBackup(service.services.db, { begun_at, ended_at: begun_at, target: '/b', failure, ...amounts })
  }
  expect(await read()).toEqual([[], []])
  await note(2, 'The disk is full.')
  expect(await read()).toEqual([[], [[{}, 1]]])
  await note(1, null)
  const [[[, age] = []] = [], failed] = await read()
  expect(failed).toEqual([[{}, 0]])
  expect(Math.abs(Number(age) - 3600)).toBeLessThan(60)
})
