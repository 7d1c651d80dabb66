import { compareMigrations } from '../db/migrate.ts'
import type { Db } from '../db/pool.ts'
import { type DatabaseHealth, readDatabaseHealth } from '../store/health/database-health.ts'
import { count, type Finding, findingsOf } from './finding.ts'

const OLDEST = 150_000
/** Seconds. Signatures allow 300; a smaller difference already makes expiry dates and sessions end early or late. */
const SKEW = 5

const found = findingsOf('database')

/** @returns the findings, and whether the other checks can read the schema */
export async function checkDatabase(db: Db, now: () => Date): Promise<{ findings: Finding[]; usable: boolean }> {
  let health: DatabaseHealth
  const asked = now().getTime()
  try {
    health = await readDatabaseHealth(db)
  } catch (error) {
    const advice = 'Start the database, and compare DATABASE_URL with its address, account and password.'
    return {
      findings: [found.error(`The database does not answer: ${(error as Error).message}`, advice)],
      usable: false,
    }
  }
  const answered = now().getTime()
  const { missing, unknown } = await compareMigrations(db)
  return {
    findings: [versionOf(health), ...skewOf(health, (asked + answered) / 2000), ...schemaOf(missing, unknown)],
    usable: missing.length === 0 && unknown.length === 0,
  }
}

function versionOf({ version, version_number, replica }: DatabaseHealth): Finding {
  if (version_number < OLDEST)
    return found.error(`PostgreSQL ${version} is too old.`, 'Upgrade it to PostgreSQL 15 or newer.')
  if (replica)
    return found.error('The database is a replica, which takes no writes.', 'Name the primary in DATABASE_URL.')
  return found.ok(`PostgreSQL ${version} answers.`)
}

function skewOf({ now }: DatabaseHealth, here: number): Finding[] {
  const seconds = Math.round(now - here)
  if (Math.abs(seconds) <= SKEW) return []
  const side = seconds > 0 ? 'ahead of' : 'behind'
  const message = `The clock of the database is ${count(Math.abs(seconds), 'second')} ${side} that of this machine.`
  return [found.warning(message, 'Let both machines set their clocks by NTP.')]
}

function schemaOf(missing: string[], unknown: string[]): Finding[] {
  if (unknown.length > 0) {
    const message = `The schema is newer than this release: it has ${unknown.join(', ')}.`
    return [found.error(message, 'Run the release that migrated this database, or a newer one.')]
  }
  if (missing.length > 0) {
    const message = `The schema lacks ${count(missing.length, 'migration')}, from ${missing[0]} on.`
    return [found.error(message, 'Start the service: it migrates the database.')]
  }
  return [found.ok('The schema is the one of this release.')]
}
