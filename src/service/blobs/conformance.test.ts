import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBlobUrl, type S3Place } from '../base/blob-place.ts'
import { blobUrlOf, startSwift, type Swift, useCredentials } from '../testing/swift/start-swift.ts'
import { ensureInstalled } from '../testing/system-packages.ts'
import type { BlobStore } from './blob-store.ts'
import { createDiskStore } from './disk.ts'
import { createIntegrity } from './integrity.ts'
import { resumeHash } from './running-hash.ts'
import { createS3Store } from './s3/s3-store.ts'
import { arriving } from './write-file.ts'

// Both stores must behave alike.

const hasSwift = await ensureInstalled('swift')
const MIB = 1024 ** 2
const GIB = 1024 ** 3
const ABSENT = '0'.repeat(32)

let swift: Swift | undefined
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-stores-'))
  if (hasSwift) swift = await startSwift()
  if (swift) useCredentials(swift)
}, 180_000)
afterAll(async () => {
  await swift?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function* inPieces(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}
const streamOf = (content: Buffer, size = 65_536) => Readable.from(inPieces(content, size), { objectMode: false })
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest()
const wholeOf = async (stream: Readable) => Buffer.concat((await stream.toArray()) as Buffer[])

async function listed(blobs: BlobStore, date = new Date(Date.now() + 1000)): Promise<string[]> {
  const ids: string[] = []
  for await (const id of blobs.listOlderThan(date)) ids.push(id)
  return ids.toSorted()
}

const makeStore = {
  disk: () => createDiskStore(join(folder, randomBytes(4).toString('hex'))),
  s3: () =>
    createS3Store(readBlobUrl(blobUrlOf(swift as Swift)) as S3Place, {
      folder: join(folder, randomBytes(4).toString('hex')),
    }),
}

describe.each(hasSwift ? (['disk', 's3'] as const) : (['disk'] as const))('the store on %s', (kind) => {
  let blobs: BlobStore
  beforeAll(async () => void (blobs = await makeStore[kind]()), 60_000)

  test.each([
    [0, 1],
    [4097, 4096],
    [8 * MIB, 65_536],
    [16 * MIB + 1, 60_001],
  ])('%i bytes in pieces of %i are stored, counted, hashed and checksummed', async (length, pieceSize) => {
    const content = randomBytes(length)
    const blob = await blobs.write(streamOf(content, pieceSize), GIB)
    expect(blob).toMatchObject({ size: length, crc32: crc32(content) })
    expect(blob.sha256).toEqual(sha256(content))
    expect(blob.head.equals(content.subarray(0, 4096))).toBe(true)
    expect(await blobs.sizeOf(blob.blob_id)).toBe(length)
    expect((await wholeOf(await blobs.read(blob.blob_id))).equals(content)).toBe(true)
  })

  test.each([0, 1, 60_000])('%i bytes that are in memory are stored with their facts', async (length) => {
    const content = randomBytes(length)
    const blob = await blobs.write(content, GIB)
    expect(blob).toMatchObject({ size: length, crc32: crc32(content) })
    expect((await wholeOf(await blobs.read(blob.blob_id))).equals(content)).toBe(true)
    await expect(blobs.write(content, length - 1)).rejects.toMatchObject({ status: 413 })
  })

  test('chunks that are valid only until the next one are kept as they were', async () => {
    const own = Array.from({ length: 40 }, () => Buffer.from(new Uint8Array(randomBytes(65_536)).buffer))
    const expected = sha256(Buffer.concat(own))
    const { blob_id } = await blobs.write(arriving(Readable.from(own)), GIB)
    expect(sha256(await wholeOf(await blobs.read(blob_id)))).toEqual(expected)
  })

  test('content that is too large or breaks off is not kept, whatever was sent of it', async () => {
    const before = await listed(blobs)
    await expect(blobs.write(streamOf(randomBytes(12 * MIB)), 11 * MIB)).rejects.toMatchObject({ status: 413 })
    const broken = new Readable({ read() {} })
    broken.push(randomBytes(10 * MIB))
    setTimeout(() => broken.destroy(), 200)
    await expect(blobs.write(arriving(broken), GIB)).rejects.toMatchObject({ status: 400 })
    const failure = new Error('no more pages')
    async function* failing() {
      yield randomBytes(9 * MIB)
      throw failure
    }
    await expect(blobs.write(failing(), GIB)).rejects.toBe(failure)
    expect(await listed(blobs)).toEqual(before)
  })

  test('opened content is read at any position, as far as it goes', async () => {
    const { blob_id } = await blobs.write(streamOf(Buffer.from('0123456789')), GIB)
    for (const range of [undefined, { start: 0, end: 9 }, { start: 4, end: 6 }, { start: 30, end: 40 }]) {
      const opened = await blobs.open(blob_id, range)
      const read = async (position: number) => {
        const into = Buffer.alloc(3, '.')
        return [await opened?.read(into, position), into.toString()]
      }
      expect([opened?.size, await read(4), await read(0), await read(3), await read(8), await read(10)]).toEqual([
        10,
        [3, '456'],
        [3, '012'],
        [3, '345'],
        [2, '89.'],
        [0, '...'],
      ])
      await opened?.close()
    }
  })

  test('absent content, and what is not an id', async () => {
    await expect(blobs.read(ABSENT)).rejects.toThrow('ENOENT')
    expect([await blobs.open(ABSENT), await blobs.sizeOf(ABSENT)]).toEqual([undefined, undefined])
    expect(await blobs.open(ABSENT, { start: 0, end: 9 })).toBeUndefined()
    await blobs.remove(ABSENT)
    for (const id of ['../../../../etc/passwd', '..%2f..%2fstorage-id', 'tmp', '', `${'0'.repeat(31)}/`]) {
      await expect(blobs.read(id)).rejects.toThrow('not the id')
      await expect(blobs.remove(id)).rejects.toThrow('not the id')
      await expect(blobs.parts.adopt(id, 1)).rejects.toThrow('not the id')
    }
  })

  test('removed content is gone, and the rest is listed by its age', async () => {
    const [kept, gone] = await Promise.all(['kept', 'gone'].map((text) => blobs.write(Buffer.from(text), GIB)))
    await blobs.remove(gone?.blob_id ?? '')
    await blobs.remove(gone?.blob_id ?? '')
    const now = await listed(blobs)
    expect([now.includes(kept?.blob_id ?? ''), now.includes(gone?.blob_id ?? '')]).toEqual([true, false])
    expect(await listed(blobs, new Date(Date.now() - 3_600_000))).toEqual([])
  })

  test('programs get a file with the content', async () => {
    const content = randomBytes(300_000)
    const { blob_id } = await blobs.write(content, GIB)
    const read = () => blobs.withFile(blob_id, (path) => readFile(path))
    const copies = await Promise.all([read(), read(), read()])
    expect(copies.every((copy) => copy.equals(content))).toBe(true)
    await expect(blobs.withFile(blob_id, () => Promise.reject(new Error('no such page')))).rejects.toThrow(
      'no such page',
    )
    await expect(blobs.withFile(ABSENT, (path) => readFile(path))).rejects.toThrow('ENOENT')
  })

  test('integrity compares ranges and complete reads, and finds what is missing', async () => {
    const content = randomBytes(3 * MIB)
    const blob = await blobs.write(streamOf(content), GIB)
    const found: unknown[] = []
    const integrity = createIntegrity(blobs, async (...each) => void found.push(each))
    const gather = async (start: number, end: number, original = { ...blob }) => {
      const bytes = await integrity.read(original, { start, end })
      const chunks: Buffer[] = []
      for await (const chunk of Buffer.isBuffer(bytes) ? [bytes] : bytes) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks)
    }
    expect((await gather(0, content.length - 1)).equals(content)).toBe(true)
    expect((await gather(5, 2 * MIB)).equals(content.subarray(5, 2 * MIB + 1))).toBe(true)
    expect((await gather(100, 200)).equals(content.subarray(100, 201))).toBe(true)
    await expect(gather(0, 9, { ...blob, blob_id: ABSENT })).rejects.toMatchObject({ status: 422 })
    await expect(gather(0, content.length, { ...blob, size: content.length + 1 })).rejects.toThrow('damaged')
    await expect(gather(0, content.length - 1, { ...blob, sha256: sha256(Buffer.alloc(0)) })).rejects.toThrow('damaged')
    expect(found).toEqual([
      [ABSENT, 'missing'],
      [blob.blob_id, 'length'],
      [blob.blob_id, 'bytes'],
    ])
  })

  describe('unfinished uploads', () => {
    const partId = () => randomBytes(16).toString('hex')
    const limit = { bytes: 8 * MIB, beyond: () => new Error('too much') }
    const receive = async (bytes: Buffer) => blobs.parts.receive(streamOf(Buffer.from(bytes)), limit, () => {})
    const append = async (part: string, offset: number, bytes: Buffer) => {
      const chunk = await receive(bytes)
      if (bytes.length > 0) await blobs.parts.append(part, offset, chunk)
      await blobs.parts.discard(chunk)
    }

    test.each([
      ['of usual size', [8 * MIB, 8 * MIB, 3]],
      ['of odd sizes', [1, 5 * MIB, 2, 100_000, 5 * MIB - 7, 1]],
      ['that are one', [1000]],
    ])('chunks %s become a blob', async (_, sizes) => {
      const part = partId()
      const chunks = sizes.map((size) => randomBytes(size))
      const content = Buffer.concat(chunks)
      let offset = 0
      for (const chunk of chunks) {
        await append(part, offset, chunk)
        offset += chunk.length
      }
      expect(await blobs.sizeOf(part)).toBeUndefined()
      const parts: string[] = []
      for await (const each of blobs.parts.list()) parts.push(each)
      expect(parts).toContain(part)
      expect((await wholeOf(blobs.parts.read(part, content.length))).equals(content)).toBe(true)
      expect((await blobs.parts.head(part, content.length)).equals(content.subarray(0, 4096))).toBe(true)

      await blobs.parts.adopt(part, content.length)
      await blobs.parts.adopt(part, content.length)
      expect((await wholeOf(await blobs.read(part))).equals(content)).toBe(true)
      expect((await blobs.parts.head(part, content.length)).equals(content.subarray(0, 4096))).toBe(true)
      await blobs.parts.remove(part)
      expect(await blobs.sizeOf(part)).toBe(content.length)
    })

    test('a chunk that is sent again replaces what an unfinished attempt left behind', async () => {
      const part = partId()
      await append(part, 0, Buffer.from('first '))
      await append(part, 6, Buffer.from('a longer attempt that nothing counted'))
      await append(part, 6, Buffer.from('second'))
      await expect(blobs.parts.adopt(part, 13)).rejects.toThrow(/bytes/)
      await blobs.parts.adopt(part, 12)
      expect((await wholeOf(await blobs.read(part))).toString()).toBe('first second')
    })

    test('an empty upload, an endless chunk, and a part that is removed', async () => {
      const empty = partId()
      await blobs.parts.adopt(empty, 0)
      expect(await blobs.sizeOf(empty)).toBe(0)
      await expect(receive(randomBytes(8 * MIB + 1))).rejects.toThrow('too much')
      const part = partId()
      await append(part, 0, Buffer.from('x'))
      await blobs.parts.remove(part)
      await blobs.parts.remove(part)
      await expect(blobs.parts.adopt(part, 1)).rejects.toThrow(/bytes/)
    })

    test('a hash without its state is computed again from the chunks', async () => {
      const part = partId()
      const [one, two] = [randomBytes(1000), randomBytes(2000)]
      await append(part, 0, one)
      await append(part, 1000, two)
      const state = { sha256_state: Buffer.from('another version'), crc32: 0 }
      const hash = await resumeHash(state, () => blobs.parts.read(part, 3000))
      expect(hash.digest().sha256).toEqual(sha256(Buffer.concat([one, two])))
    })
  })
})

test.skipIf(!hasSwift)('copies for programs are removed, and nothing of a stopped process remains', async () => {
  const local = join(folder, 'local')
  const place = readBlobUrl(blobUrlOf(swift as Swift)) as S3Place
  const blobs = await createS3Store(place, { folder: local, keptMs: 50 })
  const { blob_id } = await blobs.write(Buffer.from('content'), GIB)
  expect(await blobs.withFile(blob_id, (path) => readFile(path, 'utf8'))).toBe('content')
  expect(await readdir(join(local, 'copies'))).toHaveLength(1)
  await expect.poll(() => readdir(join(local, 'copies'))).toEqual([])
})
