import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { jsonBoolean, jsonNumber, jsonObject, jsonText, jsonTime, jsonWord } from '../../db/json-list.ts'
import { fileOutline } from '../folders/outlines.ts'
import { kindOf } from './file-types.ts'

/** Columns of the contract's file compact, from `files f`. */
export const fileCompactColumns = sql`f.id, f.title, f.file_name, f.file_size::text, f.file_content_type, f.index,
  f.created_at, f.updated_at, f.folder_id, f.version, f.pages, f.infected, f.damaged, f.viewer_status,
  ${kindOf(sql`f.file_content_type`)} as kind`

export type FileCompact = Reply<Api['files']['infoBatch']>[number]

/** For a row `n` of `outlinesAmong` beside the file. */
export const listedFileJson = jsonObject({
  id: jsonNumber(sql`f.id`),
  title: jsonText(sql`f.title`),
  file_name: jsonText(sql`f.file_name`),
  file_size: jsonWord(sql`f.file_size`),
  file_content_type: jsonText(sql`f.file_content_type`),
  kind: jsonWord(kindOf(sql`f.file_content_type`)),
  index: jsonNumber(sql`f.index`),
  created_at: jsonTime(sql`f.created_at`),
  updated_at: jsonTime(sql`f.updated_at`),
  folder_id: jsonNumber(sql`f.folder_id`),
  version: jsonNumber(sql`f.version`),
  pages: jsonNumber(sql`f.pages`),
  infected: jsonBoolean(sql`f.infected`),
  damaged: jsonBoolean(sql`f.damaged`),
  viewer_status: jsonWord(sql`f.viewer_status`),
  outline: jsonWord(fileOutline),
  number_length: jsonNumber(sql`f.number_length`),
} satisfies Record<keyof FileCompact | 'outline' | 'number_length', unknown>)
