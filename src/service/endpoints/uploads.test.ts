import { createHash, randomBytes } from 'node:crypto'
import { readdir, rm, symlink } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { sign } from '../../signing/signature.ts'
import { sweepParts } from '../blobs/sweep-parts.ts'
import { sweepBlobs } from '../blobs/sweep.ts'
import { CHUNK_BYTES } from '../documents/upload/receive-chunk.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { spawnProcess } from '../testing/spawn-process.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

const LIMIT = 40 * 1024 ** 2
const PATIENCE = 20_000

let service: TestService
let world: World
let room: Room
let folder: number
beforeAll(async () => {
  service = await startTestService({ maxUploadBytes: LIMIT })
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('Finance')
})

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

async function begin(size: number, more: { file_name?: string; sha256?: string } = {}, person: Person = world.alice) {
  const { workspace_id } = room
  const body = { workspace_id, folder_id: folder, file_name: 'plan.bin', size: String(size), ...more }
  return (await person.call(api.uploads.create, { body })).id
}

const chunkOf = (id: number, offset: number) => ({
  query: { workspace_id: room.workspace_id, id, offset: String(offset) },
})

const append = (id: number, offset: number, content: Uint8Array, person: Person = world.alice) =>
  person.call(api.uploads.append, chunkOf(id, offset), new Uint8Array(content))

/** The reply to a chunk, success or refusal. */
async function answerTo(id: number, offset: number | string, content: Uint8Array, person: Person = world.alice) {
  const query = { workspace_id: room.workspace_id, id, offset: String(offset) }
  const response = await person.fetch(urlOf(api.uploads.append, { query }), {
    method: 'PUT',
    body: new Uint8Array(content),
  })
  return { status: response.status, offset: response.headers.get('upload-offset') }
}

const inRoom = (id: number) => ({ params: { id }, query: { workspace_id: room.workspace_id } })
const finishing = (id: number) => ({ params: { id }, body: { workspace_id: room.workspace_id } })
const finish = (id: number, person: Person = world.alice) => person.call(api.uploads.finish, finishing(id))
const offsetOf = async (id: number) => Number((await world.alice.call(api.uploads.get, inRoom(id))).offset)

const isLocal = inject('swift') === undefined
/** The folder of chunks that are being received, wherever the content is. */
const chunkFolder = () => join(service.config.dataDir, isLocal ? 'blobs/tmp' : 'cache/s3/chunks')
const receiving = () => readdir(chunkFolder())
const storedParts = () => Readable.from(service.services.blobs.parts.list()).toArray()

const partOf = async (id: number) => {
  const row = await service.services.db.selectFrom('uploads').select('part_id').where('id', '=', id).executeTakeFirst()
  return row?.part_id ?? ''
}

