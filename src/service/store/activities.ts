import type { Actor } from '../auth/actor.ts'
import { nameOf } from '../auth/actor.ts'
import type { Workspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'

/** What an activity says; the patterns are those of decisions, section 11. */
export interface Act {
  verb: string
  /** Reads on after the user's name. */
  message: string
  subject_type: 'Workspace' | 'Asset' | 'Folder' | 'Group' | 'GroupMembership' | 'Membership' | null
  subject_id: number | null
}

/** Writes activities of the actor in the given order and returns when the last was written. */
export async function record(db: Db, workspace: Workspace, ...acts: Act[]): Promise<string> {
  return recordAs(db, workspace.id, workspace.actor, ...acts)
}

/** The same for an actor who is not inside: who leaves or joins in this very request. */
export async function recordAs(
  db: Db,
  workspaceId: number,
  actor: Pick<Actor, 'id' | 'first_name' | 'last_name' | 'email'>,
  ...acts: Act[]
): Promise<string> {
  const rows = acts.map((act) => ({ ...act, workspace_id: workspaceId, user_id: actor.id, user_name: nameOf(actor) }))
  const written = await db.insertInto('activities').values(rows).returning('created_at').execute()
  return written.at(-1)?.created_at ?? ''
}
