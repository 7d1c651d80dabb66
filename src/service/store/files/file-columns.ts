import { sql } from 'kysely'
import type { FileKind } from '../../../contract/endpoints/files.ts'
import type { ViewerStatus } from '../documents/documents.ts'
import { kindOf } from './file-types.ts'

/** Columns of the contract's file compact, from `files f`. */
export const fileCompactColumns = sql`f.id, f.title, f.file_name, f.file_size::text, f.file_content_type, f.index,
  f.created_at, f.updated_at, f.folder_id, f.version, f.pages, f.infected, f.damaged, f.viewer_status,
  ${kindOf(sql`f.file_content_type`)} as kind`

export interface FileCompact {
  id: number
  title: string
  file_name: string
  file_size: string
  file_content_type: string
  index: number
  created_at: string
  updated_at: string
  folder_id: number
  version: number
  pages: number
  infected: boolean | null
  /** The content is not what was uploaded. */
  damaged: boolean
  viewer_status: ViewerStatus
  kind: FileKind
}
