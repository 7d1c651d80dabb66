import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { damagedContent } from '../base/errors.ts'
import type { BlobStore, Range } from './blob-store.ts'

/** The content is missing, has another length, or has other bytes. */
export type Damage = 'missing' | 'length' | 'bytes'

/** Content as it was uploaded. */
export interface Original {
  blob_id: string
  size: number
  sha256: Buffer
  /** The content was found damaged before. */
  damaged?: boolean
}

export interface Integrity {
  /**
   * Reads content, and compares complete reads with the hash of the content. Small content, and content that was found
   * damaged before, is compared in full before the first byte. For larger content, the last chunk waits for the result,
   * and the stream breaks off without that chunk if the content is damaged.
   * @throws ApiError 422 if the content is damaged
   */
  read(original: Original, range: Range): Promise<Readable>
  /**
   * Whether the service can vouch for all of the content while it sends only a part.
   * @throws ApiError 422 if the content is damaged
   */
  vouches(original: Original, range: Range): Promise<boolean>
  /**
   * Compares content that could not be used: all of it, or only the length of content too large for that.
   * @throws ApiError 422 if the content is damaged
   */
  examine(original: Original): Promise<void>
  /**
   * Reads and compares content of which only a checksum is known.
   * @throws DamagedContent during the stream, before the last chunk
   */
  readMember(member: Member, range: Range): AsyncIterable<Buffer>
  /**
   * Compares content with its checksum, or only its length, without sending the content.
   * @throws DamagedContent
   */
  check(member: Member, withBytes: boolean): Promise<void>
}

/** A member of a zip, with a known checksum. */
export interface Member {
  blob_id: string
  size: number
  /** Unsigned. */
  crc32: number
}

/** Breaks off a stream, because the rest would not match the promised file. */
export class DamagedContent extends Error {}

/** Content up to this size is compared before its first byte is sent. */
const SMALL_BYTES = 1024 ** 2
/** Content up to this size is read in full even if only a part is requested. */
const MAX_AHEAD_BYTES = 256 * 1024 ** 2
/** Undamaged content is not read again within this time for each part of it. */
const TRUSTED_MS = 10 * 60_000
/** Damaged content is not compared again within this time for each request. */
const DAMAGED_MS = 60_000
/** Maximum number of remembered results of each kind. */
const MAX_KNOWN = 10_000

/** @param onDamage marks every finding; `undefined` means that the content is undamaged after all */
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

  /** Requests during a comparison wait for the same result. */
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
    // A part says nothing about the checksum of the whole.
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

/** Before the first byte, the reply can still be an error. */
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

/** Compares only the length. @throws ApiError 503 while the storage is unavailable */
export async function findShortfall(blobs: BlobStore, blobId: string, size: number): Promise<Damage | undefined> {
  const found = await blobs.sizeOf(blobId)
  if (found === undefined) {
    await blobs.requirePresent()
    return 'missing'
  }
  return found === size ? undefined : 'length'
}

/** Compares all of the content. @param bytesPerSecond limits the speed of reading; unlimited by default */
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