describe('an upload in chunks', () => {
  it('becomes a file of exactly these bytes, with their hash and checksum, and one activity', async () => {
    const content = randomBytes(2 * CHUNK_BYTES + 12_345)
    const id = await begin(content.length, { sha256: sha256(content).toUpperCase() })
    for (let at = 0; at < content.length; at += CHUNK_BYTES) {
      const end = Math.min(at + CHUNK_BYTES, content.length)
      expect(await append(id, at, content.subarray(at, end))).toMatchObject({ offset: String(end), file_id: null })
      expect(await room.files(folder)).toEqual([])
    }
    const file = await finish(id)
    expect(file).toMatchObject({ title: 'plan.bin', file_size: String(content.length), version: 1, index: 1 })

    const version = await service.services.db
      .selectFrom('file_versions')
      .selectAll()
      .where('file_id', '=', file.id)
      .executeTakeFirstOrThrow()
    expect(version.sha256.toString('hex')).toBe(sha256(content))
    expect(version.crc32).toBe(crc32(content))
    const bytes = await (await service.services.blobs.read(version.blob_id)).toArray()
    expect(Buffer.concat(bytes as Buffer[]).equals(content)).toBe(true)
    expect(await storedParts()).not.toContain(version.blob_id)
    expect((await room.messages()).filter((message) => message.includes('plan.bin'))).toEqual([
      'added the file: plan.bin',
    ])
  })

  it('returns the same as a plain upload, and a new version for an existing name', async () => {
    const plain = await room.upload(world.alice, folder, 'plan.txt', 'one')
    const id = await begin(4, { file_name: 'plan.txt' })
    await append(id, 0, Buffer.from('two!'))
    const { id: fileId, created_at, index } = plain
    const file = await finish(id)
    expect(file).toMatchObject({ id: fileId, created_at, index, version: 2, file_size: '4' })
    expect(Object.keys(file).toSorted()).toEqual(Object.keys(plain).toSorted())
  })

  it('has a content type detected from its bytes', async () => {
    const id = await begin(9, { file_name: 'a.html' })
    await append(id, 0, Buffer.from('%PDF-1.7\n'))
    expect(await finish(id)).toMatchObject({ file_content_type: 'application/pdf' })
  })

  it('of zero bytes is an empty file', async () => {
    expect(await finish(await begin(0))).toMatchObject({ file_size: '0' })
  })

  it('may have chunks of any size', async () => {
    const content = randomBytes(1000)
    const id = await begin(1000)
    await append(id, 0, content.subarray(0, 1))
    await append(id, 1, content.subarray(1, 1))
    await append(id, 1, content.subarray(1, 998))
    await append(id, 998, content.subarray(998))
    const { id: file_id } = await finish(id)
    const call = { params: { id: file_id }, query: { workspace_id: room.workspace_id } }
    expect(await world.alice.call(api.files.get, call)).toMatchObject({ sha256: sha256(content) })
  })

  it('continues even if another version of the library saved its hash state', async () => {
    const content = randomBytes(3000)
    const id = await begin(3000)
    await append(id, 0, content.subarray(0, 2000))
    const { db } = service.services
    await db
      .updateTable('uploads')
      .set({ sha256_state: Buffer.from('other') })
      .where('id', '=', id)
      .execute()
    await append(id, 2000, content.subarray(2000))
    const { id: file_id } = await finish(id)
    const call = { params: { id: file_id }, query: { workspace_id: room.workspace_id } }
    expect(await world.alice.call(api.files.get, call)).toMatchObject({ sha256: sha256(content) })
  })
})

