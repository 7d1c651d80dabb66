import { sql } from 'kysely'
import { canonical, GENESIS, hashOf, type Mark, statementOf } from '../audit/chain.ts'
import { isSigned, type Signer } from '../audit/signer.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'

const BATCH = 1000

/** Chains what has come in, workspace by workspace. A chain that cannot go on does not hold up the others. */
export async function chainAll(db: Db, signer: Signer, now: () => Date): Promise<void> {
  await db.deleteFrom('audit_inbox').where('workspace_id', '=', 0).execute()
  const waiting = await db.selectFrom('audit_inbox').select('workspace_id').distinct().execute()
  const failures: unknown[] = []
  for (const { workspace_id } of waiting) {
    await chainWorkspace(db, signer, workspace_id, now).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

/** Chains what has come in for one workspace until nothing is left. */
export async function chainWorkspace(db: Db, signer: Signer, workspaceId: number, now: () => Date): Promise<void> {
  let chained: number
  do {
    chained = await transaction(db, (tx) => chainBatch(tx, signer, workspaceId, now()))
  } while (chained === BATCH)
}

/**
 * Entries become records in the order of their ids among those committed by now; what commits later is chained later.
 * The lock on the workspace makes one chainer at a time; requests do not take it.
 * @returns how many
 */
async function chainBatch(db: Db, signer: Signer, workspaceId: number, now: Date): Promise<number> {
  await sql`select from workspaces where id = ${workspaceId} for no key update`.execute(db)
  const waiting = await db
    .selectFrom('audit_inbox')
    .select(['id', 'entry', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .limit(BATCH)
    .execute()
  if (waiting.length === 0) return 0

  let { seq, hash } = await findEnd(db, signer, workspaceId)
  const records = waiting.map((each) => {
    const entry = { ...(JSON.parse(each.entry) as object), at: each.created_at }
    seq += 1
    hash = hashOf({ workspace_id: workspaceId, seq, previous: hash, entry })
    return { workspace_id: workspaceId, seq, hash, entry: canonical(entry) }
  })
  const mark: Mark = { workspace_id: workspaceId, seq, hash, signed_at: now.toISOString() }
  const signature = signer.sign(statementOf('checkpoint', mark))

  await db.insertInto('audit_records').values(records).execute()
  await db
    .insertInto('audit_checkpoints')
    .values({ ...mark, signature })
    .execute()
  const ids = sql<number>`any(${waiting.map(({ id }) => id)}::bigint[])`
  await db.deleteFrom('audit_inbox').where('workspace_id', '=', workspaceId).where('id', '=', ids).execute()
  return records.length
}

/**
 * The newest checkpoint, or the beginning.
 * @throws Error where it is not signed, or not the end: what somebody changed must not get a signature of ours
 */
export async function findEnd(db: Db, signer: Signer, workspaceId: number): Promise<Mark> {
  const { rows } = await sql<Mark & { signature: string; recorded: string | null; further: boolean }>`
    select c.workspace_id, c.seq, c.hash, c.signed_at, c.signature,
      (select r.hash from audit_records r where r.workspace_id = c.workspace_id and r.seq = c.seq) as recorded,
      exists (select from audit_records r where r.workspace_id = c.workspace_id and r.seq > c.seq) as further
    from audit_checkpoints c where c.workspace_id = ${workspaceId} order by c.seq desc limit 1`.execute(db)
  const end = rows[0]
  if (!end) return { workspace_id: workspaceId, seq: 0, hash: GENESIS, signed_at: new Date(0).toISOString() }
  const isSound = end.recorded === end.hash && !end.further
  if (isSound && isSigned(signer.publicKey, statementOf('checkpoint', end), end.signature)) return end
  throw new Error(`The audit trail of workspace ${workspaceId} is not as it was written, near record ${end.seq}.`)
}
