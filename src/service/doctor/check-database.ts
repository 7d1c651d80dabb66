import { compareMigrations } from '../db/migrate.ts'
import type { Db } from '../db/pool.ts'
import { type DatabaseHealth, readDatabaseHealth } from '../store/health/database-health.ts'
import { type Finding, finding } from './finding.ts'

const OLDEST = 150_000
/** Seconds. Signatures allow 300; a smaller difference already makes expiry dates and sessions end early or late. */
const SKEW = 5

/** @returns the findings, and whether the other checks can read the schema */
export async function checkDatabase(db: Db, now: () => Date): Promise<{ findings: Finding[]; usable: boolean }> {
  let health: DatabaseHealth
  const asked = now().getTime()
  try {
    health = await readDatabaseHealth(db)
  } catch (error) {
    return { findings: [finding('database_away', { reason: (error as Error).message })], usable: false }
  }
  const answered = now().getTime()
  const { missing, unknown } = await compareMigrations(db)
  return {
    findings: [
      versionOf(health),
      ...settingsOf(health),
      ...skewOf(health, (asked + answered) / 2000),
      ...schemaOf(missing, unknown),
    ],
    usable: missing.length === 0 && unknown.length === 0,
  }
}

function versionOf({ version, version_number, replica }: DatabaseHealth): Finding {
  if (version_number < OLDEST) return finding('postgresql_old', { version })
  return replica ? finding('database_replica') : finding('postgresql_answers', { version })
}

const settingsOf = ({ lacking }: DatabaseHealth): Finding[] =>
  lacking.length === 0 ? [] : [finding('settings_missing', { names: lacking.join(', ') })]

function skewOf({ now }: DatabaseHealth, here: number): Finding[] {
  const ahead = Math.round(now - here)
  const seconds = Math.abs(ahead)
  if (seconds <= SKEW) return []
  return [finding(ahead > 0 ? 'clock_ahead' : 'clock_behind', { seconds })]
}

function schemaOf(missing: string[], unknown: string[]): Finding[] {
  const [first] = missing
  if (unknown.length > 0) return [finding('schema_newer', { names: unknown.join(', ') })]
  return [
    first === undefined ? finding('schema_current') : finding('schema_older', { migrations: missing.length, first }),
  ]
}
