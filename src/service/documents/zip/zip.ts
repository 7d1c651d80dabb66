import type { Range } from '../../blobs/blob-store.ts'
import { createBuffers } from '../../blobs/chunks.ts'
import type { OpenMember } from '../../blobs/integrity.ts'

// ZIP according to APPNOTE 6.3.3: stored, never compressed, so its length and every byte's place are known in advance.

export interface ZipEntry {
  /** Path with "/" between folders; the name of a folder ends in "/". */
  name: string
  size: number
  crc32: number
  modified: Date
}

export interface ZipSource<E extends ZipEntry> {
  /** Iterated twice, for the contents and for the directory at the end. Must yield the same entries both times. */
  entries(): AsyncIterable<E>
  open(entry: E, range: Range): OpenMember
}

/** A content is opened only if the range needs it. */
interface Piece {
  size: number
  open(range: Range): OpenMember
}

interface Part {
  size: number
  open(): OpenMember
}

/** The first chunk is small, because the client waits for it. */
const FIRST_BYTES = 64 * 1024
/** Contents of one chunk that are read at the same time. */
const AT_ONCE = 16

const FULL_32 = 0xffffffff
const FULL_16 = 0xffff
const VERSION = 20
const VERSION_ZIP64 = 45
const UTF8_NAMES = 0x0800
const MADE_ON_UNIX = 3 << 8
const FILE_MODE = 0o100644
const FOLDER_MODE = 0o040755
const DOS_FOLDER = 0x10

/** Returns the length of the whole zip in bytes. */
export async function measureZip(entries: () => AsyncIterable<ZipEntry>): Promise<number> {
  let size = 0
  for await (const piece of pieces({ entries, open: () => unopened() })) size += piece.size
  return size
}

/**
 * Writes a range of the zip, in chunks as `Chunks` describes them. The contents of a chunk are read together, because
 * opening one file after the other is slow.
 */
export async function* writeZip<E extends ZipEntry>(source: ZipSource<E>, range: Range): AsyncGenerator<Buffer> {
  const next = createBuffers(range.end - range.start + 1)
  const reads = createReads()
  let chunk = next().subarray(0, FIRST_BYTES)
  let room = chunk
  const take = (size: number) => {
    const taken = room.subarray(0, size)
    room = room.subarray(size)
    return taken
  }
  for await (const part of partsOf(source, range)) {
    if (part.size <= room.length) {
      await reads.add(readWhole(part.open(), take(part.size)))
      continue
    }
    const content = part.open()
    try {
      for (let left = part.size; left > 0;) {
        if (room.length === 0) {
          await reads.all()
          yield chunk
          chunk = room = next()
        }
        const into = take(left)
        await content.read(into)
        left -= into.length
      }
    } finally {
      await content.close()
    }
  }
  await reads.all()
  if (room.length < chunk.length) yield chunk.subarray(0, chunk.length - room.length)
}

async function readWhole(content: OpenMember, into: Buffer): Promise<void> {
  try {
    await content.read(into)
  } finally {
    await content.close()
  }
}

/** Runs up to `AT_ONCE` reads. The failure of one is thrown by the next call. */
function createReads() {
  const running = new Set<Promise<void>>()
  return {
    async add(read: Promise<void>): Promise<void> {
      const finished = read.then(() => void running.delete(finished))
      finished.catch(() => {})
      running.add(finished)
      if (running.size >= AT_ONCE) await Promise.race(running)
    },
    async all(): Promise<void> {
      await Promise.all(running)
    },
  }
}

/** Yields the parts of the pieces that are in the range, in order. */
async function* partsOf<E extends ZipEntry>(source: ZipSource<E>, { start, end }: Range): AsyncGenerator<Part> {
  let at = 0
  for await (const { size, open } of pieces(source)) {
    const from = Math.max(start - at, 0)
    const to = Math.min(end + 1 - at, size)
    if (from < to) yield { size: to - from, open: () => open({ start: from, end: to - 1 }) }
    at += size
    if (at > end) return
  }
  throw new Error(`the zip ended after ${at} bytes`)
}

function unopened(): never {
  throw new Error('measuring reads nothing')
}

function pieceOf(bytes: Buffer): Piece {
  return {
    size: bytes.length,
    open({ start }) {
      let at = start
      return {
        async read(into) {
          at += bytes.copy(into, 0, at)
        },
        close: async () => {},
      }
    },
  }
}

