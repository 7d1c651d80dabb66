import { ApiError } from '../../base/errors.ts'
import { recallActor } from '../../auth/recall-actor.ts'
import type { Db } from '../../db/pool.ts'
import type { AdministeredWorkspace } from '../scopes.ts'
import { administerWorkspace } from './workspace.ts'

interface Planner {
  organization_id: number
  workspace_id: number
  user_id: number
}

/** Enters a workspace for an admin who planned an act; undefined if the user is not an admin of it any more. */
export async function enterPlanner(
  db: Db,
  { organization_id, workspace_id, user_id }: Planner,
  now: Date,
): Promise<AdministeredWorkspace | undefined> {
  const actor = await recallActor(db, { id: user_id, organization_id, personal_key_id: null }, { ip: '', now })
  if (!actor) return undefined
  try {
    return await administerWorkspace(db, actor, workspace_id)
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined
    throw error
  }
}
