import { sql } from 'kysely'
import type { KnownCopy } from '../../access/judge-opening.ts'
import type { Db } from '../../db/pool.ts'
import type { OpenableCopy } from './sealed-copies.ts'

/** Lifetime of the code that a window hands to a reader, and of a code that a user types in. */
const CODE_SECONDS = 60
export const USER_CODE_SECONDS = 600
/** Time that the key waits for its reader after the code was entered: hidden pages ask once a minute. */
const ENTERED_SECONDS = 120
/** Readers of one copy that can wait for a code at the same time. A further reader ends the oldest one that still waits. */
const MAX_WAITING = 50

type CopyKey = Pick<KnownCopy, 'workspace_id' | 'copy_id'>

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

/** Adds a reader that waits until a user has entered its code. */
export async function insertWaiting(
  db: Db,
  { workspace_id, copy_id }: CopyKey,
  { challenge, user_code_hash, now }: { challenge: Buffer; user_code_hash: Buffer; now: Date },
): Promise<void> {
  await sql`
    delete from sealed_releases where workspace_id = ${workspace_id} and copy_id = ${copy_id} and challenge in (
      select challenge from sealed_releases
      where workspace_id = ${workspace_id} and copy_id = ${copy_id} and user_code_hash is not null and user_id is null
      order by expires_at desc offset ${MAX_WAITING - 1})`.execute(db)
  await db
    .insertInto('sealed_releases')
    .values({ workspace_id, copy_id, challenge, user_code_hash, expires_at: after(now, USER_CODE_SECONDS) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export interface WaitingReader {
  workspace_id: number
  copy_id: string
  challenge: Buffer
  file_id: number
  title: string
}

/** Finds the reader that waits for this code, if its copy was made for that user. */
export async function findWaiting(
  db: Db,
  userCodeHash: Buffer,
  { userId, now }: { userId: number; now: Date },
): Promise<WaitingReader | undefined> {
  return db
    .selectFrom('sealed_releases as r')
    .innerJoin('sealed_copies as c', (join) =>
      join.onRef('c.workspace_id', '=', 'r.workspace_id').onRef('c.copy_id', '=', 'r.copy_id'),
    )
    .innerJoin('files as f', (join) =>
      join.onRef('f.workspace_id', '=', 'c.workspace_id').onRef('f.id', '=', 'c.file_id'),
    )
    .select(['r.workspace_id', 'r.copy_id', 'r.challenge', 'c.file_id', 'f.title'])
    .where('r.user_code_hash', '=', userCodeHash)
    .where('r.user_id', 'is', null)
    .where('r.expires_at', '>', now.toISOString())
    .where('c.user_id', '=', userId)
    .executeTakeFirst()
}

/** The user who releases a key, and the session with which the release ends. */
interface Releaser {
  userId: number
  sessionId: number | undefined
  now: Date
}

/**
 * Releases the key to the reader that waits for this code. The code is required: a window that some page opened with
 * the challenge of a reader elsewhere does not know it.
 * @returns false if no reader waits for the code
 */
export async function releaseToWaiting(
  db: Db,
  { workspace_id, copy_id }: CopyKey,
  { challenge, user_code_hash }: { challenge: Buffer; user_code_hash: Buffer },
  { userId, sessionId, now }: Releaser,
): Promise<boolean> {
  const { rows } = await sql`
    update sealed_releases set user_id = ${userId}, session_id = ${sessionId ?? null},
      expires_at = least(expires_at, ${after(now, ENTERED_SECONDS)})
    where workspace_id = ${workspace_id} and copy_id = ${copy_id} and challenge = ${challenge}
      and user_code_hash = ${user_code_hash} and user_id is null and expires_at > ${now}
    returning copy_id`.execute(db)
  return rows.length > 0
}

/**
 * Releases the key to the reader that opened a window. The window hands the code to that reader.
 * @returns false if the challenge is taken
 */
export async function releaseToWindow(
  db: Db,
  { workspace_id, copy_id }: CopyKey,
  { challenge, code_hash }: { challenge: Buffer; code_hash: Buffer },
  { userId, sessionId, now }: Releaser,
): Promise<boolean> {
  const by = { user_id: userId, session_id: sessionId ?? null }
  const inserted = await db
    .insertInto('sealed_releases')
    .values({ workspace_id, copy_id, challenge, code_hash, ...by, expires_at: after(now, CODE_SECONDS) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('copy_id')
    .executeTakeFirst()
  return inserted !== undefined
}

export interface Release {
  user_id: number
  session_id: number | null
  code_hash: Buffer | null
}

/** Takes the release for this challenge and deletes it: a code has one attempt. `pending`: no code was entered yet. */
export async function takeRelease(
  db: Db,
  { workspace_id, copy_id }: OpenableCopy,
  challenge: Buffer,
  now: Date,
): Promise<Release | 'pending' | undefined> {
  const ofReader = sql`where workspace_id = ${workspace_id} and copy_id = ${copy_id} and challenge = ${challenge}
    and expires_at > ${now}`
  const { rows } = await sql<Release>`
    delete from sealed_releases ${ofReader} and user_id is not null returning user_id, session_id, code_hash`.execute(
    db,
  )
  if (rows[0]) return rows[0]
  const waiting = await sql`select from sealed_releases ${ofReader}`.execute(db)
  return waiting.rows.length > 0 ? 'pending' : undefined
}

export async function sweepReleases(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sealed_releases').where('expires_at', '<=', now.toISOString()).execute()
}
