import { randomBytes } from 'node:crypto'
import { databaseNamed, runAsAdmin, settingsOf } from '../src/service/testing/database/postgres.ts'
import { startServer } from '../src/service/testing/global-setup.ts'
import { blobUrlOf, credentialsOf, startSwift } from '../src/service/testing/swift/start-swift.ts'

export interface Engines {
  /** For the programs of the stack. */
  env: NodeJS.ProcessEnv
  stop(): Promise<void>
}

/**
 * Starts what the stack stands on if it is not embedded, as the tests of the service do: PostgreSQL by TEST_DATABASE or
 * TEST_DATABASE_URL, and Swift by TEST_BLOB_URL.
 */
export async function startEngines(): Promise<Engines> {
  await using ends = new AsyncDisposableStack()
  const env: NodeJS.ProcessEnv = {}
  if (process.env['TEST_DATABASE'] || process.env['TEST_DATABASE_URL']) {
    const server = await startServer()
    ends.defer(() => server.stop())
    const { TEST_POOLER_URL: pooler = server.databaseUrl, TEST_REPLICA_URL: replica } = process.env
    const name = `journeys_${randomBytes(6).toString('hex')}`
    await runAsAdmin(server.databaseUrl, `create database ${name}`)
    ends.defer(() => runAsAdmin(server.databaseUrl, `drop database ${name} with (force)`))
    if (pooler !== server.databaseUrl) await runAsAdmin(server.databaseUrl, settingsOf(name))
    env['DATABASE_URL'] = databaseNamed(pooler, name)
    env['DATABASE_DIRECT_URL'] = databaseNamed(server.databaseUrl, name)
    if (replica) env['DATABASE_REPLICA_URL'] = databaseNamed(replica, name)
  }
  if (process.env['TEST_BLOB_URL'] === 'swift') {
    const swift = await startSwift()
    ends.defer(() => swift.stop())
    Object.assign(env, credentialsOf(swift), { BLOB_URL: blobUrlOf(swift) })
  }
  const started = ends.move()
  return { env, stop: () => started.disposeAsync() }
}
