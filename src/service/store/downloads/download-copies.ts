import type { Db } from '../../db/pool.ts'
import type { DownloadKey } from './downloads.ts'

/** The data of a member after a copy was made for the download. */
export interface MemberCopy {
  position: number
  name: string
  blob_id: string
  size: number
  crc32: number
  sha256: Buffer
}

/** Replaces the content of the member by the copy. @returns whether the download still exists */
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

/** Leaves the member out of the zip. The manifest gives the reason. */
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
