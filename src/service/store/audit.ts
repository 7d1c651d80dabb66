import { sql } from 'kysely'
import type { Organization, Workspace } from '../access/scopes.ts'
import { canonical } from '../audit/chain.ts'
import type { Personal } from '../audit/personal.ts'
import { type Actor, nameOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'

/** Field -> its value before and after. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>

/** What the audit trail knows of whoever acts. */
export type Doer = Pick<Actor, 'id' | 'first_name' | 'last_name' | 'email' | 'ip' | 'request_id' | 'personal_key'>

/** Whom a message names beside whoever acts, and how it reads once that person's data was erased. */
interface About {
  id: number
  erased_message: string
}

export interface Deed {
  verb: string
  /** Reads on after the user's name. */
  message: string
  subject_type: string | null
  subject_id: number | null
  about?: About | undefined
  /** Never secrets. */
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

const ERASED = 'erased'

/** What changes of these fields say is a person's own: of whom the deed is about, else of whoever acts. */
const PERSONAL_FIELDS = new Set(['email', 'pending_email', 'first_name', 'last_name', 'time_zone', 'ip', 'user_agent'])

/** A message with a person's name in it. */
export function naming(
  user: { id: number; first_name: string; last_name: string; email: string },
  words: (name: string) => string,
): Pick<Deed, 'message' | 'about'> {
  return { message: words(nameOf(user)), about: { id: user.id, erased_message: words('an erased user') } }
}

/** What of `after` is other than before, a field each; undefined where nothing is. */
export function changesBetween<T extends object>(
  before: T,
  after: { [K in keyof T]?: T[K] | undefined },
): Changes | undefined {
  const changed = Object.entries(after).flatMap(([field, value]) => {
    const former: unknown = before[field as keyof T]
    const isOther = value !== undefined && canonical(value) !== canonical(former)
    return isOther ? [[field, { before: former, after: value }] as const] : []
  })
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

/** What begins to be as it is. */
export function created(after: Record<string, unknown>): Changes {
  const given = Object.entries(after).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([field, value]) => [field, { after: value }]))
}

/** What ends as it was. */
export function removed(before: Record<string, unknown>): Changes {
  return Object.fromEntries(Object.entries(before).map(([field, value]) => [field, { before: value }]))
}

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
    personal: personalOf(doer, deed),
  })
}

/** Which fields are whose; sealed under the keys of those persons where the entry is chained. */
function personalOf(doer: Doer, { about, changes }: Deed): Personal[] {
  const fields = new Map([[doer.id, { user_name: ERASED, user_email: ERASED, ip: ERASED } as Personal['erased']]])
  const add = (id: number, more: Personal['erased']) => void fields.set(id, { ...fields.get(id), ...more })
  if (about) add(about.id, { message: about.erased_message })
  if (changes && Object.keys(changes).some((field) => PERSONAL_FIELDS.has(field))) {
    add(about?.id ?? doer.id, { changes: withoutPersonal(changes) })
  }
  return [...fields].map(([of, erased]) => ({ of, erased }))
}

function withoutPersonal(changes: Changes): Changes {
  const blank = (change: Changes[string]) => Object.fromEntries(Object.keys(change).map((side) => [side, ERASED]))
  return Object.fromEntries(
    Object.entries(changes).map(([field, change]) => [field, PERSONAL_FIELDS.has(field) ? blank(change) : change]),
  )
}

/** What the audit trail knows and the activities do not show. */
export async function recordForAudit(db: Db, workspace: Workspace, deed: Deed): Promise<void> {
  await db
    .insertInto('audit_inbox')
    .values({ workspace_id: workspace.id, entry: entryOf(workspace.actor, deed) })
    .execute()
}

/** What happens in an organization outside of its workspaces; only its audit trail has it. */
export async function recordForOrganization(db: Db, { id, actor }: Organization, ...deeds: Deed[]): Promise<void> {
  await recordForOrganizationAs(db, id, actor, ...deeds)
}

/** The same for a doer who is not there with a request: the configuration acts for its admin. */
export async function recordForOrganizationAs(
  db: Db,
  organization_id: number,
  doer: Doer,
  ...deeds: Deed[]
): Promise<void> {
  if (deeds.length === 0) return
  await db
    .insertInto('audit_inbox')
    .values(deeds.map((deed) => ({ workspace_id: 0, organization_id, entry: entryOf(doer, deed) })))
    .execute()
}

/**
 * Records an attempt that was refused: in the trail of the workspace that it named, else in that of the caller's
 * organization. A workspace of somebody else is as good as none, in the same statement: neither does it learn of
 * strangers, nor do they learn from the time it takes whether it is there.
 */
export async function recordRefusal(
  db: Db,
  actor: Actor,
  workspaceId: number | undefined,
  refusal: Refusal,
): Promise<void> {
  const path = refusal.path.slice(0, MAX_TEXT)
  const message = `was refused: ${refusal.method} ${path}`
  const deed = { verb: 'refused', message, subject_type: null, subject_id: null }
  const reason = withoutAddresses(refusal.reason).slice(0, MAX_TEXT)
  const entry = entryOf(actor, deed, { ...refusal, path, reason })
  await sql`
    insert into audit_inbox (workspace_id, organization_id, entry)
    select coalesce(w.id, 0), case when w.id is null then ${actor.organization_id}::int else 0 end, ${entry}
    from (values (${workspaceId ?? 0}::int)) named (id)
    left join workspaces w on w.organization_id = ${actor.organization_id} and w.id = named.id`.execute(db)
}

/** A refusal may name whom it is about; it stays when that person's data is erased. */
function withoutAddresses(text: string): string {
  const words = text.split(/([\s"<>])/)
  return words.map((word) => (/.@./s.test(word) ? 'a user' : word)).join('')
}
