import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { VersionDocument } from '../documents/documents.ts'
import type { DownloadKey } from './downloads.ts'

export type UnsealedMember = VersionDocument & {
  position: number
  file_id: number
  name: string
  organization_id: number
}

/** Yields the members that still must be sealed, in order, with their documents. Looks each up when its turn comes. */
export async function* listUnsealed(
  db: Db,
  { workspace_id, download_id }: DownloadKey,
): AsyncGenerator<UnsealedMember> {
  for (let after = 0; ;) {
    const { rows } = await sql<UnsealedMember>`
      select m.position, m.file_id, m.name, w.organization_id, f.title, v.version, d.workspace_id, d.blob_id, d.content_type,
        d.status, d.reason, d.page_widths, d.page_heights, d.converted_blob_id, d.converted_type, d.infected, d.scanned_at
      from download_members m
      join workspaces w on w.id = m.workspace_id
      join files f on f.workspace_id = m.workspace_id and f.id = m.file_id
      join file_versions v on v.workspace_id = m.workspace_id and v.file_id = m.file_id and v.blob_id = m.blob_id
      join documents d on d.workspace_id = m.workspace_id and d.blob_id = m.blob_id
      where m.workspace_id = ${workspace_id} and m.download_id = ${download_id} and m.position > ${after}
        and m.must_be_sealed and not m.sealed and m.left_out is null
      order by m.position, v.version desc limit 1`.execute(db)
    if (!rows[0]) return
    yield rows[0]
    after = rows[0].position
  }
}
