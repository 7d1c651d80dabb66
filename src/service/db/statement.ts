import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { connectionOf } from './pipelined-dialect.ts'
import { type Db, poolOf } from './pool.ts'

/** Stands for a value in a statement that is compiled before any value is known. */
class Parameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** The parameters of a statement, to be put into its text. */
export type ParametersOf<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> }

/**
 * Returns a function that runs a statement, whose text is built and compiled only once. `build` must not depend on
 * anything else but its parameters.
 */
export function statement<Values extends object, Row>(
  build: (parameters: ParametersOf<Values>) => RawBuilder<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let prepared: Prepared | undefined
  return (db, values) => {
    prepared ??= merged(build(parametersOf<Values>()).compile(db))
    const bound = prepared.parameters.map((each) =>
      each instanceof Parameter ? textOf(values[each.name as keyof Values]) : each,
    )
    return run<Row>(db, prepared.text, bound)
  }
}

interface Prepared {
  text: string
  parameters: unknown[]
}

/** Gives a parameter that occurs several times in the text one number, so that its value is sent once. */
function merged({ sql: text, parameters }: CompiledQuery): Prepared {
  const first = parameters.map((each, at) => (each instanceof Parameter ? parameters.indexOf(each) : at))
  const kept = [...new Set(first)]
  const numberOf = (place: number) => kept.indexOf(first[place - 1] ?? 0) + 1
  return {
    text: text.replace(/\$(\d+)/g, (_, place) => `$${numberOf(Number(place))}`),
    parameters: kept.map((at) => parameters[at]),
  }
}

/** `pg` writes a time field by field, in the time zone of the machine. */
const textOf = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)

/** Passes by Kysely's executor where it can, which would take a tenth of the CPU time of a small request. */
async function run<Row>(db: Db, text: string, values: unknown[]): Promise<Row[]> {
  const pool = poolOf(db)
  if (!pool) {
    const query = CompiledQuery.raw(text, values)
    return (await (connectionOf(db)?.executeQuery<Row>(query) ?? db.executeQuery<Row>(query))).rows
  }
  const client = await pool.connect()
  try {
    return (await client.query<Row & pg.QueryResultRow>(text, values)).rows
  } catch (error) {
    // The stack of the caller tells more than that of the parser of replies.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  } finally {
    client.release()
  }
}

function parametersOf<Values extends object>(): ParametersOf<Values> {
  const known = new Map<string, Parameter>()
  const parameterOf = (name: string): Parameter => {
    const parameter = known.get(name) ?? new Parameter(name)
    known.set(name, parameter)
    return parameter
  }
  return new Proxy({} as ParametersOf<Values>, { get: (_, name) => sql.val(parameterOf(String(name))) })
}
