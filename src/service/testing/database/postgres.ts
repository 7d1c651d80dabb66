import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { SETTINGS } from '../../db/pool.ts'

export const TEMPLATE = 'strongroom_template'

/** The URL of another database on the same server. */
export function databaseNamed(databaseUrl: string, name: string): string {
  return databaseUrl.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}

export async function runAsAdmin(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** As deploy/settings.md says for PgBouncer. */
export const settingsOf = (database: string): string =>
  Object.entries(SETTINGS)
    .map(([name, value]) => `alter database ${database} set ${name} = '${value}'`)
    .join('; ')

export interface TestDatabase {
  url: string
  /** Past the pooler, if the tests run behind one. */
  directUrl: string
  /** The same database on a replica, if the tests run with one. */
  replicaUrl: string | undefined
  drop(): Promise<void>
}

/**
 * Creates a new database, cloned from the migrated template. Its URL leads through the pooler, if the tests run behind
 * one, and it has the settings then that the pooler omits.
 */
export async function createDatabase(databaseUrl: string): Promise<TestDatabase> {
  const { TEST_POOLER_URL: pooler = databaseUrl, TEST_REPLICA_URL: replica } = process.env
  const name = `test_${randomBytes(6).toString('hex')}`
  await runAsAdmin(databaseUrl, `create database ${name} template ${TEMPLATE}`)
  if (pooler !== databaseUrl) await runAsAdmin(databaseUrl, settingsOf(name))
  return {
    url: databaseNamed(pooler, name),
    directUrl: databaseNamed(databaseUrl, name),
    replicaUrl: replica && databaseNamed(replica, name),
    drop: () => runAsAdmin(databaseUrl, `drop database ${name} with (force)`),
  }
}
