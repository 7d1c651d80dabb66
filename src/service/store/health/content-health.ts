import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

export interface ExpectedBlob {
  blob_id: string
  /** Bytes. */
  size: number
}

/** Content of all versions of all files and of terms, in the order of its ids. */
export async function listExpectedAfter(db: Db, blobId: string, limit: number): Promise<ExpectedBlob[]> {
  const { rows } = await sql<ExpectedBlob>`
    select blob_id, size from (
      (select v.blob_id, max(v.file_size) as size from file_versions v where v.blob_id > ${blobId}
        group by v.blob_id order by v.blob_id limit ${limit})
      union all (select p.blob_id, p.size from terms_pdfs p where p.blob_id > ${blobId} order by p.blob_id limit ${limit})
    ) expected order by blob_id limit ${limit}`.execute(db)
  return rows
}

/** The id of the storage that this database belongs to; undefined before the first start. */
export async function readStorageId(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('content_storage').select('id').executeTakeFirst())?.id
}

export async function countDamaged(db: Db): Promise<number> {
  const { rows } = await sql<{ damaged: number }>`
    select (select count(distinct blob_id) from documents where damage is not null)
      + (select count(*) from terms_pdfs where damage is not null) as damaged`.execute(db)
  return rows[0]?.damaged ?? 0
}

export interface DamageCount {
  damage: string
  contents: number
}

/** Content by what was found when it was compared last, each kind of damage up to the limit. */
export async function countDamageByKind(db: Db, limit: number): Promise<DamageCount[]> {
  const { rows } = await sql<DamageCount>`
    select damage, count(found.blob_id) as contents
    from unnest('{missing,length,bytes}'::text[]) kinds (damage) left join lateral (
      (select distinct d.blob_id from documents d where d.damage is not null and d.damage = kinds.damage limit ${limit})
      union (select p.blob_id from terms_pdfs p where p.damage is not null and p.damage = kinds.damage limit ${limit})
    ) found on true
    group by damage order by damage`.execute(db)
  return rows
}

export interface UploadedHash {
  blob_id: string
  /** 64 hex characters. */
  sha256: string
}

/** Hashes of these blobs as they were uploaded. Converted and stamped content has none. */
export async function listUploadedHashes(db: Db, blobIds: readonly string[]): Promise<UploadedHash[]> {
  const { rows } = await sql<UploadedHash>`
    select distinct v.blob_id, encode(v.sha256, 'hex') as sha256
    from file_versions v where v.blob_id = any(${blobIds}::text[])
    union select p.blob_id, encode(p.sha256, 'hex') from terms_pdfs p where p.blob_id = any(${blobIds}::text[])`.execute(
    db,
  )
  return rows
}
