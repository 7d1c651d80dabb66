import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { databaseNamed, TEMPLATE } from '../testing/database/postgres.ts'
import { openPool } from './pool.ts'

const ARCHITECTURE = new URL('../../../docs/ARCHITECTURE.md', import.meta.url)

/** Names in the row of the table of ARCHITECTURE.md that begins so. */
async function listedAs(kind: string): Promise<string[]> {
  const row = (await readFile(ARCHITECTURE, 'utf8')).split('\n').find((line) => line.startsWith(`| ${kind} `))
  const [, , tables = ''] = row?.split('|') ?? []
  return [...tables.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
}

/** Each table with the first column of its primary key. */
async function readTables(): Promise<Map<string, string>> {
  const db = openPool(databaseNamed(inject('databaseUrl'), TEMPLATE), 1)
  const { rows } = await sql<{ name: string; key: string }>`
    select t.relname as name, a.attname as key from pg_class t
    left join pg_index i on i.indrelid = t.oid and i.indisprimary
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace`
    .execute(db)
    .finally(() => db.destroy())
  return new Map(rows.map(({ name, key }) => [name, key]))
}

test('ARCHITECTURE.md says of each table what it would be on Citus', async () => {
  const tables = await readTables()
  const [reference, local] = [await listedAs('reference tables'), await listedAs('local tables of the coordinator')]
  const named = [...reference, ...local]
  expect(new Set(named).size).toBe(named.length)
  const others = [...tables].filter(([, key]) => key !== 'workspace_id').map(([name]) => name)
  expect(named.toSorted()).toEqual(others.toSorted())
  const ofTenants = reference.filter((name) => name !== 'organizations')
  expect(ofTenants.filter((name) => tables.get(name) !== 'organization_id')).toEqual([])
})