describe('a chunk', () => {
  it.each([0, 4, 6, 9, 10])('at %i instead of 5 is refused, and the reply has the correct offset', async (offset) => {
    const id = await begin(10)
    await append(id, 0, Buffer.from('12345'))
    expect(await answerTo(id, offset, Buffer.from('xx'))).toEqual({ status: 409, offset: '5' })
    expect(await offsetOf(id)).toBe(5)
  })

  it.each(['-1', '1.5', '1e3', 'x', '9999999999999999'])('at %j is refused', async (offset) => {
    expect((await answerTo(await begin(10), offset, Buffer.from('x'))).status).toBe(422)
  })

  it('beyond the declared size is refused, with or without Content-Length, and no byte of it is stored', async () => {
    const id = await begin(10)
    expect((await answerTo(id, 0, Buffer.alloc(11))).status).toBe(422)
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(11))
        controller.close()
      },
    })
    const init = { method: 'PUT', body: stream, duplex: 'half' } as RequestInit
    expect((await world.alice.fetch(urlOf(api.uploads.append, chunkOf(id, 0)), init)).status).toBe(422)
    expect([await offsetOf(id), await receiving()]).toEqual([0, []])
  })

  it('larger than the limit is refused', async () => {
    const id = await begin(2 * CHUNK_BYTES)
    expect((await answerTo(id, 0, Buffer.alloc(CHUNK_BYTES + 1))).status).toBe(413)
    expect(await offsetOf(id)).toBe(0)
  })

  it('E6: counts once, even if sent several times at once', async () => {
    const contents = Array.from({ length: 8 }, () => randomBytes(100_000))
    const id = await begin(100_001)
    const answers = await Promise.all(contents.map((content) => answerTo(id, 0, content)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(409)])
    expect(new Set(answers.filter(({ status }) => status === 409).map(({ offset }) => offset))).toEqual(
      new Set(['100000']),
    )
    await append(id, 100_000, Buffer.from('!'))
    const winner = contents[answers.findIndex(({ status }) => status === 200)] ?? Buffer.alloc(0)
    const { id: file_id } = await finish(id)
    const call = { params: { id: file_id }, query: { workspace_id: room.workspace_id } }
    const expected = sha256(Buffer.concat([winner, Buffer.from('!')]))
    expect(await world.alice.call(api.files.get, call)).toMatchObject({ sha256: expected })
    expect(await receiving()).toEqual([])
  })

  it('E6: that breaks off does not count, and the next one continues at the same offset', async () => {
    const id = await begin(1000)
    await append(id, 0, Buffer.alloc(100, 'a'))
    const headers = { ...sign(world.alice.credentials, Math.floor(Date.now() / 1000) + 60), 'content-length': 900 }
    const request = httpRequest(service.url + urlOf(api.uploads.append, chunkOf(id, 100)), { method: 'PUT', headers })
    const broken = new Promise((resolve) => request.on('error', resolve))
    request.write(Buffer.alloc(500, 'b'))
    await vi.waitFor(async () => expect(await receiving()).toHaveLength(1), PATIENCE)
    request.destroy()
    await broken
    await vi.waitFor(async () => expect(await receiving()).toEqual([]), PATIENCE)
    expect(await offsetOf(id)).toBe(100)
    await append(id, 100, Buffer.alloc(900, 'c'))
    expect(await finish(id)).toMatchObject({ file_size: '1000' })
  })

  it.runIf(isLocal)('E6, J6: that finds the disk full does not count, and the next attempt does', async () => {
    const id = await begin(3)
    const path = join(service.config.dataDir, 'blobs', 'parts', await partOf(id))
    await symlink('/dev/full', path)
    expect((await answerTo(id, 0, Buffer.from('abc'))).status).toBe(507)
    expect([await offsetOf(id), await receiving()]).toEqual([0, []])
    await rm(path)
    await append(id, 0, Buffer.from('abc'))
    expect(await finish(id)).toMatchObject({ file_size: '3' })
  })

  it('E6, J4: of a killed service does not count; another service continues and finishes', async () => {
    const content = randomBytes(3_000_000)
    const id = await begin(content.length)
    const killed = spawnProcess('main', service.config)
    const url = (await killed.line(/^service: /)).slice('service: '.length)
    const headers = () => sign(world.alice.credentials, Math.floor(Date.now() / 1000) + 60)
    const first = { method: 'PUT', headers: { ...headers() }, body: new Uint8Array(content.subarray(0, 1_000_000)) }
    expect((await fetch(url + urlOf(api.uploads.append, chunkOf(id, 0)), first)).status).toBe(200)

    const path = urlOf(api.uploads.append, chunkOf(id, 1_000_000))
    const request = httpRequest(url + path, { method: 'PUT', headers: { ...headers(), 'content-length': 2_000_000 } })
    const broken = new Promise((resolve) => request.on('error', resolve))
    request.write(content.subarray(1_000_000, 2_500_000))
    await vi.waitFor(async () => expect(await receiving()).toHaveLength(1), PATIENCE)
    expect(await killed.end('SIGKILL')).toBe('SIGKILL')
    await broken

    expect([await offsetOf(id), await room.files(folder)]).toEqual([1_000_000, []])
    await append(id, 1_000_000, content.subarray(1_000_000))
    const { id: file_id } = await finish(id)
    expect(await world.alice.call(api.files.get, inRoom(file_id))).toMatchObject({ sha256: sha256(content) })
    const left = (await receiving()).map((name) => join(chunkFolder(), name))
    await Promise.all(left.map((each) => rm(each)))
  })

  it('E6: overwrites the bytes a crash left after the counted ones', async () => {
    const id = await begin(6)
    await append(id, 0, Buffer.from('abc'))
    const chunk = await service.services.blobs.parts.receive(
      Readable.from([Buffer.from('XXXXXXXX')], { objectMode: false }),
      { bytes: 100, beyond: () => new Error('too much') },
      () => {},
    )
    const part = await partOf(id)
    await service.services.blobs.parts.append(part, 3, chunk)
    await service.services.blobs.parts.discard(chunk)
    await append(id, 3, Buffer.from('def'))
    const bytes = await service.services.blobs.parts.read(part, 6).toArray()
    expect(Buffer.concat(bytes as Buffer[]).toString()).toBe('abcdef')
    expect(await finish(id)).toMatchObject({ file_size: '6' })
  })
})

