import type { Scope } from '../../contract/scopes.ts'

export interface PersonalKey {
  id: number
  scopes: readonly Scope[]
  /** Of the secret that signed, which changes when the key is rotated. */
  secret_stamp: string
  /** The scope that the request was admitted under; what it leaves behind, an expiring URL or a stream, needs it again. */
  used_scope?: Scope | 'any' | undefined
}

/** Who makes a request: made by authenticate.ts alone. */
export interface Actor {
  organization_id: number
  id: number
  email: string
  first_name: string
  last_name: string
  status: 'invited' | 'active'
  organization_admin: boolean
  ip: string
  /** Null where the service acts for somebody without a request of theirs. */
  request_id: string | null
  /** When the request arrived. */
  now: Date
  /** The dashboard's proxy asks for replies without any user token; a personal key never gets one. */
  omit_user_tokens: boolean
  /** The personal API key that signed; undefined for the organization's key pair. */
  personal_key: PersonalKey | undefined
  /** The session of the dashboard that the request came from; undefined where the proxy named none. */
  session_id: number | undefined
}

/** How a person is named in the record: the e-mail where no name is known. */
export function nameOf(user: { first_name: string; last_name: string; email: string }): string {
  return `${user.first_name} ${user.last_name}`.trim() || user.email
}

/** The calendar date of the request, UTC. */
export function todayOf(actor: Pick<Actor, 'now'>): string {
  return actor.now.toISOString().slice(0, 10)
}
