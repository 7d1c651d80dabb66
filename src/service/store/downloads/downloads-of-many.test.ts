import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSelection } from '../../access/enter/download.ts'
import { protectionsIn, rightsAmong, rightsIn } from '../../access/grants.ts'
import type { Db } from '../../db/pool.ts'
import { countReads, importedRoom, importRoom, openImportedRooms } from '../../testing/imported-rooms.ts'
import { findHindrance, listEntries } from './download-entries.ts'
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

let rooms = 0

/** The rows that PostgreSQL reads to write a download of every folder and every file. */
async function readsFor(id: number, chains: number, admin: boolean): Promise<number> {
  const ids = Array.from({ length: chains * 3 }, (_, at) => at + 1)
  let reads = 0
  await db.transaction().execute(async (tx) => {
    const workspace = importedRoom(id, admin)
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
  ['an admin', true, 'no statistics'],
  ['a member', false, 'no statistics'],
  ['an admin', true, 'statistics of other rooms'],
  ['a member', false, 'statistics of other rooms'],
])('K3: twice the folders and files cost %s twice the reads, with admin: %s and %s', async (_, admin, statistics) => {
  const first = (rooms += 2)
  if (statistics !== 'no statistics') await sql`analyze folder_permissions, folders, files`.execute(db)
  await importRoom(db, first, 100)
  await importRoom(db, first + 1, 200)
  expect(await readsFor(first + 1, 200, admin)).toBeLessThan(3 * (await readsFor(first, 100, admin)))
})

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
