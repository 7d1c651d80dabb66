import type { Readable } from 'node:stream'
import type { PartStore } from './part-store.ts'

export interface StoredBlob {
  blob_id: string
  /** Bytes. */
  size: number
  sha256: Buffer
  /** Unsigned. */
  crc32: number
  /** The first bytes (at most 4 KiB), to detect the type. */
  head: Buffer
}

/** Byte range, both ends inclusive. */
export interface Range {
  start: number
  end: number
}

export interface OpenBlob {
  /** Bytes. */
  size: number
  /** Fills `into` with the bytes from `position` on. @returns how many there were */
  read(into: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

/** Small files besides the content that every node sees. Names are paths. */
export interface SharedFolder {
  read(name: string): Promise<Buffer | undefined>
  write(name: string, content: Buffer | string): Promise<void>
  remove(name: string): Promise<void>
  removeBelow(folder: string): Promise<void>
  list(): AsyncIterable<{ name: string; size: number; modified: number }>
}

/** Stores content. A blob never changes. The sweep removes a blob that no file version references. */
export interface BlobStore {
  /**
   * Stores a stream, or small content at once. It is durable when this resolves; nothing is kept when it rejects.
   * @throws ApiError 413 beyond `maxBytes`, 507 if the disk is full, and any error of `content`
   */
  write(content: AsyncIterable<Buffer> | Buffer, maxBytes: number): Promise<StoredBlob>
  /** Stores a copy of content from another store under its id. */
  put(blobId: string, content: AsyncIterable<Buffer>): Promise<StoredBlob>
  read(blobId: string): Promise<Readable>
  /**
   * Opens content for reads at any position. @returns undefined if the content is absent
   * @param range the bytes that will be read, in their order
   */
  open(blobId: string, range?: Range): Promise<OpenBlob | undefined>
  /** The file of the content, below the folder or prefix of the store. */
  placeOf(blobId: string): string
  /**
   * A URL by which anyone can get the content for a minute, with these headers. Absent if the store has none.
   * @param range the header Range that the client sends, the only one for which the URL then holds
   */
  directUrl?(blobId: string, headers: { type: string; disposition: string; range: string | undefined }): Promise<string>
  /** Bytes stored at present; undefined if the content is absent. */
  sizeOf(blobId: string): Promise<number | undefined>
  /** Provides the content as a file while `use` runs, for programs with random access, which must not change it. */
  withFile<Result>(blobId: string, use: (path: string) => Promise<Result>): Promise<Result>
  remove(blobId: string): Promise<void>
  /** @throws ApiError 503 while the storage is away, as all other methods do where it matters */
  requirePresent(): Promise<void>
  parts: PartStore
  /** Absent if the nodes share nothing but the content. */
  shared?: SharedFolder
  /** Ids of blobs older than this. Also removes unfinished uploads of that age. */
  listOlderThan(date: Date): AsyncIterable<string>
}
