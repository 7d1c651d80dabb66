import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'

/** What each kind of job carries. */
export interface JobPayloads {
  mail: { to: string; subject: string; text: string; html: string }
  /** A download to be made ready. */
  zip: { workspace_id: number; download_id: number }
  /** Content to be scanned, converted, counted and read. */
  ingest: { workspace_id: number; blob_id: string }
}
export type JobKind = keyof JobPayloads

export type Job = { [K in JobKind]: { id: number; kind: K; payload: JobPayloads[K]; attempts: number } }[JobKind] & {
  /** The worker that had it before vanished while it ran: nobody knows how far it came. */
  interrupted: boolean
}

/** A worker renews its lease while it works; a lease that runs out means a worker that died. */
export const LEASE_SECONDS = 60
export const MAX_ATTEMPTS = 8
/** Mail servers ask strangers to come again in an hour, or are away for one: some six hours in all. */
export const MAX_MAIL_ATTEMPTS = 16
const FIRST_PAUSE_SECONDS = 5
const LONGEST_PAUSE_SECONDS = 3600

/** In the order of who is waiting for it. */
export const JOB_KINDS: readonly JobKind[] = ['mail', 'zip', 'ingest']

/** Writes a job in the transaction of the change it follows from: with a rollback there is no job. */
export async function enqueue<K extends JobKind>(db: Db, kind: K, payload: JobPayloads[K]): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ kind, payload: JSON.stringify(payload) })
    .execute()
}

/**
 * The job of the first of these kinds that has been due longest and that no other worker holds. It is chosen in a
 * materialized query: as a join, PostgreSQL may choose again for every row, skip what it has just taken, and lease them all.
 */
export async function takeJob(db: Db, kinds: readonly JobKind[] = JOB_KINDS): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    with due as materialized (
      select due.id, due.interrupted
      from unnest(${kinds}::text[]) with ordinality k (kind, place)
      cross join lateral (
        select id, leased_until is not null as interrupted from jobs
        where kind = k.kind and parked_at is null and run_at <= now() and (leased_until is null or leased_until < now())
        order by run_at limit 1 for update skip locked
      ) due
      order by k.place limit 1
    )
    update jobs set attempts = jobs.attempts + 1, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from due where jobs.id = due.id
    returning jobs.id, jobs.kind, jobs.payload, jobs.attempts, due.interrupted`.execute(db)
  return rows[0]
}

/** The number of attempts tells one worker's hold on a job from the next one's. */
type Held = Pick<Job, 'id' | 'attempts'>

export async function renewLease(db: Db, { id, attempts }: Held): Promise<void> {
  await sql`update jobs set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${id} and attempts = ${attempts}`.execute(db)
}

export async function finishJob(db: Db, { id, attempts }: Held): Promise<void> {
  await db.deleteFrom('jobs').where('id', '=', id).where('attempts', '=', attempts).execute()
}

export const attemptsOf = (kind: JobKind) => (kind === 'mail' ? MAX_MAIL_ATTEMPTS : MAX_ATTEMPTS)

/** Tries again after 5, 10, 20 … seconds, at last each hour; after the last attempt the job is parked, for people to look at. */
export async function failJob(db: Db, held: Held & Pick<Job, 'kind'>, reason: string): Promise<'again' | 'parked'> {
  if (held.attempts >= attemptsOf(held.kind)) {
    await parkJob(db, held, reason)
    return 'parked'
  }
  const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** (held.attempts - 1), LONGEST_PAUSE_SECONDS)
  await sql`update jobs set run_at = now() + make_interval(secs => ${pause}), leased_until = null, error = ${reason}
    where id = ${held.id} and attempts = ${held.attempts}`.execute(db)
  return 'again'
}

export async function parkJob(db: Db, { id, attempts }: Held, reason: string): Promise<void> {
  await sql`update jobs set parked_at = now(), leased_until = null, error = ${reason}
    where id = ${id} and attempts = ${attempts}`.execute(db)
}
