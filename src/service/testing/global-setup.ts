import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../db/migrate.ts'
import { startSwift, type Swift } from './swift/start-swift.ts'
import { ensureInstalled } from './system-packages.ts'
import { databaseNamed, runAsAdmin, TEMPLATE } from './database/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
    /** The store of all services under test; undefined for folders. */
    swift: Pick<Swift, 'endpoint' | 'bucket' | 'accessKey' | 'secretKey'> | undefined
  }
}

/**
 * Starts one PostgreSQL for the whole run, with a migrated template that each test file clones: the embedded one, the one
 * of TEST_DATABASE_URL, Debian's (TEST_DATABASE=debian15), or Debian's with PgBouncer and a replica
 * (TEST_DATABASE=pgbouncer).
 * With `TEST_BLOB_URL=swift`, all services under test store their content in one OpenStack Swift.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  await runAsAdmin(server.databaseUrl, `drop database if exists ${TEMPLATE}`)
  await runAsAdmin(server.databaseUrl, `create database ${TEMPLATE}`)
  await migrate(databaseNamed(server.databaseUrl, TEMPLATE))
  project.provide('databaseUrl', server.databaseUrl)
  const swift = process.env['TEST_BLOB_URL'] === 'swift' ? await openSwift() : undefined
  const { endpoint = '', bucket = '', accessKey = '', secretKey = '' } = swift ?? {}
  project.provide('swift', swift && { endpoint, bucket, accessKey, secretKey })
  return async () => {
    await swift?.stop()
    await server.stop()
  }
}

async function openSwift(): Promise<Swift> {
  if (!(await ensureInstalled('swift'))) throw new Error('OpenStack Swift is not installed.')
  return startSwift()
}

/** Starts PostgreSQL in a temporary folder, without fsync. */
export async function startServer(): Promise<{ databaseUrl: string; stop: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { databaseUrl: given, stop: async () => {} }
  const kind = process.env['TEST_DATABASE']
  if (kind === 'debian15' || kind === 'pgbouncer') return startExternal(kind)
  const { startPostgres } = await import('../../embedded/postgres.ts')
  const dataDir = await mkdtemp(join(tmpdir(), 'strongroom-test-'))
  const postgres = await startPostgres({ dataDir, durable: false })
  const stop = async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { databaseUrl: postgres.databaseUrl, stop }
}

async function startExternal(
  kind: 'debian15' | 'pgbouncer',
): Promise<{ databaseUrl: string; stop: () => Promise<void> }> {
  const { startDebianPostgres } = await import('./database/debian-postgres.ts')
  const { startPgBouncer } = await import('./database/pgbouncer.ts')
  const primary = await startDebianPostgres()
  if (kind === 'debian15') return { databaseUrl: primary.url, stop: primary.dispose }
  const replica = await primary.replicate()
  const pooler = await startPgBouncer(primary.url)
  process.env['TEST_POOLER_URL'] = pooler.url
  process.env['TEST_REPLICA_URL'] = replica.url
  const stop = async () => {
    for (const each of [pooler, replica, primary]) await each.dispose()
  }
  return { databaseUrl: primary.url, stop }
}
