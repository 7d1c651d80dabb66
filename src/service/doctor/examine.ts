import { contentPlace } from '../base/blob-place.ts'
import type { Config } from '../base/config.ts'
import { viewStorage } from '../blobs/view-storage.ts'
import { type Db, openPool } from '../db/pool.ts'
import { checkAudit } from './check-audit.ts'
import { checkBackups } from './check-backups.ts'
import { checkContent, type ContentAmount } from './check-content.ts'
import { checkDatabase } from './check-database.ts'
import { checkConverter, checkMail, checkScanner } from './check-helpers.ts'
import { checkReplica } from './check-replica.ts'
import { checkQueue } from './check-queue.ts'
import { checkScans } from './check-scans.ts'
import type { Finding } from './finding.ts'

/** A sweep removes what the sweep before has found, so content that nothing references is gone after the third. */
const SWEEPS = 3
/** Longest pause between two sweeps, in seconds. */
const SWEEP_PAUSE = 600

export type Examined = Pick<
  Config,
  | 'databaseUrl'
  | 'databaseReplicaUrl'
  | 'dataDir'
  | 'blobPlace'
  | 'sweepAfterSeconds'
  | 'masterKey'
  | 'smtpUrl'
  | 'clamdUrl'
  | 'converterSandbox'
>

interface Listener {
  /** Hears the findings of each check when it ends. */
  found?(findings: Finding[]): void
  counted?(content: ContentAmount): void
}

/** Examines an installation without changing anything. Runs beside it, or while only its database runs. */
export async function examine(
  config: Examined,
  now: () => Date = () => new Date(),
  { found, counted }: Listener = {},
): Promise<Finding[]> {
  const db = openPool(config.databaseUrl, 2, 0)
  const heard = async (check: Promise<Finding | Finding[]>) => {
    const findings = [await check].flat()
    found?.(findings)
    return findings
  }
  try {
    const { findings, usable } = await checkDatabase(db, now)
    found?.(findings)
    const inDatabase = usable
      ? [
          checkReplica(db, config.databaseReplicaUrl),
          contentOf(db, config, now, counted),
          checkQueue(db),
          checkScans(db),
          checkAudit(db, config.masterKey, now),
          checkBackups(db),
        ]
      : []
    const helpers = [checkMail(config), checkScanner(config), checkConverter(config)]
    return [...findings, ...(await Promise.all([...inDatabase, ...helpers].map(heard))).flat()]
  } finally {
    await db.destroy()
  }
}

async function contentOf(
  db: Db,
  config: Examined,
  now: () => Date,
  counted?: (content: ContentAmount) => void,
): Promise<Finding[]> {
  const { sweepAfterSeconds } = config
  const sweptBefore = new Date(now().getTime() - SWEEPS * Math.max(sweepAfterSeconds, SWEEP_PAUSE) * 1000)
  return checkContent(db, await viewStorage(contentPlace(config)), { sweptBefore, counted })
}
