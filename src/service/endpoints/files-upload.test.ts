import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, type MockInstance, vi } from 'vitest'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { sign } from '../../signing/signature.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type Person, type World } from '../testing/world.ts'

const LIMIT = 1024 * 1024
/** Milliseconds; generous, because a busy machine may delay what usually takes a moment. */
const PATIENCE = 20_000

let service: TestService
let world: World
let room: Room
let folder: number
let storing: MockInstance
beforeAll(async () => {
  service = await startTestService({ maxUploadBytes: LIMIT })
  storing = vi.spyOn(service.services.blobs, 'write')
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('Finance')
  storing.mockClear()
})

const pathFor = (file_name: string, folder_id = folder) =>
  urlOf(api.files.upload, { query: { workspace_id: room.workspace_id, folder_id, file_name } })

const signed = (person: Person) => ({ ...sign(person.credentials, Math.floor(Date.now() / 1000) + 60) })

const isLocal = inject('swift') === undefined

/** Names of all content, in the local folder also of what is unfinished. */
async function storedContent(): Promise<string[]> {
  if (!isLocal) return Readable.from(service.services.blobs.listOlderThan(new Date(Date.now() + 60_000))).toArray()
  const entries = await readdir(join(service.config.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

/** Waits until the service stores the first bytes of the only upload of the test. */
async function untilStoring(before: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    expect(storing).toHaveBeenCalledOnce()
    if (isLocal) expect(await storedContent()).toHaveLength(before.length + 1)
  }, PATIENCE)
}

/** Starts a request whose body is sent piece by piece, so that its declared size may be false. */
function rawUpload(path: string, headers: Record<string, string | number> = {}, person: Person = world.alice) {
  const request = httpRequest(service.url + path, { method: 'PUT', headers: { ...signed(person), ...headers } })
  const answered = new Promise<{ status: number; text: string; connection: string | undefined }>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      void Readable.from(response)
        .toArray()
        .then((chunks) =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks as Buffer[]).toString(),
            connection: response.headers.connection,
          }),
        )
    })
  })
  return { request, answered }
}

const deleteFolder = () =>
  world.alice.call(api.folders.remove, { params: { id: folder }, query: { workspace_id: room.workspace_id } })
const removeBob = () =>
  world.alice.call(api.groups.removeMember, {
    params: { id: room.group_id },
    query: { workspace_id: room.workspace_id, user_id: world.bob.id },
  })

