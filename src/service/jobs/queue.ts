import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { hasEnded, processName } from '../process-name.ts'

/** What each kind of job carries. */
export interface JobPayloads {
  mail: { to: string; subject: string; text: string; html: string }
  /** A code to be made and mailed to the address that a user wants. */
  email_code: { organization_id: number; user_id: number; email: string }
  /** A download to be made ready. */
  zip: { workspace_id: number; download_id: number } & ForUser
  /** Content to be scanned, converted, counted and read. */
  ingest: { workspace_id: number; blob_id: string } & ForUser
}

/** Whose turn at the lanes the work takes. */
interface ForUser {
  user_id?: number
}
export type JobKind = keyof JobPayloads

export type Job = { [K in JobKind]: { id: number; kind: K; payload: JobPayloads[K] } }[JobKind] & Facts

interface Facts {
  attempts: number
  /** Attempts that were put back and count towards no limit. */
  put_back: number
  /** Attempts that ended with the death of a worker or of a tool, this one's predecessor included. */
  deaths: number
  workspace_id: number
  user_id: number
  heavy: boolean
  /** The worker that had it before vanished while it ran: nobody knows how far it came. */
  interrupted: boolean
}

/** A worker renews its lease while it works; a lease that runs out means a worker that died. */
export const LEASE_SECONDS = 20
export const MAX_ATTEMPTS = 8
/** A job at which workers or tools die this often is at fault itself. */
export const MAX_DEATHS = 5
/** Mail servers ask strangers to come again in an hour, or are away for one: some six hours in all. */
export const MAX_MAIL_ATTEMPTS = 16
const FIRST_PAUSE_SECONDS = 5
const LONGEST_PAUSE_SECONDS = 3600

/** In the order of who is waiting for it. */
export const JOB_KINDS: readonly JobKind[] = ['mail', 'email_code', 'zip', 'ingest']

/** Writes a job in the transaction of the change it follows from: with a rollback there is no job. */
export async function enqueue<K extends JobKind>(db: Db, kind: K, payload: JobPayloads[K]): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ kind, payload: JSON.stringify(payload) })
    .execute()
}

/** Seconds that a quick turn takes at most; users are compared by how many such turns they had lately. */
export const TURN_SECONDS = 5
/** After this many seconds, half of the time that lanes worked for a user is forgotten. */
const HALF_LIFE_SECONDS = 300

export interface Wanted {
  kinds?: readonly JobKind[]
  /** Only jobs that exceeded a turn, or only those that did not; both when absent. */
  heavy?: boolean | undefined
  /** Users who have enough jobs running. */
  except?: readonly number[]
}

/** A due job of the first of these kinds that has one, for the user whose turn it is. No other worker holds it. */
export async function takeJob(
  db: Db,
  { kinds = JOB_KINDS, heavy, except = [] }: Wanted = {},
): Promise<Job | undefined> {
  for (const kind of kinds) {
    for (const weight of heavy === undefined ? [false, true] : [heavy]) {
      const job = await takeFairly(db, kind, weight, except)
      if (job) return job
    }
  }
  return undefined
}

/**
 * Users who had few turns lately go first: their level is the binary logarithm of that number, so that a user without any
 * never waits behind the pile of another. Within a level, the organization with the least time goes first, then the
 * workspace, then the user. Users who have jobs are found by skipping through the index; the nested loop keeps the order.
 * The job is chosen in a materialized query: as a join, PostgreSQL may choose again for every row, skip what it has just
 * taken, and lease them all.
 */
async function takeFairly(db: Db, kind: JobKind, heavy: boolean, except: readonly number[]): Promise<Job | undefined> {
  const waiting = sql`kind = ${kind} and heavy = ${heavy} and parked_at is null`
  const { rows } = await sql<Job>`
    with recursive party as (
      (select workspace_id, user_id from jobs where ${waiting} order by workspace_id, user_id limit 1)
      union all
      select following.* from party cross join lateral (
        select workspace_id, user_id from jobs
        where ${waiting} and (workspace_id, user_id) > (party.workspace_id, party.user_id)
        order by workspace_id, user_id limit 1
      ) following
    ), share as (
      select s.workspace_id, s.user_id, coalesce(w.organization_id, 0) as organization_id,
        s.seconds * ${decay(sql`s.as_of`)} as seconds
      from job_shares s left join workspaces w on w.id = s.workspace_id where s.kind = ${kind}
    ), turn as (
      select p.workspace_id, p.user_id from party p
      left join workspaces w on w.id = p.workspace_id
      left join (select user_id, sum(seconds) as seconds from share group by 1) own on own.user_id = p.user_id
      left join (select organization_id, sum(seconds) as seconds from share group by 1) organization
        on organization.organization_id = coalesce(w.organization_id, 0)
      left join (select workspace_id, sum(seconds) as seconds from share group by 1) workspace
        on workspace.workspace_id = p.workspace_id
      where p.user_id <> all (${except}::int[])
      order by floor(log(2, 1 + coalesce(own.seconds, 0)::numeric / ${TURN_SECONDS}::numeric)),
        coalesce(organization.seconds, 0), coalesce(workspace.seconds, 0), coalesce(own.seconds, 0), p.user_id
    ), due as materialized (
      select due.id, due.interrupted from turn cross join lateral (
        select id, leased_until is not null as interrupted from jobs
        where ${waiting} and workspace_id = turn.workspace_id and user_id = turn.user_id
          and run_at <= now() and (leased_until is null or leased_until < now())
        order by run_at limit 1 for update skip locked
      ) due limit 1
    )
    update jobs set attempts = jobs.attempts + 1, leased_until = now() + make_interval(secs => ${LEASE_SECONDS}),
      leased_by = ${processName()}, deaths = jobs.deaths + due.interrupted::int
    from due where jobs.id = due.id
    returning jobs.id, jobs.kind, jobs.payload, jobs.attempts, jobs.put_back, jobs.deaths, jobs.workspace_id,
      jobs.user_id, jobs.heavy, due.interrupted`.execute(db)
  return rows[0]
}

