import type { Db } from '../db/pool.ts'
import { readBackupHealth } from '../store/health/backups.ts'
import { type Finding, finding } from './finding.ts'

/** A weekly backup may be a day late. */
const OLDEST_DAYS = 8
const DAY = 86_400

/** Only backups by `npm run backup` are recorded. */
export async function checkBackups(db: Db): Promise<Finding[]> {
  const health = await readBackupHealth(db)
  if (!health) return [finding('backup_none')]
  const { age, failure } = health
  return [...(failure === null ? [] : [finding('backup_failed', { reason: failure })]), ageOf(age ?? Infinity)]
}

function ageOf(seconds: number): Finding {
  const days = Math.floor(seconds / DAY) + 1
  return days <= OLDEST_DAYS ? finding('backup_recent', { days }) : finding('backup_old', { days: OLDEST_DAYS })
}
