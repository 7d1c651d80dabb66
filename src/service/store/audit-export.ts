import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import type { AdministeredWorkspace } from '../access/scopes.ts'
import { inOrder, type Mark, statementOf } from '../audit/chain.ts'
import type { Signer } from '../audit/signer.ts'
import type { Db } from '../db/pool.ts'
import { chainWorkspace, findEnd } from './audit-chain.ts'

type Line = Reply<Api['audit']['export']>[number]

const PAGE = 1000

/** The whole trail of a workspace up to this moment, line by line. What is chained does not change meanwhile. */
export async function exportTrail(
  db: Db,
  workspace: AdministeredWorkspace,
  signer: Signer,
  now: () => Date,
): Promise<AsyncIterable<Line>> {
  await chainWorkspace(db, signer, workspace.id, now)
  const { seq, hash } = await findEnd(db, signer, workspace.id)
  const head = { workspace_id: workspace.id, seq, hash, signed_at: now().toISOString() }
  return linesOf(db, head, signer)
}

/** Each with its keys in order: as JSON it is canonical. */
async function* linesOf(db: Db, head: Mark, signer: Signer): AsyncIterable<Line> {
  const { workspace_id, ...rest } = head
  yield inOrder({ type: 'trail', format: 'strongroom-audit/1', workspace_id, public_key: signer.publicKey })
  for (let after = 0; after < head.seq; after += PAGE) {
    const until = Math.min(after + PAGE, head.seq)
    const [records, checkpoints] = await Promise.all([
      selectRecords(db, workspace_id, after, until),
      selectCheckpoints(db, workspace_id, after, until),
    ])
    for (const record of records) {
      yield record
      const checkpoint = checkpoints.get(record.seq)
      if (checkpoint) yield checkpoint
    }
  }
  yield inOrder({ type: 'head', ...rest, signature: signer.sign(statementOf('head', head)) })
}

async function selectRecords(db: Db, workspaceId: number, after: number, until: number): Promise<RecordLine[]> {
  const rows = await db
    .selectFrom('audit_records')
    .select(['seq', 'hash', 'entry'])
    .where('workspace_id', '=', workspaceId)
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .orderBy('seq')
    .execute()
  return rows.map(({ entry, ...row }) => inOrder({ type: 'record', ...row, entry: JSON.parse(entry) as Entry }))
}

type RecordLine = Extract<Line, { type: 'record' }>
type Entry = RecordLine['entry']

async function selectCheckpoints(
  db: Db,
  workspaceId: number,
  after: number,
  until: number,
): Promise<Map<number, Line>> {
  const rows = await db
    .selectFrom('audit_checkpoints')
    .select(['seq', 'hash', 'signed_at', 'signature'])
    .where('workspace_id', '=', workspaceId)
    .where('seq', '>', after)
    .where('seq', '<=', until)
    .execute()
  return new Map(rows.map((row) => [row.seq, inOrder({ type: 'checkpoint', ...row })]))
}