describe('an upload', () => {
  it('returns the compact file, with the hash and checksum of exactly these bytes', async () => {
    const content = randomBytes(300_000)
    const file = await room.upload(world.alice, folder, 'data.bin', new Uint8Array(content))
    expect(file).toMatchObject({ title: 'data.bin', file_name: 'data.bin', file_size: '300000', index: 1, version: 1 })
    const versions = await service.services.db
      .selectFrom('file_versions')
      .selectAll()
      .where('file_id', '=', file.id)
      .execute()
    expect(versions).toHaveLength(1)
    expect(versions[0]?.sha256).toEqual(createHash('sha256').update(content).digest())
    expect(versions[0]?.crc32).toBe(crc32(content))
    expect(versions[0]?.uploaded_by_id).toBe(world.alice.id)
  })

  it('K103: does not tell a reader who else uploaded a version', async () => {
    const group = { file_managing_abilities: true }
    const params = { id: room.group_id }
    await world.alice.call(api.groups.update, { params, body: { workspace_id: room.workspace_id, group } })
    await room.grant(folder, 'upload')
    const { id } = await room.upload(world.alice, folder, 'shared.txt', 'one')
    await room.upload(world.bob, folder, 'shared.txt', 'two')
    const uploaders = async (person: Person) => {
      const call = { params: { id }, query: { workspace_id: room.workspace_id } }
      return (await person.call(api.files.versions, call)).map((each) => [each.uploaded_by_id, each.uploaded_by_name])
    }
    const own = [world.bob.id, 'Bob Tester']
    expect(await uploaders(world.bob)).toEqual([own, [null, '']])
    expect(await uploaders(world.alice)).toEqual([own, [world.alice.id, 'Alice Tester']])
  })

  it('that is retried with unless_same keeps the first version if the bytes are equal', async () => {
    const query = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'plan.txt', unless_same: true }
    const send = (content: string) => world.alice.call(api.files.upload, { query }, content)
    const first = await send('one')
    const stored = await storedContent()
    expect(await send('one')).toEqual(first)
    expect(await storedContent()).toEqual(stored)
    expect(await send('two')).toMatchObject({ id: first.id, version: 2 })
    expect(await room.upload(world.alice, folder, 'plan.txt', 'two')).toMatchObject({ id: first.id, version: 3 })
  })

  it('E6: overlapping retries of one upload make one version', async () => {
    const { workspace_id } = room
    const stored = await storedContent()
    for (let pair = 0; pair < 12; pair++) {
      const query = { workspace_id, folder_id: folder, file_name: `pair ${pair}.txt`, unless_same: true }
      const send = () => world.alice.call(api.files.upload, { query }, `bytes ${pair}`)
      const [first, second] = await Promise.all([send(), send()])
      expect(first).toEqual(second)
      expect(first.version).toBe(1)
    }
    const messages = await room.messages()
    expect(messages.filter((message) => message.includes('pair 7.txt'))).toEqual(['added the file: pair 7.txt'])
    expect((await storedContent()).length - stored.length).toBe(12)
  })

  it('E6: a retry that overtakes the first attempt leaves one version', async () => {
    const body = 'x'.repeat(2000)
    const before = await storedContent()
    const first = rawUpload(pathFor('overtaken.txt'), { 'content-length': body.length })
    first.request.write(body.slice(0, 1000))
    await untilStoring(before)
    const query = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'overtaken.txt' }
    const second = await world.alice.call(api.files.upload, { query: { ...query, unless_same: true } }, body)
    first.request.end(body.slice(1000))
    expect(JSON.parse((await first.answered).text)).toEqual(second)
    expect(second.version).toBe(1)
    // A later upload is a new version, even of the same bytes.
    expect(await room.upload(world.alice, folder, 'overtaken.txt', body)).toMatchObject({ version: 2 })
  })

  it('E6: a retry that overtakes the authentication of the first attempt leaves one version', async () => {
    const body = 'x'.repeat(2000)
    const query = { workspace_id: room.workspace_id, folder_id: folder, file_name: 'late.txt' }
    const retry = await world.alice.call(api.files.upload, { query: { ...query, unless_same: true } }, body)
    const { first } = await service.services.db.transaction().execute(async (tx) => {
      await sql`lock table api_keys in access exclusive mode`.execute(tx)
      const first = room.upload(world.alice, folder, 'late.txt', body)
      const waiting = sql`select from pg_locks where relation = 'api_keys'::regclass and not granted`
      await vi.waitFor(async () => expect((await waiting.execute(tx)).rows).not.toEqual([]), PATIENCE)
      // As if the retry had been stored meanwhile by another node.
      await sql`update file_versions set created_at = clock_timestamp() where file_id = ${retry.id}`.execute(tx)
      return { first }
    })
    expect(await first).toEqual(retry)
    expect(await room.upload(world.alice, folder, 'late.txt', body)).toMatchObject({ version: 2 })
  })

  it('of zero bytes is an empty file', async () => {
    expect(await room.upload(world.alice, folder, 'empty.txt', '')).toMatchObject({ file_size: '0' })
  })

  it('is recorded', async () => {
    await room.upload(world.alice, folder, 'plan.txt')
    await room.upload(world.alice, folder, 'plan.txt')
    expect((await room.messages()).slice(0, 2)).toEqual(['updated the file: plan.txt', 'added the file: plan.txt'])
  })

  it.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense', ''])(
    'is stored unchanged although it declares %j',
    async (type) => {
      const body = '{"file_name": "other.txt", not json'
      const response = await world.alice.fetch(pathFor('a.txt'), {
        method: 'PUT',
        body,
        headers: { 'content-type': type },
      })
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ file_name: 'a.txt', file_size: String(body.length) })
    },
  )

  it('has a content type detected from its bytes, whatever the client declares', async () => {
    const init = { method: 'PUT', body: '%PDF-1.7\n', headers: { 'content-type': 'text/html' } }
    const response = await world.alice.fetch(pathFor('a.html'), init)
    expect(await response.json()).toMatchObject({ file_content_type: 'application/pdf' })
  })
})

