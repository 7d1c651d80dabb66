import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMailer } from '../mail/transport.ts'
import { freezeIntrinsics } from '../wire/freeze-intrinsics.ts'
import { type Log, logDeath, openLog } from '../wire/log.ts'
import { type Gauge, openMetrics } from '../wire/metrics/open-metrics.ts'
import { logVitals } from '../wire/vitals.ts'
import { obeySupervisor } from '../wire/supervised.ts'
import { ORPHANED, type Patience, stopOnSignals } from '../wire/stop.ts'
import { openTraces } from '../wire/traces/open-traces.ts'
import { createSigner } from './audit/signer.ts'
import { createIntegrity } from './blobs/integrity.ts'
import { openStorage } from './blobs/open-storage.ts'
import { metered } from './blobs/metered.ts'
import { scrub } from './blobs/scrub.ts'
import { sweepParts } from './blobs/sweep-parts.ts'
import { sweepBlobs } from './blobs/sweep.ts'
import { type Config, readConfig } from './base/config.ts'
import { examineApart } from './doctor/examine-apart.ts'
import { ACTS, atIntervals, createHinter, type Hints, receiveHints, WORK } from './db/hints.ts'
import { isMigrated } from './db/migrate.ts'
import { type Db, openWorkerPool } from './db/pool.ts'
import { buildDownload } from './documents/zip/build-download.ts'
import { giveUp } from './documents/ingest/give-up.ts'
import { ingest, type IngestMeans } from './documents/ingest/ingest.ts'
import { openOfficeEngine } from './documents/convert/engine/office-engine.ts'
import { openDocuments, QUICK } from './documents/ingest/open-documents.ts'
import { createPageImages } from './documents/pages/page-images.ts'
import { openRenderer } from './documents/render.ts'
import { createOverlays } from './documents/watermark/plan/overlay.ts'
import { scanTerms } from './documents/terms/scan-terms.ts'
import { sweepLeftovers } from './documents/ingest/sweep-leftovers.ts'
import { openStamper } from './documents/watermark/carry/stamper.ts'
import { createIdling } from './jobs/idle.ts'
import { createLanes, type Lanes } from './jobs/lanes.ts'
import { freeOrphans, giveBackJobs, type JobKind, type JobPayloads, sweepShares, TURN_SECONDS } from './jobs/queue.ts'
import { type Runners, runNextJob } from './jobs/run.ts'
import { deliverEmailCode } from './mail/email-change.ts'
import { deliverExpertMail } from './mail/expert-mail.ts'
import { deliverMail } from './mail/invitation.ts'
import { giveUpOpening, openDrafts } from './mail/publish-drafts.ts'
import { remindOfQuestions } from './mail/question-reminders.ts'
import { sendNews } from './mail/send-news.ts'
import { sendWeeklyReports } from './mail/weekly/send-weekly-reports.ts'
import { openUnsubscribeTokens } from './mail/unsubscribe-token.ts'
import { openVault } from './base/secrets.ts'
import { chainAll, type Notary } from './store/audit/audit-chain.ts'
import { examineIn, noteDamageIn, tellOfDamage } from './store/documents/damage.ts'
import { sweepEmailChanges } from './store/people/email-changes.ts'
import { sweepRateBuckets } from './store/people/rate-buckets.ts'
import { sweepInvitations } from './store/people/invitations.ts'
import { sweepMailBudgets } from './store/people/mail-budgets.ts'
import { notePresence } from './store/health/note-presence.ts'
import { refreshStatistics } from './store/health/refresh-statistics.ts'
import { storeExamination } from './store/health/system.ts'
import { installationGauges, poolGauges } from './store/health/gauges.ts'
import { storageGauges } from './store/health/storage-gauges.ts'
import { applyScanPolicy } from './store/documents/scan-policy.ts'
import { sweepDownloads } from './store/downloads/downloads.ts'
import { sweepReleases } from './store/downloads/sealed-releases.ts'
import { sweepUploadKeys } from './store/files/upload-keys.ts'
import { sweepImports } from './store/questions/named-imports.ts'
import { sweepReadingTimes } from './store/engagement/reading-times.ts'
import { sweepSessions } from './store/people/sessions.ts'
import { sweepCodes } from './store/people/sign-in-codes.ts'
import { sweepStampedFiles } from './store/downloads/stamped-files.ts'
import { purgeTrash } from './store/trash/trash.ts'
import { purgeUndos } from './store/trash/undos.ts'

