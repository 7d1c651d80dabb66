import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { currentTraceparent } from '../../wire/traces/span.ts'
import { hasEnded, processName } from '../base/process-name.ts'

export interface JobPayloads {
  mail: {
    to: string
    subject: string
    text: string
    html: string
    from_name?: string
    reply_to?: string
    /** Where the logo of the mail is from; it is read when the mail is sent. */
    logo_of?: { organization_id: number; workspace_id: number }
    /** In `text` and `html`, `link_marker` stands for the secret that is made when the mail is sent. */
    invitation?: { workspace_id: number; user_id: number; link_marker: string }
    /** Nobody gets it who does not administer the workspace, with this address, when it is sent. */
    to_admin?: { workspace_id: number; user_id: number }
  }
  /** Makes a code and mails it to the new address that a user requested. */
  email_code: { organization_id: number; user_id: number; email: string }
  /** Tells an expert of questions that wait for them. Written when it is sent, by the rights of that moment. */
  expert_mail: {
    workspace_id: number
    user_id: number
    /** `asked_at` is that of the pass: whoever was asked again since is told by another mail. */
    questions: readonly { id: string; asked_at: string }[]
    reason: 'passed' | 'due'
  }
  /** Publishes drafts as planned. */
  open_drafts: { schedule_id: number }
  /** Examines the installation. */
  examine: Record<never, never>
  zip: { workspace_id: number; download_id: number } & ForUser
  /** Scans content, converts it, counts its pages and extracts its text. */
  ingest: { workspace_id: number; blob_id: string } & ForUser
}

interface ForUser {
  user_id?: number
}
export type JobKind = keyof JobPayloads

/** The request that caused the job, for logs and traces; null or absent if none did. */
type Caused<Payload> = Payload & { request_id?: string | null; traceparent?: string | null }

export type Job = { [K in JobKind]: { id: number; kind: K; payload: Caused<JobPayloads[K]> } }[JobKind] & Facts

interface Facts {
  attempts: number
  /** Attempts that were put back and do not count towards a limit. */
  put_back: number
  /** Attempts that ended with the death of a worker or of a tool, including the previous attempt. */
  deaths: number
  workspace_id: number
  user_id: number
  heavy: boolean
  /** The previous worker vanished while the job ran, so its progress is unknown. */
  interrupted: boolean
}

/** A worker renews its lease while it works. An expired lease means that the worker died. */
export const LEASE_SECONDS = 20
export const MAX_ATTEMPTS = 8
/** After this many deaths of workers or tools, the job itself counts as faulty. */
export const MAX_DEATHS = 5
/** Mail servers ask unknown senders to retry in an hour, or are down for one. These attempts span about six hours. */
export const MAX_MAIL_ATTEMPTS = 16
const FIRST_PAUSE_SECONDS = 5
const LONGEST_PAUSE_SECONDS = 3600

/** In order of priority: users wait for the first kinds. */
export const JOB_KINDS: readonly JobKind[] = [
  'mail',
  'email_code',
  'expert_mail',
  'open_drafts',
  'examine',
  'zip',
  'ingest',
]

/** Kinds that do harm if they run twice: after a worker's death in the middle, their jobs are left to people. */
export const NEVER_TWICE: readonly JobKind[] = ['mail', 'expert_mail']

/** Writes a job in the transaction of the change that causes it, so that a rollback also removes the job. */
export async function enqueue<K extends JobKind>(
  db: Db,
  kind: K,
  payload: JobPayloads[K],
  request_id: string | null = null,
): Promise<void> {
  await enqueueAll(db, kind, [payload], request_id)
}

/** Writes a job that is due at a time. */
export async function enqueueAt<K extends JobKind>(
  db: Db,
  kind: K,
  payload: JobPayloads[K],
  run_at: string,
): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ kind, payload: JSON.stringify(payload), run_at })
    .execute()
}

export async function enqueueAll<K extends JobKind>(
  db: Db,
  kind: K,
  payloads: readonly JobPayloads[K][],
  request_id: string | null = null,
): Promise<void> {
  if (payloads.length === 0) return
  const traceparent = currentTraceparent()
  const cause = { ...(request_id !== null && { request_id }), ...(traceparent !== null && { traceparent }) }
  const jobs = payloads.map((payload) => ({ kind, payload: JSON.stringify({ ...payload, ...cause }) }))
  await db.insertInto('jobs').values(jobs).execute()
}

/** Maximum seconds of a quick turn. Users are compared by how many such turns they had lately. */
export const TURN_SECONDS = 5
/** After this many seconds, the lane time charged to a user counts half. */
const HALF_LIFE_SECONDS = 300

export interface Wanted {
  kinds?: readonly JobKind[]
  /** Only jobs that exceeded a turn, or only those that did not; both if absent. */
  heavy?: boolean | undefined
  except?: readonly number[]
}

/** Leases a due job of the first kind that has one, for the user whose turn it is. No other worker holds that job. */
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