async function* pieces<E extends ZipEntry>(source: ZipSource<E>): AsyncGenerator<Piece> {
  let at = 0
  for await (const entry of source.entries()) {
    const header = localHeader(entry)
    yield pieceOf(header)
    if (entry.size > 0) yield { size: entry.size, open: (range) => source.open(entry, range) }
    at += header.length + entry.size
  }
  const directory = { offset: at, size: 0, count: 0 }
  let offset = 0
  for await (const entry of source.entries()) {
    const header = centralHeader(entry, offset)
    yield pieceOf(header)
    offset += localHeader(entry).length + entry.size
    directory.size += header.length
    directory.count++
  }
  yield pieceOf(endOfDirectory(directory))
}

function localHeader(entry: ZipEntry): Buffer {
  const isLarge = entry.size >= FULL_32
  const extra = isLarge ? zip64Extra(entry.size, entry.size) : Buffer.alloc(0)
  const name = Buffer.from(entry.name)
  const fixed = Buffer.alloc(30)
  fixed.writeUInt32LE(0x04034b50, 0)
  fixed.writeUInt16LE(isLarge ? VERSION_ZIP64 : VERSION, 4)
  writeFacts(fixed, 6, entry, name, extra)
  return Buffer.concat([fixed, name, extra])
}

function centralHeader(entry: ZipEntry, offset: number): Buffer {
  const large = [...(entry.size >= FULL_32 ? [entry.size, entry.size] : []), ...(offset >= FULL_32 ? [offset] : [])]
  const extra = large.length > 0 ? zip64Extra(...large) : Buffer.alloc(0)
  const name = Buffer.from(entry.name)
  const isFolder = entry.name.endsWith('/')
  const fixed = Buffer.alloc(46)
  fixed.writeUInt32LE(0x02014b50, 0)
  fixed.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 4)
  fixed.writeUInt16LE(large.length > 0 ? VERSION_ZIP64 : VERSION, 6)
  writeFacts(fixed, 8, entry, name, extra)
  fixed.writeUInt32LE((isFolder ? (FOLDER_MODE << 16) | DOS_FOLDER : FILE_MODE << 16) >>> 0, 38)
  fixed.writeUInt32LE(Math.min(offset, FULL_32), 42)
  return Buffer.concat([fixed, name, extra])
}

/** Writes the fields that both headers share, from the flags on. */
function writeFacts(
  header: Buffer,
  at: number,
  { size, crc32, modified }: ZipEntry,
  name: Buffer,
  extra: Buffer,
): void {
  header.writeUInt16LE(UTF8_NAMES, at)
  header.writeUInt32LE(dosTime(modified), at + 4)
  header.writeUInt32LE(crc32, at + 8)
  header.writeUInt32LE(Math.min(size, FULL_32), at + 12)
  header.writeUInt32LE(Math.min(size, FULL_32), at + 16)
  header.writeUInt16LE(name.length, at + 20)
  header.writeUInt16LE(extra.length, at + 22)
}

function zip64Extra(...values: number[]): Buffer {
  const extra = Buffer.alloc(4 + values.length * 8)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(values.length * 8, 2)
  values.forEach((value, index) => extra.writeBigUInt64LE(BigInt(value), 4 + index * 8))
  return extra
}

function endOfDirectory({ offset, size, count }: { offset: number; size: number; count: number }): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, FULL_16), 8)
  end.writeUInt16LE(Math.min(count, FULL_16), 10)
  end.writeUInt32LE(Math.min(size, FULL_32), 12)
  end.writeUInt32LE(Math.min(offset, FULL_32), 16)
  if (count < FULL_16 && size < FULL_32 && offset < FULL_32) return end

  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 12)
  end64.writeUInt16LE(VERSION_ZIP64, 14)
  end64.writeBigUInt64LE(BigInt(count), 24)
  end64.writeBigUInt64LE(BigInt(count), 32)
  end64.writeBigUInt64LE(BigInt(size), 40)
  end64.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([end64, locator, end])
}

/** Returns the UTC time in steps of two seconds; ZIP dates range from 1980 to 2107. */
function dosTime(date: Date): number {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107) - 1980
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}
