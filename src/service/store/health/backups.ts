import { sql } from 'kysely'
import type { Installation } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'

export interface BackupRecord {
  begun_at: string
  ended_at: string
  target: string
  /** Null if the database is backed up by its own tools. */
  database_bytes: number | null
  files: number
  bytes: number
  new_bytes: number
  damaged: number
  failure: string | null
}

const KEPT = 100
const SHOWN = 10

export async function listLastBackups({ db }: Installation): Promise<BackupRecord[]> {
  const { rows } = await sql<BackupRecord>`
    select begun_at, ended_at, target, database_bytes, files, bytes, new_bytes, damaged, failure
    from backups order by id desc limit ${SHOWN}`.execute(db)
  return rows
}

/** Leaves no record in a database that an earlier release made. */
export async function recordBackup(db: Db, record: BackupRecord): Promise<void> {
  const { rows } = await sql<{ known: boolean }>`select to_regclass('backups') is not null as known`.execute(db)
  if (!rows[0]?.known) return
  await db.insertInto('backups').values(record).execute()
  await sql`delete from backups where id <= (select max(id) from backups) - ${KEPT}`.execute(db)
}

export interface BackupHealth {
  /** Seconds since the newest backup that succeeded began; null without one. */
  age: number | null
  /** Why the newest one failed. */
  failure: string | null
}

/** @returns undefined if no backup is recorded, as where the database and the bucket have tools of their own */
export async function readBackupHealth(db: Db): Promise<BackupHealth | undefined> {
  const { rows } = await sql<BackupHealth>`
    select failure, extract(epoch from now() - (select max(begun_at) from backups where failure is null))::float8 as age
    from backups order by id desc limit 1`.execute(db)
  return rows[0]
}