/** Runs jobs, chains the audit trail, and sweeps. Any number of workers may run. */

/**
 * Each kind of job has lanes of its own, so that a thousand documents do not delay a mail. A job that exceeds a quick
 * turn continues in the lane for long jobs, so that users with only quick jobs never wait for it.
 */
const LANES = { mail: 2, zip: 2, longZip: 1, documents: 3, longDocuments: 1 }
const CONNECTIONS = 10
const TURN_MS = TURN_SECONDS * 1000
const LONG_TURN_MS = 60_000
const EXAMINATION_MS = 10 * 60_000
/** Each step of a document is limited in processor time. This limit covers waiting steps and an overloaded machine. */
const DOCUMENT_ABORT_MS = 30_000
const NICEST = 19
const MIGRATING_MS = 100
/** Shortest pause between two times of chaining. */
const CHAIN_MS = 500
const PAUSE_MS = 1000
const SCRUB_PAUSE_MS = 60_000
const TELL_MS = 60_000
const TERMS_MS = 60_000
/** Shortest pause between two looks at the statistics of tables. */
const STATISTICS_MS = 10_000
const NEWS_MS = 30_000
const REMIND_MS = 900_000
/** Time for giving the leases of running jobs back, before the process must have ended. */
const GIVE_BACK_MS = 500
const MAX_SWEEP_PAUSE_MS = 10 * 60 * 1000