/** Beyond 60 half-lives nothing is left, and smaller factors underflow. */
const decay = (since: RawBuilder<unknown>) =>
  sql`power(0.5, least(extract(epoch from now() - ${since})::float8 / ${HALF_LIFE_SECONDS}, 60))`

/** Notes how long a lane worked for the user of a job. */
export async function chargeShare(
  db: Db,
  { kind, workspace_id, user_id }: Pick<Job, 'kind' | 'workspace_id' | 'user_id'>,
  seconds: number,
): Promise<void> {
  await sql`
    insert into job_shares (kind, workspace_id, user_id, seconds, as_of)
    values (${kind}, ${workspace_id}, ${user_id}, ${seconds}, now())
    on conflict (kind, workspace_id, user_id) do update set
      seconds = job_shares.seconds * ${decay(sql`job_shares.as_of`)} + excluded.seconds, as_of = now()`.execute(db)
}

/** Deletes shares that have decayed. */
export async function sweepShares(db: Db): Promise<void> {
  await sql`delete from job_shares where as_of < now() - make_interval(secs => ${20 * HALF_LIFE_SECONDS})`.execute(db)
}

/** The number of attempts tells one worker's hold on a job from the next one's. */
type Held = Pick<Job, 'id' | 'attempts'>

export async function renewLease(db: Db, { id, attempts }: Held): Promise<void> {
  await sql`update jobs set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${id} and attempts = ${attempts}`.execute(db)
}

/**
 * Frees jobs whose worker was killed on this machine, instead of when their leases run out: at once after the first death,
 * and after growing pauses when workers die of the job again. @returns how many
 */
export async function freeOrphans(db: Db): Promise<number> {
  const { rows } = await sql<{ leased_by: string }>`
    select distinct leased_by from jobs where leased_until >= now() and leased_by is not null`.execute(db)
  const gone = rows.map((row) => row.leased_by).filter(hasEnded)
  if (gone.length === 0) return 0
  const pause = sql`least(${FIRST_PAUSE_SECONDS} * 2 ^ (deaths - 1), ${LONGEST_PAUSE_SECONDS})`
  const freed = await sql`
    update jobs set leased_until = now() - interval '1 ms',
      run_at = now() + make_interval(secs => case when deaths = 0 then 0 else ${pause} end)
    where leased_by = any(${gone}) and leased_until >= now()`.execute(db)
  return Number(freed.numAffectedRows)
}

export async function finishJob(db: Db, { id, attempts }: Held): Promise<void> {
  await db.deleteFrom('jobs').where('id', '=', id).where('attempts', '=', attempts).execute()
}

export const attemptsOf = (kind: JobKind) => (kind === 'mail' ? MAX_MAIL_ATTEMPTS : MAX_ATTEMPTS)

/** Attempts that count towards the limit. */
export const triesOf = ({ attempts, put_back }: Pick<Job, 'attempts' | 'put_back'>) => attempts - put_back

/** Gives a job back that did not fail: it goes on later, in a lane for long jobs if it is heavy. */
export async function putBack(
  db: Db,
  { id, attempts }: Held,
  { heavy, pauseSeconds, deaths, reason }: { heavy: boolean; pauseSeconds: number; deaths: number; reason: string },
): Promise<void> {
  await sql`update jobs set run_at = now() + make_interval(secs => ${pauseSeconds}), leased_until = null,
      put_back = put_back + 1, heavy = ${heavy}, deaths = ${deaths}, error = ${reason}
    where id = ${id} and attempts = ${attempts}`.execute(db)
}

/** 5, 10, 20 … seconds, at last an hour. */
export const pauseAfter = (tries: number) => Math.min(FIRST_PAUSE_SECONDS * 2 ** (tries - 1), LONGEST_PAUSE_SECONDS)

/** Tries again after a pause; after the last attempt the job is parked, for people to look at. */
export async function failJob(
  db: Db,
  job: Held & Pick<Job, 'kind' | 'put_back'>,
  reason: string,
): Promise<'again' | 'parked'> {
  const tries = triesOf(job)
  if (tries >= attemptsOf(job.kind)) {
    await parkJob(db, job, reason)
    return 'parked'
  }
  await sql`update jobs set run_at = now() + make_interval(secs => ${pauseAfter(tries)}), leased_until = null,
      error = ${reason}
    where id = ${job.id} and attempts = ${job.attempts}`.execute(db)
  return 'again'
}

export async function parkJob(db: Db, { id, attempts }: Held, reason: string): Promise<void> {
  await sql`update jobs set parked_at = now(), leased_until = null, error = ${reason}
    where id = ${id} and attempts = ${attempts}`.execute(db)
}
