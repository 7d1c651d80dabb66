import { setTimeout as sleep } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import type { Log } from '../../../wire/log.ts'
import type { S3Place } from '../../base/blob-place.ts'
import { ApiError, noRoom, storageAway } from '../../base/errors.ts'
import type { Range } from '../blob-store.ts'
import { createClient, type Limits } from './create-client.ts'

export interface StoredObject {
  key: string
  size: number
  modified: number
}

export interface ObjectBytes {
  total: number
  body: Readable
}

/** The few operations on a bucket that the store needs. Keys lack the prefix. Absent objects give undefined. */
export interface Bucket {
  client: S3Client
  target(key: string): { Bucket: string; Key: string } & S3Place['encryption']
  put(key: string, bytes: Buffer | string): Promise<void>
  sizeOf(key: string): Promise<number | undefined>
  /** @returns undefined also for a range beyond the end */
  get(key: string, range: Range): Promise<ObjectBytes | undefined>
  remove(key: string): Promise<void>
  copy(from: string, to: string): Promise<void>
  list(prefix: string): AsyncIterable<StoredObject>
  /** Names directly below a prefix that others are below of, without its slash. */
  listFolders(prefix: string): AsyncIterable<string>
  /** Aborts multipart uploads that began and got their last part before this. */
  abortUploads(prefix: string, before: Date): Promise<void>
  attempt<Result>(work: (signal: AbortSignal) => Promise<Result>, limitMs?: number): Promise<Result>
  /** Logs a failure, and turns it into ApiError 503 or 507. */
  refusalOf(error: unknown): Error
}

/** All attempts of one operation together. */
const OPERATION_MS = 60_000
const LOG_MS = 60_000
/** Uploads, or parts of one, that a store lists in one answer. */
const PAGE = 1000

/** What the store said about itself, without anything that it was sent: keys and signatures must not reach a log. */
export class StoreProblem extends Error {}

export function openBucket(
  place: S3Place,
  log?: Pick<Log, 'error'>,
  { limits, page = PAGE }: { limits?: Limits; page?: number } = {},
): Bucket {
  const client = createClient(place, limits)
  const { bucket: Bucket, prefix } = place
  const keyOf = (key: string) => prefix + key
  const refusalOf = createRefusals(place, log)

  async function attempt<Result>(
    work: (signal: AbortSignal) => Promise<Result>,
    limitMs = OPERATION_MS,
  ): Promise<Result> {
    const [limit, ended] = [new AbortController(), new AbortController()]
    try {
      // The race also ends what the client does not watch, such as an answer that arrives byte by byte.
      return await Promise.race([work(limit.signal), expire(limitMs, ended.signal)])
    } catch (error) {
      limit.abort()
      throw refusalOf(error)
    } finally {
      ended.abort()
    }
  }

  async function* pages(prefix: string, Delimiter?: string) {
    for (let ContinuationToken: string | undefined; ;) {
      const page = await attempt((abortSignal) =>
        client.send(new ListObjectsV2Command({ Bucket, Prefix: keyOf(prefix), Delimiter, ContinuationToken }), {
          abortSignal,
        }),
      )
      yield page
      if (!page.IsTruncated || !page.NextContinuationToken) return
      ContinuationToken = page.NextContinuationToken
    }
  }

  async function* uploadsBelow(prefix: string) {
    const list = { Bucket, Prefix: keyOf(prefix), MaxUploads: page }
    for (let after: { KeyMarker?: string; UploadIdMarker?: string | undefined } = {}; ;) {
      const command = new ListMultipartUploadsCommand({ ...list, ...after })
      const found = await attempt((abortSignal) => client.send(command, { abortSignal }))
      yield* found.Uploads ?? []
      if (!found.IsTruncated || !found.NextKeyMarker) return
      after = { KeyMarker: found.NextKeyMarker, UploadIdMarker: found.NextUploadIdMarker }
    }
  }

  async function lastActivity(Key: string, UploadId: string, begun: Date): Promise<Date> {
    let last = begun
    for (let PartNumberMarker: string | undefined; ;) {
      const command = new ListPartsCommand({ Bucket, Key, UploadId, MaxParts: page, PartNumberMarker })
      const found = await attempt((abortSignal) => client.send(command, { abortSignal }).catch(absentAsUndefined))
      for (const { LastModified = last } of found?.Parts ?? []) if (LastModified > last) last = LastModified
      if (!found?.IsTruncated || !found.NextPartNumberMarker) return last
      PartNumberMarker = found.NextPartNumberMarker
    }
  }

  return {
    client,
    attempt,
    refusalOf,
    target: (key) => ({ Bucket, Key: keyOf(key), ...place.encryption }),

    async put(key, bytes) {
      const Body = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)
      const params = { Bucket, Key: keyOf(key), Body, ContentLength: Body.length, ...place.encryption }
      await attempt((abortSignal) => client.send(new PutObjectCommand(params), { abortSignal }))
    },

    sizeOf: (key) =>
      attempt(async (abortSignal) => {
        const head = new HeadObjectCommand({ Bucket, Key: keyOf(key) })
        const found = await client.send(head, { abortSignal }).catch(absentAsUndefined)
        return found && expectSize(found.ContentLength)
      }),

    get: (key, { start, end }) =>
      attempt(async (abortSignal) => {
        const get = new GetObjectCommand({ Bucket, Key: keyOf(key), Range: `bytes=${start}-${end}` })
        const found = await client.send(get, { abortSignal }).catch(absentAsUndefined)
        return found && { total: expectRange(found.ContentRange, start), body: found.Body as Readable }
      }),

    async remove(key) {
      const remove = new DeleteObjectCommand({ Bucket, Key: keyOf(key) })
      await attempt((abortSignal) => client.send(remove, { abortSignal }).catch(absentAsUndefined))
    },

    async copy(from, to) {
      const params = { Bucket, CopySource: `${Bucket}/${keyOf(from)}`, Key: keyOf(to), ...place.encryption }
      await attempt((abortSignal) => client.send(new CopyObjectCommand(params), { abortSignal }))
    },

    async *list(below) {
      for await (const { Contents = [] } of pages(below)) {
        for (const { Key = '', Size: size = 0, LastModified } of Contents)
          yield { key: Key.slice(prefix.length), size, modified: LastModified?.getTime() ?? Infinity }
      }
    },

    async *listFolders(below) {
      for await (const { CommonPrefixes = [] } of pages(below, '/')) {
        for (const { Prefix = '' } of CommonPrefixes) yield Prefix.slice(keyOf(below).length, -1)
      }
    },

    async abortUploads(below, before) {
      for await (const { Key = '', UploadId = '', Initiated = new Date() } of uploadsBelow(below)) {
        if (Initiated >= before || (await lastActivity(Key, UploadId, Initiated)) >= before) continue
        const abort = new AbortMultipartUploadCommand({ Bucket, Key, UploadId })
        await attempt((abortSignal) => client.send(abort, { abortSignal }).catch(absentAsUndefined))
      }
    },
  }
}