describe('finishing', () => {
  it('E6: before all bytes have arrived is refused, with the current offset', async () => {
    const id = await begin(10)
    await append(id, 0, Buffer.from('1234'))
    const { code, message } = await world.alice.refused(api.uploads.finish, finishing(id))
    expect([code, message]).toEqual([409, '4 of 10 bytes are here.'])
    expect(await room.files(folder)).toEqual([])
  })

  it('E6: is refused if the hash differs, and no file appears', async () => {
    const id = await begin(3, { sha256: sha256(Buffer.from('abc')) })
    await append(id, 0, Buffer.from('abd'))
    expect((await world.alice.refused(api.uploads.finish, finishing(id))).code).toBe(422)
    expect(await room.files(folder)).toEqual([])
    await world.alice.call(api.uploads.remove, inRoom(id))
  })

  it('E6: twice, in sequence or at once, returns the same file', async () => {
    const id = await begin(3)
    await append(id, 0, Buffer.from('abc'))
    const files = await Promise.all(Array.from({ length: 5 }, () => finish(id)))
    expect(new Set([...files, await finish(id)].map((file) => `${file.id} ${file.version}`)).size).toBe(1)
    expect(await room.files(folder)).toEqual(['1 plan.bin'])
    expect((await room.messages()).filter((message) => message.includes('plan.bin'))).toHaveLength(1)
    expect(await world.alice.call(api.uploads.get, inRoom(id))).toMatchObject({ file_id: files[0]?.id, offset: '3' })
  })

  it('ends the upload: it accepts no chunk and cannot be cancelled', async () => {
    const id = await begin(0)
    await finish(id)
    expect((await answerTo(id, 0, Buffer.from('x'))).status).toBe(409)
    expect((await world.alice.refused(api.uploads.remove, inRoom(id))).code).toBe(409)
  })

  it('does not show a file deleted meanwhile', async () => {
    const id = await begin(0)
    const { id: file } = await finish(id)
    await world.alice.call(api.files.remove, inRoom(file))
    expect((await world.alice.refused(api.uploads.finish, finishing(id))).code).toBe(404)
  })

  it('E6, J4: finds the bytes again if only the commit failed', async () => {
    const id = await begin(3)
    await append(id, 0, Buffer.from('abc'))
    await service.services.blobs.parts.adopt(await partOf(id), 3)
    await sweepBlobs(service.services.db, service.services.blobs, new Date(Date.now() + 60_000))
    const { id: file_id } = await finish(id)
    const call = { params: { file_id }, query: { workspace_id: room.workspace_id } }
    const { expiring_url } = await world.alice.call(api.downloads.getFile, call)
    expect(await (await fetch(service.url + new URL(expiring_url).pathname)).text()).toBe('abc')
  })

  it('fails without a file if the bytes on disk are not those that were counted', async () => {
    const id = await begin(3)
    await append(id, 0, Buffer.from('abc'))
    await service.services.blobs.parts.remove(await partOf(id))
    expect(await world.alice.statusOf(api.uploads.finish, finishing(id))).toBe(500)
    expect(await room.files(folder)).toEqual([])
  })
})

