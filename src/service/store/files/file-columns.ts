import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { kindOf } from './file-types.ts'

/** Columns of the contract's file compact, from `files f`. */
export const fileCompactColumns = sql`f.id, f.title, f.file_name, f.file_size::text, f.file_content_type, f.index,
  f.created_at, f.updated_at, f.folder_id, f.version, f.pages, f.infected, f.damaged, f.viewer_status,
  ${kindOf(sql`f.file_content_type`)} as kind`

export type FileCompact = Reply<Api['files']['infoBatch']>[number]
