import { sql } from 'kysely'
import { type Db, SETTINGS } from '../../db/pool.ts'

export interface DatabaseHealth {
  version: string
  /** As PostgreSQL writes it: 180004 is 18.4. */
  version_number: number
  /** Seconds since 1970 by the clock of the database. */
  now: number
  /** A replica takes no writes. */
  replica: boolean
  /** Settings that connections do not have as the service wants them, such as `jit = off`. */
  lacking: string[]
}

export async function readDatabaseHealth(db: Db): Promise<DatabaseHealth> {
  const { rows } = await sql<DatabaseHealth>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
      extract(epoch from clock_timestamp())::float8 as now, pg_is_in_recovery() as replica, array(
        select s.name || ' = ' || wanted.setting
        from unnest(${Object.keys(SETTINGS)}::text[], ${Object.values(SETTINGS)}::text[]) wanted (name, setting)
        join pg_settings s on s.name = wanted.name where s.setting <> wanted.setting order by s.name
      ) as lacking`.execute(db)
  const [health] = rows
  if (!health) throw new Error('The database does not answer.')
  return health
}
