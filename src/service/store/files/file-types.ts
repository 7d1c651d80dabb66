import { type RawBuilder, sql } from 'kysely'
import { FILE_TYPES, type FileType } from '../../../contract/endpoints/files.ts'
import { FORMATS } from '../../documents/formats.ts'

/** Kinds that are named as their types begin: "image/png" is an image. */
const FAMILIES = ['image', 'video', 'audio']
const isOfFamily = (type: string, kind: string) => FAMILIES.includes(kind) && type.startsWith(`${kind}/`)

/** Kinds by type, without those that follow from the type itself. */
const KINDS = JSON.stringify(
  Object.fromEntries(
    FORMATS.flatMap(({ type, kind }) => (kind === 'other' || isOfFamily(type, kind) ? [] : [[type, kind] as const])),
  ),
)

/** The kind of a content type. Types that are not in the table of formats have that of their family, or `other`. */
export function kindOf(contentType: RawBuilder<unknown>): RawBuilder<unknown> {
  const family = sql`split_part(${contentType}, '/', 1)`
  return sql`coalesce(${sql.lit(KINDS)}::jsonb ->> ${contentType},
    case when ${family} in (${sql.join(FAMILIES.map((each) => sql.lit(each)))}) then ${family} else 'other' end)`
}

/** Condition for a content type. `other` stands for all kinds that the filter does not list. */
export function isOfType(contentType: RawBuilder<unknown>, type: FileType): RawBuilder<boolean> {
  if (type !== 'other') return sql`${kindOf(contentType)} = ${type}`
  const listed = FILE_TYPES.filter((each) => each !== 'other')
  return sql`${kindOf(contentType)} <> all (${listed}::text[])`
}
