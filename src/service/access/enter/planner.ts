import type { Scope } from '../../../contract/scopes.ts'
import { ApiError } from '../../base/errors.ts'
import { recallActor } from '../../auth/recall-actor.ts'
import type { Db } from '../../db/pool.ts'
import type { AdministeredWorkspace } from '../scopes.ts'
import { hasScope } from './organization.ts'
import { administerWorkspace } from './workspace.ts'

interface Planner {
  organization_id: number
  workspace_id: number
  user_id: number
  personal_key_id: number | null
  secret_stamp: string | null
  /** The scopes that a personal key needs for the act. */
  scopes: readonly Scope[]
}

/**
 * Enters a workspace for an admin who planned an act; undefined if the user is not an admin of it any more, or the
 * personal key that planned it has ended or lost a scope.
 */
export async function enterPlanner(
  db: Db,
  { organization_id, workspace_id, user_id: id, personal_key_id, secret_stamp, scopes }: Planner,
  now: Date,
): Promise<AdministeredWorkspace | undefined> {
  const known = { id, organization_id, personal_key_id, secret_stamp: secret_stamp ?? undefined }
  const actor = await recallActor(db, known, { ip: '', now })
  if (!actor || !scopes.every((scope) => hasScope(actor, scope))) return undefined
  try {
    return await administerWorkspace(db, actor, workspace_id)
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined
    throw error
  }
}
