import { sql } from 'kysely'
import type { PdfDelivery } from '../../../contract/endpoints/watermarks.ts'
import type { Db } from '../../db/pool.ts'
import type { Document } from '../documents/documents.ts'
import type { DownloadKey } from './downloads.ts'

export type UnstampedMember = Pick<
  Document,
  'blob_id' | 'content_type' | 'status' | 'reason' | 'converted_blob_id' | 'converted_type'
> & { position: number; name: string; pdf_delivery: PdfDelivery }

/** Yields the members that still need a mark, in order, with their documents. Looks each up when its turn comes. */
export async function* listUnstamped(
  db: Db,
  { workspace_id, download_id }: DownloadKey,
): AsyncGenerator<UnstampedMember> {
  for (let after = 0; ;) {
    const { rows } = await sql<UnstampedMember>`
      select m.position, m.name, m.pdf_delivery, m.blob_id, d.content_type, d.status, d.reason, d.converted_blob_id, d.converted_type
      from download_members m
      join documents d on d.workspace_id = m.workspace_id and d.blob_id = m.blob_id
      where m.workspace_id = ${workspace_id} and m.download_id = ${download_id} and m.position > ${after}
        and m.must_be_stamped and not m.stamped and m.left_out is null
      order by m.position limit 1`.execute(db)
    if (!rows[0]) return
    yield rows[0]
    after = rows[0].position
  }
}
