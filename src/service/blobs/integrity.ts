import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { damagedContent } from '../errors.ts'
import type { BlobStore, Range } from './blob-store.ts'

/** The content is not there, has another length, or has other bytes. */
export type Damage = 'missing' | 'length' | 'bytes'

/** What was uploaded. */
export interface Original {
  blob_id: string
  size: number
  sha256: Buffer
  /** It was found damaged before. */
  damaged?: boolean
}

export interface Integrity {
  /**
   * Reads content that is compared with its hash on the way. Of small content, and of content that was found damaged
   * before, all is compared before the first byte; of larger content the last piece waits for the result, and the stream
   * breaks off without it.
   * @throws ApiError 422 where the content is damaged
   */
  read(original: Original, range: Range): Promise<Readable>
  /**
   * Whether all of the content may be vouched for while only a part of it is sent.
   * @throws ApiError 422 where it is damaged
   */
  vouches(original: Original, range: Range): Promise<boolean>
  /**
   * Compares content that could not be used: all of it, or the length alone of content too large for that.
   * @throws ApiError 422 where it is damaged
   */
  examine(original: Original): Promise<void>
  /**
   * The same for content of which only a checksum is known.
   * @throws Error where the content is damaged: somewhere on the way, the last piece not sent
   */
  readMember(member: Member, range: Range): AsyncIterable<Buffer>
  /**
   * Compares content with its checksum, or its length alone, without sending it.
   * @throws DamagedContent
   */
  check(member: Member, withBytes: boolean): Promise<void>
}

/** A part of a zip, of which a checksum is known. */
export interface Member {
  blob_id: string
  size: number
  /** Unsigned. */
  crc32: number
}

/** What was sent breaks off: the rest of it would be another file than was promised. */
export class DamagedContent extends Error {}

/** Up to this the bytes are compared before the first one is sent. */
const SMALL_BYTES = 1024 ** 2
/** Up to this all is read although only a part of it is asked for. */
const MAX_AHEAD_BYTES = 256 * 1024 ** 2
/** Content that was whole a moment ago is not read again for each part of it. */
const TRUSTED_MS = 10 * 60_000
/** Content that was damaged a moment ago is not compared again for each request. */
const DAMAGED_MS = 60_000
/** Contents to remember a result of. */
const MAX_KNOWN = 10_000

