import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { damagedContent } from '../base/errors.ts'
import type { BlobStore, OpenBlob, Range } from './blob-store.ts'
import { type Chunks, createBuffers } from './chunks.ts'
import { createHashThread } from './hash-thread.ts'

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
   * @throws ApiError 422 if the content is damaged, DamagedContent after the first chunk
   */
  read(original: Original, range: Range): Promise<Buffer | Chunks>
  /**
   * Whether the service can vouch for all of the content while it sends only a part.
   * @throws ApiError 422 if the content is damaged
   */
  vouches(original: Original, range: Range): Promise<boolean>
  /**
   * Whether the service can vouch for content that another program sends; it always compares the length.
   * @throws ApiError 422 if the content is damaged
   */
  certifies(original: Original): Promise<boolean>
  /**
   * Compares content that could not be used: all of it, or only the length of content too large for that.
   * @throws ApiError 422 if the content is damaged
   */
  examine(original: Original): Promise<void>
  /** Opens content of which only a checksum is known. A complete read is compared before its last bytes. */
  openMember(member: Member, range: Range): OpenMember
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

/** Reads a range of a member once, from its start to its end. */
export interface OpenMember {
  /** Fills `into` with the next bytes. @throws DamagedContent */
  read(into: Buffer): Promise<void>
  close(): Promise<void>
}

/** Breaks off a stream, because the rest would not match the promised file. */
export class DamagedContent extends Error {}

/** Content up to this size is compared before its first byte is sent, and ranges up to it are read at once. */
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
  const beginHash = createHashThread()

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

  async function isCompared(original: Original): Promise<boolean> {
    if (!trusts(original) && original.size > MAX_AHEAD_BYTES) return false
    if (!trusts(original)) await compareAll(original)
    return true
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

  /** Opens content that has its length. @throws DamagedContent */
  async function open({ blob_id, size }: Pick<Original, 'blob_id' | 'size'>, range: Range): Promise<OpenBlob> {
    const blob = await blobs.open(blob_id, range)
    if (blob?.size === size) return blob
    await blob?.close()
    await blobs.requirePresent()
    return damaged(blob_id, blob ? 'length' : 'missing')
  }

  /** @throws DamagedContent if there are fewer bytes */
  async function fill(into: Buffer, blob: OpenBlob, blobId: string, position: number): Promise<void> {
    if ((await blob.read(into, position)) < into.length) await damaged(blobId, 'length')
  }

  async function readAtOnce(original: Original, { start, end }: Range): Promise<Buffer> {
    const blob = await open(original, { start, end })
    try {
      const bytes = Buffer.allocUnsafe(end - start + 1)
      await fill(bytes, blob, original.blob_id, start)
      if (bytes.length === original.size) await conclude(original, createHash('sha256').update(bytes).digest())
      return bytes
    } finally {
      await blob.close()
    }
  }

  async function* readInChunks(original: Original, { start, end }: Range): AsyncGenerator<Buffer> {
    const hash = isWhole(original, { start, end }) ? beginHash() : undefined
    let blob: OpenBlob | undefined
    try {
      blob = await open(original, { start, end })
      const next = createBuffers(end - start + 1)
      let hashed: Promise<void> | undefined
      for (let at = start; at <= end;) {
        const buffer = next()
        const chunk = buffer.subarray(0, Math.min(buffer.length, end - at + 1))
        await fill(chunk, blob, original.blob_id, at)
        at += chunk.length
        await hashed
        hashed = hash?.add(chunk)
        if (hash && at > end) await conclude(original, await hash.digest())
        yield chunk
      }
    } finally {
      hash?.drop()
      await blob?.close()
    }
  }

  async function conclude(original: Original, sha256: Buffer): Promise<void> {
    if (!sha256.equals(original.sha256)) await damaged(original.blob_id, 'bytes')
    trust(original)
  }

  return {
    async read(original, range) {
      if (original.damaged) await compareAll(original)
      const isSmall = range.end - range.start < SMALL_BYTES
      return isSmall ? readAtOnce(original, range).catch(toRefusal) : readInChunks(original, range)
    },
    check: (member, withBytes) => (withBytes ? check(member) : compareShortfall(member)),
    openMember,
    examine: (original) => (original.size > MAX_AHEAD_BYTES ? compareLength(original) : compareAll(original)),
    vouches: async (original, range) => isWhole(original, range) || isCompared(original),
    async certifies(original) {
      await compareLength(original)
      return isCompared(original)
    },
  }

  async function check(member: Member): Promise<void> {
    if (member.size === 0) return compareShortfall(member)
    const opened = openMember(member, wholeOf(member))
    const next = createBuffers(member.size)
    try {
      for (let left = member.size; left > 0;) {
        const buffer = next()
        await opened.read(buffer.subarray(0, left))
        left -= Math.min(buffer.length, left)
      }
    } finally {
      await opened.close()
    }
  }

  async function compareShortfall({ blob_id, size }: Member): Promise<void> {
    const shortfall = await findShortfall(blobs, blob_id, size)
    if (shortfall) await damaged(blob_id, shortfall)
  }

  function openMember(member: Member, range: Range): OpenMember {
    const isComplete = isWhole(member, range)
    let blob: OpenBlob | undefined
    let at = range.start
    let crc = 0
    return {
      async read(into) {
        // A part says nothing about the checksum of the whole.
        if (!blob && !isComplete && member.size <= MAX_AHEAD_BYTES && !trusts(member))
          await shared(`${member.blob_id} as a member`, () => check(member))
        blob ??= await open(member, range)
        await fill(into, blob, member.blob_id, at)
        at += into.length
        if (!isComplete) return
        crc = crc32(into, crc)
        if (at <= range.end) return
        if (crc !== member.crc32) await damaged(member.blob_id, 'bytes')
        trust(member)
      },
      async close() {
        await blob?.close()
      },
    }
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
export function toRefusal(error: unknown): never {
  throw error instanceof DamagedContent ? damagedContent() : error
}

const isWhole = ({ size }: { size: number }, { start, end }: Range) => start === 0 && end === size - 1

const wholeOf = ({ size }: { size: number }): Range => ({ start: 0, end: size - 1 })

/** Compares only the length. @throws ApiError 503 while the storage is unavailable */
export async function findShortfall(blobs: BlobStore, blobId: string, size: number): Promise<Damage | undefined> {
  const found = await blobs.sizeOf(blobId)
  if (found === size) return undefined
  // Something else than the storage may have answered.
  await blobs.requirePresent()
  return found === undefined ? 'missing' : 'length'
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
