import { statfs } from 'node:fs/promises'
import { noRoom } from '../errors.ts'

/** A tool may write this much on the way; on a fuller disk it fails as if its document were damaged. */
const NEEDED_BYTES = 128 * 1024 ** 2

/** @throws ApiError 507 where the disk of a folder is full */
export async function requireSpace(folder: string): Promise<void> {
  const facts = await statfs(folder).catch(() => undefined)
  if (facts && facts.bavail * facts.bsize < NEEDED_BYTES) throw noRoom()
}
