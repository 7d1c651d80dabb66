import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isAway } from './faults.ts'
import type { Db } from './pool.ts'

const PATIENCE_MS = 60_000
const PAUSE_MS = 100

/** Waits for a database that is starting or recovering. @throws if it refuses the service or is away for a minute */
export async function untilReachable(db: Db): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      await sql`select 1`.execute(db)
      return
    } catch (error) {
      if (!isAway(error) || Date.now() > end) throw new Error(sentenceOf(error as Error), { cause: error })
    }
  }
}

const TLS = /certificate|SSL|TLS|altnames/i

function sentenceOf({ message }: Error): string {
  if (message.startsWith('unsupported startup parameter'))
    return 'DATABASE_URL leads to PgBouncer: add pgbouncer=true to it.'
  const compared = TLS.test(message) ? 'sslmode and sslrootcert' : 'address, account and password'
  return `The database refuses the service: ${message}. Compare the ${compared} in DATABASE_URL with the server.`
}
