import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredOrganization, AdministeredWorkspace } from '../../access/scopes.ts'
import { inOrder, type Mark, type Owner, ownerOf, statementOf } from '../../audit/chain.ts'
import type { Sealed } from '../../audit/personal.ts'
import type { Db } from '../../db/pool.ts'
import { chainTrail, columnsOf, findEnd, type Notary, ownerOfRow } from './audit-chain.ts'
import { findKeys, showEntry } from './audit-keys.ts'

type Line = Reply<Api['audit']['export']>[number]

/** Records per page: a page is processed in one turn of the event loop. */
const PAGE = 250

/** Exports the whole trail of a workspace up to this moment, line by line. */
export function exportTrail(db: Db, workspace: AdministeredWorkspace, notary: Notary, now: () => Date) {
  return exportOf(db, { workspace_id: workspace.id }, workspace.organization_id, notary, now)
}

/** Exports the trail of an organization: what happened outside of its workspaces. */
export function exportOrganizationTrail(
  db: Db,
  { id }: AdministeredOrganization,
  notary: Notary,
  now: () => Date,
): Promise<AsyncIterable<Line>> {
  return exportOf(db, { organization_id: id }, id, notary, now)
}

/** Chained records do not change during the export. */
async function exportOf(
  db: Db,
  owner: Owner,
  organizationId: number,
  notary: Notary,
  now: () => Date,
): Promise<AsyncIterable<Line>> {
  await chainTrail(db, notary, owner, now)
  return readTrail(db, owner, organizationId, notary, now)
}

export interface OwnedTrail {
  owner: Owner
  organization_id: number
}

/** All trails that have records. */
export async function listTrails(db: Db): Promise<OwnedTrail[]> {
  const { rows } = await sql<{ workspace_id: number; organization_id: number; owned_by: number }>`
    select distinct c.workspace_id, c.organization_id, coalesce(w.organization_id, c.organization_id) as owned_by
    from audit_checkpoints c left join workspaces w on w.id = c.workspace_id
    order by c.workspace_id, c.organization_id`.execute(db)
  return rows.map(({ owned_by: organization_id, ...row }) => ({ owner: ownerOfRow(row), organization_id }))
}

/** Reads the chained records of a trail. @throws Error if its end is not as it was signed */
export async function readTrail(
  db: Db,
  owner: Owner,
  organizationId: number,
  notary: Notary,
  now: () => Date,
): Promise<AsyncIterable<Line>> {
  const { seq, hash } = await findEnd(db, notary.signer, owner)
  const head = { ...owner, seq, hash, signed_at: now().toISOString() }
  return linesOf(db, head, organizationId, notary)
}

/** Yields lines with their keys in order, so that their JSON is canonical. */
async function* linesOf(db: Db, head: Mark, organizationId: number, notary: Notary): AsyncIterable<Line> {
  const { signer } = notary
  const owner = ownerOf(head)
  yield inOrder({ type: 'trail', format: 'strongroom-audit/2', ...owner, public_key: signer.publicKey })
  for (let after = 0; after < head.seq; after += PAGE) {
    const page = { owner, after, until: Math.min(after + PAGE, head.seq) }
    const [records, checkpoints] = await Promise.all([
      selectRecords(db, page, organizationId, notary),
      selectCheckpoints(db, page),
    ])
    for (const record of records) {
      yield record
      const checkpoint = checkpoints.get(record.seq)
      if (checkpoint) yield checkpoint
    }
  }
  const { seq, hash, signed_at } = head
  yield inOrder({ type: 'head', seq, hash, signed_at, signature: signer.sign(statementOf('head', head)) })
}

interface Page {
  owner: Owner
  /** Exclusive. */
  after: number
  until: number
}

/** Condition for the rows of a page in a table of the trail. */
const within = ({ owner, after, until }: Page) => {
  const { workspace_id, organization_id } = columnsOf(owner)
  return sql<boolean>`workspace_id = ${workspace_id} and organization_id = ${organization_id}
    and seq > ${after} and seq <= ${until}`
}

type RecordLine = Extract<Line, { type: 'record' }>
type Entry = RecordLine['entry']
type Kept = Parameters<typeof showEntry>[1]

async function selectRecords(db: Db, page: Page, organizationId: number, { vault }: Notary): Promise<RecordLine[]> {
  const rows = await db
    .selectFrom('audit_records')
    .select(['seq', 'hash', 'entry', 'personal'])
    .where(within(page))
    .orderBy('seq')
    .execute()
  const records = rows.map(({ entry, personal, ...row }) => ({
    row,
    entry: JSON.parse(entry) as Entry & { personal?: Sealed[] },
    kept: JSON.parse(personal ?? '[]') as Kept,
  }))
  const persons = new Set(records.flatMap(({ entry }) => entry.personal?.map(({ of }) => of) ?? []))
  const keys = await findKeys(db, vault, organizationId, [...persons])
  return records.map(({ row, entry: { personal, ...entry }, kept }) => {
    const shown = personal ? showEntry({ ...entry, personal }, kept, keys) : { entry }
    return inOrder({ type: 'record', ...row, ...shown } as RecordLine)
  })
}

async function selectCheckpoints(db: Db, page: Page): Promise<Map<number, Line>> {
  const rows = await db
    .selectFrom('audit_checkpoints')
    .select(['seq', 'hash', 'signed_at', 'signature'])
    .where(within(page))
    .execute()
  return new Map(rows.map((row) => [row.seq, inOrder({ type: 'checkpoint', ...row })]))
}
