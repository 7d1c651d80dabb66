import { type RawBuilder, sql } from 'kysely'
import type { FileType } from '../../contract/files.ts'

/** Content types that `documents/sniff.ts` detects, as patterns for `like`. */
const TYPES: Record<Exclude<FileType, 'other'>, readonly string[]> = {
  pdf: ['application/pdf'],
  document: [
    'text/plain',
    'text/markdown',
    'text/html',
    'application/rtf',
    'application/msword',
    'application/vnd.ms-word.%',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.%',
    'application/vnd.oasis.opendocument.text%',
  ],
  spreadsheet: [
    'text/csv',
    'application/vnd.ms-excel%',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.%',
    'application/vnd.oasis.opendocument.spreadsheet%',
  ],
  presentation: [
    'application/vnd.ms-powerpoint%',
    'application/vnd.openxmlformats-officedocument.presentationml.%',
    'application/vnd.oasis.opendocument.presentation%',
  ],
  image: ['image/%'],
}

/** Condition for a content type. */
export function isOfType(contentType: RawBuilder<unknown>, type: FileType): RawBuilder<boolean> {
  if (type !== 'other') return sql`${contentType} like any (${TYPES[type]}::text[])`
  return sql`not ${contentType} like any (${Object.values(TYPES).flat()}::text[])`
}
