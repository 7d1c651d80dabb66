import { readdir, utimes } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sweepBlobs } from '../../blobs/sweep.ts'
import { api } from '../../../contract/index.ts'
import { urlOf } from '../../../contract/url.ts'
import { sign } from '../../../signing/signature.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { spawnProcess } from '../../testing/spawn-process.ts'
import { isOnDisk, startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type World } from '../../testing/world.ts'

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

async function contentFiles(): Promise<string[]> {
  const entries = await readdir(join(service.config.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function makeOld(paths: string[]): Promise<void> {
  const yesterday = new Date(Date.now() - 86_400_000)
  await Promise.all(paths.map((path) => utimes(path, yesterday, yesterday)))
}

const sweep = () =>
  sweepBlobs(
    service.services.db,
    service.services.blobs,
    new Date(Date.now() - service.config.sweepAfterSeconds * 1000),
  )

describe('a service that is killed in the middle of an upload', () => {
  it.skipIf(!isOnDisk)('leaves no file, and the sweep leaves no content', async () => {
    const before = await contentFiles()
    const killed = spawnProcess('main', service.config)
    const url = (await killed.line(/^service: /)).slice('service: '.length)
    const query = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'plan.bin' }
    const headers = {
      ...sign(world.alice.credentials, Math.floor(Date.now() / 1000) + 60),
      'content-length': 10_000_000,
    }
    const upload = httpRequest(url + urlOf(api.files.upload, { query }), { method: 'PUT', headers })
    const broken = new Promise((resolve) => upload.on('error', resolve))
    upload.write(Buffer.alloc(3_000_000))
    await vi.waitFor(async () => expect(await contentFiles()).toHaveLength(before.length + 1), 20_000)
    expect(await killed.end('SIGKILL')).toBe('SIGKILL')
    await broken

    expect(await room.files(folder)).toEqual([])
    await makeOld(await contentFiles())
    await sweep()
    expect(await contentFiles()).toEqual(before)
    expect(await room.upload(world.alice, folder, 'plan.bin')).toMatchObject({ version: 1, index: 1 })
  })
})

describe('the sweep', () => {
  it.skipIf(!isOnDisk)('removes old content that no file names, and nothing else', async () => {
    const { workspace_id } = room
    const { id } = await room.upload(world.alice, folder, 'plan.txt', 'one')
    await room.upload(world.alice, folder, 'plan.txt', 'two')
    await world.alice.call(api.files.remove, { params: { id }, query: { workspace_id } })
    const named = await contentFiles()
    await makeOld(named)
    await service.services.blobs.write(Readable.from(['old'], { objectMode: false }), 100)
    await makeOld((await contentFiles()).filter((path) => !named.includes(path)))
    const fresh = await service.services.blobs.write(Readable.from(['new'], { objectMode: false }), 100)

    expect(await sweep()).toBe(1)
    const left = await contentFiles()
    expect(left).toEqual(expect.arrayContaining(named))
    expect(left.some((path) => path.endsWith(fresh.blob_id))).toBe(true)
    expect(left).toHaveLength(named.length + 1)
  })

  it('J7: keeps content that looks old only because of a clock jump, until a second sweep finds it', async () => {
    const { db, blobs } = service.services
    const { blob_id } = await blobs.write(Readable.from(['about to be committed'], { objectMode: false }), 100)
    const found = new Set<string>()
    const jumped = new Date(Date.now() + 7_200_000)
    const sweepAgain = () => sweepBlobs(db, blobs, jumped, undefined, found)
    await sweepAgain()
    expect(await blobs.sizeOf(blob_id)).toBe(21)
    await sweepAgain()
    expect(await blobs.sizeOf(blob_id)).toBeUndefined()
  })

  it.skipIf(!isOnDisk)('keeps content that only a copy references', async () => {
    const { workspace_id } = room
    const { id } = await room.upload(world.alice, folder, 'plan.txt', 'one')
    const body = { workspace_id, destination_folder_id: folder }
    const copy = await world.alice.call(api.files.copy, { params: { id }, body })
    await world.alice.call(api.files.remove, { params: { id }, query: { workspace_id } })
    await service.services.db.deleteFrom('file_versions').where('file_id', '=', id).execute()
    await makeOld(await contentFiles())
    await sweep()
    const call = { params: { file_id: copy.id }, query: { workspace_id } }
    const { expiring_url } = await world.alice.call(api.downloads.getFile, call)
    expect(await (await fetch(service.url + new URL(expiring_url).pathname)).text()).toBe('one')
  })
})
