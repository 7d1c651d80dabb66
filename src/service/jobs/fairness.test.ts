import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { type Db, openPool } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { noRoom } from '../base/errors.ts'
import { createDatabase } from '../testing/database/postgres.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { chargeShare, enqueue, MAX_ATTEMPTS, sweepShares, takeJob } from './queue.ts'
import { type Runners, runNextJob } from './run.ts'
import { needsMoreTime, outOfResources, type Turn } from './turn.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Db
beforeAll(async () => {
  database = await createDatabase(inject('databaseUrl'))
  db = openPool(database.url)
  await transaction(db, async (tx) => {
    // Skips foreign keys: the queue does not depend on organizations, teams and users.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into workspaces (organization_id, id, team_id, name) overriding system value
      values (1, 11, 1, 'Ours'), (1, 12, 1, 'Theirs'), (2, 21, 2, 'Elsewhere')`.execute(tx)
  })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(async () => {
  await db.deleteFrom('jobs').execute()
  await sql`delete from job_shares`.execute(db)
})

let made = 0
const upload = (workspace_id: number, user_id: number) =>
  enqueue(db, 'ingest', { workspace_id, user_id, blob_id: `${++made}` })
async function uploadPile(workspaceId: number, userId: number, count = 100): Promise<void> {
  for (let at = 0; at < count; at++) await upload(workspaceId, userId)
}
const charge = (workspace_id: number, user_id: number, seconds: number) =>
  chargeShare(db, { kind: 'ingest', workspace_id, user_id }, seconds)
const nextUser = async (wanted = {}) => (await takeJob(db, { kinds: ['ingest'], ...wanted }))?.user_id
const putBackOf = () =>
  db.selectFrom('jobs').select(['user_id', 'heavy', 'put_back', 'attempts', 'error', 'parked_at']).execute()

const nothing = async () => {}
type Ingest = Runners['ingest']
const runnersOf = (ingest: Ingest) =>
  ({
    mail: nothing,
    email_code: nothing,
    expert_mail: nothing,
    open_drafts: nothing,
    examine: nothing,
    zip: nothing,
    ingest,
  }) as Runners
const run = (ingest: Ingest, lanes?: Lanes) =>
  runNextJob(db, runnersOf(ingest), { kinds: ['ingest'], ...(lanes && { lanes }) })

const HONEST = 7

test.each([
  ['in the same workspace', 11],
  ['in another workspace', 12],
  ['in another organization', 21],
])('K6: the document of one user is next, before a hundred of other users %s', async (_, workspace) => {
  await uploadPile(workspace, 1)
  await uploadPile(12, 2)
  expect([await nextUser(), await nextUser()]).toEqual([expect.any(Number), expect.any(Number)])
  await charge(workspace, 1, 20)
  await charge(12, 2, 20)
  await upload(11, HONEST)
  expect(await nextUser()).toBe(HONEST)
})

test('K6: lane time of other users in a workspace does not count against a user', async () => {
  await uploadPile(11, 1)
  await charge(11, 1, 1000)
  await uploadPile(12, 2)
  await charge(12, 2, 6)
  await upload(11, HONEST)
  expect(await nextUser()).toBe(HONEST)
})

test('K6: the backlogs of one user in many workspaces count together', async () => {
  for (const workspace of [11, 12, 21]) await uploadPile(workspace, 1, 3)
  await charge(11, 1, 100)
  await upload(12, HONEST)
  expect(await nextUser()).toBe(HONEST)
})

test('among equals, the organization with the least lane time goes first, then the workspace', async () => {
  for (const [workspace, user] of [
    [11, 1],
    [12, 2],
    [21, 3],
  ] as const)
    await upload(workspace, user)
  await charge(11, 91, 30)
  await charge(12, 92, 20)
  await charge(21, 93, 10)
  expect([await nextUser(), await nextUser(), await nextUser()]).toEqual([3, 2, 1])
})

test('the jobs of one user keep their order, and used lane time decays', async () => {
  await upload(11, 1)
  await upload(11, 2)
  await upload(11, 1)
  await charge(11, 2, 1000)
  expect([await nextUser(), await nextUser(), await nextUser()]).toEqual([1, 1, 2])
  await upload(11, 1)
  await upload(11, 2)
  await charge(11, 1, 10)
  await sql`update job_shares set as_of = as_of - interval '10 days' where user_id = 2`.execute(db)
  expect(await nextUser()).toBe(2)
  await sweepShares(db)
  expect((await sql`select user_id from job_shares`.execute(db)).rows).toEqual([{ user_id: 1 }])
})

test('K6: one user never takes all lanes', async () => {
  await uploadPile(11, 1, 5)
  const lanes = createLanes({ count: 3, turnMs: 1000 })
  const take = () => lanes.take((wanted) => takeJob(db, { kinds: ['ingest'], ...wanted }))
  const first = await Promise.all([take(), take(), take()])
  expect(first.map((job) => job?.user_id)).toEqual([1, 1, undefined])
  await upload(12, HONEST)
  expect((await take())?.user_id).toBe(HONEST)
  expect(await take()).toBeUndefined()
  lanes.leave(1)
  expect((await take())?.user_id).toBe(1)
  await uploadPile(0, 0, 3)
  expect([await take(), await take(), await take()].map((job) => job?.user_id)).toEqual([0, 0, 0])
})

test('K6: a job that exceeds a quick turn continues in the lanes for long jobs, not in the others', async () => {
  await upload(11, 1)
  const quick = createLanes({ count: 2, turnMs: 1000 })
  const long = createLanes({ count: 1, turnMs: 1000, heavy: true })
  const seen: boolean[] = []
  const ingest = async (_: unknown, turn: Turn) => {
    seen.push(turn.heavy)
    if (!turn.heavy) throw needsMoreTime()
  }
  expect([await run(ingest, long), await run(ingest, quick), await run(ingest, quick)]).toEqual([false, true, false])
  expect(await putBackOf()).toMatchObject([{ heavy: true, put_back: 1, parked_at: null }])
  expect(await run(ingest, long)).toBe(true)
  expect(seen).toEqual([false, true])
  expect(await putBackOf()).toEqual([])
})

test('K6: a job that only waits is aborted at the end of a quick turn', async () => {
  await upload(11, 1)
  const quick = createLanes({ count: 1, turnMs: 20, abortMs: 20 })
  await run(
    (_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('x')))),
    quick,
  )
  expect(await putBackOf()).toMatchObject([{ heavy: true, put_back: 1 }])
})

test('a long job that keeps its progress yields between two steps', async () => {
  await upload(11, 1)
  const lanes = createLanes({ count: 1, turnMs: 5 })
  const done: number[] = []
  let left = 3
  let asked: Promise<unknown> | undefined
  const ingest: Ingest = async ({ user_id = 0 }, turn) => {
    if (user_id === HONEST) return void done.push(HONEST)
    await (asked ??= upload(12, HONEST))
    for (; left > 0; left--) {
      turn.check()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    done.push(user_id)
  }
  while (await run(ingest, lanes));
  expect(done).toEqual([HONEST, 1])
})

test('a turn without progress is not repeated at once', async () => {
  await upload(11, 1)
  const lanes = createLanes({ count: 1, turnMs: -1 })
  await run(async (_, turn) => turn.check(false), lanes)
  expect(await putBackOf()).toMatchObject([{ put_back: 1 }])
  expect(await nextUser()).toBeUndefined()
})

test('a job that a stopping worker gives back is due at once', async () => {
  await upload(11, 1)
  const stop = AbortSignal.abort()
  const lanes = createLanes({ count: 1, turnMs: 1000 })
  const ingest: Ingest = async (_, { signal }) => signal.throwIfAborted()
  await runNextJob(db, runnersOf(ingest), { kinds: ['ingest'], lanes, stop })
  expect(await putBackOf()).toMatchObject([{ heavy: false, put_back: 1 }])
  expect(await nextUser()).toBe(1)
})

test.each<[string, Error]>([
  ['memory of the machine', outOfResources('The machine ran out of memory.')],
  ['room on the disk', noRoom()],
  ['room on the disk of a tool', new Error('ENOSPC: no space left on device, write')],
  ['room in the database', Object.assign(new Error('could not extend file'), { code: '53100' })],
  ['processes', Object.assign(new Error('spawn bwrap'), { code: 'EAGAIN' })],
])('J6: a job that lacks %s is retried without limit and never parked', async (_, lack) => {
  await upload(11, 1)
  for (let attempt = 0; attempt < 2 * MAX_ATTEMPTS; attempt++) {
    await run(() => Promise.reject(lack))
    expect(await nextUser()).toBeUndefined()
    await sql`update jobs set run_at = now()`.execute(db)
  }
  expect(await putBackOf()).toMatchObject([{ error: lack.message, parked_at: null, heavy: false }])
  await run(nothing)
  expect(await putBackOf()).toEqual([])
})

test('taking a job reads few rows, whatever the length of the queue', async () => {
  await sql`
    insert into jobs (kind, payload)
    select 'ingest', jsonb_build_object('workspace_id', 11 + number % 2, 'user_id', number % 20, 'blob_id', 'b' || number)
    from generate_series(1, 20000) number`.execute(db)
  await sql`analyze jobs`.execute(db)
  const blocks = async () => {
    const { rows } = await sql<{ blocks: number }>`
      select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as blocks
      from pg_statio_user_tables where relname = 'jobs'`.execute(db)
    return rows[0]?.blocks ?? 0
  }
  const settle = () => sql`select pg_stat_force_next_flush(), pg_stat_clear_snapshot()`.execute(db)
  await settle()
  const before = await blocks()
  for (let take = 0; take < 20; take++) await takeJob(db, { kinds: ['ingest'] })
  await settle()
  // Each of the twenty users costs some index pages.
  expect((await blocks()) - before).toBeLessThan(20 * 400)
})
