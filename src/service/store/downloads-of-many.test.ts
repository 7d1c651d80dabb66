import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { openSelection } from '../access/enter/download.ts'
import { protectionsIn, rightsAmong, rightsIn } from '../access/grants.ts'
import type { Workspace } from '../access/scopes.ts'
import { type Db, openPool } from '../db/pool.ts'
import { createDatabase } from '../testing/postgres.ts'
import { insertDownload } from './downloads.ts'

// Rows are written here without statistics, as an import leaves them.

const GROUPS = [1, 2, 3, 4]
const TABLES = ['folders', 'files', 'file_versions', 'folder_permissions', 'download_members']

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Db
beforeAll(async () => {
  database = await createDatabase(inject('databaseUrl'))
  db = openPool(database.url, 2)
  for (const table of TABLES) await sql.raw(`alter table ${table} set (autovacuum_enabled = false)`).execute(db)
  await sql`insert into organizations (id, name) values (1, 'One')`.execute(db)
  await sql`insert into teams (organization_id, id, name, team_owner_id, creator_id) values (1, 1, 'One', 1, 1)`.execute(
    db,
  )
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const workspaceOf = (id: number, admin: boolean): Workspace =>
  ({ id, organization_id: 1, admin, group_ids: GROUPS, actor: { id: 1, now: new Date(), ip: '192.0.2.1' } }) as never

/** Writes folders in chains of three, each with a file. One group has a right on the root, all have others below. */
async function importRoom(id: number, chains: number): Promise<void> {
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

it('gives the same rights and protections in one pass as for each folder by itself', async () => {
  await importRoom(1, 40)
  for (const workspace of [workspaceOf(1, false), workspaceOf(1, true)]) {
    const { rows } = await sql<{ same: number; differing: number; kinds: number }>`
      with step as materialized (
        select f.id, s.on_path, s.depth from folders f cross join unnest(f.id_path) with ordinality s (on_path, depth)
        where f.workspace_id = 1
      ), one_pass as (
        select id, view, download, drm, watermark, pdf_delivery
        from ${rightsAmong(workspace, { steps: sql`step`, onPaths: [0, ...Array.from({ length: 120 }, (_, at) => at + 1)] })} r
      ), each as (
        select f.id, r.view, r.download, p.drm, p.watermark, p.pdf_delivery from folders f
        cross join lateral ${rightsIn(workspace, sql`f.id_path`)} r
        cross join lateral ${protectionsIn(workspace, sql`f.id_path`)} p where f.workspace_id = 1
      )
      select (select count(*) from (table one_pass intersect table each) i) as same,
        (select count(*) from (table one_pass except table each) e) as differing,
        (select count(distinct (download, drm, watermark, pdf_delivery)) from each) as kinds`.execute(db)
    expect(rows).toEqual([{ same: 121, differing: 0, kinds: workspace.admin ? 1 : expect.any(Number) }])
  }
})

let rooms = 0

/** The rows that PostgreSQL reads to write a download of every folder and every file. */
async function readsFor(id: number, chains: number, admin: boolean): Promise<number> {
  const ids = Array.from({ length: chains * 3 }, (_, at) => at + 1)
  let reads = 0
  await db.transaction().execute(async (tx) => {
    const workspace = workspaceOf(id, admin)
    // A member with every right, or the request would end at the first folder without one.
    await sql`delete from folder_permissions where workspace_id = ${id} and not value`.execute(tx)
    const before = await countReads(tx)
    const selection = await openSelection(tx, workspace, { folder_ids: ids, file_ids: ids })
    const download = await insertDownload(tx, selection)
    reads = (await countReads(tx)) - before
    const { rows } = await sql`select from download_members where download_id = ${download.id}`.execute(tx)
    expect(rows).toHaveLength(chains * 6)
  })
  return reads
}

async function countReads(tx: Db): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::int as reads
    from pg_stat_xact_user_tables where relname = any(${TABLES}::text[])`.execute(tx)
  return rows[0]?.reads ?? 0
}

it.each([
  ['an admin', true, 'no statistics'],
  ['a member', false, 'no statistics'],
  ['an admin', true, 'statistics of other rooms'],
  ['a member', false, 'statistics of other rooms'],
])('K3: twice the folders and files cost %s twice the reads, with admin: %s and %s', async (_, admin, statistics) => {
  const first = (rooms += 2)
  if (statistics !== 'no statistics') await sql`analyze folder_permissions, folders, files`.execute(db)
  await importRoom(first, 100)
  await importRoom(first + 1, 200)
  expect(await readsFor(first + 1, 200, admin)).toBeLessThan(3 * (await readsFor(first, 100, admin)))
})