/** @param onDamage is told of everything that is found, to mark it; `undefined` says that it is whole after all */
export function createIntegrity(
  blobs: BlobStore,
  onDamage: (blobId: string, damage: Damage | undefined) => Promise<void>,
): Integrity {
  const wholeSince = new Map<string, number>()
  const damagedSince = new Map<string, number>()
  const comparing = new Map<string, Promise<void>>()

  const trusts = ({ blob_id, damaged }: Pick<Original, 'blob_id' | 'damaged'>) =>
    !damaged && isWithin(TRUSTED_MS, wholeSince.get(blob_id))

  const trust = ({ blob_id }: Pick<Original, 'blob_id'>) => remember(wholeSince, blob_id)

  /** Whoever asks while content is compared waits for the same result. */
  function shared(name: string, compare: () => Promise<void>): Promise<void> {
    const running = comparing.get(name)
    if (running) return running
    const started = compare().finally(() => comparing.delete(name))
    comparing.set(name, started)
    return started
  }

  async function compareAll(original: Original): Promise<void> {
    if (original.damaged && isWithin(DAMAGED_MS, damagedSince.get(original.blob_id))) throw damagedContent()
    await shared(original.blob_id, async () => {
      const damage = await findDamage(blobs, original)
      if (damage) remember(damagedSince, original.blob_id)
      if (damage || original.damaged) await onDamage(original.blob_id, damage)
      if (damage) throw damagedContent()
      trust(original)
    })
  }

  async function compareLength({ blob_id, size }: Original): Promise<void> {
    const damage = await findShortfall(blobs, blob_id, size)
    if (!damage) return
    await onDamage(blob_id, damage)
    throw damagedContent()
  }

  async function damaged(blobId: string, damage: Damage): Promise<never> {
    await onDamage(blobId, damage)
    throw new DamagedContent('the content of a file is damaged')
  }

  async function* compared(original: Original, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256')
    let last: Buffer | undefined
    for await (const chunk of chunks) {
      hash.update(chunk)
      if (last) yield last
      last = chunk
    }
    if (!hash.digest().equals(original.sha256)) await damaged(original.blob_id, 'bytes')
    trust(original)
    if (last) yield last
  }

  return {
    async read(original, range) {
      if (original.damaged) await compareAll(original)
      else await compareLength(original)
      const stream = await blobs.read(original.blob_id, range)
      if (range.start > 0 || range.end < original.size - 1) return stream
      const chunks = compared(original, stream)
      const isSmall = original.size <= SMALL_BYTES
      return Readable.from(isSmall ? await gather(chunks) : chunks, { objectMode: false })
    },
    check: (member, withBytes) => (withBytes ? check(member) : compareShortfall(member)),
    readMember,
    examine: (original) => (original.size > MAX_AHEAD_BYTES ? compareLength(original) : compareAll(original)),
    async vouches(original, { start, end }) {
      if (start === 0 && end === original.size - 1) return true
      if (!trusts(original) && original.size > MAX_AHEAD_BYTES) return false
      if (!trusts(original)) await compareAll(original)
      return true
    },
  }

  async function check(member: Member): Promise<void> {
    if (member.size === 0) return compareShortfall(member)
    for await (const _ of readMember(member, wholeOf(member)));
  }

  async function compareShortfall({ blob_id, size }: Member): Promise<void> {
    const shortfall = await findShortfall(blobs, blob_id, size)
    if (shortfall) await damaged(blob_id, shortfall)
  }

  async function* readMember(member: Member, range: Range): AsyncGenerator<Buffer> {
    const { blob_id, size, crc32: expected } = member
    await compareShortfall(member)
    const isWhole = range.start === 0 && range.end === size - 1
    // A part tells nothing of the whole.
    if (!isWhole && size <= MAX_AHEAD_BYTES && !trusts(member))
      await shared(`${blob_id} as a member`, () => check(member))
    let crc = 0
    let last: Buffer | undefined
    for await (const chunk of (await blobs.read(blob_id, range)) as AsyncIterable<Buffer>) {
      if (isWhole) crc = crc32(chunk, crc)
      if (last) yield last
      last = chunk
    }
    if (isWhole && crc !== expected) await damaged(blob_id, 'bytes')
    if (isWhole) trust(member)
    if (last) yield last
  }
}

const isWithin = (ms: number, since = -Infinity) => performance.now() - since < ms

function remember(results: Map<string, number>, blobId: string): void {
  results.delete(blobId)
  results.set(blobId, performance.now())
  const [oldest] = results.size > MAX_KNOWN ? results.keys() : []
  if (oldest !== undefined) results.delete(oldest)
}

/** Before the first byte there is still a reply to say it with. */
async function gather(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  try {
    const all: Buffer[] = []
    for await (const chunk of chunks) all.push(chunk)
    return all
  } catch (error) {
    throw error instanceof DamagedContent ? damagedContent() : error
  }
}

const wholeOf = ({ size }: { size: number }): Range => ({ start: 0, end: size - 1 })

/** Compares the length alone. @throws ApiError 503 while the storage is away */
export async function findShortfall(blobs: BlobStore, blobId: string, size: number): Promise<Damage | undefined> {
  const found = await blobs.sizeOf(blobId)
  if (found === undefined) {
    await blobs.requirePresent()
    return 'missing'
  }
  return found === size ? undefined : 'length'
}

/** Compares all of the content. @param bytesPerSecond how fast it may be read; unlimited without */
export async function findDamage(
  blobs: BlobStore,
  { blob_id, size, sha256 }: Original,
  bytesPerSecond = Infinity,
): Promise<Damage | undefined> {
  const shortfall = await findShortfall(blobs, blob_id, size)
  if (shortfall || size === 0) return shortfall
  const hash = createHash('sha256')
  for await (const chunk of (await blobs.read(blob_id)) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    if (bytesPerSecond < Infinity) await sleep((chunk.length / bytesPerSecond) * 1000)
  }
  return hash.digest().equals(sha256) ? undefined : 'bytes'
}
