import { sql } from 'kysely'
import { inject } from 'vitest'
import type { Workspace } from '../access/scopes.ts'
import { type Db, openPool } from '../db/pool.ts'
import { createDatabase } from './database/postgres.ts'

// Rooms as an import leaves them: PostgreSQL has no statistics of their rows.

const GROUPS = [1, 2, 3, 4]
const TABLES = ['folders', 'files', 'file_versions', 'folder_permissions', 'download_members', 'questions']

export async function openImportedRooms(): Promise<{ db: Db; close: () => Promise<void> }> {
  const database = await createDatabase(inject('databaseUrl'))
  const db = openPool(database.url, 2)
  for (const table of TABLES) await sql.raw(`alter table ${table} set (autovacuum_enabled = false)`).execute(db)
  await sql`insert into organizations (id, name) values (1, 'One')`.execute(db)
  await sql`insert into teams (organization_id, id, name, team_owner_id, creator_id, suppress_emails) values (1, 1, 'One', 1, 1, false)`.execute(
    db,
  )
  const close = async () => {
    await db.destroy()
    await database.drop()
  }
  return { db, close }
}

/** A member is in all groups of the room. */
export const importedRoom = (id: number, admin: boolean): Workspace =>
  ({
    id,
    organization_id: 1,
    admin,
    group_ids: GROUPS,
    actor: { id: 1, organization_id: 1, now: new Date(), ip: '192.0.2.1' },
  }) as never

/** Writes folders in chains of three, each with a file. One group has a right on the root, all have others below. */
export async function importRoom(db: Db, id: number, chains: number): Promise<void> {
  await sql`insert into workspaces (organization_id, id, team_id, name) values (1, ${id}, 1, 'Room')`.execute(db)
  await sql`insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
    select ${id}::int, 0, null::int, 'All Folders', 1, '{0}'::int[], 1 union all
    select ${id}::int, n * 3 + step, case step when 1 then 0 else n * 3 + step - 1 end, 'Folder', case step when 1 then n + 1 else 1 end,
      0 || array(select n * 3 + each from generate_series(1, step) each), 1
    from generate_series(0, ${chains - 1}::int) n cross join generate_series(1, 3) step`.execute(db)
  await sql`insert into files (workspace_id, id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id)
    select ${id}::int, id, id, 'Plan', 'plan.txt', 1, 1, 'text/plain', '\\x00', ${id}::text || '-' || id from folders
    where workspace_id = ${id} and id <> 0`.execute(db)
  await sql`insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256, crc32,
      uploaded_by_id)
    select workspace_id, id, 1, blob_id, 1, 'text/plain', sha256, 0, 1 from files where workspace_id = ${id}`.execute(
    db,
  )
  await sql`insert into groups (workspace_id, id, name, drm_enabled, watermarked, pdf_delivery)
    select ${id}::int, n, 'Group', n = 2, n > 2, case n when 4 then 'pictures'::pdf_delivery else 'woven' end
    from unnest(${GROUPS}::int[]) n`.execute(db)
  await sql`insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
    select ${id}::int, 1, flag, 0, '{0}'::int[], true from unnest(array['view', 'download']) flag
    union all
    select ${id}::int, g, flag, f.id, f.id_path, (f.id * 7 + g * 5 + length(flag)) % 3 <> 0
    from folders f cross join unnest(${GROUPS}::int[]) g cross join unnest(array['view', 'download', 'upload']) flag
    where f.workspace_id = ${id} and f.id <> 0 and (f.id + g) % 4 = 0`.execute(db)
}

/** PostgreSQL before 17 plans with statistics only as later versions plan without them. It takes them within a minute. */
export async function analyzeBefore17(db: Db): Promise<void> {
  const { rows } = await sql<{ old: boolean }>`
    select current_setting('server_version_num')::int < 170000 as old`.execute(db)
  if (rows[0]?.old) await sql.raw(`analyze ${TABLES.join()}`).execute(db)
}

/** The rows that the present transaction has read so far. */
export async function countReads(tx: Db): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::int as reads
    from pg_stat_xact_user_tables where relname = any(${TABLES}::text[])`.execute(tx)
  return rows[0]?.reads ?? 0
}
