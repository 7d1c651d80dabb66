import { type RawBuilder, sql } from 'kysely'
import { FILE_TYPES, type FileType } from '../../contract/files.ts'
import { FORMATS } from '../documents/formats.ts'

/** Kinds by type, without those that follow from what is before the slash. */
const KINDS = JSON.stringify(
  Object.fromEntries(
    FORMATS.filter(({ type, kind }) => kind !== 'other' && !type.startsWith(`${kind}/`)).map(({ type, kind }) => [
      type,
      kind,
    ]),
  ),
)

/** The kind of a content type. A type that is not in the table of formats has the kind before its slash, or `other`. */
export function kindOf(contentType: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(${sql.lit(KINDS)}::jsonb ->> ${contentType}, case split_part(${contentType}, '/', 1)
    when 'image' then 'image' when 'video' then 'video' when 'audio' then 'audio' else 'other' end)`
}

/** Condition for a content type. `other` stands for all kinds that the filter does not list. */
export function isOfType(contentType: RawBuilder<unknown>, type: FileType): RawBuilder<boolean> {
  if (type !== 'other') return sql`${kindOf(contentType)} = ${type}`
  const listed = FILE_TYPES.filter((each) => each !== 'other')
  return sql`${kindOf(contentType)} <> all (${listed}::text[])`
}
