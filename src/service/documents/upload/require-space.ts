import { statfs } from 'node:fs/promises'
import { noRoom } from '../../base/errors.ts'

/** A tool may write this much temporary data. On a fuller disk it fails as if the document were damaged. */
const NEEDED_BYTES = 128 * 1024 ** 2

/** @throws ApiError 507 if the disk of the folder has too little space */
export async function requireSpace(folder: string): Promise<void> {
  const facts = await statfs(folder).catch(() => undefined)
  if (facts && facts.bavail * facts.bsize < NEEDED_BYTES) throw noRoom()
}
