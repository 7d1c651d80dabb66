import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { enterFolder } from '../access/enter/folder.ts'
import type { Workspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { importedRoom, importRoom, openImportedRooms } from '../testing/imported-rooms.ts'
import { listActivities } from './audit/activities.ts'
import { listDownloads } from './downloads/downloads.ts'
import { getContent, getMeta } from './folders/folder-content.ts'
import { getSheet } from './rights/permission-sheet.ts'
import { listFolderPermissions } from './rights/permission-level.ts'
import { searchFiles } from './search/file-search.ts'
import { searchFolders } from './search/folder-search.ts'

// No statement of a hot request reads a large table from end to end, with statistics or without.

const ROOMS = 3
const CHAINS = 600
const LARGE = ['folders', 'files', 'file_versions', 'folder_permissions', 'activities', 'search_entries', 'documents']
/** In the middle of the first room: has one subfolder and one file. */
const FOLDER = 901

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
  for (let id = 1; id <= ROOMS; id++) await importRoom(db, id, CHAINS)
  await sql`delete from folder_permissions where folder_id % 50 <> 0`.execute(db)
  await sql`update folders set name = 'Plan ' || id where id > 0 and id % 500 = 1`.execute(db)
  await sql`insert into activities (workspace_id, user_id, user_name, verb, message)
    select n % ${ROOMS}::int + 1, n % 20, 'Someone', 'viewed', 'viewed' from generate_series(1, 5000) n`.execute(db)
})
afterAll(() => close())

const works: Record<string, (db: Db, workspace: Workspace) => Promise<unknown>> = {
  'a folder': async (tx, workspace) => getContent(tx, await enterFolder(tx, workspace, FOLDER)),
  'a page of the top': async (tx, workspace) =>
    getContent(tx, await enterFolder(tx, workspace, 0), { page: 1, per_page: 10 }),
  'one folder alone': async (tx, workspace) => getMeta(tx, await enterFolder(tx, workspace, FOLDER)),
  'a level of the grid': async (tx, workspace) =>
    listFolderPermissions(tx, groupOf(workspace), await enterFolder(tx, workspace, FOLDER)),
  'a level of the sheet': (tx, workspace) => getSheet(tx, workspace, [groupOf(workspace)], { folder_ids: [FOLDER] }),
  'a search for files': (tx, workspace) => searchFiles(tx, workspace, { q: 'report', page: 1, per_page: 25 }),
  'a search for folders': (tx, workspace) => searchFolders(tx, workspace, { q: 'plan 1', page: 1, per_page: 25 }),
  'the newest activities': (tx, workspace) => listActivities(tx, workspace, {}, { page: 1, per_page: 100 }),
  'the own downloads': (tx, workspace) => listDownloads(tx, workspace),
}

const groupOf = (workspace: Workspace) => ({ id: 1, kind: 'custom', workspace }) as never

/** The scans of whole large tables by some work. The counters begin with those of earlier transactions of the session. */
async function scansOf(work: (tx: Db) => Promise<unknown>): Promise<Record<string, number>> {
  return db.transaction().execute(async (tx) => {
    const before = await countScans(tx)
    await work(tx)
    const after = await countScans(tx)
    const scanned = LARGE.filter((table) => after[table] !== before[table])
    return Object.fromEntries(scanned.map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)]))
  })
}

async function countScans(tx: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ relname: string; seq_scan: number }>`
    select relname, seq_scan from pg_stat_xact_user_tables where relname = any(${LARGE}::text[])`.execute(tx)
  return Object.fromEntries(rows.map(({ relname, seq_scan }) => [relname, seq_scan]))
}

it.each([
  ['an admin', true, 'no statistics'],
  ['a member', false, 'no statistics'],
  ['an admin', true, 'statistics'],
  ['a member', false, 'statistics'],
])('K30: no request of %s reads a large table from end to end, with admin: %s and %s', async (_, admin, statistics) => {
  if (statistics === 'statistics') await sql`analyze`.execute(db)
  const workspace = { ...importedRoom(1, admin), managing_group_ids: [] } as Workspace
  for (const [work, run] of Object.entries(works)) {
    expect([work, await scansOf((tx) => run(tx, workspace))]).toEqual([work, {}])
  }
})

it('a statement that reads a large table from end to end is counted', async () => {
  const scans = await scansOf((tx) => sql`select name from folders where name like '%x'`.execute(tx))
  expect(scans).toEqual({ folders: 1 })
})
