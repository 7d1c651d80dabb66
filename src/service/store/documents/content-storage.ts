import type { Db } from '../../db/pool.ts'

/** Returns the id of this database's storage. A database without one takes the proposed id. */
export async function claimStorage(db: Db, proposed: string): Promise<string> {
  await db
    .insertInto('content_storage')
    .values({ id: proposed })
    .onConflict((conflicting) => conflicting.doNothing())
    .execute()
  const row = await db.selectFrom('content_storage').select('id').executeTakeFirst()
  return row?.id ?? proposed
}

/** Ids of some blobs that must be stored. */
export async function sampleContent(db: Db): Promise<string[]> {
  const [files, terms] = await Promise.all([
    db.selectFrom('file_versions').select('blob_id').limit(20).execute(),
    db.selectFrom('terms_pdfs').select('blob_id').limit(20).execute(),
  ])
  return [...files, ...terms].map(({ blob_id }) => blob_id)
}
