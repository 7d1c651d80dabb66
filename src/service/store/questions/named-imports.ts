import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Input } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { refusal } from '../../base/errors.ts'
import { mapInTurns } from '../../base/turns.ts'
import type { Db } from '../../db/pool.ts'

type Body = Input<Api['questions']['import']>['body']

/** An import that its client named. */
export interface NamedImport {
  import_id: string
  /** The SHA-256 of the questions. */
  digest: Buffer
}

/** Imports of a person in a workspace that are known again. */
const REMEMBERED = 100
/** Imports are known again for this time at least, unless too many others follow. */
const KEPT_MS = 24 * 3_600_000

/** Returns undefined for an import without a name: it is stored each time it is sent. */
export async function namedImport({ import_id, questions }: Body): Promise<NamedImport | undefined> {
  if (import_id === undefined) return undefined
  const hash = createHash('sha256')
  await mapInTurns(questions, (question) => void hash.update(`${JSON.stringify(question)}\n`))
  return { import_id, digest: hash.digest() }
}

/**
 * Remembers an import of the caller. While another transaction stores one of the same name, waits for its end.
 * @returns whether it is the first of its name
 * @throws ApiError 409 if an import of other questions had the name
 */
export async function rememberImport(db: Db, workspace: AdministeredWorkspace, named: NamedImport): Promise<boolean> {
  const { import_id, digest } = named
  const own = sql`workspace_id = ${workspace.id} and user_id = ${workspace.actor.id}`
  const { rows: added } = await sql`
    with added as (
      insert into question_imports (workspace_id, user_id, import_id, digest)
      values (${workspace.id}, ${workspace.actor.id}, ${import_id}::uuid, ${digest})
      on conflict do nothing returning 1
    ), forgotten as (
      delete from question_imports where ctid = any(array(
        select ctid from question_imports where ${own} and exists (select from added) and created_at <= (
          select created_at from question_imports where ${own} order by created_at desc offset ${REMEMBERED - 1}::int limit 1)
        for update skip locked))
    )
    select from added`.execute(db)
  if (added.length > 0) return true
  const { rows } = await sql<{ same: boolean }>`
    select digest = ${digest} as same from question_imports where ${own} and import_id = ${import_id}::uuid`.execute(db)
  // Swept since the conflict.
  if (!rows[0]) return rememberImport(db, workspace, named)
  if (!rows[0].same) throw refusal('import_of_others')
  return false
}

export async function sweepImports(db: Db, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_MS).toISOString()
  await db.deleteFrom('question_imports').where('created_at', '<', oldest).execute()
}
