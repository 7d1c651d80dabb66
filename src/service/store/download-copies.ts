import type { Db } from '../db/pool.ts'
import type { DownloadKey } from './downloads.ts'

/** What a member becomes when a copy of its own was made for the download. */
export interface MemberCopy {
  position: number
  name: string
  blob_id: string
  size: number
  crc32: number
  sha256: Buffer
}

/** From here on the member is the copy. @returns whether the download is still there */
export async function setCopy(
  db: Db,
  key: DownloadKey,
  { position, name, blob_id, size, crc32, sha256 }: MemberCopy,
  done: { stamped: true } | { sealed: true },
): Promise<boolean> {
  const updated = await memberAt(db, key, position)
    .set({ name, blob_id, size, crc32, sha256, ...done })
    .returning('position')
    .executeTakeFirst()
  return updated !== undefined
}

/** The member is left out of the zip, and the manifest says why. */
export async function leaveOut(
  db: Db,
  key: DownloadKey,
  position: number,
  left_out: 'watermark' | 'drm',
  left_out_reason: string,
): Promise<void> {
  await memberAt(db, key, position).set({ left_out, left_out_reason }).execute()
}

function memberAt(db: Db, { workspace_id, download_id }: DownloadKey, position: number) {
  return db
    .updateTable('download_members')
    .where('workspace_id', '=', workspace_id)
    .where('download_id', '=', download_id)
    .where('position', '=', position)
}
