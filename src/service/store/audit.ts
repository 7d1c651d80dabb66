import { sql } from 'kysely'
import type { Organization, Workspace } from '../access/scopes.ts'
import { canonical } from '../audit/chain.ts'
import type { Personal } from '../audit/personal.ts'
import { type Actor, nameOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'

/** Field -> its value before and after. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>

/** The facts about the actor that the audit trail stores. */
export type Doer = Pick<Actor, 'id' | 'first_name' | 'last_name' | 'email' | 'ip' | 'request_id' | 'personal_key'>

/** A user whom a message names besides the actor, and the message after that user's data was erased. */
interface About {
  id: number
  erased_message: string
}

export interface Deed {
  verb: string
  /** Continues a sentence that begins with the user's name. */
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
  /** The path without the query, which may hold anything. */
  path: string
  reason: string
}

/** Maximum length of the stored path and reason, in characters. */
const MAX_TEXT = 500

const ERASED = 'erased'

/** Changes of these fields are personal data: of the user whom the deed is about, or else of the actor. */
const PERSONAL_FIELDS = new Set(['email', 'pending_email', 'first_name', 'last_name', 'time_zone', 'ip', 'user_agent'])

/** Makes a message with a user's name, and its erased form. */
export function naming(
  user: { id: number; first_name: string; last_name: string; email: string },
  words: (name: string) => string,
): Pick<Deed, 'message' | 'about'> {
  return { message: words(nameOf(user)), about: { id: user.id, erased_message: words('an erased user') } }
}

/** The fields of `after` that differ from `before`; undefined if none does. */
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

/** Changes of a new object: each field has only `after`. */
export function created(after: Record<string, unknown>): Changes {
  const given = Object.entries(after).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([field, value]) => [field, { after: value }]))
}

/** Changes of a removed object: each field has only `before`. */
export function removed(before: Record<string, unknown>): Changes {
  return Object.fromEntries(Object.entries(before).map(([field, value]) => [field, { before: value }]))
}

/** An audit entry as JSON, without the time, which is added when the entry is chained. */
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

/** Tells which fields belong to whom. They are sealed under the keys of those users when the entry is chained. */
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

/** Records a deed in the audit trail only, not in the activities. */
export async function recordForAudit(db: Db, workspace: Workspace, deed: Deed): Promise<void> {
  await db
    .insertInto('audit_inbox')
    .values({ workspace_id: workspace.id, entry: entryOf(workspace.actor, deed) })
    .execute()
}

/** Records deeds outside of workspaces. Only the audit trail of the organization has them. */
export async function recordForOrganization(db: Db, { id, actor }: Organization, ...deeds: Deed[]): Promise<void> {
  await recordForOrganizationAs(db, id, actor, ...deeds)
}

/** Records deeds of an actor without a request: the configuration acts for its admin. */
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
 * Records a refused attempt in the trail of the workspace that it named, or else in the trail of the caller's
 * organization. A workspace of another organization counts as absent, in the same statement: its trail learns nothing
 * of strangers, and strangers cannot tell from the response time whether it exists.
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

/** A refusal may name a user by e-mail address, and would keep the address when that user's data is erased. */
function withoutAddresses(text: string): string {
  const words = text.split(/([\s"<>])/)
  return words.map((word) => (/.@./s.test(word) ? 'a user' : word)).join('')
}
