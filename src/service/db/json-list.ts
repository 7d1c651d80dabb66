import { type RawBuilder, sql } from 'kysely'
import type { Db } from './pool.ts'

/** A list whose elements PostgreSQL has written as JSON: far cheaper than rows that are taken apart and put together. */
export class JsonList {
  /** Some elements each, with commas between them. */
  readonly texts: readonly string[]
  readonly length: number

  constructor(pieces: readonly JsonPiece[]) {
    this.texts = pieces.map(({ text }) => text)
    this.length = pieces.reduce((sum, { elements }) => sum + elements, 0)
  }

  static of(elements: readonly string[]): JsonList {
    const starts = Array.from({ length: Math.ceil(elements.length / TOGETHER) }, (_, piece) => piece * TOGETHER)
    const pieces = starts.map((from) => elements.slice(from, from + TOGETHER))
    return new JsonList(pieces.map((piece) => ({ text: piece.join(','), elements: piece.length })))
  }
}

interface JsonPiece {
  text: string
  elements: number
}

const TOGETHER = 200

/** Reads the rows of a query, which have an `element` of JSON each and a `position` by which they are ordered. */
export async function readJsonList(db: Db, rows: Value): Promise<JsonList> {
  const { rows: pieces } = await sql<JsonPiece>`
    select string_agg(element::text, ',' order by position) as text, count(*) as elements
    from (select element, position, (row_number() over (order by position) - 1) / ${sql.lit(TOGETHER)} as piece from ${rows} r) r
    group by piece order by piece`.execute(db)
  return new JsonList(pieces)
}

type Value = RawBuilder<unknown>

export const jsonText = (value: Value): Value => sql`to_json(${value}::text)::text`
/** Text without quotes, backslashes and control characters, which JSON would escape. */
export const jsonWord = (value: Value): Value => sql`'"' || ${value}::text || '"'`
export const jsonNumber = (value: Value): Value => sql`(${value})::text`
export const jsonBoolean = (value: Value): Value => jsonNullable(value)
export const jsonNullable = (value: Value): Value => sql`coalesce((${value})::text, 'null')`
export const jsonTime = (value: Value): Value => sql`to_char(${value}, '\\"YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\\"')`

/** The JSON text of an object with these fields, each made by one of the functions above. Null if a field is null. */
export function jsonObject(fields: Record<string, Value>): Value {
  const parts = Object.entries(fields).map(([name, value], at) => {
    const before = `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`
    return sql`${sql.lit(before)} || ${value}`
  })
  return sql`${sql.join(parts, sql` || `)} || '}'`
}
