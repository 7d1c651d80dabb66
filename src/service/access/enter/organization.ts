import { sql } from 'kysely'
import type { AnyEndpoint } from '../../../contract/endpoint.ts'
import type { Scope } from '../../../contract/scopes.ts'
import type { Actor } from '../../auth/actor.ts'
import { refusal } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import type { AdministeredOrganization, Installation, Organization } from '../scopes.ts'
import { isFirstOrganization } from '../sql.ts'

export function enterOrganization(actor: Actor): Organization {
  return { id: actor.organization_id, actor } as Organization
}

/**
 * Admits the caller under the scope of an endpoint. A personal API key without that scope is refused. An endpoint
 * without a scope is closed to personal keys.
 * @throws ApiError 403
 */
export function admitScope(actor: Actor, { scope }: Pick<AnyEndpoint, 'scope'>): Actor {
  const { personal_key } = actor
  if (!personal_key) return actor
  if (!scope) throw refusal('closed_to_keys')
  if (scope !== 'any' && !hasScope(actor, scope)) throw refusal('key_lacks_scope', { scope })
  return { ...actor, personal_key: { ...personal_key, used_scope: scope } }
}

/** Whether the caller may read what a scope names, also beside what the scope of the endpoint names. */
export const hasScope = ({ personal_key }: Actor, scope: Scope): boolean =>
  personal_key === undefined || personal_key.scopes.includes(scope)

/** @throws ApiError 403 unless the caller is an organization admin */
export function administerOrganization(actor: Actor): AdministeredOrganization {
  if (!actor.organization_admin) throw refusal('for_organization_admins')
  return enterOrganization(actor) as AdministeredOrganization
}

/** @throws ApiError 403 unless the caller is an admin of the oldest organization, which runs the installation */
export async function administerInstallation(db: Db, actor: Actor): Promise<Installation> {
  const { id } = administerOrganization(actor)
  const { rows } = await sql<{ first: boolean }>`select ${isFirstOrganization(id)} as first`.execute(db)
  if (!rows[0]?.first) throw refusal('for_installation_admins')
  return { db, actor } as Installation
}
