import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { countReads, importedRoom, importRoom, openImportedRooms } from '../../testing/imported-rooms.ts'
import { listNews } from './news.ts'
import { listNewsItems } from './news-items.ts'
import { listUnread } from './unread.ts'

const OWN = 50_000

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openImportedRooms())
  await importRoom(db, 1, 100)
  await sql`insert into users (organization_id, id, email, token_hash, token_sealed) values (1, 1, 'a@b.test', '', '')`.execute(
    db,
  )
  await sql`insert into workspace_memberships (workspace_id, user_id, organization_id) values (1, 1, 1)`.execute(db)
  for (const user of [2, 3]) await change(user, 3, 5)
  await change(1, OWN, 2)
})
afterAll(() => close())

/** Changes of a user to the first files of the room, some days ago. */
const change = (user: number, count: number, days: number, to = db) =>
  sql`
  insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id, created_at)
  select 1, ${user}::int, 'Someone', 'updated', 'updated', 'Asset', ${user}::int * 10 + n % 5,
    now() - ${days}::int * interval '1 day' - n * interval '1 second'
  from generate_series(1, ${count}::int) n`.execute(to)

const workspace = importedRoom(1, true) as Workspace
const ids = async (tx: Db) => (await listNewsItems(tx, [workspace])).map(({ file }) => file?.file_id)

it('news name what others changed before thousands of own changes, each file once, newest first', async () => {
  expect(await ids(db)).toEqual([31, 21, 32, 22, 33, 23])
  expect((await listUnread(db, workspace)).file_ids).toEqual([21, 22, 23, 31, 32, 33])
  expect(await listNews(db, [workspace])).toMatchObject([{ new_files: 6, unread_files: 6 }])
})

it('a person with thousands of own changes reads no more of them than the newest', async () => {
  const tx = await db.startTransaction().execute()
  try {
    const before = await entriesRead(tx)
    await ids(tx)
    expect((await entriesRead(tx)) - before).toBeLessThan(OWN / 10)
  } finally {
    await tx.rollback().execute()
  }
})

it.each([
  [0, 'few changes that the member may view'],
  [700, 'changes that the member may view as the newest'],
])('K112: news of a member do not depend on how often hidden files changed, with %i %s', async (own) => {
  const tx = await db.startTransaction().execute()
  await sql`insert into groups (workspace_id, id, name) values (1, 9, 'Bidders')`.execute(tx)
  await sql`insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
    select 1, 9, 'view', id, id_path, true from folders where workspace_id = 1 and id in (21, 31)`.execute(tx)
  const member = { ...importedRoom(1, false), group_ids: [9] } as Workspace
  const seen = async (tx: Db) => [
    (await listNewsItems(tx, [member])).map(({ file, at }) => [file?.file_id, at]),
    (await listUnread(tx, member)).file_ids,
    (await listNews(tx, [member])).map(({ new_files, unread_files }) => [new_files, unread_files]),
  ]
  try {
    await change(3, own, 2, tx)
    const before = await seen(tx)
    expect(before.slice(1)).toEqual([[21, 31, 32, 33], [[4, 4]]])
    for (const count of [1, 150, 349, 1600, 3000]) {
      await change(4, count, 1, tx)
      expect(await seen(tx)).toEqual(before)
    }
  } finally {
    await tx.rollback().execute()
  }
})

it('news of a room that PostgreSQL has no statistics of read its files and folders a few times', async () => {
  const tx = await db.startTransaction().execute()
  try {
    await importRoom(tx, 2, 700)
    await sql`insert into workspace_memberships (workspace_id, user_id, organization_id) values (2, 1, 1)`.execute(tx)
    await sql`
      insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id)
      select 2, 2, 'Someone', 'created', 'created', 'Asset', id from files where workspace_id = 2`.execute(tx)
    const before = await countReads(tx)
    expect(await listNews(tx, [importedRoom(2, false)])).toMatchObject([{ new_files: 500 }])
    const reads = (await countReads(tx)) - before
    expect(reads).toBeLessThan(10 * 3 * 700)
  } finally {
    await tx.rollback().execute()
  }
})

it('K112: news of access do not depend on how often the access of other groups changed', async () => {
  const tx = await db.startTransaction().execute()
  try {
    await sql`insert into group_memberships (workspace_id, group_id, user_id, created_at) values (1, 1, 1, now() - interval '100 days')`.execute(
      tx,
    )
    const grant = (group: number, count: number, days: number) =>
      sql`
      insert into activities (workspace_id, user_id, user_name, verb, act, message, subject_type, subject_id, created_at)
      select 1, 2, 'Someone', 'added', 'view_granted', 'granted', 'Group', ${group}::int, now() - ${days}::int * interval '1 day'
      from generate_series(1, ${count}::int)`.execute(tx)
    const member = { ...importedRoom(1, false), group_ids: [1] } as Workspace
    const access = async () => (await listNewsItems(tx, [member])).filter((item) => item.access)
    await grant(1, 1, 3)
    const before = await access()
    expect(before).toHaveLength(1)
    await grant(2, 600, 1)
    expect(await access()).toEqual(before)
  } finally {
    await tx.rollback().execute()
  }
})

/** The entries of indexes of the activities that the present transaction has read so far. */
async function entriesRead(tx: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0)::int as read from pg_index
    where indrelid = 'activities'::regclass`.execute(tx)
  return rows[0]?.read ?? 0
}
