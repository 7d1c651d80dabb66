import { type RawBuilder, sql } from 'kysely'
import { canonical, GENESIS, hashOf, type Mark, type Owner, ownerOf, statementOf } from '../../audit/chain.ts'
import type { Personal } from '../../audit/personal.ts'
import { isSigned, type Signer } from '../../audit/signer.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import type { Vault } from '../../base/secrets.ts'
import { ensureKeys, keepEntry } from './audit-keys.ts'

/** `signer` signs the chain; `vault` protects the keys that seal its personal data. */
export interface Notary {
  signer: Signer
  vault: Vault
}

/** Columns that identify the owner of a row. The column that does not apply is 0. */
export function columnsOf(owner: Owner): { workspace_id: number; organization_id: number } {
  return { workspace_id: 0, organization_id: 0, ...owner }
}

export function ownerOfRow({
  workspace_id,
  organization_id,
}: {
  workspace_id: number
  organization_id: number
}): Owner {
  return workspace_id === 0 ? { organization_id } : { workspace_id }
}

/** Entries per batch: a batch is hashed in one turn of the event loop. */
const BATCH = 250

/** Chains new entries, trail by trail. A chain that fails does not hold up the others. */
export async function chainAll(db: Db, notary: Notary, now: () => Date): Promise<void> {
  const waiting = await db.selectFrom('audit_inbox').select(['workspace_id', 'organization_id']).distinct().execute()
  const failures: unknown[] = []
  for (const row of waiting) {
    await chainTrail(db, notary, ownerOfRow(row), now).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

/** Chains the new entries of one trail until nothing is left. */
export async function chainTrail(db: Db, notary: Notary, owner: Owner, now: () => Date): Promise<void> {
  let chained: number
  do {
    chained = await transaction(db, (tx) => chainBatch(tx, notary, owner, now()))
  } while (chained === BATCH)
}

/**
 * Turns committed entries into records in the order of their ids; entries that commit later are chained later. Only one
 * chainer runs at a time. Requests, which write entries, do not wait for it.
 * @returns the number of records
 */
async function chainBatch(db: Db, { signer, vault }: Notary, owner: Owner, now: Date): Promise<number> {
  const organizationId = await lockTrail(db, owner)
  const columns = columnsOf(owner)
  const waiting = await listWaiting(db, owner)
  if (waiting.length === 0) return 0

  const persons = waiting.flatMap(({ personal }) => personal.map(({ of }) => of))
  const keys = await ensureKeys(db, vault, organizationId, persons)
  let { seq, hash } = await findEnd(db, signer, owner)
  const records = waiting.map(({ entry: whole, personal }) => {
    // Entries from before there were keys do not say whose data they hold, so they are chained unchanged.
    const { entry, personal: kept } = personal.length > 0 ? keepEntry(whole, personal, keys) : { entry: whole }
    seq += 1
    hash = hashOf({ ...owner, seq, previous: hash, entry })
    return { ...columns, seq, hash, entry: canonical(entry), personal: kept ? JSON.stringify(kept) : null }
  })
  const mark: Mark = { ...owner, seq, hash, signed_at: now.toISOString() }
  const signature = signer.sign(statementOf('checkpoint', mark))

  await db.insertInto('audit_records').values(records).execute()
  await db
    .insertInto('audit_checkpoints')
    .values({ ...mark, ...columns, signature })
    .execute()
  const ids = sql<number>`any(${waiting.map(({ id }) => id)}::bigint[])`
  await db
    .deleteFrom('audit_inbox')
    .where('workspace_id', '=', columns.workspace_id)
    .where('organization_id', '=', columns.organization_id)
    .where('id', '=', ids)
    .execute()
  return records.length
}

/**
 * Locks the first checkpoint, on which chainers wait for each other. While there is none, locks the owner, which
 * requests lock as well.
 * @returns the organization that owns the trail or its workspace
 */
async function lockTrail(db: Db, owner: Owner): Promise<number> {
  if (await lockFirst(db, owner)) return findOrganization(db, owner, sql``)
  const organizationId = await findOrganization(db, owner, sql`for no key update`)
  await lockFirst(db, owner)
  return organizationId
}

async function lockFirst(db: Db, owner: Owner): Promise<boolean> {
  const { workspace_id, organization_id } = columnsOf(owner)
  const { rows } = await sql`select from audit_checkpoints
    where workspace_id = ${workspace_id} and organization_id = ${organization_id}
    order by seq limit 1 for update`.execute(db)
  return rows.length > 0
}

async function findOrganization(db: Db, owner: Owner, lock: RawBuilder<unknown>): Promise<number> {
  const find =
    'workspace_id' in owner
      ? sql<{ id: number }>`select organization_id as id from workspaces where id = ${owner.workspace_id} ${lock}`
      : sql<{ id: number }>`select id from organizations where id = ${owner.organization_id} ${lock}`
  const { rows } = await find.execute(db)
  if (!rows[0]) throw new Error(`There is no owner of the audit trail ${canonical(owner)}.`)
  return rows[0].id
}

interface Waiting {
  id: number
  entry: Record<string, unknown>
  personal: readonly Personal[]
}

async function listWaiting(db: Db, owner: Owner): Promise<Waiting[]> {
  const { workspace_id, organization_id } = columnsOf(owner)
  const rows = await db
    .selectFrom('audit_inbox')
    .select(['id', 'entry', 'created_at'])
    .where('workspace_id', '=', workspace_id)
    .where('organization_id', '=', organization_id)
    .orderBy('id')
    .limit(BATCH)
    .execute()
  return rows.map(({ id, entry: text, created_at }) => {
    const { personal = [], ...entry } = JSON.parse(text) as { personal?: Personal[] }
    return { id, entry: { ...entry, at: created_at }, personal }
  })
}

/**
 * Returns the newest checkpoint, or the beginning.
 * @throws Error if the checkpoint is not signed or not the end: the service must not sign what somebody changed
 */
export async function findEnd(db: Db, signer: Signer, owner: Owner): Promise<Mark> {
  const { workspace_id, organization_id } = columnsOf(owner)
  const { rows } = await sql<Row>`
    select c.seq, c.hash, c.signed_at, c.signature,
      (select r.hash from audit_records r where r.workspace_id = c.workspace_id
        and r.organization_id = c.organization_id and r.seq = c.seq) as recorded,
      exists (select from audit_records r where r.workspace_id = c.workspace_id
        and r.organization_id = c.organization_id and r.seq > c.seq) as further
    from audit_checkpoints c where c.workspace_id = ${workspace_id} and c.organization_id = ${organization_id}
    order by c.seq desc limit 1`.execute(db)
  const [end] = rows
  if (!end) return { ...ownerOf(owner), seq: 0, hash: GENESIS, signed_at: new Date(0).toISOString() }
  const mark: Mark = { ...ownerOf(owner), seq: end.seq, hash: end.hash, signed_at: end.signed_at }
  const isSound = end.recorded === end.hash && !end.further
  if (isSound && isSigned(signer.publicKey, statementOf('checkpoint', mark), end.signature)) return mark
  throw new Error(`The audit trail ${canonical(owner)} is not as it was written, near record ${end.seq}.`)
}

interface Row {
  seq: number
  hash: string
  signed_at: string
  signature: string
  recorded: string | null
  further: boolean
}
