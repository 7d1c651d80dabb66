import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/** Returns the id of this database's storage. A database without one takes the proposed id. */
export async function claimStorage(db: Db, proposed: string): Promise<string> {
  await sql`insert into content_storage (id) values (${proposed}) on conflict do nothing`.execute(db)
  const { rows } = await sql<{ id: string }>`select id from content_storage`.execute(db)
  return rows[0]?.id ?? proposed
}

/** Ids of some blobs that must be stored. */
export async function sampleContent(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('file_versions').select('blob_id').limit(20).execute()
  return rows.map(({ blob_id }) => blob_id)
}