describe('the parameters of an upload', () => {
  it.each(['workspace_id', 'folder_id', 'file_name'])('are refused without %s in the query', async (missing) => {
    const url = new URL(pathFor('a.txt'), service.url)
    const value = url.searchParams.get(missing)
    url.searchParams.delete(missing)
    const body = JSON.stringify({ [missing]: value })
    const init = { method: 'PUT', body, headers: { 'content-type': 'application/json' } }
    const response = await world.alice.fetch(url.pathname + url.search, init)
    expect(response.status).toBe(400)
    expect(await room.files(folder)).toEqual([])
  })

  it.each(['', ' ', '.', '..', 'a/b', '../../etc/passwd', 'a\0b', 'a\nb', 'a\u202egnp.exe', 'x'.repeat(256)])(
    'E2, E1: are refused with the name %j',
    async (name) => {
      const response = await world.alice.fetch(pathFor(name), { method: 'PUT', body: 'x' })
      expect(response.status).toBe(422)
      expect(await room.files(folder)).toEqual([])
    },
  )

  it.each([
    '契約書 最終版.pdf',
    '📁 Übersicht & Co. (final) #1 100%.txt',
    'Rio\'s "deal".txt',
    '..\\..\\windows',
    'C:\\temp\\x.txt',
    '=cmd|calc',
    '-rf',
    'CON',
    'x'.repeat(255),
  ])('E1: keep the name %j', async (name) => {
    expect(await room.upload(world.alice, folder, name)).toMatchObject({ file_name: name, title: name })
    expect(await room.files(folder)).toEqual([`1 ${name}`])
  })

  it('may contain a question mark', async () => {
    const query = `workspace_id=${room.workspace_id}&folder_id=${folder}&file_name=why?.txt`
    const response = await world.alice.fetch(`/api/v1/files/upload?${query}`, { method: 'PUT', body: 'x' })
    expect(await response.json()).toMatchObject({ file_name: 'why?.txt' })
  })

  it('E1: name the same file composed and decomposed, but not in another case', async () => {
    await room.upload(world.alice, folder, 'Z\u00fcrich.txt')
    const twin = await room.upload(world.alice, folder, 'Zu\u0308rich.txt')
    expect(twin).toMatchObject({ file_name: 'Z\u00fcrich.txt', version: 2 })
    expect(await room.upload(world.alice, folder, 'z\u00fcrich.txt')).toMatchObject({ version: 1, index: 2 })
  })
})

describe('uploading a name again', () => {
  it('C14: adds a version: id, title, position and creation date stay', async () => {
    const first = await room.upload(world.alice, folder, 'plan.txt', 'one')
    const body = { workspace_id: room.workspace_id, file: { title: 'Master plan.txt' } }
    await world.alice.call(api.files.update, { params: { id: first.id }, body })
    const second = await room.upload(world.alice, folder, 'plan.txt', 'two!')
    const { id, index, created_at } = first
    expect(second).toMatchObject({ id, index, created_at, title: 'Master plan.txt', version: 2, file_size: '4' })
  })

  it('is allowed to any member who may upload, even for a file of another user', async () => {
    const { id } = await room.upload(world.alice, folder, 'plan.txt')
    await room.grant(folder, 'upload')
    expect(await room.upload(world.bob, folder, 'plan.txt')).toMatchObject({ id, version: 2 })
  })

  it('fifty times at once gives one file with fifty versions', async () => {
    const uploads = Array.from({ length: 50 }, (_, at) => room.upload(world.alice, folder, 'plan.txt', `version ${at}`))
    const versions = (await Promise.all(uploads)).map((file) => file.version)
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
    expect(await room.files(folder)).toEqual(['1 plan.txt'])
  })

  it('together with other names at once keeps the positions without gaps', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, at) => room.upload(world.alice, folder, `${at % 10}.txt`)))
    const places = (await room.files(folder)).map((file) => Number(file.split(' ')[0]))
    expect(places).toEqual(Array.from({ length: 10 }, (_, at) => at + 1))
  })
})

