import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chown, copyFile as copyPlain, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeFolder, syncFolder } from '../../service/blobs/move-durably.ts'
import type { CopiedBlob } from './content-list.ts'

const READ_BYTES = 1024 ** 2

/** Opens the file with the first read. */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>
}

/** @throws ENOENT if the source is gone */
export const copyFile = (from: string, to: string): Promise<CopiedBlob> => writeDurably(bytesOf(from), to)

/** Writes a file durably under a temporary name, and then names it. */
export async function writeDurably(content: AsyncIterable<Buffer>, to: string): Promise<CopiedBlob> {
  const changed = await makeFolder(dirname(to))
  const hash = createHash('sha256')
  let size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  const draft = `${to}.part`
  try {
    const target = createWriteStream(draft, { mode: 0o600, flush: true })
    await pipeline(content, measure, target)
    await rename(draft, to)
    await Promise.all([dirname(to), ...changed].map(syncFolder))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return { size, sha256: hash.digest('hex') }
}

export function undefinedIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

export async function inLanes<Item>(
  items: Iterator<Item> | AsyncIterator<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const lane = async () => {
    for (let next = await items.next(); !next.done; next = await items.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** Files that are copied and synced at the same time: the disk's journal takes them together. */
const SMALL_AT_ONCE = 32

/** Copies a folder durably. Files that vanish meanwhile are left out. @returns bytes copied */
export async function copyFolder(from: string, to: string, takes: (path: string) => boolean = () => true) {
  const { folders, files } = await listFolder(from, takes)
  const made = [to, ...folders.map((path) => join(to, path))]
  for (const folder of made) await mkdir(folder, { recursive: true, mode: 0o700 })
  let bytes = 0
  await inLanes(files.values(), SMALL_AT_ONCE, async (path) => {
    const size = await copyUnlessGone(join(from, path), join(to, path))
    bytes += size
  })
  await Promise.all(made.map(syncFolder))
  return bytes
}

/** Paths below a folder, each folder before what is in it. */
export async function listFolder(folder: string, takes: (path: string) => boolean) {
  const folders: string[] = []
  const files: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1)
    if (!takes(path)) continue
    if (entry.isDirectory()) folders.push(path)
    if (entry.isFile()) files.push(path)
  }
  return { folders, files }
}

async function copyUnlessGone(from: string, to: string): Promise<number> {
  try {
    await copyPlain(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return 0
  }
  const file = await open(to, 'r+')
  try {
    await file.chmod(0o600)
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

export async function giveFolder(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  await chown(folder, uid, gid)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), uid, gid)
  }
}
