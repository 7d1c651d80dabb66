import { createHash, hash as hashOf } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { noRoom, refusal } from '../base/errors.ts'
import type { StoredBlob } from './blob-store.ts'

export const HEAD_BYTES = 4096
/** Sockets deliver 64 KiB at a time. Fewer and larger writes make large uploads 1.5 times as fast. */
const BATCH_BYTES = 1024 * 1024
/** Flushes after this many bytes, while others still arrive, so that little is left to wait for at the end. */
const FLUSH_BYTES = 64 * 1024 * 1024

/**
 * Streams content into a new file in one pass, which counts, hashes, checksums and writes. Everything is on the disk
 * when this resolves.
 * @throws ApiError 413 beyond `maxBytes`, 507 if the disk is full, and any error of `content`
 */
export async function writeFile(
  content: AsyncIterable<Buffer>,
  path: string,
  maxBytes: number,
): Promise<Omit<StoredBlob, 'blob_id'>> {
  const facts = collectFacts(maxBytes)
  const file = await open(path, 'wx', 0o600)
  try {
    const writer = createWriter(file)
    for await (const chunk of content) {
      facts.add(chunk)
      await writer.add(chunk)
    }
    await writer.end()
  } catch (error) {
    throw toRefusal(error)
  } finally {
    await file.close()
  }
  return facts.end()
}

/** Counts, hashes and checksums content that passes. `add` throws ApiError 413 beyond `maxBytes`. */
export function collectFacts(maxBytes: number) {
  const hash = createHash('sha256')
  let size = 0
  let crc = 0
  let head: Buffer = Buffer.alloc(0)
  return {
    add(chunk: Buffer): void {
      size += chunk.length
      if (size > maxBytes) throw refusal('file_too_large', { bytes: maxBytes })
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
      hash.update(chunk)
      crc = crc32(chunk, crc)
    },
    size: () => size,
    end: (): Omit<StoredBlob, 'blob_id'> => ({ size, sha256: hash.digest(), crc32: crc, head }),
  }
}

/** Size, hash and checksum of content that is in memory. @throws ApiError 413 beyond `maxBytes` */
export function factsOf(content: Buffer, maxBytes: number): Omit<StoredBlob, 'blob_id'> {
  const size = content.length
  if (size > maxBytes) throw refusal('file_too_large', { bytes: maxBytes })
  const sha256 = hashOf('sha256', content, 'buffer')
  return { size, sha256, crc32: crc32(content), head: content.subarray(0, HEAD_BYTES) }
}

const FULL = new Set(['ENOSPC', 'EDQUOT'])

/** Turns the error of a full disk into a refusal. Any other error stays as it is. */
export function toRefusal(error: unknown): unknown {
  return FULL.has((error as NodeJS.ErrnoException).code ?? '') ? noRoom() : error
}

/**
 * The body of an upload. A refusal does not destroy the request, because the reply must still go out on its connection.
 * Each chunk is valid until the next one is requested.
 * @throws ApiError 400 if the upload breaks off
 */
export async function* arriving(request: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer<ArrayBuffer>>) {
      yield chunk
      release(chunk)
    }
  } catch {
    throw refusal('upload_broke_off')
  }
}

/** Frees the memory at once: chunks as garbage make V8 collect the whole heap many times for each gigabyte. */
function release({ buffer, length }: Buffer<ArrayBuffer>): void {
  if (buffer.byteLength === length) buffer.transfer(0)
}

/** Copies chunks into two buffers in turn: one is written while the next one is filled. */
function createWriter(file: FileHandle) {
  let [batch, other] = [Buffer.alloc(0), Buffer.alloc(0)]
  let batchBytes = 0
  let unflushedBytes = 0
  let writing = Promise.resolve()
  let flushing: Promise<void> | undefined

  async function write(): Promise<void> {
    const full = batch.subarray(0, batchBytes)
    await writing
    writing = noted(writeAll(file, full))
    ;[batch, other] = [other, batch]
    unflushedBytes += batchBytes
    batchBytes = 0
    if (unflushedBytes < FLUSH_BYTES) return
    await flushing
    flushing = noted(file.datasync())
    unflushedBytes = 0
  }

  return {
    async add(chunk: Buffer): Promise<void> {
      for (let at = 0; at < chunk.length;) {
        if (batch.length === 0) batch = Buffer.allocUnsafeSlow(BATCH_BYTES)
        const copied = chunk.copy(batch, batchBytes, at)
        at += copied
        batchBytes += copied
        if (batchBytes === BATCH_BYTES) await write()
      }
    },
    async end(): Promise<void> {
      if (batchBytes > 0) await write()
      await Promise.all([writing, flushing])
      await file.sync()
    },
  }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  const { bytesWritten } = await file.write(bytes)
  // A write is short only if there is no room for more.
  if (bytesWritten !== bytes.length) throw noRoom()
}

/** Prevents an unhandled rejection: the failure is seen later, where the promise is awaited. */
function noted(work: Promise<void>): Promise<void> {
  work.catch(() => {})
  return work
}
