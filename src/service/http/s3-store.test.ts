import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { startService } from '../app.ts'
import { type BlobPlace, readBlobUrl, type S3Place } from '../base/blob-place.ts'
import { readConfig } from '../base/config.ts'
import { placeOf } from '../blobs/blob-path.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { copyStore } from '../blobs/migrate/copy-store.ts'
import { openPlace, openStorage } from '../blobs/open-storage.ts'
import { sweepBlobs } from '../blobs/sweep.ts'
import { viewStorage } from '../blobs/view-storage.ts'
import { examine } from '../doctor/examine.ts'
import { Client } from '../testing/client.ts'
import { addDealRecords, readDealRecords, TERMS_HASH } from '../testing/deal/deal-records.ts'
import { runJobs } from '../testing/jobs.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { isOnDisk, startTestService, type TestService } from '../testing/start-service.ts'
import { type Relay, startRelay } from '../testing/swift/relay.ts'
import { blobUrlOf, startSwift, type Swift, useCredentials } from '../testing/swift/start-swift.ts'
import { ensureInstalled } from '../testing/system-packages.ts'
import { createWorld, type World } from '../testing/world.ts'

const hasSwift = await ensureInstalled('swift')
const MIB = 1024 ** 2

// A run with its content in Swift has the credentials of that one.
describe.skipIf(!hasSwift || !isOnDisk)('a service with its content in a bucket', () => {
  let swift: Swift
  let relay: Relay
  let service: TestService
  let world: World
  let room: Room
  let folder: number
  beforeAll(async () => {
    swift = await startSwift()
    useCredentials(swift)
    relay = await startRelay(swift.endpoint)
    service = await startTestService({ blobPlace: readBlobUrl(blobUrlOf({ ...swift, endpoint: relay.url })) })
    world = await createWorld(service)
  }, 180_000)
  afterAll(async () => {
    await service?.close()
    await relay?.close()
    await swift?.stop()
  })
  beforeEach(async () => {
    relay.mode = 'pass'
    relay.times = Infinity
    service.config.blobDirect = false
    room = await createRoom(world)
    folder = await room.folder('Finance')
    await room.grant(folder, 'download')
  })

  const upload = async (content: Buffer, name = 'plan.bin') =>
    (await room.upload(world.alice, folder, name, new Uint8Array(content))).id
  const pathOf = async (id: number) => {
    const call = { params: { file_id: id }, query: { workspace_id: room.workspace_id } }
    return service.url + new URL((await world.bob.call(api.downloads.getFile, call)).expiring_url).pathname
  }
  const get = async (id: number, headers: Record<string, string> = {}) =>
    fetch(await pathOf(id), { headers, redirect: 'manual' })
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
  const fileOf = (id: number) =>
    world.alice.call(api.files.get, { params: { id }, query: { workspace_id: room.workspace_id } })

  it('delivers files, ranges and zips byte for byte', async () => {
    const [small, large] = [randomBytes(1000), randomBytes(9 * MIB)]
    const [first, second] = [await upload(small, 'small.bin'), await upload(large, 'large.bin')]
    expect((await bytesOf(await get(first))).equals(small)).toBe(true)
    const whole = await get(second)
    expect(whole.headers.get('etag')).toBe(`"${createHash('sha256').update(large).digest('hex')}"`)
    expect((await bytesOf(whole)).equals(large)).toBe(true)
    const part = await get(second, { range: 'bytes=5000000-7000000' })
    expect(part.status).toBe(206)
    expect((await bytesOf(part)).equals(large.subarray(5_000_000, 7_000_001))).toBe(true)

    const body = { workspace_id: room.workspace_id, download: { file_ids: [first, second] } }
    const { id } = await world.bob.call(api.downloads.create, { body })
    await runJobs(service)
    const query = { workspace_id: room.workspace_id }
    const { expiring_url } = await world.bob.call(api.downloads.get, { params: { id }, query })
    const zip = await bytesOf(await fetch(service.url + new URL(expiring_url).pathname))
    expect([zip.includes(small), zip.includes(large)]).toEqual([true, true])
  })

  it('lets another node without a common disk continue an upload', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'strongroom-node-'))
    const other = await startService({ ...service.config, dataDir, bootstrap: undefined })
    const onOther = new Client(other.url, world.alice.credentials)
    const content = randomBytes(8 * MIB + 5000)
    const { workspace_id } = room
    try {
      const body = { workspace_id, folder_id: folder, file_name: 'parts.bin', size: String(content.length) }
      const { id } = await world.alice.call(api.uploads.create, { body })
      const send = (client: Pick<Client, 'call'>, offset: number, end: number) =>
        client.call(
          api.uploads.append,
          { query: { workspace_id, id, offset: String(offset) } },
          new Uint8Array(content.subarray(offset, end)),
        )
      await send(world.alice, 0, 8 * MIB)
      await send(onOther, 8 * MIB, content.length)
      const file = await world.alice.call(api.uploads.finish, { params: { id }, body: { workspace_id } })
      expect((await bytesOf(await get(file.id))).equals(content)).toBe(true)
    } finally {
      await other.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  it.each(['break', 'refuse', 'html'] as const)(
    'K42: says 503 while the store does not do its work (%s), marks nothing as damaged, and goes on afterwards',
    async (mode) => {
      const content = randomBytes(3000)
      const id = await upload(content)
      const path = await pathOf(id)
      relay.mode = mode
      const refused = await fetch(path)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await refused.json()).toMatchObject({ error: { code: 503, reason: 'storage_away' } })
      expect((await fetch(path, { headers: { range: 'bytes=5-9' } })).status).toBe(503)
      const { db, blobs } = service.services
      await expect(sweepBlobs(db, blobs, new Date(Date.now() + 60_000))).rejects.toMatchObject({ status: 503 })
      if (mode !== 'html') await expect(upload(content, 'new.bin')).rejects.toMatchObject({ code: 503 })
      relay.mode = 'pass'
      expect((await bytesOf(await fetch(path))).equals(content)).toBe(true)
      expect(await fileOf(id)).toMatchObject({ damaged: false })
      expect(await upload(content, 'new.bin')).toBeGreaterThan(0)
    },
  )

  it('K42: reads on where an answer was cut off, and sends an upload again without doubling the version', async () => {
    const content = randomBytes(2 * MIB)
    relay.mode = 'break'
    relay.times = 1
    const id = await upload(content)
    expect(await fileOf(id)).toMatchObject({ version: 1 })
    const path = await pathOf(id)
    relay.mode = 'cut'
    relay.times = 2
    expect((await bytesOf(await fetch(path))).equals(content)).toBe(true)
    expect(await fileOf(id)).toMatchObject({ damaged: false })
  })

  it('refuses an upload with 507 while the bucket is full', async () => {
    await swift.limitBytes(100_000)
    await expect(upload(randomBytes(200_000))).rejects.toMatchObject({ code: 507 })
    await swift.limitBytes(undefined)
    expect(await upload(randomBytes(200_000))).toBeGreaterThan(0)
  })

  it('tells the probe and the doctor what is wrong', async () => {
    const { db } = service.services
    await db.deleteFrom('jobs').execute()
    const content = async () => {
      const findings = await examine(service.config)
      return findings.filter(({ check, state }) => check === 'content' && state !== 'ok').map(({ message }) => message)
    }
    const id = await upload(Buffer.from('content'))
    expect(await content()).toEqual([])
    relay.mode = 'refuse'
    expect(await content()).toEqual(['The content store does not answer as it should: AccessDenied (403).'])
    const ready = await (await fetch(`${service.url}/readyz`)).json()
    expect(ready).toMatchObject({ status: 'ready', warnings: [expect.stringContaining('store is away') as string] })
    relay.mode = 'pass'
    const { blob_id } = await db
      .selectFrom('file_versions')
      .select('blob_id')
      .where('file_id', '=', id)
      .where('workspace_id', '=', room.workspace_id)
      .executeTakeFirstOrThrow()
    await service.services.blobs.remove(blob_id)
    expect(await content()).toEqual([`Content is missing (1 file): ${blob_id}.`])
  })

  it.each([
    ['names a bucket that does not exist', 'bucket'],
    ['names the wrong region', 'region'],
    ['the AWS credentials are wrong', 'secret'],
  ] as const)('K42: a start ends with one sentence that %s', async (sentence, wrong) => {
    const secretKey = wrong === 'secret' ? 'wrong-secret-key' : swift.secretKey
    useCredentials({ ...swift, secretKey })
    const place = readBlobUrl(blobUrlOf(swift)) as S3Place
    const mistakes = { bucket: { bucket: 'no-such-bucket' }, region: { region: 'eu-west-9' }, secret: {} }
    const blobPlace = { ...place, ...mistakes[wrong] }
    const start = startService({ ...service.config, blobPlace, bootstrap: undefined })
    const error = await start.then(
      () => new Error('it started'),
      (refused: Error) => refused,
    )
    useCredentials(swift)
    expect(error.message).toMatch(new RegExp(`^BLOB_URL [^\\n]*${sentence}[^\\n]*\\.$`))
    expect(error.message).not.toContain('wrong-secret-key')
  })

  it('K42: another database neither writes nor sweeps in the same prefix', async () => {
    const stranger = await startTestService({ blobPlace: service.config.blobPlace })
    try {
      const { db, blobs } = stranger.services
      await expect(blobs.write(Buffer.from('x'), 100)).rejects.toMatchObject({ status: 503 })
      await expect(sweepBlobs(db, blobs, new Date(Date.now() + 60_000))).rejects.toMatchObject({ status: 503 })
    } finally {
      await stranger.close()
    }
    await service.services.blobs.requirePresent()
  })

  describe('K42: BLOB_DIRECT', () => {
    beforeEach(() => void (service.config.blobDirect = true))

    it('redirects to the bucket for the range asked for, and for no other', async () => {
      const content = randomBytes(5000)
      const id = await upload(content, 'Büro.html')
      const reply = await get(id)
      expect([reply.status, (await reply.arrayBuffer()).byteLength]).toEqual([307, 0])
      const url = reply.headers.get('location') ?? ''
      expect(Number(new URL(url).searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(60)
      expect(url).not.toContain(swift.secretKey)
      const whole = await fetch(url)
      expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename/)
      expect((await bytesOf(whole)).equals(content)).toBe(true)

      const bound = (await get(id, { range: 'bytes=10-19' })).headers.get('location') ?? ''
      const part = await fetch(bound, { headers: { range: 'bytes=10-19' } })
      expect((await bytesOf(part)).equals(content.subarray(10, 20))).toBe(true)
      const others = [await fetch(bound), await fetch(bound, { headers: { range: 'bytes=0-4999' } })]
      others.push(await fetch(bound, { method: 'DELETE', headers: { range: 'bytes=10-19' } }))
      others.push(await fetch(bound.replace(/blobs\/[^?]*/, 'storage-id'), { headers: { range: 'bytes=10-19' } }))
      expect(others.map(({ status }) => status)).toEqual([403, 403, 403, 403])
      expect((await get(id, { 'if-range': '"other"', range: 'bytes=1-2' })).status).toBe(200)
      expect((await get(id, { range: 'bytes=9000-' })).status).toBe(416)
    })

    it('only after all checks', async () => {
      const id = await upload(randomBytes(5000))
      const path = await pathOf(id)
      await room.revoke(folder, 'download')
      const revoked = await fetch(path, { redirect: 'manual' })
      expect([revoked.status, revoked.headers.get('location')]).toEqual([404, null])
      await room.grant(folder, 'download')
      service.setClock(new Date(Date.now() + 16 * 60_000))
      expect((await fetch(path, { redirect: 'manual' })).status).toBe(403)
      service.setClock(undefined)
    })

    it('is off by default and needs a bucket', () => {
      const env = { DATABASE_URL: 'postgresql://x', MASTER_KEY: '0'.repeat(64) }
      expect(readConfig(env).blobDirect).toBe(false)
      expect(() => readConfig({ ...env, BLOB_DIRECT: 'on' })).toThrow('BLOB_DIRECT needs a bucket')
    })
  })

  it('moves content to the bucket and back while people work, and compares each copy with its hash', async () => {
    const moving = await startTestService({ blobPlace: undefined })
    const people = await createWorld(moving)
    const busy = await createRoom(people)
    const { db } = moving.services
    const from = { folder: join(moving.config.dataDir, 'blobs') }
    const to = readBlobUrl(blobUrlOf(swift))
    const back = { folder: join(moving.config.dataDir, 'back') }
    const add = async (content: Buffer, name: string) => {
      const { id } = await busy.upload(people.alice, 0, name, new Uint8Array(content))
      const rows = db.selectFrom('file_versions').select('blob_id').where('file_id', '=', id)
      return (await rows.executeTakeFirstOrThrow()).blob_id
    }
    const copy = async (source: BlobPlace, target: BlobPlace) =>
      copyStore(
        db,
        {
          view: await viewStorage(source),
          source: await openPlace(db, source, moving.config),
          target: await openPlace(db, target, moving.config, { isNew: true }),
        },
        () => {},
      )
    const whole = async (store: BlobStore, id: string) =>
      Buffer.concat((await (await store.read(id)).toArray()) as Buffer[])
    try {
      const [one, two, three] = [randomBytes(10), randomBytes(9 * MIB), randomBytes(300)]
      const first = await add(one, 'one.bin')
      const second = await add(two, 'two.bin')
      const deal = await addDealRecords(people, busy)
      const kept = await readDealRecords(moving, people.alice, deal)
      expect(kept.sha256).toBe(TERMS_HASH)
      expect(await copy(from, to)).toMatchObject({ copied: 3, kept: 0, damaged: [] })
      const third = await add(three, 'three.bin')
      const part = 'a'.repeat(32)
      const limit = { bytes: 100, beyond: () => new Error('too much') }
      const append = async ({ parts }: BlobStore, offset: number, text: string) => {
        const chunk = await parts.receive(Readable.from([text], { objectMode: false }), limit, () => {})
        await parts.append(part, offset, chunk)
        await parts.discard(chunk)
      }
      await append(moving.services.blobs, 0, 'begun here, ')

      const both = await openStorage(db, { ...moving.config, blobPlace: to, blobAlsoPlace: from })
      const read = await Promise.all([first, second, third].map((id) => whole(both, id)))
      expect(read.map((bytes, at) => bytes.equals([one, two, three][at] as Buffer))).toEqual([true, true, true])
      const { blob_id } = await both.write(Buffer.from('new'), 100)
      expect(await moving.services.blobs.sizeOf(blob_id)).toBeUndefined()
      await append(both, 12, 'ended there')
      expect((await both.parts.head(part, 23)).toString()).toBe('begun here, ended there')
      await both.parts.adopt(part, 23)
      expect((await whole(both, part)).toString()).toBe('begun here, ended there')

      expect(await copy(from, to)).toMatchObject({ copied: 2, kept: 3 })
      const alone = await openStorage(db, { ...moving.config, blobPlace: to })
      expect((await whole(alone, third)).equals(three)).toBe(true)
      await writeFile(join(from.folder, placeOf(first)), 'damaged!!!')
      expect(await copy(to, back)).toMatchObject({ copied: 6, kept: 0, damaged: [] })
      for (const blobPlace of [to, back]) {
        const node = await startService({ ...moving.config, blobPlace, bootstrap: undefined })
        const alice = new Client(node.url, people.alice.credentials)
        expect(await readDealRecords(node, alice, deal).finally(() => node.close())).toEqual(kept)
      }
      expect((await whole(await openPlace(db, back, moving.config), second)).equals(two)).toBe(true)
      await alone.remove(first)
      expect(await copy(from, to)).toMatchObject({ copied: 1, damaged: [first] })
    } finally {
      await moving.close()
    }
  })

  it('K42: logs no key and no signature', async () => {
    relay.mode = 'refuse'
    await expect(upload(randomBytes(10))).rejects.toMatchObject({ code: 503 })
    const log = await readFile(join(service.config.dataDir, 'logs', 'service.log'), 'utf8')
    expect(log).toContain('AccessDenied (403)')
    for (const secret of [swift.secretKey, swift.accessKey, 'Signature=', 'AWS4-HMAC'])
      expect(log).not.toContain(secret)
  })
})
