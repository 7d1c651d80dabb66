import type { Readable } from 'node:stream'
import type { PartStore } from './part-store.ts'

export interface StoredBlob {
  blob_id: string
  /** Bytes. */
  size: number
  sha256: Buffer
  /** Unsigned. */
  crc32: number
  /** The first bytes (4 KiB at most), to tell the type by. */
  head: Buffer
}

/** Byte range, both ends inclusive. */
export interface Range {
  start: number
  end: number
}

/** Where content lives. A blob never changes; a blob that no file version names is removed by the sweep. */
export interface BlobStore {
  /**
   * Streams content in; it is durable when this resolves, and nothing is kept when it rejects.
   * @throws ApiError 413 beyond `maxBytes`, 507 where the disk is full, and whatever `content` fails with
   */
  write(content: AsyncIterable<Buffer>, maxBytes: number): Promise<StoredBlob>
  read(blobId: string, range?: Range): Promise<Readable>
  /** Bytes that are there now; undefined where there is no such content. */
  sizeOf(blobId: string): Promise<number | undefined>
  /** Has the content as a file for as long as `use` takes, for programs that read here and there; they may not change it. */
  withFile<Result>(blobId: string, use: (path: string) => Promise<Result>): Promise<Result>
  remove(blobId: string): Promise<void>
  /** @throws ApiError 503 while the storage is away; so do all others where it matters */
  requirePresent(): Promise<void>
  parts: PartStore
  /** Ids of blobs older than this; unfinished uploads of that age are removed on the way. */
  listOlderThan(date: Date): AsyncIterable<string>
}