export async function hasDueJob(db: Db, kinds: readonly JobKind[] = JOB_KINDS): Promise<boolean> {
  const due = await db
    .selectFrom('jobs')
    .select('id')
    .where('parked_at', 'is', null)
    .where('kind', 'in', kinds)
    .where('run_at', '<=', sql<string>`now()`)
    .where((is) => is.or([is('leased_until', 'is', null), is('leased_until', '<', sql<string>`now()`)]))
    .limit(1)
    .executeTakeFirst()
  return due !== undefined
}

/** Milliseconds until a job is due: 0 if one is due now, Infinity if none is planned. */
export async function msUntilDue(db: Db, kinds: readonly JobKind[] = JOB_KINDS): Promise<number> {
  if (await hasDueJob(db, kinds)) return 0
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(greatest(run_at, leased_until)) - now()) * 1000)::float8 as ms
    from jobs where parked_at is null and kind = any (${kinds})`.execute(db)
  return Math.max(rows[0]?.ms ?? Infinity, 1)
}

/**
 * Users who had few turns lately go first. Their level is the binary logarithm of that number, so a user without recent
 * turns never waits behind the backlog of another. Within a level, the organization with the least time goes first,
 * then the workspace, then the user. The query finds users with jobs by skipping through the index, and the nested loop
 * keeps the order. The job is chosen in a materialized query: in a join, PostgreSQL may choose again for every row,
 * skip the job that it has just locked, and lease them all.
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

/** After 60 half-lives the share is negligible, and smaller factors underflow. */
const decay = (since: RawBuilder<unknown>) =>
  sql`power(0.5, least(extract(epoch from now() - ${since})::float8 / ${HALF_LIFE_SECONDS}, 60))`

type Charged = Pick<Job, 'kind' | 'workspace_id' | 'user_id'>

export async function chargeShare(db: Db, job: Charged, seconds: number): Promise<void> {
  await charging(job, seconds).execute(db)
}

/** Deletes a job that is done, and charges its lane time to its user. */
export async function finishAndCharge(db: Db, job: Held & Charged, seconds: number): Promise<void> {
  await sql`with done as (delete from jobs where id = ${job.id} and attempts = ${job.attempts})
    ${charging(job, seconds)}`.execute(db)
}

const charging = ({ kind, workspace_id, user_id }: Charged, seconds: number) => sql`
  insert into job_shares (kind, workspace_id, user_id, seconds, as_of)
  values (${kind}, ${workspace_id}, ${user_id}, ${seconds}, now())
  on conflict (kind, workspace_id, user_id) do update set
    seconds = job_shares.seconds * ${decay(sql`job_shares.as_of`)} + excluded.seconds, as_of = now()`

export async function sweepShares(db: Db): Promise<void> {
  await sql`delete from job_shares where as_of < now() - make_interval(secs => ${20 * HALF_LIFE_SECONDS})`.execute(db)
}

/** The number of attempts distinguishes one worker's hold on a job from the next worker's. */
type Held = Pick<Job, 'id' | 'attempts'>

export async function renewLease(db: Db, { id, attempts }: Held): Promise<void> {
  await sql`update jobs set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${id} and attempts = ${attempts}`.execute(db)
}

/**
 * Frees jobs of workers that were killed on this machine, without waiting for their leases to expire: at once after the
 * first death, and after growing pauses if workers die of the job again. @returns the number of freed jobs
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

/** Gives back what this process has not finished when it must end, except what may have had its effect already. */
export async function giveBackJobs(db: Db): Promise<void> {
  await sql`update jobs set run_at = now(), leased_until = null, put_back = put_back + 1
    where leased_by = ${processName()} and leased_until >= now() and kind <> all (${NEVER_TWICE})`.execute(db)
}

export async function finishJob(db: Db, { id, attempts }: Held): Promise<void> {
  await db.deleteFrom('jobs').where('id', '=', id).where('attempts', '=', attempts).execute()
}

export const attemptsOf = (kind: JobKind) => (NEVER_TWICE.includes(kind) ? MAX_MAIL_ATTEMPTS : MAX_ATTEMPTS)

export const triesOf = ({ attempts, put_back }: Pick<Job, 'attempts' | 'put_back'>) => attempts - put_back

/** Gives back a job that did not fail. It continues later, in a lane for long jobs if `heavy`. */
export async function putBack(
  db: Db,
  { id, attempts }: Held,
  { heavy, pauseSeconds, deaths, reason }: { heavy: boolean; pauseSeconds: number; deaths: number; reason: string },
): Promise<void> {
  await sql`update jobs set run_at = now() + make_interval(secs => ${pauseSeconds}), leased_until = null,
      put_back = put_back + 1, heavy = ${heavy}, deaths = ${deaths}, error = ${reason}
    where id = ${id} and attempts = ${attempts}`.execute(db)
}

/** 5, 10, 20 … seconds, at most one hour. */
export const pauseAfter = (tries: number) => Math.min(FIRST_PAUSE_SECONDS * 2 ** (tries - 1), LONGEST_PAUSE_SECONDS)

/** Retries the job after a pause. Parks it for inspection after the last attempt. */
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
