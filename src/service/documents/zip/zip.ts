import type { Range } from '../../blobs/blob-store.ts'

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
  read(entry: E, range: Range): AsyncIterable<Buffer>
}

/** A content is read only if the range needs it. */
type Piece = Buffer | { size: number; read(range: Range): AsyncIterable<Buffer> }

type Part = Buffer | { size: number; read(): AsyncIterable<Buffer> }

/** Reads contents up to `SMALL` bytes ahead. At most `AHEAD` headers and contents wait, which is 1 MiB. */
const SMALL = 64 * 1024
const AHEAD = 32

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
  for await (const piece of pieces({ entries, read: () => unread() })) size += sizeOf(piece)
  return size
}

/**
 * Writes a range of the zip. Several small contents are read ahead of their turn, because opening one file after the
 * other is slow.
 * @throws Error if a content does not have the size of its entry
 */
export async function* writeZip<E extends ZipEntry>(source: ZipSource<E>, range: Range): AsyncGenerator<Buffer> {
  const ahead: (Buffer | Promise<Buffer[]>)[] = []
  for await (const part of partsOf(source, range)) {
    if (Buffer.isBuffer(part)) ahead.push(part)
    else if (part.size <= SMALL) ahead.push(gathered(part.read()))
    else {
      for (const bytes of ahead.splice(0)) yield* await listOf(bytes)
      yield* part.read()
    }
    if (ahead.length > AHEAD) yield* await listOf(ahead.shift() ?? [])
  }
  for (const bytes of ahead) yield* await listOf(bytes)
}

const listOf = (bytes: Buffer | Promise<Buffer[]> | Buffer[]) => (Buffer.isBuffer(bytes) ? [bytes] : bytes)

function gathered(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all = toArray(chunks)
  // A failure is thrown when its turn comes; until then it must not count as unhandled.
  all.catch(() => undefined)
  return all
}

async function toArray(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

/** Yields the parts of the pieces that are in the range, in order. */
async function* partsOf<E extends ZipEntry>(source: ZipSource<E>, { start, end }: Range): AsyncGenerator<Part> {
  let at = 0
  for await (const piece of pieces(source)) {
    const size = sizeOf(piece)
    const from = Math.max(start - at, 0)
    const to = Math.min(end + 1 - at, size)
    if (from < to) {
      if (Buffer.isBuffer(piece)) yield piece.subarray(from, to)
      else yield { size: to - from, read: () => exactly(piece.read({ start: from, end: to - 1 }), to - from) }
    }
    at += size
    if (at > end) return
  }
  throw new Error(`the zip ended after ${at} bytes`)
}

async function* exactly(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let seen = 0
  for await (const chunk of chunks) {
    seen += chunk.length
    if (seen > size) break
    yield chunk
  }
  if (seen !== size) throw new Error(`a member of the zip has not the ${size} bytes it should have`)
}

const sizeOf = (piece: Piece): number => (Buffer.isBuffer(piece) ? piece.length : piece.size)

function unread(): never {
  throw new Error('measuring reads nothing')
}

async function* pieces<E extends ZipEntry>(source: ZipSource<E>): AsyncGenerator<Piece> {
  let at = 0
  for await (const entry of source.entries()) {
    const header = localHeader(entry)
    yield header
    if (entry.size > 0) yield { size: entry.size, read: (range) => source.read(entry, range) }
    at += header.length + entry.size
  }
  const directory = { offset: at, size: 0, count: 0 }
  let offset = 0
  for await (const entry of source.entries()) {
    const header = centralHeader(entry, offset)
    yield header
    offset += localHeader(entry).length + entry.size
    directory.size += header.length
    directory.count++
  }
  yield endOfDirectory(directory)
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