/** @param stop ends turns and lanes; `late` gives up what is still running */
async function work(config: Config, stop: AbortSignal, late: AbortSignal): Promise<void> {
  const log = openLog({ process: 'worker', dataDir: config.dataDir, level: config.log, echo: true })
  logDeath(log)
  logVitals(log, config.vitalsSeconds)
  const traces = await openTraces({ process: 'worker', settings: config.traces, log })
  const repeat = repeatWith(log)
  const db = openWorkerPool(config.databaseUrl, Math.min(CONNECTIONS, config.databasePool ?? CONNECTIONS))
  const { smtpUrl, mailFrom: from, dataDir } = config
  // Before the wait, which is no reason to restart the worker.
  if (config.metricsAt) await openMetrics({ process: 'worker', at: config.metricsAt, gauges: workerGauges(db, config) })
  await repeat(stop, async () => ((await isMigrated(db)) ? 'done' : MIGRATING_MS))
  const blobs = metered(await openStorage(db, config, log))
  // One each, so that a document that takes long does not delay the others.
  const engines = [openOfficeEngine(), openOfficeEngine()] as const
  const documents = openDocuments(config, {
    db,
    blobs,
    engine: engines[0],
    limits: QUICK,
    renderer: openRenderer({ size: LANES.documents, cpuMs: QUICK.cpuSeconds * 1000 }),
  })
  const longDocuments = openDocuments(config, {
    db,
    blobs,
    engine: engines[1],
    renderer: openRenderer({ size: LANES.longDocuments, niceness: NICEST }),
  })
  const integrity = createIntegrity(blobs, noteDamageIn(db, config.publicUrl, log))
  // `integrity` marks the damage. The error is dropped: the document is left out or retried as without damage.
  const examine = (blobId: string) => examineIn(db, integrity)(blobId).catch(() => {})
  const stamper = openStamper(blobs, documents.folder, { size: LANES.zip, cpuMs: 2 * TURN_MS, examine })
  const longStamper = openStamper(blobs, documents.folder, { size: LANES.longZip, niceness: NICEST, examine })
  const { cache } = documents
  const renderer = openRenderer({ size: LANES.zip + LANES.longZip })
  const pages = createPageImages({ blobs, cache, renderer, examine })
  const vault = openVault(config.masterKey)
  const overlays = createOverlays()
  const clock = () => new Date()
  const sealing = { db, blobs, integrity, vault, pages, overlays, config, clock }
  const mailer = createMailer({ smtpUrl, from, outbox: join(dataDir, 'outbox') })
  const { send } = mailer
  const { publicUrl } = config
  const announce = createHinter(db, ACTS)
  const runners: Runners = {
    mail: (mail, turn) => deliverMail({ db, send }, mail, turn),
    email_code: (change) => deliverEmailCode({ db, vault, publicUrl, send, clock }, change),
    expert_mail: (asked, turn) => deliverExpertMail({ db, publicUrl, send, clock }, asked, turn),
    open_drafts: ({ schedule_id }) => openDrafts({ db, publicUrl, clock }, schedule_id).then(announce),
    zip: (key, turn) => buildDownload({ ...sealing, stamper: turn.heavy ? longStamper : stamper }, key, turn),
    examine: async (_, { signal }) =>
      storeExamination(db, await examineApart(config, { limitMs: EXAMINATION_MS, signal })),
    ingest: (key, turn) => ingest(turn.heavy ? longDocuments : documents, key, turn),
  }
  const whenParked = {
    ...giveUp(db),
    open_drafts: ({ schedule_id }: JobPayloads['open_drafts']) => giveUpOpening(db, schedule_id),
  }
  await repeat(stop, () => freeOrphans(db).then(() => 'done'))
  const reads = config.jobKinds.includes('ingest')
  const policy = { isScanned: documents.scanner !== undefined, isRequired: config.scanRequired }
  const presence = notePresence(db, 'worker', reads ? policy : undefined)
  console.log('worker: ready')
  // A killed process would not write the cache, and the next start would take twice as long.
  flushCompileCache()
  const notary = { signer: createSigner(vault.keyFor('audit trail')), vault }
  const hints = receiveHints(WORK, config.databaseDirectUrl)
  const untilDue = createIdling(db, hints, config.jobKinds)
  // A hint for each of a thousand documents would make all idle lanes look for work each time.
  const hint = atIntervals(hints.give)
  const run = (all: readonly JobKind[], lanes: Lanes) => {
    const kinds = all.filter((kind) => config.jobKinds.includes(kind))
    return Array.from({ length: kinds.length > 0 ? lanes.count : 0 }, () =>
      repeat(stop, async () => {
        const seen = hints.count()
        const ran = await runNextJob(db, runners, { kinds, lanes, stop, whenParked, log })
        // The job may have planned others, and its entries in the audit trail are not chained yet.
        if (ran) hint()
        else await untilDue(stop, seen)
        return 0
      }),
    )
  }
  const orphans = new Set<string>()
  const tokens = openUnsubscribeTokens(vault)
  const delivery = { db, tokens, publicUrl, send, log }
  const mailsNews = config.jobKinds.includes('mail')
  // A worker that does not read documents knows no scanner, and must not release what others hold.
  await repeat(stop, async () => (reads ? applyScanPolicy(db, policy).then(() => 'done') : 'done'))
  const ended = Promise.all([
    ...run(['mail', 'email_code', 'expert_mail'], createLanes({ count: LANES.mail, turnMs: TURN_MS })),
    ...run(['open_drafts'], createLanes({ count: 1, turnMs: TURN_MS })),
    ...run(['examine'], createLanes({ count: 1, turnMs: EXAMINATION_MS })),
    ...run(['zip'], createLanes({ count: LANES.zip, turnMs: TURN_MS })),
    ...run(['zip'], createLanes({ count: LANES.longZip, heavy: true, turnMs: LONG_TURN_MS })),
    ...run(['ingest'], createLanes({ count: LANES.documents, turnMs: TURN_MS, abortMs: DOCUMENT_ABORT_MS })),
    ...run(['ingest'], createLanes({ count: LANES.longDocuments, heavy: true, turnMs: LONG_TURN_MS })),
    repeat(stop, () => chain(db, notary, hints, stop)),
    repeat(stop, keepStatistics(db, hints, stop)),
    repeat(stop, () => sweep(documents, config, log, orphans)),
    repeat(stop, () => scrubSome(documents, config)),
    repeat(stop, () => tellOfDamage(db, publicUrl).then(() => TELL_MS)),
    repeat(stop, async () => (reads ? scanTerms(documents, publicUrl).then(() => TERMS_MS) : 'done')),
    repeat(stop, async () => (mailsNews ? sendNews(delivery, clock(), stop).then(() => NEWS_MS) : 'done')),
    repeat(stop, async () => (mailsNews ? sendWeeklyReports(delivery, clock(), stop).then(() => NEWS_MS) : 'done')),
    repeat(stop, async () => (mailsNews ? remindOfQuestions(db, publicUrl, clock()).then(() => REMIND_MS) : 'done')),
  ])
  await Promise.race([ended, once(late, 'abort')])
  await giveBackJobs(db)
  await presence.close()
  const toClose = [...engines, documents.renderer, longDocuments.renderer, pages, stamper, longStamper, hints, mailer]
  await Promise.all(toClose.map((each) => each.close()))
  await Promise.all([db.destroy(), traces.close()])
}

