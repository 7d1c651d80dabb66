import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Organization } from '../../access/scopes.ts'
import { isLiveSession } from '../../auth/session-life.ts'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import { holdUser } from './users.ts'

export type SessionRow = Reply<Api['sessions']['list']>['sessions'][number]

/** A user with more sessions than this loses the one seen longest ago. */
const MAX_SESSIONS = 100
const SWEEP_BATCH = 1000

/** The caller's own sessions: the current one first, then the most recently seen. */
export async function listSessions(db: Db, { id: organizationId, actor }: Organization): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select s.id, s.method, s.ip, s.user_agent, s.id is not distinct from ${actor.session_id ?? null}::int as current,
      s.created_at, s.last_seen_at
    from sessions s
    where s.organization_id = ${organizationId} and s.user_id = ${actor.id} and ${isLiveSession(actor.now)}
    order by current desc, s.last_seen_at desc, s.id desc`.execute(db)
  return rows
}

/** Inserts a session of the caller, and prevents the caller's deletion meanwhile. */
export async function insertSession(
  db: Db,
  organization: Organization,
  { method, user_agent = '' }: { method: SessionRow['method']; user_agent?: string | undefined },
): Promise<SessionRow> {
  const { id: organization_id, actor } = organization
  await holdUser(db, organization, actor.id)
  const row = await db
    .insertInto('sessions')
    .values({
      organization_id,
      user_id: actor.id,
      method,
      ip: actor.ip,
      user_agent,
      created_at: actor.now,
      last_seen_at: actor.now,
    })
    .returning(['id', 'method', 'ip', 'user_agent', 'created_at', 'last_seen_at'])
    .executeTakeFirstOrThrow()
  await sql`
    delete from sessions where organization_id = ${organization_id} and user_id = ${actor.id} and id in (
      select id from sessions where organization_id = ${organization_id} and user_id = ${actor.id}
      order by last_seen_at desc, id desc offset ${MAX_SESSIONS})`.execute(db)
  return { ...row, current: false }
}

/** Ends a session of the caller's own. @throws ApiError 404 */
export async function deleteSession(db: Db, { id: organizationId, actor }: Organization, id: number): Promise<void> {
  const ended = await db
    .deleteFrom('sessions')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', actor.id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw notFound()
}

/** Ends the caller's sessions except `except`. @returns the number of ended sessions */
export async function deleteSessions(db: Db, { id, actor }: Organization, except?: number): Promise<number> {
  const { rows } = await sql`
    delete from sessions where organization_id = ${id} and user_id = ${actor.id}
      and id is distinct from ${except ?? null}::int returning id`.execute(db)
  return rows.length
}

/** Removes expired sessions. @returns the number of removed sessions */
export async function sweepSessions(db: Db, now: Date): Promise<number> {
  let total = 0
  for (;;) {
    const { rows } = await sql`
      delete from sessions where (organization_id, id) in (
        select organization_id, id from sessions s where not ${isLiveSession(now)}
        limit ${SWEEP_BATCH} for update skip locked) returning id`.execute(db)
    total += rows.length
    if (rows.length < SWEEP_BATCH) return total
  }
}
