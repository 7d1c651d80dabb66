import { sql } from 'kysely'
import { type Act, sentenceOf, subjectOf, type Told, verbOf } from '../../../contract/acts.ts'
import type { Params } from '../../../contract/sentence.ts'
import type { Organization } from '../../access/scopes.ts'
import { canonical } from '../../audit/chain.ts'
import type { Personal } from '../../audit/personal.ts'
import { type Actor, nameOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'

/** Field -> its value before and after. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>

/** The facts about the actor that the audit trail stores. */
export type Doer = Pick<Actor, 'id' | 'first_name' | 'last_name' | 'email' | 'ip' | 'request_id' | 'personal_key'>

interface DeedFacts {
  subject_id: number | null
  /** Id of the user whom the parameters `user` and `former_user` name. */
  about?: number | undefined
  /** Never secrets. */
  changes?: Changes | undefined
}

/** An act as it is recorded. Verb, subject type and sentence follow from `act`. */
export type Deed<A extends Act = Act> = Told<A> & DeedFacts

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
const PERSONAL_FIELDS = new Set([
  'email',
  'pending_email',
  'first_name',
  'last_name',
  'typed_name',
  'time_zone',
  'ip',
  'user_agent',
])

export type Named = Parameters<typeof nameOf>[0] & { id: number }

/** Names a user in a deed, whose erasure later removes the name. */
export const naming = <P extends Params>(user: Named, more?: P) => ({
  params: { ...(more as P), user: nameOf(user) },
  about: user.id,
})

/** Returns the form of a deed that remains after the user whom it is about was erased. */
export function erasedForm({ act, params }: { act: Act; params?: Params | undefined }): Told {
  if (act === 'name_changed') return { act: 'erased_name_changed' }
  const { user: _user, ...rest } = params ?? {}
  return { act, params: rest } as Told
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
    verb: verbOf(deed.act),
    message: sentenceOf(deed),
    subject_type: subjectOf(deed.act),
    subject_id: deed.subject_id,
    changes: deed.changes ?? null,
    refusal,
    personal: personalOf(doer, deed),
  })
}

/** Tells which fields belong to whom. They are sealed under the keys of those users when the entry is chained. */
function personalOf(doer: Doer, deed: Deed): Personal[] {
  const { about, changes } = deed
  const fields = new Map([[doer.id, { user_name: ERASED, user_email: ERASED, ip: ERASED } as Personal['erased']]])
  const add = (id: number, more: Personal['erased']) => void fields.set(id, { ...fields.get(id), ...more })
  if (about !== undefined) add(about, { message: sentenceOf(erasedForm(deed)) })
  if (changes && Object.keys(changes).some((field) => PERSONAL_FIELDS.has(field))) {
    add(about ?? doer.id, { changes: withoutPersonal(changes) })
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
export async function recordForAudit(
  db: Db,
  { id, actor }: { id: number; actor: Doer },
  ...deeds: Deed[]
): Promise<void> {
  if (deeds.length === 0) return
  const entries = deeds.map((deed) => ({ workspace_id: id, entry: entryOf(actor, deed) }))
  await db.insertInto('audit_inbox').values(entries).execute()
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
 * organization. A workspace of another organization counts as absent, in the same statement: its trail shows no
 * strangers, and the response time does not tell a stranger whether it exists.
 */
export async function recordRefusal(
  db: Db,
  actor: Actor,
  workspaceId: number | undefined,
  refusal: Refusal,
): Promise<void> {
  const path = refusal.path.slice(0, MAX_TEXT)
  const deed: Deed = { act: 'request_refused', params: { method: refusal.method, path }, subject_id: null }
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
