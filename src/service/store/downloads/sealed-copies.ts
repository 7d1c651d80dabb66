import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { KnownCopy } from '../../access/judge-opening.ts'
import type { OpeningRefusal } from '../../access/opening-rules.ts'
import type { AdministeredWorkspace, DownloadableFile, SealedCopy } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'

export type SealedCopyRow = Reply<Api['sealedCopies']['list']>[number]

interface Filters {
  file_id?: number | undefined
  group_id?: number | undefined
  user_id?: number | undefined
}

/** Returns a page of the sealed copies of a workspace, newest first, and the number of all matches. */
export async function listSealedCopies(
  db: Db,
  workspace: AdministeredWorkspace,
  filters: Filters,
  { page, per_page }: { page: number; per_page: number },
): Promise<{ copies: SealedCopyRow[]; total: number }> {
  const conditions = [sql`c.workspace_id = ${workspace.id}`]
  if (filters.file_id !== undefined) conditions.push(sql`c.file_id = ${filters.file_id}`)
  if (filters.group_id !== undefined) conditions.push(sql`${filters.group_id}::int = any(c.group_ids)`)
  if (filters.user_id !== undefined) conditions.push(sql`c.user_id = ${filters.user_id}`)
  const where = sql.join(conditions, sql` and `)
  const rest = sql`order by c.created_at desc, c.copy_id limit ${per_page} offset ${(page - 1) * per_page}`
  const [copies, counted] = await Promise.all([
    selectCopies(db, workspace, where, rest),
    sql<{ total: number }>`select count(*) as total from sealed_copies c where ${where}`.execute(db),
  ])
  return { copies, total: counted.rows[0]?.total ?? 0 }
}

export async function getSealedCopy(db: Db, { copy_id, workspace }: SealedCopy): Promise<SealedCopyRow> {
  const where = sql`c.workspace_id = ${workspace.id} and c.copy_id = ${copy_id}`
  const [copy] = await selectCopies(db, workspace, where, sql``)
  if (!copy) throw new Error('a sealed copy is gone')
  return copy
}

async function selectCopies(
  db: Db,
  { organization_id }: AdministeredWorkspace,
  where: RawBuilder<unknown>,
  rest: RawBuilder<unknown>,
): Promise<SealedCopyRow[]> {
  const { rows } = await sql<SealedCopyRow>`
    select c.copy_id, c.workspace_id, c.file_id, f.title, c.version, c.pages, c.user_id,
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email, '') as user_name,
      coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id) from groups g
        where g.workspace_id = c.workspace_id and g.id = any(c.group_ids)), '[]') as groups,
      o.openings, o.refusals, o.last_opened_at, c.created_at, c.revoked_at, c.revoked_by_id
    from sealed_copies c
    join files f on f.workspace_id = c.workspace_id and f.id = c.file_id
    left join users u on u.organization_id = ${organization_id} and u.id = c.user_id
    cross join lateral (
      select count(*) filter (where refusal is null) as openings, count(refusal) as refusals,
        max(created_at) filter (where refusal is null) as last_opened_at
      from sealed_openings o where o.workspace_id = c.workspace_id and o.copy_id = c.copy_id
    ) o
    where ${where} ${rest}`.execute(db)
  return rows
}

interface NewCopy {
  copy_id: string
  version: number
  group_ids: number[]
  pages: number
  key_sealed: Buffer
}

/** Inserts a copy that was made for the caller. */
export async function insertSealedCopy(db: Db, { id, folder }: DownloadableFile, copy: NewCopy): Promise<void> {
  const { workspace } = folder
  await db
    .insertInto('sealed_copies')
    .values({ workspace_id: workspace.id, file_id: id, user_id: workspace.actor.id, ...copy })
    .execute()
}

/** @returns whether the state changed */
export async function setRevoked(db: Db, { copy_id, workspace }: SealedCopy, revoked: boolean): Promise<boolean> {
  const changed = await db
    .updateTable('sealed_copies')
    .set(
      revoked
        ? { revoked_at: workspace.actor.now, revoked_by_id: workspace.actor.id }
        : { revoked_at: null, revoked_by_id: null },
    )
    .where('workspace_id', '=', workspace.id)
    .where('copy_id', '=', copy_id)
    .where('revoked_at', revoked ? 'is' : 'is not', null)
    .returning('copy_id')
    .executeTakeFirst()
  return changed !== undefined
}

/** The facts needed to open a copy, whoever its reader is. */
export type OpenableCopy = KnownCopy & { organization_id: number; title: string; key_sealed: Buffer }

export async function findOpenableCopy(db: Db, copyId: string): Promise<OpenableCopy | undefined> {
  return db
    .selectFrom('sealed_copies as c')
    .innerJoin('workspaces as w', 'w.id', 'c.workspace_id')
    .innerJoin('files as f', (join) =>
      join.onRef('f.workspace_id', '=', 'c.workspace_id').onRef('f.id', '=', 'c.file_id'),
    )
    .select([
      'c.workspace_id',
      'c.copy_id',
      'c.file_id',
      'c.version',
      'c.user_id',
      'c.group_ids',
      'c.revoked_at',
      'c.key_sealed',
    ])
    .select(['w.organization_id', 'f.title'])
    .where('c.copy_id', '=', copyId)
    .executeTakeFirst()
}

export type SealedOpeningRow = Reply<Api['sealedCopies']['openings']>[number]

const LISTED_OPENINGS = 100

/** Newest first. */
export async function listSealedOpenings(db: Db, { copy_id, workspace }: SealedCopy): Promise<SealedOpeningRow[]> {
  const { rows } = await sql<SealedOpeningRow>`
    select o.id, o.user_id, o.refusal is null as opened, o.refusal, o.created_at,
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email, '') as user_name
    from sealed_openings o
    left join users u on u.organization_id = ${workspace.organization_id} and u.id = o.user_id
    where o.workspace_id = ${workspace.id} and o.copy_id = ${copy_id}
    order by o.created_at desc, o.id desc limit ${LISTED_OPENINGS}`.execute(db)
  return rows
}

export async function insertSealedOpening(
  db: Db,
  { workspace_id, copy_id }: KnownCopy,
  userId: number,
  refusal: OpeningRefusal | null,
): Promise<void> {
  await db.insertInto('sealed_openings').values({ workspace_id, copy_id, user_id: userId, refusal }).execute()
}
