import { sql } from 'kysely'
import type { Fragment } from '../../../access/sql.ts'

/** What is staged in a workspace with the paths of the folders, but not on those in the trash. */
export const stagedIn = (workspaceId: number): Fragment => sql`(
  select s.*, f.id_path from staged_rights s join folders f on f.workspace_id = s.workspace_id and f.id = s.folder_id
  where s.workspace_id = ${workspaceId} and f.deleted_at is null)`
