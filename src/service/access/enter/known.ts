import type { Actor } from '../../auth/actor.ts'
import type { Workspace } from '../scopes.ts'

// What the statement that authenticated a request has read along: the rows from which scopes are made. Each row serves
// once, for the object to which it was given: a copy of the actor or of the workspace, such as the one of another user,
// has none, and a second entry reads again, because the request may have changed the row meanwhile.

/** A row, or undefined if there is none for this caller. */
type Found<Row> = { id: number; row: Row | undefined }

export interface KnownIn {
  folder?: Found<object> | undefined
  file?: Found<object> | undefined
  group?: Found<object> | undefined
  user?: Found<object> | undefined
}

interface Known extends KnownIn {
  workspace: Found<object>
}

const ofActors = new WeakMap<Actor, Known>()
const ofWorkspaces = new WeakMap<Workspace, KnownIn>()

export const remember = (actor: Actor, known: Known): void => void ofActors.set(actor, known)

/** Returns the row of the actor's workspace, and what is known in it. */
export function takeWorkspace<Row>(actor: Actor, id: number): { row: Row | undefined; inside: KnownIn } | undefined {
  const known = ofActors.get(actor)
  if (known?.workspace.id !== id) return undefined
  ofActors.delete(actor)
  const { workspace, ...inside } = known
  return { row: workspace.row as Row | undefined, inside }
}

export const rememberIn = (workspace: Workspace, inside: KnownIn): void => void ofWorkspaces.set(workspace, inside)

export function take<Row>(workspace: Workspace, kind: keyof KnownIn, id: number): { row: Row | undefined } | undefined {
  const inside = ofWorkspaces.get(workspace)
  const found = inside?.[kind]
  if (!inside || found?.id !== id) return undefined
  inside[kind] = undefined
  return { row: found.row as Row | undefined }
}
