import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from './pool.ts'

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
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= build(parametersOf<Values>()).compile(db)
    const bound = compiled.parameters.map((each) =>
      each instanceof Parameter ? values[each.name as keyof Values] : each,
    )
    return (await db.executeQuery<Row>(CompiledQuery.raw(compiled.sql, bound))).rows
  }
}

const parametersOf = <Values extends object>(): ParametersOf<Values> =>
  new Proxy({} as ParametersOf<Values>, { get: (_, name) => sql.val(new Parameter(String(name))) })