describe('an upload belongs to its user alone', () => {
  it('E6: it does not exist for admins and members of the same workspace, nor in another workspace', async () => {
    await room.grant(folder, 'upload')
    const id = await begin(3, {}, world.bob)
    const absent = await world.alice.refused(api.uploads.get, inRoom(2_000_000_000))
    for (const endpoint of [api.uploads.get, api.uploads.remove] as const) {
      const { code, message } = await world.alice.refused(endpoint, inRoom(id))
      expect([code, message]).toEqual([404, absent.message])
    }
    expect((await world.alice.refused(api.uploads.finish, finishing(id))).code).toBe(404)
    expect((await answerTo(id, 0, Buffer.from('abc'))).status).toBe(404)
    const elsewhere = { params: { id }, query: { workspace_id: world.workspace_id } }
    expect((await world.bob.refused(api.uploads.get, elsewhere)).code).toBe(404)
    await append(id, 0, Buffer.from('abc'), world.bob)
    expect(await finish(id, world.bob)).toMatchObject({ file_size: '3' })
  })
})

describe('the right to upload', () => {
  const changes: [string, () => Promise<unknown>, number][] = [
    ['was taken', () => room.revoke(folder, 'upload'), 403],
    ['went with the view of the folder', () => room.revoke(folder, 'view'), 404],
    [
      'went with the folder',
      () =>
        world.alice.call(api.folders.remove, { params: { id: folder }, query: { workspace_id: room.workspace_id } }),
      404,
    ],
    [
      'ended with the membership',
      () =>
        world.alice.call(api.groups.removeMember, {
          params: { id: room.group_id },
          query: { workspace_id: room.workspace_id, user_id: world.bob.id },
        }),
      404,
    ],
  ]

  it.each(changes)('that %s ends an upload at the next chunk and at its end', async (_reason, change, status) => {
    await room.grant(folder, 'upload')
    const [half, full] = [await begin(6, {}, world.bob), await begin(3, {}, world.bob)]
    await append(half, 0, Buffer.from('abc'), world.bob)
    await append(full, 0, Buffer.from('abc'), world.bob)
    await change()
    expect((await answerTo(half, 3, Buffer.from('def'), world.bob)).status).toBe(status)
    expect((await world.bob.refused(api.uploads.finish, finishing(full))).code).toBe(status)
    expect(await room.messages()).not.toContain('added the file: plan.bin')
  })

  it.each(changes)('that %s during a chunk makes that chunk not count', async (_reason, change, status) => {
    await room.grant(folder, 'upload')
    const id = await begin(6, {}, world.bob)
    const headers = { ...sign(world.bob.credentials, Math.floor(Date.now() / 1000) + 60), 'content-length': 6 }
    const request = httpRequest(service.url + urlOf(api.uploads.append, chunkOf(id, 0)), { method: 'PUT', headers })
    const answered = new Promise((resolve, reject) => {
      request.on('response', (response) => resolve(response.statusCode)).on('error', reject)
    })
    request.write('abc')
    await vi.waitFor(async () => expect(await receiving()).toHaveLength(1), PATIENCE)
    await change()
    request.end('def')
    expect(await answered).toBe(status)
    expect(await receiving()).toEqual([])
    expect(await storedParts()).not.toContain(await partOf(id))
  })

  it('is required to begin, and the refusal does not reveal whether a name is taken', async () => {
    await room.grant(folder, 'view')
    const body = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'plan.bin', size: '1' }
    expect((await world.bob.refused(api.uploads.create, { body })).code).toBe(403)
    await room.grant(folder, 'upload')
    const fresh = await world.bob.call(api.uploads.create, { body })
    await room.upload(world.alice, folder, 'plan.bin')
    const taken = await world.bob.call(api.uploads.create, { body })
    expect({ ...taken, id: 0, created_at: '', expires_at: '' }).toEqual({
      ...fresh,
      id: 0,
      created_at: '',
      expires_at: '',
    })
  })
})

