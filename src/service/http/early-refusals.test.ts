import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { API_PREFIX, urlOf } from '../../contract/url.ts'
import { sign } from '../../signing/signature.ts'
import { sendAndReuse } from '../../wire/testing/reuse.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { ON_DISK, startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

const MAX_UPLOAD = 6 * 1024 ** 2
const SIZES = [10, 100_000, 900_000, 3_000_000, 8_000_000, 9_000_000]

let service: TestService
let world: World
let room: Room
let folder: number
beforeAll(async () => {
  service = await startTestService({ maxUploadBytes: MAX_UPLOAD })
  world = await createWorld(service)
  room = await createRoom(world)
  folder = await room.folder('Finance')
})
afterAll(() => service.close())

const signed = ({ credentials }: Person) => sign(credentials, Math.floor(Date.now() / 1000) + 60)

const uploadPath = (folder_id = folder) =>
  urlOf(api.files.upload, { query: { workspace_id: room.workspace_id, folder_id, file_name: 'a.bin' } })

async function begin(size: number): Promise<number> {
  const body = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'a.bin', size: String(size) }
  return (await world.alice.call(api.uploads.create, { body })).id
}

const chunkPath = (id: number, offset: number) =>
  urlOf(api.uploads.append, { query: { workspace_id: room.workspace_id, id, offset: String(offset) } })

describe('E9: after a refused body the connection closes or answers the next request', () => {
  it.each(SIZES)('of %i bytes', async (size) => {
    const body = Buffer.alloc(size, 'x')
    const small = await begin(5)
    const headers = signed(world.alice)
    const cases: [what: string, expected: number[], method: string, path: string, headers: Record<string, string>][] = [
      ['an upload without a signature', [401], 'PUT', uploadPath(), {}],
      ['an upload to a folder that is not there', [404], 'PUT', uploadPath(999_999), headers],
      ['a chunk beyond the end', [422, 413], 'PUT', chunkPath(small, 0), headers],
      ['a chunk at the wrong place', [409], 'PUT', chunkPath(small, 3), headers],
      ['a chunk of no upload', [404], 'PUT', chunkPath(999_999, 0), headers],
      ['JSON that is none', [400, 413], 'POST', `${API_PREFIX}/groups`, headers],
      ['a path that is not there', [404], 'POST', '/nothing/here', {}],
      ['a method that is not there', [405], 'PATCH', `${API_PREFIX}/groups`, {}],
    ]
    for (const [what, expected, method, path, more] of cases) {
      const [first, second] = await sendAndReuse(service.url, { method, path, headers: more, body })
      expect([what, second]).toEqual([what, 200])
      // Only with much left to send may the client see the connection end before the refusal.
      expect([what, [...expected, ...(size > 1_000_000 ? [0] : [])]]).toEqual([what, expect.arrayContaining([first])])
    }
  })
})

const canMount = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0

describe.skipIf(!canMount)('J6: on a full disk', () => {
  it('uploads and chunks get 507 and the connection stays usable', async () => {
    const full = await mkdtemp(join(tmpdir(), 'full-'))
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', full])
    if (mount.status !== 0) return console.warn(`NOT TESTED: a full disk; ${mount.stderr}`)
    const crowded = await startTestService({ ...ON_DISK, dataDir: full })
    try {
      const people = await createWorld(crowded)
      const { alice } = people
      const { workspace_id, ...there } = await createRoom(people)
      const folder_id = await there.folder('Finance')
      const query = { workspace_id, folder_id, file_name: 'a.bin' }
      const begun = { ...query, size: '4000000' }
      const { id } = await alice.call(api.uploads.create, { body: begun })
      await writeFile(join(full, 'filler'), Buffer.alloc(900_000))
      for (const size of [300_000, 900_000, 3_000_000]) {
        for (const path of [
          urlOf(api.files.upload, { query }),
          urlOf(api.uploads.append, { query: { workspace_id, id, offset: '0' } }),
        ]) {
          const sent = { method: 'PUT', path, headers: signed(alice), body: Buffer.alloc(size, 'x') }
          expect([size, path, await sendAndReuse(crowded.url, sent)]).toEqual([size, path, [507, 200]])
        }
      }
      await rm(join(full, 'filler'))
      // There is room again: the refused uploads left nothing behind.
      expect((await there.upload(alice, folder_id, 'small.txt', 'x'.repeat(500_000))).version).toBe(1)
    } finally {
      await crowded.close()
      spawnSync('umount', ['-l', full])
      await rm(full, { recursive: true, force: true })
    }
  })
})
