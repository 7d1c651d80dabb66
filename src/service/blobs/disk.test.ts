import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BlobStore } from './blob-store.ts'
import { createDiskStore } from './disk.ts'
import { arriving } from './write-file.ts'

let folder: string
let blobs: BlobStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-blobs-'))
  blobs = await createDiskStore(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const GIB = 1024 ** 3
const pathOf = (id: string) => join(folder, id.slice(0, 2), id.slice(2, 4), id)

async function listFiles(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

async function* inPieces(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

test.each([
  [0, 1],
  [1, 1],
  [4095, 100],
  [4097, 4096],
  [3_000_000, 65_536],
  [300_000, 7],
])('%i bytes in pieces of %i are stored, counted, hashed and checksummed', async (length, pieceSize) => {
  const content = randomBytes(length)
  const blob = await blobs.write(Readable.from(inPieces(content, pieceSize), { objectMode: false }), GIB)
  expect(blob.size).toBe(length)
  expect(blob.sha256).toEqual(createHash('sha256').update(content).digest())
  expect(blob.crc32).toBe(crc32(content))
  expect(blob.head.equals(content.subarray(0, 4096))).toBe(true)
  expect((await readFile(pathOf(blob.blob_id))).equals(content)).toBe(true)
  expect(await listFiles()).toEqual([blob.blob_id])
})

test.each([0, 1, 4097, 60_000])(
  '%i bytes that are in memory are stored, counted, hashed and checksummed',
  async (length) => {
    const content = randomBytes(length)
    const blob = await blobs.write(content, GIB)
    expect(blob).toMatchObject({ size: length, crc32: crc32(content) })
    expect(blob.sha256).toEqual(createHash('sha256').update(content).digest())
    expect(blob.head.equals(content.subarray(0, 4096))).toBe(true)
    expect((await readFile(pathOf(blob.blob_id))).equals(content)).toBe(true)
    expect((await stat(pathOf(blob.blob_id))).mode & 0o777).toBe(0o600)
  },
)

test('content in memory gets ids of its own, in few folders, and is refused beyond the limit', async () => {
  const written = await Promise.all(Array.from({ length: 300 }, (_, at) => blobs.write(Buffer.from(`${at}`), 10)))
  for (const [at, { blob_id }] of written.entries()) expect(await readFile(pathOf(blob_id), 'utf8')).toBe(`${at}`)
  expect(new Set(written.map(({ blob_id }) => blob_id.slice(0, 4))).size).toBeLessThan(5)
  await expect(blobs.write(Buffer.from('ab'), 1)).rejects.toMatchObject({ status: 413 })
  expect(await listFiles()).toHaveLength(300)
})

test('content in memory is stored although its folder was removed meanwhile', async () => {
  const { blob_id } = await blobs.write(Buffer.from('one'), 10)
  await rm(join(folder, blob_id.slice(0, 2)), { recursive: true })
  const second = await blobs.write(Buffer.from('two'), 10)
  expect(await readFile(pathOf(second.blob_id), 'utf8')).toBe('two')
})

test('only the service can read stored content', async () => {
  const { blob_id } = await blobs.write(Readable.from(['x'], { objectMode: false }), GIB)
  const modes = await Promise.all(
    [pathOf(blob_id), join(folder, blob_id.slice(0, 2)), join(folder, 'tmp')].map((path) => stat(path)),
  )
  expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['600', '700', '700'])
})

test('content that is too large or breaks off is not kept', async () => {
  const endless = Readable.from(inPieces(randomBytes(1000), 10), { objectMode: false })
  await expect(blobs.write(endless, 999)).rejects.toMatchObject({ status: 413 })
  const broken = new Readable({ read() {} })
  broken.push('the first bytes')
  setImmediate(() => broken.destroy())
  await expect(blobs.write(arriving(broken), GIB)).rejects.toMatchObject({ status: 400 })
  expect(await listFiles()).toEqual([])
})

test.each([
  ['a generator', (content: AsyncGenerator<Buffer>) => content],
  ['a stream', (content: AsyncGenerator<Buffer>) => Readable.from(content, { objectMode: false })],
])('the error of %s that is not an upload is passed on unchanged, and nothing is kept', async (_, toSource) => {
  const failure = new Error('no more pages')
  async function* failing() {
    yield Buffer.from('the first page')
    throw failure
  }
  await expect(blobs.write(toSource(failing()), GIB)).rejects.toBe(failure)
  expect(await listFiles()).toEqual([])
})

test('the memory of a received chunk is freed as soon as the next one is requested, unless others share it', async () => {
  const shared = Buffer.from('shared by others')
  const own = Array.from({ length: 40 }, () => Buffer.from(new Uint8Array(randomBytes(65_536)).buffer))
  const chunks = [...own, shared.subarray(0, 6)]
  const expected = createHash('sha256').update(Buffer.concat(chunks)).digest()
  const { blob_id, sha256 } = await blobs.write(arriving(Readable.from(chunks)), GIB)
  expect(sha256).toEqual(expected)
  const stored = await readFile(pathOf(blob_id))
  expect(createHash('sha256').update(stored).digest()).toEqual(expected)
  expect(own.every(({ buffer }) => buffer.detached)).toBe(true)
  expect(shared.toString()).toBe('shared by others')
})

test('content of exactly the maximum size is kept', async () => {
  const stream = Readable.from(inPieces(randomBytes(1000), 10), { objectMode: false })
  expect(await blobs.write(stream, 1000)).toMatchObject({ size: 1000 })
})

test('opened content is read at any position, as far as it goes', async () => {
  const { blob_id } = await blobs.write(Readable.from(['0123456789'], { objectMode: false }), GIB)
  const opened = await blobs.open(blob_id)
  const read = async (position: number) => {
    const into = Buffer.alloc(3, '.')
    return [await opened?.read(into, position), into.toString()]
  }
  expect([opened?.size, await read(0), await read(8)]).toEqual([10, [3, '012'], [2, '89.']])
  await opened?.close()
})

test('reading absent content fails at once', async () => {
  await expect(blobs.read('0'.repeat(32))).rejects.toThrow('ENOENT')
  expect(await blobs.open('0'.repeat(32))).toBeUndefined()
})

test.each(['../../../../etc/passwd', 'tmp', '', '0'.repeat(31) + '/'])('%j is not a blob id', async (id) => {
  await expect(blobs.read(id)).rejects.toThrow('not the id')
  await expect(blobs.remove(id)).rejects.toThrow('not the id')
})

test('removing a blob is idempotent', async () => {
  const { blob_id } = await blobs.write(Readable.from(['x'], { objectMode: false }), GIB)
  await blobs.remove(blob_id)
  await blobs.remove(blob_id)
  expect(await listFiles()).toEqual([])
})

test('old content is listed, and old unfinished uploads are removed', async () => {
  const written = await Promise.all(
    ['old', 'new'].map((text) => blobs.write(Readable.from([text], { objectMode: false }), GIB)),
  )
  const [old = '', fresh = ''] = written.map((blob) => blob.blob_id)
  await Promise.all(['stale', 'going-on'].map((name) => writeFile(join(folder, 'tmp', name), 'x')))
  const yesterday = new Date(Date.now() - 86_400_000)
  await Promise.all([pathOf(old), join(folder, 'tmp', 'stale')].map((path) => utimes(path, yesterday, yesterday)))

  const listed: string[] = []
  for await (const id of blobs.listOlderThan(new Date(Date.now() - 3_600_000))) listed.push(id)
  expect(listed).toEqual([old])
  expect((await listFiles()).toSorted()).toEqual([old, fresh, 'going-on'].toSorted())
})

const mounted = spawnSync('mount', ['--version']).status === 0 && process.getuid?.() === 0

test.skipIf(!mounted)('J6: a full disk is reported as such, and nothing of the upload remains', async () => {
  const small = join(folder, 'tmp')
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', small])
  if (mount.status !== 0) return console.warn(`NOT TESTED: a full disk; ${mount.stderr}`)
  try {
    const upload = blobs.write(Readable.from(inPieces(randomBytes(8 * 1024 ** 2), 65_536), { objectMode: false }), GIB)
    await expect(upload).rejects.toMatchObject({ status: 507 })
    expect(await readdir(small)).toEqual([])
    const store = await createDiskStore(small)
    await expect(store.write(Buffer.alloc(8 * 1024 ** 2), GIB)).rejects.toMatchObject({ status: 507 })
    expect((await readdir(small, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())).toEqual(
      [],
    )
  } finally {
    spawnSync('umount', [small])
  }
})

test('F5: a start removes temporary files of killed processes and keeps those of running processes', async () => {
  const shared = join(folder, 'orphans')
  await createDiskStore(shared)
  const program = `
    const { createDiskStore } = await import(${JSON.stringify(new URL('./disk.ts', import.meta.url).href)})
    const store = await createDiskStore(${JSON.stringify(shared)})
    const { Readable } = await import('node:stream')
    void store.write(Readable.from((async function* () { yield Buffer.from('half'); await new Promise(() => {}) })()), 100)
    setInterval(() => {}, 1000)`
  const killed = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
  const left = () => readdir(join(shared, 'tmp'))
  await expect.poll(left).toHaveLength(1)
  const [name = ''] = await left()
  await createDiskStore(shared)
  expect(await left()).toEqual([name])
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  await createDiskStore(shared)
  expect(await left()).toEqual([])
})
