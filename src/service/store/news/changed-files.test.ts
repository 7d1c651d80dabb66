import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { importedRoom, importRoom, openImportedRooms } from '../../testing/imported-rooms.ts'
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
const change = (user: number, count: number, days: number) =>
  sql`
  insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id, created_at)
  select 1, ${user}::int, 'Someone', 'updated', 'updated', 'Asset', ${user}::int * 10 + n % 5,
    now() - ${days}::int * interval '1 day' - n * interval '1 second'
  from generate_series(1, ${count}::int) n`.execute(db)

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

/** The entries of indexes of the activities that the present transaction has read so far. */
async function entriesRead(tx: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0)::int as read from pg_index
    where indrelid = 'activities'::regclass`.execute(tx)
  return rows[0]?.read ?? 0
}
