import { sql } from 'kysely'
import type { Workspace } from '../access/scopes.ts'
import { type Actor, nameOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'

/** Field -> its value before and after. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>

/** What the audit trail knows of whoever acts. */
export type Doer = Pick<Actor, 'id' | 'first_name' | 'last_name' | 'email' | 'ip' | 'request_id' | 'personal_key'>

interface Deed {
  verb: string
  message: string
  subject_type: string | null
  subject_id: number | null
  changes?: Changes | undefined
}

interface Refusal {
  status: number
  method: string
  /** Without the query, which may hold anything. */
  path: string
  reason: string
}

/** What is beyond this length says no more. */
const MAX_TEXT = 500

/** An entry of the audit trail as JSON, without the time, which is added where it is chained. */
export function entryOf(doer: Doer, deed: Deed, refusal: Refusal | null = null): string {
  return JSON.stringify({
    user_id: doer.id,
    user_name: nameOf(doer),
    user_email: doer.email,
    personal_key_id: doer.personal_key?.id ?? null,
    ip: doer.ip,
    request_id: doer.request_id,
    verb: deed.verb,
    message: deed.message,
    subject_type: deed.subject_type,
    subject_id: deed.subject_id,
    changes: deed.changes ?? null,
    refusal,
  })
}

/** What the audit trail knows and the activities do not show. */
export async function recordForAudit(db: Db, workspace: Workspace, deed: Deed): Promise<void> {
  await db
    .insertInto('audit_inbox')
    .values({ workspace_id: workspace.id, entry: entryOf(workspace.actor, deed) })
    .execute()
}

/**
 * Records an attempt that was refused. A workspace that is none of the caller's organization is replaced by 0 in the
 * same statement: neither does it learn of strangers, nor do they learn from the time it takes whether it is there.
 */
export async function recordRefusal(db: Db, actor: Actor, workspaceId: number, refusal: Refusal): Promise<void> {
  const path = refusal.path.slice(0, MAX_TEXT)
  const message = `was refused: ${refusal.method} ${path}`
  const deed = { verb: 'refused', message, subject_type: null, subject_id: null }
  const entry = entryOf(actor, deed, { ...refusal, path, reason: refusal.reason.slice(0, MAX_TEXT) })
  await sql`
    insert into audit_inbox (workspace_id, entry)
    values (coalesce((select id from workspaces where organization_id = ${actor.organization_id} and id = ${workspaceId}), 0),
      ${entry})`.execute(db)
}
