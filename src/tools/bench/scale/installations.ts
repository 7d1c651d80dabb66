import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '../../../../e2e/stack.ts'
import { startPostgres } from '../../../embedded/postgres.ts'
import { ensureInstalled } from '../../../service/testing/system-packages.ts'
import { openCluster } from '../../cluster/cluster.ts'
import { postmasterOf } from '../../cluster/databases.ts'

export interface Installation {
  apiUrl: string
  credentials: { apiKey: string; apiSecret: string; adminToken: string }
  /** Leads to the primary, as a superuser. */
  databaseUrl: string
  /** Process ids of servers that are not below this process. */
  servers: number[]
}

/** Starts what `npm start` does. Data that is gone with the measurement need not survive a power cut. */
export async function openOnThisMachine(ends: AsyncDisposableStack): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-bench-scale-'))
  ends.defer(() => rm(folder, { recursive: true, force: true }))
  const { databaseUrl, stop } = await startPostgres({ dataDir: folder, durable: false })
  ends.defer(stop)
  const stack = await startStack({ demo: false, env: { DATABASE_URL: databaseUrl, RATE_LIMIT: 'off' } })
  ends.defer(() => stack.stop())
  return { ...stack, databaseUrl, servers: [] }
}

/** @throws Error unless this is root on Debian */
export async function openInCluster(ends: AsyncDisposableStack): Promise<Installation> {
  if (!(await ensureInstalled('patroni', 'postgres15', 'pgbouncer', 'haproxy', 'swift', 'ipTools')))
    throw new Error('A cluster needs packages of Debian.')
  const cluster = await openCluster()
  ends.defer(() => cluster.remove())
  const { folder, product, databases } = await cluster.start(console.log)
  const { address } = await databases.primary()
  // Patroni lets PostgreSQL survive itself.
  const servers = databases.machines.map((machine) => postmasterOf(folder, machine))
  return { ...product, databaseUrl: `postgresql://postgres@${address}/strongroom`, servers }
}
