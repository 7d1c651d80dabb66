import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

export type BlobPlace = { folder: string } | S3Place

export interface S3Place {
  bucket: string
  /** "" or ends with a slash. */
  prefix: string
  endpoint: string | undefined
  /** Undefined for the region of the AWS environment. */
  region: string | undefined
  encryption: { ServerSideEncryption?: 'AES256' | 'aws:kms'; SSEKMSKeyId?: string }
}

/** A multipart upload has at most 10,000 parts. */
export const MAX_S3_BYTES = 64 * 1024 ** 3

const PARAMS = new Set(['endpoint', 'region', 'sse', 'kms_key'])
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** No segment consists of dots, and none has a character that stores, proxies or signatures treat differently. */
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\/){0,8}$/

export const blobUrl = z.string().transform((text, context): BlobPlace => {
  try {
    return readBlobUrl(text)
  } catch (error) {
    context.addIssue((error as Error).message)
    return z.NEVER
  }
})

/** @throws Error with the rest of a sentence that begins with the name of the setting; it never repeats the value */
export function readBlobUrl(text: string): BlobPlace {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'file:') return { folder: folderOf(text, url) }
  if (url?.protocol !== 's3:') throw new Error('must be file:///folder or s3://bucket/prefix?endpoint=…&region=…')
  if (url.username || url.password) throw new Error('must not have credentials: they come from the AWS environment')
  if (!BUCKET.test(url.host)) throw new Error('has no valid name of a bucket: s3://bucket/prefix')
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMS.has(name))
  if (unknown !== undefined || url.hash) throw new Error(`may have only the parameters ${[...PARAMS].join(', ')}`)
  return {
    bucket: url.host,
    prefix: prefixOf(text),
    endpoint: endpointOf(url.searchParams.get('endpoint')),
    region: regionOf(url.searchParams.get('region')),
    encryption: encryptionOf(url.searchParams.get('sse'), url.searchParams.get('kms_key')),
  }
}

/** Where the content of an installation is: in its data folder unless `BLOB_URL` says otherwise. */
export const contentPlace = ({
  dataDir,
  blobPlace,
}: {
  dataDir: string
  blobPlace?: BlobPlace | undefined
}): BlobPlace => blobPlace ?? { folder: join(dataDir, 'blobs') }

export const nameOf = (place: BlobPlace): string =>
  'folder' in place ? place.folder : `s3://${place.bucket}/${place.prefix}`

function folderOf(text: string, url: URL): string {
  const rest = text.slice('file:'.length)
  const isPlain = rest.startsWith('/') && !url.host && !url.search && !url.hash
  const folder = isPlain ? fileURLToPath(url) : ''
  if (!isAbsolute(folder) || folder === '/') throw new Error('must name a folder: file:///srv/content')
  return folder
}

/** Reads the path as it was written: URL would resolve `..` silently. */
function prefixOf(text: string): string {
  const [path = ''] = text.slice('s3://'.length).split(/[?#]/)
  const written = path.slice(path.indexOf('/') + 1)
  const prefix = path.includes('/') ? written.replace(/\/?$/, '/').replace(/^\/$/, '') : ''
  if (!PREFIX.test(prefix)) throw new Error('may have a prefix of letters, digits, dots, dashes and slashes only')
  return prefix
}

function endpointOf(text: string | null): string | undefined {
  if (text === null) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
  if (!isPlain || url.username || url.password) throw new Error('has an endpoint that is not http(s)://host:port')
  return url.origin
}

function regionOf(text: string | null): string | undefined {
  if (text === null) return undefined
  if (!/^[a-z0-9-]{1,40}$/i.test(text)) throw new Error('has a region that is not a name such as eu-central-1')
  return text
}

function encryptionOf(sse: string | null, key: string | null): S3Place['encryption'] {
  if (sse !== null && sse !== 'AES256' && sse !== 'aws:kms')
    throw new Error('has an sse that is neither AES256 nor aws:kms')
  if (key !== null && (sse !== 'aws:kms' || !/^[\w:/-]{1,300}$/.test(key)))
    throw new Error('has a kms_key that is no key id, or lacks sse=aws:kms')
  return { ...(sse && { ServerSideEncryption: sse }), ...(key !== null && { SSEKMSKeyId: key }) }
}
