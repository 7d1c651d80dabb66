import { join } from 'node:path'
import type { Config } from './config.ts'
import { startPostgres } from './postgres.ts'
import { findPostmaster } from './postgres/postmaster.ts'
import { connectionString, DATABASE } from './postgres/settings.ts'

export interface ReachedDatabase extends AsyncDisposable {
  url: string
  /** `external` for the database that DATABASE_URL names; `started` for one that runs only until it is disposed of. */
  state: 'external' | 'running' | 'started'
}

/** Reaches the database of an installation, whether it runs or not. */
export async function reachDatabase({ dataDir, databaseUrl }: Config): Promise<ReachedDatabase> {
  if (databaseUrl) return { url: databaseUrl, state: 'external', [Symbol.asyncDispose]: async () => {} }
  const found = await findPostmaster(join(dataDir, 'postgres'))
  if (found) {
    const url = connectionString(found.socketDir, DATABASE)
    return { url, state: 'running', [Symbol.asyncDispose]: async () => {} }
  }
  const started = await startPostgres({ dataDir })
  return { url: started.databaseUrl, state: 'started', [Symbol.asyncDispose]: () => started.stop() }
}