describe('a user without the right to upload', () => {
  it('E7: is refused before any byte is read', async () => {
    await room.grant(folder, 'view')
    const before = await storedContent()
    const path = pathFor('a.txt')
    const request = httpRequest(service.url + path, {
      method: 'PUT',
      headers: { ...signed(world.bob), 'content-length': 1000 },
    })
    const status = await new Promise((resolve, reject) => {
      request.on('response', (response) => resolve(response.statusCode)).on('error', reject)
      request.flushHeaders()
    })
    request.destroy()
    expect(status).toBe(403)
    expect(await storedContent()).toEqual(before)
  })

  it('E7: does not learn whether the folder exists', async () => {
    const absent = await world.bob.refused(api.files.upload, {
      query: { workspace_id: room.workspace_id, folder_id: 2_000_000_000, file_name: 'a' },
    })
    const hidden = await world.bob.refused(api.files.upload, {
      query: { workspace_id: room.workspace_id, folder_id: folder, file_name: 'a' },
    })
    expect([hidden.code, hidden.message]).toEqual([404, absent.message])
  })

  it.each<[string, () => Promise<unknown>, number]>([
    ['any longer', () => room.revoke(folder, 'upload'), 403],
    ['to see the folder any longer', () => room.revoke(folder, 'view'), 404],
    ['because the folder was deleted', deleteFolder, 404],
    ['because membership ended', removeBob, 404],
  ])('%s is refused at the end, and nothing is stored', async (_reason, change, status) => {
    await room.grant(folder, 'upload')
    const before = await storedContent()
    const { request, answered } = rawUpload(pathFor('a.txt'), { 'content-length': 4 }, world.bob)
    request.write('ab')
    await untilStoring(before)
    await change()
    request.end('cd')
    expect((await answered).status).toBe(status)
    expect(await storedContent()).toEqual(before)
    const found = { workspace_id: room.workspace_id, q: 'a.txt' }
    expect(await world.alice.call(api.files.search, { query: found })).toEqual([])
  })
})

describe('an upload over the size limit', () => {
  it('is refused by its declared size, and the connection closes', async () => {
    const { request, answered } = rawUpload(pathFor('a.bin'), { 'content-length': LIMIT + 1 })
    request.flushHeaders()
    const { status, text, connection } = await answered
    request.destroy()
    expect([status, connection]).toEqual([413, 'close'])
    expect(JSON.parse(text)).toMatchObject({ error: { code: 413 } })
  })

  it('without a declared size is refused while it arrives, and nothing is stored', async () => {
    const before = await storedContent()
    const { request, answered } = rawUpload(pathFor('a.bin'), { 'transfer-encoding': 'chunked' })
    const chunk = Buffer.alloc(64 * 1024)
    for (let sent = 0; sent <= LIMIT; sent += chunk.length) request.write(chunk)
    const { status, connection } = await answered
    request.destroy()
    expect([status, connection]).toEqual([413, 'close'])
    expect(await room.files(folder)).toEqual([])
    expect(await storedContent()).toEqual(before)
  })

  it('is still read after the refusal is sent, so that the client can read the refusal', async () => {
    const lines = Object.entries({ ...signed(world.alice), 'Content-Length': 10 ** 12, Host: 'x' })
    const { port } = new URL(service.url)
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    socket.write(`PUT ${pathFor('a.bin')} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`)
    const answer = await new Promise<Buffer>((done) => socket.once('data', done))
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /)
    const failure = await new Promise((done) => socket.write(new Uint8Array(20 * LIMIT), done))
    expect(failure ?? 'none').toBe('none')
    socket.destroy()
  })

  it('begins at one byte above the limit', async () => {
    expect(await room.upload(world.alice, folder, 'a.bin', new Uint8Array(LIMIT))).toMatchObject({
      file_size: String(LIMIT),
    })
    const response = await world.alice.fetch(pathFor('b.bin'), { method: 'PUT', body: new Uint8Array(LIMIT + 1) })
    expect(response.status).toBe(413)
  })
})

describe('an upload that breaks off', () => {
  it.each([{ 'content-length': 1000 }, { 'transfer-encoding': 'chunked' }])(
    'leaves neither a file nor content: %o',
    async (headers) => {
      const before = await storedContent()
      const { request, answered } = rawUpload(pathFor('a.txt'), headers)
      request.write('the first bytes')
      await untilStoring(before)
      request.destroy()
      await answered.catch(() => {})
      await vi.waitFor(async () => expect(await storedContent()).toEqual(before), PATIENCE)
      expect(await room.files(folder)).toEqual([])
    },
  )

  it('because more was sent than declared stores the declared bytes, and handles the rest as no request', async () => {
    const lines = Object.entries({ ...signed(world.alice), 'Content-Length': 4, Host: 'x' })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const rest = `PUT ${pathFor('smuggled.txt')} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    const { port } = new URL(service.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`PUT ${pathFor('a.txt')} HTTP/1.1\r\n${head}\r\nfour${rest}`)
    const answers = Buffer.concat((await Readable.from(socket).toArray()) as Buffer[]).toString()
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401'])
    expect(await room.files(folder)).toEqual(['1 a.txt'])
  })
})