const workerGauges = (db: Db, config: Config): Record<string, Gauge> => ({
  ...poolGauges(db),
  ...installationGauges(db),
  ...storageGauges(db, config),
})

async function chain(db: Db, notary: Notary, hints: Hints, stop: AbortSignal): Promise<number> {
  const seen = hints.count()
  await chainAll(db, notary, () => new Date())
  await hints.after(seen, stop)
  return CHAIN_MS
}

/** Returns a turn that looks at the statistics after each hint, also one that came since the turn before began. */
function keepStatistics(db: Db, hints: Hints, stop: AbortSignal): () => Promise<number> {
  let seen = hints.count()
  return async () => {
    await hints.after(seen, stop)
    const isHinted = hints.count() > seen
    seen = hints.count()
    if (isHinted) await refreshStatistics(db)
    return STATISTICS_MS
  }
}

async function sweep(
  { db, blobs, cache, folder }: IngestMeans,
  config: Config,
  log: Log,
  orphans: Set<string>,
): Promise<number> {
  const { sweepAfterSeconds } = config
  await sweepDownloads(db, new Date())
  await sweepStampedFiles(db, new Date())
  await purgeTrash(db, new Date())
  await purgeUndos(db, new Date())
  await sweepSessions(db, new Date())
  await sweepCodes(db, new Date())
  await sweepEmailChanges(db, new Date())
  await sweepInvitations(db, new Date())
  await sweepMailBudgets(db, new Date())
  await sweepRateBuckets(db)
  await sweepReleases(db, new Date())
  await sweepShares(db)
  await sweepReadingTimes(db, new Date())
  await sweepImports(db, new Date())
  await sweepUploadKeys(db, new Date())
  const parts = await sweepParts(db, blobs.parts, new Date())
  const olderThan = new Date(Date.now() - sweepAfterSeconds * 1000)
  const removed = await sweepBlobs(db, blobs, olderThan, cache.removeAll, orphans)
  await cache.trim()
  await sweepLeftovers(folder, olderThan)
  if (removed + parts > 0) log.info({ blobs: removed, parts }, 'removed content that nothing names')
  return Math.min(sweepAfterSeconds * 1000, MAX_SWEEP_PAUSE_MS)
}

async function scrubSome({ db, blobs }: IngestMeans, config: Config): Promise<number> {
  const { scrubAfterSeconds, scrubBytesPerSecond: bytesPerSecond, publicUrl: url } = config
  const before = new Date(Date.now() - scrubAfterSeconds * 1000)
  return (await scrub(db, blobs, { before, bytesPerSecond, url })) > 0 ? 0 : SCRUB_PAUSE_MS
}

/** Repeats `turn` until it is done or `stop` aborts; a number is a pause in milliseconds. Logs and retries failures. */
function repeatWith(log: Log) {
  return async (stop: AbortSignal, turn: () => Promise<number | 'done'>): Promise<void> => {
    while (!stop.aborted) {
      const next = await turn().catch((err: unknown) => {
        log.warn({ err }, 'a turn failed and is tried again')
        return PAUSE_MS
      })
      if (next === 'done') return
      await sleep(next, undefined, { signal: stop }).catch(() => {})
    }
  }
}

try {
  const stopping = new AbortController()
  const late = new AbortController()
  const stop = ({ withinMs }: Patience) => {
    // A job that does not end by itself must not delay the stop.
    setTimeout(() => late.abort(), withinMs - GIVE_BACK_MS)
    setTimeout(() => process.exit(0), withinMs)
    stopping.abort()
  }
  obeySupervisor(() => stop(ORPHANED))
  freezeIntrinsics()
  process.umask(0o077)
  const config = readConfig()
  stopOnSignals(() => stop(config.stop))
  await work(config, stopping.signal, late.signal)
  process.exit(0)
} catch (error) {
  console.error(`worker: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
