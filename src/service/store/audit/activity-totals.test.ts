import { sql } from 'kysely'
import { inject } from 'vitest'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Db, openPool } from '../../db/pool.ts'
import { createDatabase } from '../../testing/database/postgres.ts'
import { importedRoom } from '../../testing/imported-rooms.ts'
import { listActivities } from './activities.ts'
import type { ActivityFilters } from './activity-page.ts'

const OLD = 3000
const PAGE = { page: 1, per_page: 25 }
const workspace = importedRoom(1, true)

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Db
beforeAll(async () => {
  database = await createDatabase(inject('databaseUrl'))
  db = openPool(database.url, 4)
  // A vacuum would let index-only scans read activities that are not counted as read.
  await sql`alter table activities set (autovacuum_enabled = false)`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** Records acts of several users, verbs and subjects, each some minutes before the previous one. */
const recordActs = (on: Db, count: number, minutesApart: number) =>
  sql`
  insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id, created_at, act, params)
  select w, n % 3, 'Someone', (array['viewed', 'updated', 'joined'])[n % 3 + 1], 'did', (array['Asset', 'Group', null])[n % 5 % 3 + 1],
    n % 7, now() - make_interval(mins => n * ${minutesApart}::int), 'joined', '{}'
  from generate_series(1, ${count}::int) n cross join unnest(array[1, 2]) w`.execute(on)

const day = async (ago: number) =>
  (await sql<{ day: string }>`select (now() - make_interval(days => ${ago}))::date::text as day`.execute(db)).rows[0]
    ?.day

async function everyFilter(): Promise<ActivityFilters[]> {
  const [from, to] = [await day(9), await day(2)]
  const withDays = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bits) =>
    [
      {},
      { verb: 'viewed' },
      { subject_type: 'Group' },
      { verb: 'updated', subject_type: 'Asset' },
      { subject_id: 3 },
      { except_user_id: 2 },
      { except_user_id: 2, verb: 'viewed' },
    ].map((filters) => ({
      ...filters,
      ...(bits & 1 && { user_id: 1 }),
      ...(bits & 2 && { from }),
      ...(bits & 4 && { to }),
    })),
  )
  const zoned = [{}, { verb: 'viewed' }, { user_id: 1 }, { except_user_id: 2 }].flatMap((filters) =>
    ZONES.flatMap((time_zone) => [
      { ...filters, time_zone, from },
      { ...filters, time_zone, to },
      { ...filters, time_zone, from, to },
      { ...filters, time_zone, from, to: from },
    ]),
  )
  return [...withDays, ...zoned]
}

const ZONES = ['Asia/Kolkata', 'Pacific/Kiritimati', 'America/Santiago']

async function countedBy({
  user_id,
  except_user_id,
  verb,
  subject_type,
  subject_id,
  from,
  to,
  time_zone = 'UTC',
}: ActivityFilters): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from activities where workspace_id = 1
    and coalesce(user_id = ${user_id ?? null}::int, true) and coalesce(user_id <> ${except_user_id ?? null}::int, true) and coalesce(verb = ${verb ?? null}::text, true)
    and (${subject_type ?? null}::text is null or subject_type = ${subject_type ?? null})
    and coalesce(subject_id = ${subject_id ?? null}::int, true)
    and coalesce((created_at at time zone ${time_zone})::date >= ${from ?? null}::date, true)
    and coalesce((created_at at time zone ${time_zone})::date <= ${to ?? null}::date, true)`.execute(db)
  return rows[0]?.total ?? 0
}

async function expectTrueTotals(): Promise<void> {
  for (const filters of await everyFilter()) {
    const { total_items } = await listActivities(db, workspace, filters, PAGE)
    expect([filters, total_items]).toEqual([filters, await countedBy(filters)])
  }
}

const countedUntil = async () =>
  (await sql<{ until: string }>`select until from activity_totals_until where workspace_id = 1`.execute(db)).rows[0]
    ?.until

it('the totals of every filter are true, before and after old activities were counted', async () => {
  await recordActs(db, OLD, 5)
  await expectTrueTotals()
  await vi.waitFor(async () => expect(await countedUntil()).toBeDefined())
  await expectTrueTotals()
  await recordActs(db, 5, 0)
  await expectTrueTotals()
})

it('the totals stay true while several processes keep them', async () => {
  const pools = [1, 2, 3].map(() => openPool(database.url, 2))
  await sql`update activities set created_at = created_at - interval '1 hour'`.execute(db)
  await sql`delete from activity_totals`.execute(db)
  await sql`delete from activity_totals_until`.execute(db)
  await Promise.all(pools.map((pool) => listActivities(pool, workspace, {}, PAGE)))
  await vi.waitFor(async () => expect(await countedUntil()).toBeDefined())
  await Promise.all(pools.map((pool) => pool.destroy()))
  await expectTrueTotals()
})

/** The activities that the count for a page far beyond the last one reads. */
async function readsOf(tx: Db, filters: ActivityFilters): Promise<number> {
  const before = await countReads(tx)
  await listActivities(tx, workspace, filters, { page: 100_000, per_page: 25 })
  return (await countReads(tx)) - before
}

async function countReads(tx: Db): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as reads
    from pg_stat_xact_user_tables where relname = 'activities'`.execute(tx)
  return rows[0]?.reads ?? 0
}

const A_DAY = 24 * 60

it('K39: an activity that was counted is not read again, whatever the filter', async () => {
  const tx = await db.startTransaction().execute()
  for (const filters of (await everyFilter()).filter(({ subject_id }) => subject_id === undefined)) {
    // The parts of UTC days at the ends of days of another time zone.
    const most = filters.time_zone === undefined ? 50 : 2 * (A_DAY / 5)
    expect([filters, (await readsOf(tx, filters)) < most]).toEqual([filters, true])
  }
  await sql`delete from activity_totals_until`.execute(tx)
  expect(await readsOf(tx, {})).toBeGreaterThanOrEqual(OLD)
  await tx.rollback().execute()
})
