import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

export interface DatabaseHealth {
  version: string
  /** As PostgreSQL writes it: 180004 is 18.4. */
  version_number: number
  /** Seconds since 1970 by the clock of the database. */
  now: number
  /** A replica takes no writes. */
  replica: boolean
}

export async function readDatabaseHealth(db: Db): Promise<DatabaseHealth> {
  const { rows } = await sql<DatabaseHealth>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
      extract(epoch from clock_timestamp())::float8 as now, pg_is_in_recovery() as replica`.execute(db)
  const [health] = rows
  if (!health) throw new Error('The database does not answer.')
  return health
}
