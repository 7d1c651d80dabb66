import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSelection } from '../../access/enter/download.ts'
import { protectionsIn, rightsAmong, rightsIn, visible } from '../../access/grants.ts'
import type { Numbering } from '../../../contract/endpoints/workspaces.ts'
import type { Db } from '../../db/pool.ts'
import { countReads, importedRoom, importRoom, openImportedRooms } from '../../testing/imported-rooms.ts'
import { findHindrance, listEntries } from './download-entries.ts'
import { outlinesAmong, outlinesAtOnce } from '../folders/outlines.ts'
import { insertDownload } from './downloads.ts'

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
})
afterAll(() => close())

it('gives the same rights and protections in one pass as for each folder by itself', async () => {
  await importRoom(db, 1, 40)
  for (const workspace of [importedRoom(1, false), importedRoom(1, true)]) {
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

it('numbers folders for a reader in one pass as one by one', async () => {
  await importRoom(db, 900, 20)
  const workspace = { ...importedRoom(900, false), numbering: 'per_reader' as const }
  const ids = Array.from({ length: 61 }, (_, at) => at)
  const { rows } = await sql<{ same: number; differing: number }>`
    with seen as (
      select f.id from folders f where f.workspace_id = 900 and ${visible(workspace, sql`f.id_path`)}
    ), one_pass as (
      select id, outline, shown from ${outlinesAtOnce(workspace, { ids, onPaths: ids })} n where id in (select id from seen)
    ), each as (
      select id, outline, shown from ${outlinesAmong(workspace, { ids, onPaths: ids })} n where id in (select id from seen)
    )
    select (select count(*) from (table one_pass intersect table each) i) as same,
      (select count(*) from (table one_pass except table each) e) as differing`.execute(db)
  expect(rows).toEqual([{ same: expect.any(Number), differing: 0 }])
  expect(rows[0]?.same).toBeGreaterThan(20)
})

let rooms = 0

/** The rows that PostgreSQL reads to write a download of every folder and every file. */
async function readsFor(id: number, chains: number, admin: boolean, numbering: Numbering): Promise<number> {
  const ids = Array.from({ length: chains * 3 }, (_, at) => at + 1)
  let reads = 0
  await db.transaction().execute(async (tx) => {
    const workspace = { ...importedRoom(id, admin), numbering }
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

it.each([
  ['an admin', true, 'fixed', 'no statistics'],
  ['a member', false, 'fixed', 'no statistics'],
  ['a member', false, 'per_reader', 'no statistics'],
  ['an admin', true, 'fixed', 'statistics of other rooms'],
  ['a member', false, 'fixed', 'statistics of other rooms'],
  ['a member', false, 'per_reader', 'statistics of other rooms'],
] as const)(
  'K3: twice the folders and files cost %s (admin: %s) twice the reads, with %s numbers and %s',
  async (_, admin, numbering, statistics) => {
    const first = (rooms += 2)
    if (statistics !== 'no statistics') await sql`analyze folder_permissions, folders, files`.execute(db)
    await importRoom(db, first, 100)
    await importRoom(db, first + 1, 200)
    expect(await readsFor(first + 1, 200, admin, numbering)).toBeLessThan(
      3 * (await readsFor(first, 100, admin, numbering)),
    )
  },
)

it.each([
  ['an admin', true],
  ['a member', false],
])('K30: delivering twice the folders and files costs %s twice the reads, without statistics', async (_, admin) => {
  const reads = async (id: number, chains: number) => {
    await importRoom(db, id, chains)
    const ids = Array.from({ length: chains * 3 }, (_each, at) => at + 1)
    return db.transaction().execute(async (tx) => {
      await sql`delete from folder_permissions where workspace_id = ${id} and not value`.execute(tx)
      const selection = await openSelection(tx, importedRoom(id, admin), { folder_ids: ids, file_ids: ids })
      const download = { ...(await insertDownload(tx, selection)), workspace: importedRoom(id, admin) } as never
      const before = await countReads(tx)
      await findHindrance(tx, download)
      expect(await listEntries(tx, download, 0)).not.toHaveLength(0)
      return (await countReads(tx)) - before
    })
  }
  const first = (rooms += 2)
  expect(await reads(first + 1, 150)).toBeLessThan(3 * (await reads(first, 75)))
})
