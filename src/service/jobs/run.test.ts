import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { type Db, openPool } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { createDatabase } from '../testing/database/postgres.ts'
import { processName } from '../base/process-name.ts'
import {
  enqueue,
  freeOrphans,
  giveBackJobs,
  hasDueJob,
  type JobPayloads,
  MAX_ATTEMPTS,
  MAX_DEATHS,
  MAX_MAIL_ATTEMPTS,
  msUntilDue,
  takeJob,
} from './queue.ts'
import { createIdling } from './idle.ts'
import { runNextJob, type Runners } from './run.ts'
import { outOfMemory } from './turn.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Db
beforeAll(async () => {
  database = await createDatabase(inject('databaseUrl'))
  db = openPool(database.url)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(() => db.deleteFrom('jobs').execute())

const mail = (to: string): JobPayloads['mail'] => ({ to, subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' })
const jobs = () => db.selectFrom('jobs').selectAll().execute()
const makeDue = () => sql`update jobs set run_at = now()`.execute(db)

/** Records the mail sent. The first `failures` attempts fail. */
function recorder(failures = 0) {
  const sent: string[] = []
  const runners: Runners = {
    mail: async ({ to }) => {
      if (failures-- > 0) throw new Error('the server is busy')
      sent.push(to)
    },
    email_code: async () => {},
    expert_mail: async () => {},
    open_drafts: async () => {},
    examine: async () => {},
    zip: async () => {},
    ingest: async () => {},
  }
  return { sent, runners }
}

test('a job runs once and is deleted', async () => {
  const { sent, runners } = recorder()
  await enqueue(db, 'mail', mail('bob@example.com'))
  expect([await runNextJob(db, runners), await runNextJob(db, runners)]).toEqual([true, false])
  expect(sent).toEqual(['bob@example.com'])
  expect(await jobs()).toEqual([])
})

test('taking a job leases only that job, whatever plan the statistics suggest', async () => {
  await enqueue(db, 'zip', { workspace_id: 1, download_id: 0 })
  // With one row in the statistics, the planner reads the table first and picks a job for each of its rows.
  await sql`vacuum analyze jobs`.execute(db)
  for (let id = 1; id <= 5; id++) await enqueue(db, 'zip', { workspace_id: 1, download_id: id })
  for (let taken = 1; taken <= 6; taken++) {
    const job = await takeJob(db, { kinds: ['mail', 'zip'] })
    const held = (await jobs()).filter(({ leased_until }) => leased_until !== null)
    expect(held.map(({ id }) => id)).toEqual([job?.id])
    await db
      .deleteFrom('jobs')
      .where('id', '=', job?.id ?? 0)
      .execute()
  }
})

test('idle lanes look for due jobs together, and all continue when there is one', async () => {
  const looks: unknown[] = []
  const untilDue = createIdling(
    db.withPlugin({
      transformQuery: ({ node, queryId }) => (looks.push(queryId), node),
      transformResult: async ({ result }) => result,
    }),
  )
  const { signal } = new AbortController()
  const lanes = Array.from({ length: 9 }, () => untilDue(signal))
  while (looks.length < 3) await setTimeout(10)
  await enqueue(db, 'mail', mail('bob@example.com'))
  await Promise.all(lanes)
  expect(looks.length).toBeLessThan(9)
})

test('an idle lane stops waiting when the worker stops', async () => {
  const stopping = new AbortController()
  const waiting = createIdling(db)(stopping.signal)
  stopping.abort()
  await expect(waiting).resolves.toBeUndefined()
})

test('a job that is leased, parked or planned for later is not due', async () => {
  await enqueue(db, 'zip', { workspace_id: 1, download_id: 1 })
  expect(await hasDueJob(db)).toBe(true)
  await takeJob(db)
  expect(await hasDueJob(db)).toBe(false)
  await sql`update jobs set leased_until = now() - interval '1 second'`.execute(db)
  expect(await hasDueJob(db)).toBe(true)
  await sql`update jobs set run_at = now() + interval '1 minute'`.execute(db)
  expect(await hasDueJob(db)).toBe(false)
  await sql`update jobs set run_at = now(), parked_at = now()`.execute(db)
  expect(await hasDueJob(db)).toBe(false)
})

test('a worker idles while there are only jobs of other kinds', async () => {
  await enqueue(db, 'zip', { workspace_id: 1, download_id: 1 })
  expect(await hasDueJob(db, ['mail', 'email_code'])).toBe(false)
  expect(await msUntilDue(db, ['mail', 'email_code'])).toBe(Infinity)
  expect(await msUntilDue(db, ['zip'])).toBe(0)
})

test('a worker that must end gives its jobs back at once, except mails, which may have been sent', async () => {
  await enqueue(db, 'zip', { workspace_id: 1, download_id: 1 })
  await enqueue(db, 'mail', mail('bob@example.com'))
  const zip = await takeJob(db, { kinds: ['zip'] })
  await takeJob(db, { kinds: ['mail'] })
  await giveBackJobs(db)
  const again = await takeJob(db)
  expect(again).toMatchObject({ id: zip?.id, interrupted: false, deaths: 0, put_back: 1 })
  expect(await takeJob(db)).toBeUndefined()
})

test('a transaction that is rolled back leaves no job', async () => {
  await transaction(db, async (tx) => {
    await enqueue(tx, 'mail', mail('bob@example.com'))
    throw new Error('changed my mind')
  }).catch(() => {})
  expect(await jobs()).toEqual([])
})

test('many workers share the jobs and run none twice', async () => {
  const { sent, runners } = recorder()
  const people = Array.from({ length: 40 }, (_, at) => `person${at}@example.com`)
  for (const person of people) await enqueue(db, 'mail', mail(person))
  const worker = async () => {
    while (await runNextJob(db, runners));
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  expect(sent.toSorted()).toEqual(people.toSorted())
})

test('a failed job is retried after growing pauses', async () => {
  const { sent, runners } = recorder(2)
  await enqueue(db, 'mail', mail('bob@example.com'))
  const pauses: number[] = []
  for (let attempt = 1; attempt <= 2; attempt++) {
    await runNextJob(db, runners)
    expect(await runNextJob(db, runners)).toBe(false)
    const { rows } = await sql<{ pause: number; error: string }>`
      select extract(epoch from run_at - now())::int as pause, error from jobs`.execute(db)
    expect(rows[0]?.error).toBe('the server is busy')
    pauses.push(rows[0]?.pause ?? 0)
    await makeDue()
  }
  await runNextJob(db, runners)
  expect(pauses).toEqual([5, 10])
  expect(sent).toEqual(['bob@example.com'])
})

test('F3: a job that never succeeds is parked and does not stop the others', async () => {
  const { runners } = recorder(MAX_MAIL_ATTEMPTS)
  await enqueue(db, 'mail', mail('nobody@example.com'))
  for (let attempt = 0; attempt < MAX_MAIL_ATTEMPTS; attempt++) {
    await runNextJob(db, runners)
    await makeDue()
  }
  await enqueue(db, 'mail', mail('bob@example.com'))
  expect([await runNextJob(db, runners), await runNextJob(db, runners)]).toEqual([true, false])
  expect(await jobs()).toMatchObject([
    { attempts: MAX_MAIL_ATTEMPTS, error: 'the server is busy', parked_at: expect.any(String) },
  ])
})

test('each kind of job has its own queue, and the first requested kind goes first', async () => {
  const key = (at: number) => ({ workspace_id: 1, blob_id: String(at) })
  for (let at = 0; at < 3; at++) await enqueue(db, 'ingest', key(at))
  await enqueue(db, 'mail', mail('bob@example.com'))
  const kinds = [
    await takeJob(db),
    await takeJob(db),
    await takeJob(db, { kinds: ['mail', 'zip'] }),
    await takeJob(db, { kinds: ['ingest'] }),
  ]
  expect(kinds.map((job) => job?.kind)).toEqual(['mail', 'ingest', undefined, 'ingest'])
})

test('parking a job reports the reason', async () => {
  const told: string[] = []
  const runners = { ...recorder().runners, ingest: () => Promise.reject(new Error('the disk is away')) }
  const whenParked = { ingest: async (key: { blob_id: string }, reason: string) => void told.push(key.blob_id, reason) }
  await enqueue(db, 'ingest', { workspace_id: 1, blob_id: 'a' })
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    expect(told).toEqual([])
    await runNextJob(db, runners, { whenParked })
    await makeDue()
  }
  expect(told).toEqual(['a', 'the disk is away'])
})

test('a mail whose worker died is parked, because it may have been sent', async () => {
  const { sent, runners } = recorder()
  await enqueue(db, 'mail', mail('bob@example.com'))
  await takeJob(db)
  expect(await runNextJob(db, runners)).toBe(false)
  await sql`update jobs set leased_until = now() - interval '1 second'`.execute(db)
  expect(await runNextJob(db, runners)).toBe(true)
  expect(sent).toEqual([])
  expect(await jobs()).toMatchObject([{ parked_at: expect.any(String), error: expect.stringContaining('died') }])
})

test('a mail that was sent is not sent again when the database fails afterwards', async () => {
  const { sent, runners } = recorder()
  await enqueue(db, 'mail', mail('bob@example.com'))
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$`.execute(
    db,
  )
  await sql`create trigger refuse before delete on jobs for each row execute function refuse()`.execute(db)
  await expect(runNextJob(db, runners)).rejects.toThrow('the disk is full')
  await sql`drop trigger refuse on jobs`.execute(db)
  expect(await runNextJob(db, runners)).toBe(false)
  await sql`update jobs set leased_until = now() - interval '1 second'`.execute(db)
  await runNextJob(db, runners)
  expect(sent).toEqual(['bob@example.com'])
  expect(await jobs()).toMatchObject([{ parked_at: expect.any(String) }])
})

/** A process of this machine with this process's id and another start time. */
const DEAD = processName().replace(/\d+$/, '1')
const die = () => sql`update jobs set leased_by = ${DEAD} where leased_until is not null`.execute(db)
const pause = async () =>
  (await sql<{ seconds: number }>`select extract(epoch from run_at - now())::int as seconds from jobs`.execute(db))
    .rows[0]?.seconds

test.skipIf(process.platform !== 'linux')(
  'J4: a job whose worker was killed is freed at once, and other jobs stay leased',
  async () => {
    await enqueue(db, 'zip', { workspace_id: 1, download_id: 1 })
    await takeJob(db)
    await die()
    await enqueue(db, 'zip', { workspace_id: 1, download_id: 2 })
    await takeJob(db)
    expect(await takeJob(db)).toBeUndefined()
    expect(await freeOrphans(db)).toBe(1)
    expect(await takeJob(db)).toMatchObject({ payload: { download_id: 1 }, interrupted: true, deaths: 1 })
    expect(await takeJob(db)).toBeUndefined()
  },
)

test.skipIf(process.platform !== 'linux')(
  'K21: a job that kills its workers waits longer each time, and is parked',
  async () => {
    const told: string[] = []
    const whenParked = { ingest: async (_: unknown, reason: string) => void told.push(reason) }
    await enqueue(db, 'ingest', { workspace_id: 1, blob_id: 'a' })
    const pauses: unknown[] = []
    for (let death = 1; death <= MAX_DEATHS; death++) {
      expect(await takeJob(db)).toMatchObject({ deaths: death - 1 })
      await die()
      await freeOrphans(db)
      pauses.push(await pause())
      await makeDue()
    }
    expect(pauses).toEqual([0, 5, 10, 20, 40])
    let runs = 0
    const runners: Runners = { ...recorder().runners, ingest: async () => void runs++ }
    expect(await runNextJob(db, runners, { whenParked })).toBe(true)
    expect({ runs, told }).toEqual({ runs: 0, told: [expect.stringContaining('died')] })
  },
)

test('K21: a job whose tool the kernel kills waits longer each time, and is parked with that reason', async () => {
  const told: string[] = []
  const whenParked = { ingest: async (_: unknown, reason: string) => void told.push(reason) }
  await enqueue(db, 'ingest', { workspace_id: 1, blob_id: 'a' })
  const runners: Runners = { ...recorder().runners, ingest: () => Promise.reject(outOfMemory()) }
  const pauses: unknown[] = []
  for (let death = 1; death <= MAX_DEATHS; death++) {
    expect(told).toEqual([])
    await runNextJob(db, runners, { whenParked })
    pauses.push(await pause())
    await makeDue()
  }
  expect(pauses.slice(0, -1)).toEqual([5, 10, 20, 40])
  expect(told).toEqual(['The machine ran out of memory.'])
})