describe('limits', () => {
  it('a file above the size limit is refused at the beginning', async () => {
    const body = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'a.bin', size: String(LIMIT + 1) }
    expect((await world.alice.refused(api.uploads.create, { body })).code).toBe(413)
  })

  it.each([{ size: '-1' }, { size: '1.5' }, { size: '' }, { sha256: 'x'.repeat(64) }, { file_name: '../x' }])(
    '%j cannot begin an upload',
    async (wrong) => {
      const body = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'a.bin', size: '1', ...wrong }
      expect((await world.alice.refused(api.uploads.create, { body })).code).toBe(422)
    },
  )

  it('a user with a thousand unfinished uploads cannot begin another, even concurrently', async () => {
    const id = await begin(1)
    const { db } = service.services
    const row = await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const copies = Array.from({ length: 997 }, () => {
      const { id: _, ...rest } = row
      return { ...rest, part_id: randomBytes(16).toString('hex') }
    })
    await db.insertInto('uploads').values(copies).execute()
    const body = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'a.bin', size: '1' }
    const statuses = await Promise.all(
      Array.from({ length: 6 }, () => world.alice.statusOf(api.uploads.create, { body })),
    )
    expect(statuses.toSorted()).toEqual([201, 201, 409, 409, 409, 409])
  })
})

describe('an abandoned upload', () => {
  it('E6: is gone after a day without a chunk, and the sweep removes its bytes', async () => {
    const id = await begin(10)
    await append(id, 0, Buffer.from('123'))
    const part = await partOf(id)
    const { db, blobs } = service.services
    const passing = async (hours: number) => {
      const { expires_at } = await db
        .selectFrom('uploads')
        .select('expires_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const earlier = new Date(new Date(expires_at).getTime() - hours * 3_600_000)
      await db.updateTable('uploads').set({ expires_at: earlier }).where('id', '=', id).execute()
    }
    await passing(23)
    await append(id, 3, Buffer.from('456'))
    await passing(23)
    await sweepParts(db, blobs.parts, new Date())
    expect([await offsetOf(id), await storedParts()]).toEqual([6, expect.arrayContaining([part])])

    await passing(1)
    expect((await answerTo(id, 6, Buffer.from('789'))).status).toBe(404)
    expect((await world.alice.refused(api.uploads.finish, finishing(id))).code).toBe(404)
    await sweepParts(db, blobs.parts, new Date())
    expect(await storedParts()).not.toContain(part)
  })

  it('that was cancelled leaves nothing behind either', async () => {
    const id = await begin(10)
    await append(id, 0, Buffer.from('123'))
    const part = await partOf(id)
    await world.alice.call(api.uploads.remove, inRoom(id))
    expect((await answerTo(id, 3, Buffer.from('456'))).status).toBe(404)
    await sweepParts(service.services.db, service.services.blobs.parts, new Date())
    expect(await storedParts()).not.toContain(part)
  })

  it('is swept without touching finished ones', async () => {
    const id = await begin(3)
    await append(id, 0, Buffer.from('abc'))
    const { id: file_id } = await finish(id)
    const later = new Date(Date.now() + 49 * 3_600_000)
    await sweepParts(service.services.db, service.services.blobs.parts, later)
    await sweepBlobs(service.services.db, service.services.blobs, later)
    const call = { params: { file_id }, query: { workspace_id: room.workspace_id } }
    const { expiring_url } = await world.alice.call(api.downloads.getFile, call)
    expect(await (await fetch(service.url + new URL(expiring_url).pathname)).text()).toBe('abc')
  })
})
