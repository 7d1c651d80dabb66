import { sql } from 'kysely'
import {
  ColumnTypeNode,
  type ExpressionNode,
  generate,
  GenericExpressionNode,
  IdentifierNode,
  PostgresDialect,
  RawExpressionNode,
  UnionExpressionNode,
} from 'kysely-codegen'
import { type Db, openPool } from '../../service/db/pool.ts'

const NUMBER = new IdentifierNode('number')
const STRING = new IdentifierNode('string')

const PARAMS = 'ColumnType<Record<string, string>, string | null | undefined, string | null>'

/** Types that the database does not know. Nodes, because kysely-codegen parses text only with an older TypeScript. */
const OVERRIDES: Record<string, ExpressionNode> = {
  'activities.params': new RawExpressionNode(PARAMS),
  'activities.seen_by_group_ids': new RawExpressionNode('readonly number[]'),
  'jobs.payload': new RawExpressionNode('ColumnType<unknown, string, string>'),
}

const IMPORTS = { GeneratedAlways: 'kysely' }

/** Returns the text of `service/db/schema.ts` for a migrated database. */
export async function printSchema(databaseUrl: string): Promise<string> {
  const db = openPool(databaseUrl, 1)
  try {
    const choices = await listChoices(db)
    return await generate({
      db,
      dialect: dialectAsRead(),
      outFile: null,
      customImports: IMPORTS,
      overrides: { columns: { ...(await listGeneratedAlways(db)), ...OVERRIDES } },
      postprocess: async ({ metadata }) => {
        for (const { name, columns } of metadata.tables)
          for (const column of columns) column.enumValues = choices.get(`${name}.${column.name}`) ?? null
        return metadata
      },
    })
  } finally {
    await db.destroy()
  }
}

/** The types of PostgreSQL as the parsers of `service/db/pool.ts` return them. */
function dialectAsRead(): PostgresDialect {
  const dialect = new PostgresDialect({ dateParser: 'string' })
  const written = new UnionExpressionNode([new IdentifierNode('Date'), STRING])
  Object.assign(dialect.adapter.definitions, { Timestamp: new ColumnTypeNode(STRING, written, written) })
  Object.assign(dialect.adapter.scalars, { int8: NUMBER })
  return dialect
}

/** Returns the values that `check (column in (…))` allows, by table and column. */
async function listChoices(db: Db): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ column: string; definition: string }>`
    select c.conrelid::regclass || '.' || a.attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'c' and cardinality(c.conkey) = 1 and a.atttypid = 'text'::regtype`.execute(db)
  return new Map(
    rows.map(({ column, definition }) => [
      column,
      [...definition.matchAll(/'([^']*)'::text/g)].map(([, value = '']) => value),
    ]),
  )
}

/** Returns the types of the columns that only PostgreSQL writes. */
async function listGeneratedAlways(db: Db): Promise<Record<string, ExpressionNode>> {
  const { rows } = await sql<{ column: string; is_number: boolean }>`
    select c.oid::regclass || '.' || a.attname as column, t.typcategory = 'N' as is_number
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and (a.attidentity = 'a' or a.attgenerated <> '')`.execute(db)
  return Object.fromEntries(
    rows.map(({ column, is_number }) => [
      column,
      new GenericExpressionNode('GeneratedAlways', [is_number ? NUMBER : STRING]),
    ]),
  )
}
