import { type RawBuilder, sql } from 'kysely'
import { type Fragment, isInSubtree } from '../../../access/sql.ts'

/** Deletes what is staged on a folder that moves, and below it: its new place decides. */
export const deleteStaged = (workspaceId: number, idPath: readonly number[] | Fragment): RawBuilder<unknown> => sql`
  delete from staged_rights s using folders f
  where s.workspace_id = ${workspaceId} and f.workspace_id = s.workspace_id and f.id = s.folder_id
    and ${isInSubtree(sql`f.id_path`, idPath)}`
