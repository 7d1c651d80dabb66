import type { Scope } from '../../contract/scopes.ts'

export interface PersonalKey {
  id: number
  scopes: readonly Scope[]
  /** Stamp of the secret that signed. It changes when the key is rotated. */
  secret_stamp: string
  /** The scope under which the request was admitted. Its expiring URLs and streams need the scope again. */
  used_scope?: Scope | 'any' | undefined
}

/** The authenticated caller. Made by authenticate.ts, and by recall-actor.ts for expiring URLs. */
export interface Actor {
  organization_id: number
  id: number
  email: string
  first_name: string
  last_name: string
  status: 'invited' | 'active'
  organization_admin: boolean
  ip: string
  /** Null if the service acts for a user without a request of theirs. */
  request_id: string | null
  /** When the request was authenticated. */
  now: Date
  /** When the request arrived, by `performance.now()`: before it waited in its user's queue, and for the database. */
  arrived?: number
  /** The dashboard's proxy asks for replies without user tokens. A personal key never gets any. */
  omit_user_tokens: boolean
  /** The personal API key that signed; undefined for the organization's key pair. */
  personal_key: PersonalKey | undefined
  /** The session of the dashboard that the request came from; undefined if the proxy named none. */
  session_id: number | undefined
}

/** The name of a user in the record: the e-mail address if no name is known. */
export function nameOf(user: { first_name: string; last_name: string; email: string }): string {
  return `${user.first_name} ${user.last_name}`.trim() || user.email
}

/** The calendar date of the request, UTC. */
export function todayOf(actor: Pick<Actor, 'now'>): string {
  return actor.now.toISOString().slice(0, 10)
}
