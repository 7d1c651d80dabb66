import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { readAddresses } from '../../wire/addresses.ts'
import { startService, type RunningService } from '../app.ts'
import type { Config } from '../base/config.ts'
import { readBlobUrl } from '../base/blob-place.ts'
import { Client } from './client.ts'
import { JOB_KINDS } from '../jobs/queue.ts'
import { createDatabase } from './database/postgres.ts'
import { blobUrlOf, useCredentials } from './swift/start-swift.ts'

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

export interface TestService extends RunningService {
  config: Config
  /** The bootstrap admin: only an organization admin. */
  admin: Client
  /** A client with this user's token. */
  as(user: { user_token: string }): Client
  /** Freezes the clock of the service; undefined returns it to real time. */
  setClock(now: Date | undefined): void
}

/** Where a test reads or spoils the files in which content is kept, these are on the disk in every run. */
export const ON_DISK = { blobPlace: undefined } satisfies Partial<Config>

/** Whether the other tests of this run keep their content on the disk. */
export const isOnDisk = inject('swift') === undefined

function blobPlace() {
  const swift = inject('swift')
  if (!swift) return undefined
  useCredentials(swift)
  return readBlobUrl(blobUrlOf(swift))
}

/** Starts a service with a new database on a free port. `reachThrough` may put a relay between the two. */
export async function startTestService(
  overrides: Partial<Config> = {},
  reachThrough: (databaseUrl: string) => Promise<string> = async (url) => url,
): Promise<TestService> {
  const database = await createDatabase(inject('databaseUrl'))
  const databaseUrl = await reachThrough(database.url)
  const dataDir = await mkdtemp(join(tmpdir(), 'strongroom-service-'))
  const bootstrap = { apiKey: hex(20), apiSecret: hex(32), adminToken: hex(20), adminEmail: 'olivia@example.com' }
  const config: Config = {
    databaseUrl,
    databaseDirectUrl: databaseUrl === database.url ? database.directUrl : databaseUrl,
    databaseReplicaUrl: database.replicaUrl,
    databaseMigrate: true,
    databasePool: undefined,
    host: '127.0.0.1',
    port: 0,
    dataDir,
    blobPlace: blobPlace(),
    masterKey: hex(32),
    publicUrl: 'http://dashboard.test',
    maxUploadBytes: 5 * 1024 ** 3,
    rateLimit: undefined,
    authFailureLimit: undefined,
    // Tests name the client's address in X-Forwarded-For.
    trustedProxies: readAddresses('127.0.0.1,::1') as BlockList,
    accelRedirect: undefined,
    pageCacheBytes: 64 * 1024 ** 2,
    sweepAfterSeconds: 3600,
    scrubAfterSeconds: 86_400,
    scrubBytesPerSecond: 1024 ** 3,
    uploadExpiresAfterSeconds: 86_400,
    smtpUrl: undefined,
    mailFrom: 'Strongroom <no-reply@example.com>',
    clamdUrl: undefined,
    clamdMaxBytes: 25 * 1024 ** 2,
    scanRequired: false,
    converterSandbox: 'bubblewrap',
    bootstrap,
    jobKinds: JOB_KINDS,
    rateStore: 'memory',
    metricsAt: undefined,
    stop: { graceMs: 0, withinMs: 5000 },
    log: 'info',
    vitalsSeconds: 60,
    ...overrides,
  }
  let fixed: Date | undefined
  const service = await startService(config, () => fixed ?? new Date())
  const as = (user: { user_token: string }) =>
    new Client(service.url, { key: bootstrap.apiKey, secret: bootstrap.apiSecret, token: user.user_token })
  return {
    ...service,
    config,
    admin: as({ user_token: bootstrap.adminToken }),
    as,
    setClock: (now) => void (fixed = now),
    async close() {
      await service.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
