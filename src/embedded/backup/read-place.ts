import { resolve } from 'node:path'
import { type BlobPlace, readBlobUrl } from '../../service/base/blob-place.ts'

/** @param text a path, `file:///folder` or `s3://bucket/prefix?endpoint=…` @throws Error in one sentence */
export function readPlace(text: string): BlobPlace {
  if (!/^(s3|file):/.test(text)) return { folder: resolve(text) }
  try {
    return readBlobUrl(text)
  } catch (error) {
    throw new Error(`The place of the backups ${(error as Error).message}.`, { cause: error })
  }
}