async function expire(ms: number, signal: AbortSignal): Promise<never> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
  throw new StoreProblem(`no answer within ${ms / 1000} seconds`)
}

interface S3Error extends Error {
  code?: string
  $metadata?: { httpStatusCode?: number }
}

const ABSENT = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload', 'InvalidRange'])

/** A completion that is sent again, because its answer was lost, finds no upload any more. */
export async function recognizeCompleted(error: S3Error, bucket: Bucket, key: string, size: number): Promise<void> {
  if (error.name === 'NoSuchUpload' && (await bucket.sizeOf(key)) === size) return
  throw error
}

export function absentAsUndefined(error: S3Error): undefined {
  if (!ABSENT.has(error.name)) throw error
}

function expectSize(size: number | undefined): number {
  if (size === undefined) throw new StoreProblem('an answer without Content-Length')
  return size
}

/** A front server or another program may answer in the store's stead. @returns the size of the whole object */
function expectRange(header: string | undefined, start: number): number {
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(header ?? '') ?? []
  if (total === undefined || Number(first) !== start) throw new StoreProblem('an answer with another range')
  return Number(total)
}

const FULL = new Set(['EntityTooLarge', 'QuotaExceeded', 'XMinioStorageFull', 'InsufficientCapacity', 'StorageFull'])

/** Turns any failure into a refusal. Its cause names the kind of failure only. */
function createRefusals({ bucket, prefix }: S3Place, log?: Pick<Log, 'error'>) {
  let notedAt = -Infinity
  return (error: unknown): Error => {
    if (error instanceof ApiError) return error
    const problem = problemOf(error)
    if (performance.now() - notedAt > LOG_MS) {
      log?.error({ bucket, prefix, problem }, 'the content store does not do its work')
      notedAt = performance.now()
    }
    const { name, $metadata } = error as S3Error
    const isFull = FULL.has(name) || $metadata?.httpStatusCode === 507
    return Object.assign(isFull ? noRoom() : storageAway(), { cause: new StoreProblem(problem) })
  }
}

/** The code of a store is a word. Anything else, such as a page of HTML, is left out. */
export function problemOf(error: unknown): string {
  if (error instanceof StoreProblem) return error.message
  const { name, code, $metadata } = error as S3Error
  const word = [code, name].find((each) => /^\w{1,60}$/.test(each ?? '')) ?? 'unknown'
  return $metadata?.httpStatusCode === undefined ? word : `${word} (${$metadata.httpStatusCode})`
}
