import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

interface Table {
  name: string
  /** Quoted, in their order, without generated ones. */
  columns: string
}

const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name,
    string_agg(format('%I', a.attname), ', ' order by a.attnum) filter (where a.attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
  group by 1 order by 1`

const SEQUENCES = `
  select format('%I.%I', schemaname, sequencename) as name, last_value from pg_sequences where last_value is not null`

export const listTables = async (client: pg.Client): Promise<Table[]> => (await client.query<Table>(TABLES)).rows

/** @throws Error if the migrations do not make the tables that there are */
export function requireSameTables(old: readonly Table[], made: readonly Table[]): void {
  const columnsOf = new Map(made.map(({ name, columns }) => [name, columns]))
  const names = new Set(old.map(({ name }) => name))
  const other = [
    ...old.filter(({ name, columns }) => sorted(columnsOf.get(name)) !== sorted(columns)),
    ...made.filter(({ name }) => !names.has(name)),
  ]
  if (other.length === 0) return
  const list = other.map(({ name }) => name).join(', ')
  throw new Error(`The database has other tables than its migrations make: ${list}. It was changed by hand.`)
}

const sorted = (columns: string | undefined) => columns?.split(', ').toSorted().join()

/**
 * Copies all rows and sequences through files that both servers can reach. Triggers and foreign keys are off during the
 * copy: they were applied when the rows were written. @returns rows copied
 */
export async function copyTables(from: pg.Client, to: pg.Client, folder: string, log: (line: string) => void) {
  const tables = await listTables(from)
  requireSameTables(tables, await listTables(to))
  await to.query('set session_replication_role = replica')
  await to.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  const file = join(folder, 'table')
  let rows = 0
  for (const { name, columns } of tables) {
    await from.query(`copy ${name} (${columns}) to '${escaped(file)}'`)
    const { rowCount } = await to.query(`copy ${name} (${columns}) from '${escaped(file)}'`)
    await rm(file)
    rows += rowCount ?? 0
    if (rowCount) log(`${name}: ${rowCount.toLocaleString('en')} rows`)
  }
  const sequences = await from.query<{ name: string; last_value: string }>(SEQUENCES)
  for (const { name, last_value } of sequences.rows) await to.query('select setval($1, $2)', [name, last_value])
  await to.query('set session_replication_role = default')
  await to.query('analyze')
  return rows
}

const escaped = (path: string) => path.replaceAll("'", "''")

/** @throws Error that names a table with another number of rows or another content */
export async function requireSameRows(from: pg.Client, to: pg.Client): Promise<void> {
  for (const { name, columns } of await listTables(from)) {
    const [old, made] = await Promise.all([digestOf(from, name, columns), digestOf(to, name, columns)])
    if (old !== made) throw new Error(`The copy of ${name} differs: ${old} before, ${made} after.`)
  }
}

/** The number of rows, and a sum of their hashes that does not depend on their order. */
async function digestOf(client: pg.Client, name: string, columns: string): Promise<string> {
  const { rows } = await client.query<{ digest: string }>(`
    select count(*) || ' rows, sum ' || coalesce(sum(hashtextextended(row_text, 0)::numeric), 0) as digest
    from (select (t.*)::text as row_text from (select ${columns} from ${name}) t) rows`)
  return rows[0]?.digest ?? ''
}
