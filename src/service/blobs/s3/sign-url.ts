import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Bucket } from './bucket.ts'

/** A URL that leaks, or whose reader loses the right, is of use for this long. */
const EXPIRES_SECONDS = 60

/** The signature covers the header Range, if there is one: the store refuses any other range. */
export async function signUrl(
  { client, target, attempt }: Bucket,
  key: string,
  { type, disposition, range }: { type: string; disposition: string; range: string | undefined },
): Promise<string> {
  const { Bucket, Key } = target(key)
  const headers = { ResponseContentType: type, ResponseContentDisposition: disposition }
  const get = new GetObjectCommand({ Bucket, Key, Range: range, ...headers, ResponseCacheControl: 'private, no-store' })
  return attempt(() => getSignedUrl(client, get, { expiresIn: EXPIRES_SECONDS }))
}
