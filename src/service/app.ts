import { join } from 'node:path'
import { type Log, openLog } from '../wire/log.ts'
import { type Gauge, openMetrics } from '../wire/metrics/open-metrics.ts'
import { createRateLimit } from '../wire/rates/rate-limit.ts'
import type { RateStore } from '../wire/rates/rate-store.ts'
import { openRedisRateStore } from '../wire/rates/redis-rate-store.ts'
import { ALONE, type Siblings } from '../wire/siblings.ts'
import { endConnectionsWithReplies } from '../wire/stop.ts'
import { openTraces } from '../wire/traces/open-traces.ts'
import { createSigner } from './audit/signer.ts'
import { createIntegrity } from './blobs/integrity.ts'
import { metered } from './blobs/metered.ts'
import { openStorage } from './blobs/open-storage.ts'
import type { Config } from './base/config.ts'
import { watchPauses } from './base/pauses.ts'
import { ACTS, createHinter, WORK } from './db/hints.ts'
import { migrate, untilMigrated } from './db/migrate.ts'
import { type Db, openPool, poolVitals } from './db/pool.ts'
import { openReplica, type Replica } from './db/replica.ts'
import { untilReachable } from './db/until-reachable.ts'
import { openPageCache } from './documents/pages/shared-page-cache.ts'
import { createScanner } from './documents/ingest/scan.ts'
import { createIndexPrinter } from './documents/index-pdf.ts'
import { createPageImages } from './documents/pages/page-images.ts'
import { createPageTexts } from './documents/pages/page-texts.ts'
import { FOREGROUND, openRenderer } from './documents/render.ts'
import { createMarker } from './documents/watermark/marker.ts'
import { openStamper } from './documents/watermark/carry/stamper.ts'
import { createFollowers, type Followers } from './events/followers.ts'
import { createClientAddresses } from './http/client-addresses.ts'
import { createContentUrls } from './content/content-url.ts'
import type { Services } from './http/context.ts'
import { createServer } from './http/server.ts'
import { openVault, type Vault } from './base/secrets.ts'
import { notePresence } from './store/health/note-presence.ts'
import { installationGauges, poolGauges, replicaGauges } from './store/health/gauges.ts'
import { storageGauges } from './store/health/storage-gauges.ts'
import { bootstrap } from './store/people/bootstrap.ts'
import { createRateBuckets } from './store/people/rate-buckets.ts'
import { examineIn, noteDamageIn } from './store/documents/damage.ts'

export interface RunningService {
  /** `http://host:port`, with the actual port. */
  url: string
  services: Services
  vitals(): Record<string, number>
  /** From now on it is not ready, and connections end with their next reply. */
  drain(): void
  close(): Promise<void>
}

/**
 * For work that a user waits for. One process more than the usual number of processors: one user never gets all. They
 * stay while somebody reads, because a new one takes longer to start than a page to draw.
 */
const ON_DEMAND = { size: 3, niceness: FOREGROUND, quickMs: 3000, idleMs: 120_000 }

/** The number of connections to the database: of one process, and of all of a service together unless configured. */
const CONNECTIONS = { ofOne: 20, ofAll: 80, least: 2 }

const WARN_EVERY_MS = 60_000

/** A user waits for the scan of a few megabytes. */
const SCAN_PATIENCE_MS = 20_000

