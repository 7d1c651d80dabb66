import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import type { S3Place } from '../../base/blob-place.ts'

export interface Limits {
  /** A connection without a byte for this long is given up. */
  idleMs: number
  /** One attempt until the head of the answer; a part of 8 MiB is sent in this time. */
  requestMs: number
  /** Completing a large upload may take the store minutes, and not every store sends bytes meanwhile. */
  completeMs: number
}

export const LIMITS: Limits = { idleMs: 15_000, requestMs: 45_000, completeMs: 10 * 60_000 }

const CONNECT_MS = 3000
const ATTEMPTS = 3
/** A download to a slow client keeps its connection, and must not make others wait for one. */
const AGENT = { keepAlive: true, maxSockets: 1000 }

export function createClient(
  { endpoint, region }: S3Place,
  { idleMs, requestMs, completeMs }: Limits = LIMITS,
): S3Client {
  const config: S3ClientConfig = {
    ...(endpoint !== undefined && { endpoint }),
    ...((region ?? endpoint) !== undefined && { region: region ?? 'us-east-1' }),
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
  }
  const client = new S3Client({ ...config, requestHandler: handlerOptions(idleMs, requestMs) })
  const patient = new S3Client({ ...config, requestHandler: handlerOptions(completeMs, completeMs) })
  // A handler has one socket timeout for all requests, so completions have a handler of their own.
  const usual = client.config.requestHandler
  const handle = usual.handle.bind(usual)
  usual.handle = (request, options) =>
    isCompletion(request) ? patient.config.requestHandler.handle(request, options) : handle(request, options)
  return client
}

/** The only POST to a multipart upload that exists already. */
const isCompletion = ({ method, query = {} }: { method: string; query?: object }): boolean =>
  method === 'POST' && 'uploadId' in query

const handlerOptions = (socketTimeout: number, requestTimeout: number) => ({
  connectionTimeout: CONNECT_MS,
  socketTimeout,
  requestTimeout,
  throwOnRequestTimeout: true,
  httpAgent: AGENT,
  httpsAgent: AGENT,
})
