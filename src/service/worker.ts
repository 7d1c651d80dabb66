import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMailer } from '../mail/transport.ts'
import { createSigner } from './audit/signer.ts'
import type { BlobStore } from './blobs/blob-store.ts'
import { createDiskStore } from './blobs/disk.ts'
import { sweepBlobs } from './blobs/sweep.ts'
import { type Config, readConfig } from './config.ts'
import { isMigrated } from './db/migrate.ts'
import { type Db, openPool } from './db/pool.ts'
import { buildDownload } from './documents/build-download.ts'
import { type Runners, runNextJob } from './jobs/run.ts'
import { openVault } from './secrets.ts'
import { chainAll, type Notary } from './store/audit-chain.ts'
import { sweepDownloads } from './store/downloads.ts'
import { sweepSessions } from './store/sessions.ts'
import { sweepCodes } from './store/sign-in-codes.ts'
import { purgeTrash } from './store/trash.ts'

/** Does what changes leave behind as jobs, chains the audit trail, and sweeps. Any number of workers may run. */

const LANES = 2
const IDLE_MS = 500
const CHAIN_MS = 1000
/** After an unexpected failure, such as a database that went away. */
const PAUSE_MS = 2000
const MAX_SWEEP_PAUSE_MS = 10 * 60 * 1000

async function work(config: Config, stop: AbortSignal): Promise<void> {
  const db = openPool(config.databaseUrl, LANES + 2)
  const { smtpUrl, mailFrom: from, dataDir } = config
  const blobs = await createDiskStore(join(dataDir, 'blobs'))
  const runners: Runners = {
    mail: createMailer({ smtpUrl, from, outbox: join(dataDir, 'outbox') }).send,
    zip: (key) => buildDownload({ db, blobs }, key),
    ingest: async () => {},
  }
  await repeat(stop, async () => ((await isMigrated(db)) ? 'done' : IDLE_MS))
  console.log('worker: ready')
  const vault = openVault(config.masterKey)
  const notary = { signer: createSigner(vault.keyFor('audit trail')), vault }
  const lane = () => repeat(stop, async () => ((await runNextJob(db, runners)) ? 0 : IDLE_MS))
  await Promise.all([
    ...Array.from({ length: LANES }, lane),
    chain(db, notary, stop),
    sweepAgainAndAgain(db, blobs, config, stop),
  ])
  await db.destroy()
}

function chain(db: Db, notary: Notary, stop: AbortSignal): Promise<void> {
  return repeat(stop, async () => {
    await chainAll(db, notary, () => new Date())
    return CHAIN_MS
  })
}

async function sweepAgainAndAgain(
  db: Db,
  blobs: BlobStore,
  { sweepAfterSeconds }: Config,
  stop: AbortSignal,
): Promise<void> {
  const pause = Math.min(sweepAfterSeconds * 1000, MAX_SWEEP_PAUSE_MS)
  await repeat(stop, async () => {
    await sweepDownloads(db, new Date())
    await purgeTrash(db, new Date())
    await sweepSessions(db, new Date())
    await sweepCodes(db, new Date())
    const removed = await sweepBlobs(db, blobs, new Date(Date.now() - sweepAfterSeconds * 1000))
    if (removed > 0) console.log(`worker: removed ${removed} blobs that no file names`)
    return pause
  })
}

/** Runs `turn` until it is done or all stops; it says how many milliseconds to wait. A failure is told and tried again. */
async function repeat(stop: AbortSignal, turn: () => Promise<number | 'done'>): Promise<void> {
  while (!stop.aborted) {
    const next = await turn().catch((error: unknown) => {
      console.error(`worker: ${error instanceof Error ? error.message : String(error)}`)
      return PAUSE_MS
    })
    if (next === 'done') return
    await sleep(next, undefined, { signal: stop }).catch(() => {})
  }
}

try {
  const stopping = new AbortController()
  const stop = () => {
    // A job that does not end by itself must not hold the stop up: its lease frees it.
    setTimeout(() => process.exit(0), 5000).unref()
    stopping.abort()
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  if (process.send) process.on('disconnect', stop)
  await work(readConfig(), stopping.signal)
  process.exit(0)
} catch (error) {
  console.error(`worker: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