/** Migrates the database, ensures that the first organization exists, and listens. */
export async function startService(
  config: Config,
  clock: () => Date = () => new Date(),
  siblings: Siblings = ALONE,
): Promise<RunningService> {
  const { processes = 1, slot = 1 } = config
  const name = slot === 1 ? 'service' : `service-${slot}`
  const log = openLog({ process: name, dataDir: config.dataDir, level: config.log, echo: true })
  const traces = await openTraces({ process: name, settings: config.traces, log })
  const db = openPool(config.databaseUrl, connectionsOf(config.databasePool, processes))
  const replica = openReplica(db, config.databaseReplicaUrl, log)
  try {
    await untilReachable(db)
    const vault = openVault(config.masterKey)
    // Further processes start after the first one did this.
    if (slot === 1) await prepare(config, db, vault)
    const followers = createFollowers({ db, replica, directUrl: config.databaseDirectUrl }, clock, siblings)
    if (config.metricsAt)
      await openMetrics({ process: name, at: config.metricsAt, gauges: gaugesOf(config, { db, replica }, followers) })
    const blobs = metered(await openStorage(db, config, log))
    const cache = openPageCache(config, blobs)
    const integrity = createIntegrity(blobs, noteDamageIn(db, config.publicUrl, log))
    const examine = examineIn(db, integrity)
    const renderer = openRenderer(ON_DEMAND)
    const pages = createPageImages({ blobs, cache, renderer, examine })
    const stamper = openStamper(blobs, join(config.dataDir, 'tmp'), { ...ON_DEMAND, examine })
    const rateStore = await openRateStore(config.rateStore, db, log)
    const services: Services = {
      config,
      log,
      db,
      replica,
      vault,
      clock,
      blobs,
      integrity,
      pages,
      renderer,
      scanner: createScanner(config.clamdUrl, { maxBytes: config.clamdMaxBytes, patienceMs: SCAN_PATIENCE_MS }),
      indexPrinter: createIndexPrinter(renderer, join(config.dataDir, 'tmp')),
      pageTexts: createPageTexts({ blobs, cache, renderer, examine }),
      marker: createMarker(),
      stamper,
      auditSigner: createSigner(vault.keyFor('audit trail')),
      followers,
      hint: createHinter(db, WORK),
      announce: createHinter(db, ACTS),
      siblings,
      rateStore,
      isDraining: false,
      pauses: watchPauses(),
      clientAddresses: createClientAddresses(config, log, clock),
      contentUrls: createContentUrls(config.publicUrl, vault.sealerFor('expiring URLs')),
    }
    const app = createServer(services)
    const presence = notePresence(db, 'service', {
      isScanned: config.clamdUrl !== undefined,
      isRequired: config.scanRequired,
    })
    const url = await app.listen({ host: config.host, port: config.port, ...(config.slot && { reusePort: true }) })
    return {
      url,
      services,
      vitals: () => ({ ...poolVitals(db), followers: services.followers.count() }),
      drain() {
        services.isDraining = true
        endConnectionsWithReplies(app.server)
      },
      async close() {
        // Fastify closes idle connections only once. Connections that are answering at that moment become idle later.
        const idle = setInterval(() => app.server.closeIdleConnections(), 50)
        await app.close().finally(() => clearInterval(idle))
        services.pauses.close()
        await Promise.all([pages.close(), services.marker.close(), stamper.close(), presence.close()])
        await Promise.all([rateStore?.close(), replica.close(), db.destroy(), traces.close()])
      },
    }
  } catch (error) {
    await Promise.all([replica.close(), db.destroy(), traces.close()])
    throw error
  }
}

/** One process of each node reads the database and the storage for the gauges of the installation. */
function gaugesOf(
  config: Config,
  { db, replica }: { db: Db; replica: Replica },
  followers: Followers,
): Record<string, Gauge> {
  const { databaseReplicaUrl, slot = 1 } = config
  return {
    event_streams: { help: 'Event streams of clients', read: () => [[{}, followers.count()]] },
    ...poolGauges(db),
    ...(databaseReplicaUrl !== undefined && replicaGauges(replica)),
    ...(slot === 1 && { ...installationGauges(db), ...storageGauges(db, config) }),
  }
}

async function openRateStore(kind: string, db: Db, log: Log): Promise<RateStore | undefined> {
  if (kind === 'memory') return undefined
  const store = kind === 'postgres' ? createRateBuckets(db) : await openRedisRateStore(kind)
  const isQuiet = createRateLimit({ count: 1, periodMs: WARN_EVERY_MS, burst: 1 }, () => new Date())
  return {
    ...store,
    settle: (taken) =>
      store.settle(taken).catch((err: unknown) => {
        if (isQuiet.take('away').waitMs === 0) log.warn({ err }, 'RATE_STORE is away: limits hold for each node alone')
        throw err
      }),
  }
}

function connectionsOf(configured: number | undefined, processes: number): number {
  const { ofOne, ofAll, least } = CONNECTIONS
  // Each process may have one more, which receives hints.
  const pooled = Math.max(least, Math.floor((configured ?? ofAll) / processes) - 1)
  return configured === undefined ? Math.min(ofOne, pooled) : pooled
}

async function prepare(config: Config, db: Db, vault: Vault): Promise<void> {
  const { databaseUrl, databaseDirectUrl = databaseUrl, bootstrap: named } = config
  if (config.databaseMigrate) await migrate(databaseDirectUrl)
  else await untilMigrated(db)
  if (named) await bootstrap(db, vault, named)
}
