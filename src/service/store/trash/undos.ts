import { sql } from 'kysely'
import type { AdministeredWorkspace, Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import type { RightsInside } from '../folders/folders.ts'

interface FileNames {
  title: string
  file_name: string
}

/** The former state of a file that was moved or copied. */
export type FileUndo =
  | { kind: 'copy' }
  /** `version` was made; `deletion_id` took the moved file. */
  | { kind: 'replace'; version: number; deletion_id: string | null }
  /** `given`: the names in the destination `to`. */
  | { kind: 'move'; to: number; given: FileNames; folder_id: number; index: number; names: FileNames }

/** Ids of the subfolders and files of a folder in the order of their indexes. */
export interface Order {
  folders: number[]
  files: number[]
}

/** The former state of a folder that was moved, copied or numbered anew, with the overrides that the move removed. */
export type FolderUndo =
  | { kind: 'copy' }
  | { kind: 'order'; before: Order; after: Order }
  | {
      kind: 'move'
      to: number
      given: string
      parent_id: number
      /** Of the former parent: its rights are others when it was moved since. The release before noted none. */
      parent_path?: number[]
      index: number
      name: string
      overrides: RightsInside['overrides']
    }

type Undos = { file: FileUndo; folder: FolderUndo }

/** Lets the actor undo a change. @returns null if there is nothing to undo */
export async function insertUndo<Type extends keyof Undos>(
  db: Db,
  { id: workspace_id, actor }: Workspace,
  subject_type: Type,
  subject_id: number,
  change: Undos[Type] | undefined,
): Promise<number | null> {
  if (!change) return null
  const { rows } = await sql<{ id: number }>`
    insert into undos (workspace_id, user_id, subject_type, subject_id, change)
    values (${workspace_id}, ${actor.id}, ${subject_type}, ${subject_id}, ${JSON.stringify(change)}::jsonb
      || jsonb_build_object('last_activity_id', (select max(id) from activities where workspace_id = ${workspace_id})))
    returning id`.execute(db)
  return rows[0]?.id ?? null
}

const KEPT = sql`interval '1 day'`

/** When a change was made. Times are whole milliseconds: only the id tells what came first within one. */
export interface Moment {
  created_at: string
  /** The newest activity of that moment; null if there was none, and for changes in the previous release. */
  last_activity_id: number | null
}

/** Takes a change of the actor's own that was not undone before. @throws ApiError 404 */
export async function takeUndo<Type extends keyof Undos>(
  db: Db,
  { id: workspace_id, actor }: AdministeredWorkspace,
  subject_type: Type,
  subject_id: number,
  id: number,
): Promise<Moment & { change: Undos[Type] }> {
  const { rows } = await sql<Moment & { change: Undos[Type] }>`
    delete from undos where workspace_id = ${workspace_id} and id = ${id} and user_id = ${actor.id}
      and subject_type = ${subject_type} and subject_id = ${subject_id} and created_at > now() - ${KEPT}
    returning change, created_at, (change ->> 'last_activity_id')::int as last_activity_id`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export async function purgeUndos(db: Db, now: Date): Promise<void> {
  await sql`delete from undos where created_at <= ${now}::timestamptz - ${KEPT}`.execute(db)
}
