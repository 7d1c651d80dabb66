import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { enterAsGroup, type Reader } from '../../access/enter/view-as.ts'
import { foreseeEntry } from '../../access/enter/workspace.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'

type Foreseen = Reply<Api['terms']['foresee']>

/** @throws ApiError 404 if the group does not exist or the user is not a member */
export async function foreseeTerms(db: Db, workspace: AdministeredWorkspace, reader: Reader): Promise<Foreseen> {
  if ('user_id' in reader) {
    const { seen, awaits_terms, terms_ids } = await foreseeEntry(db, workspace, reader.user_id)
    const ids = seen.admin ? [] : terms_ids
    return { await: awaits_terms, terms: await listTerms(db, workspace, sql`${ids}::int[]`) }
  }
  const { admin, group_ids } = await enterAsGroup(db, workspace, reader.group_id)
  if (admin) return { await: false, terms: [] }
  const terms = await listTerms(
    db,
    workspace,
    sql`array(
    select coalesce(g.terms_id, w.terms_id) from workspaces w left join groups g on g.workspace_id = w.id
      and g.id = any(${group_ids}::int[])
    where w.organization_id = ${workspace.organization_id} and w.id = ${workspace.id})`,
  )
  return { await: terms.length > 0, terms }
}

async function listTerms(db: Db, { id }: AdministeredWorkspace, ids: RawBuilder<unknown>): Promise<Foreseen['terms']> {
  const { rows } = await sql<Foreseen['terms'][number]>`
    select t.id, t.title, t.version from terms_versions t where t.workspace_id = ${id} and t.id = any(${ids})
    order by t.id`.execute(db)
  return rows
}
