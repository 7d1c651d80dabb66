import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { isInDraft } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { kindOf } from '../files/file-types.ts'
import { numberedPathForAdmins } from '../folders/outlines.ts'

/** Deletions can be restored this long (decisions, section 6). */
const KEPT_DAYS = 30
const PURGE_BATCH = 1000

export type TrashItem = Reply<Api['trash']['list']>[number]

/** Returns a page of the deletions of a workspace, newest first, and the number of all. */
export async function listTrash(
  db: Db,
  workspace: AdministeredWorkspace,
  { page, per_page }: { page: number; per_page: number },
): Promise<{ items: TrashItem[]; total: number }> {
  const { rows: counted } = await sql<{ total: number }>`
    with ${items(workspace)} select count(*) as total from item`.execute(db)
  const { rows } = await sql<TrashItem>`
    with ${items(workspace)}, page as (
      select * from item order by deleted_at desc, deletion_id offset ${(page - 1) * per_page} limit ${per_page}
    )
    select i.deletion_id, i.type, i.id, i.name, i.file_name, i.in_place, i.deleted_at,
      i.type = 'file' and not i.in_place and ${isInDraft(workspace.id, sql`i.place`)} as of_gone_draft,
      case when i.in_place then i.parent_id else 0 end as folder_id,
      case when i.type = 'file' then ${kindOf(sql`i.content_type`)} end as kind, coalesce(i.deleted_by_id, 0) as deleted_by_id,
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email, '') as deleted_by_name,
      i.deleted_at + make_interval(days => ${KEPT_DAYS}) as purged_at, coalesce(a.path, '/') as path,
      ${numberedPathForAdmins(workspace.id, sql`i.place`)} as numbered_path,
      d.folders, f.files, f.size
    from page i
    left join users u on u.organization_id = ${workspace.organization_id} and u.id = i.deleted_by_id
    cross join lateral (
      select '/' || string_agg(o.name, '/' order by cardinality(o.id_path)) as path from folders o
      where o.workspace_id = ${workspace.id} and o.id = any(i.place) and o.id <> 0
    ) a
    cross join lateral (
      select count(*) as folders from folders o
      where o.workspace_id = ${workspace.id} and o.deletion_id = i.deletion_id and o.deleted_at is not null
    ) d
    cross join lateral (
      select count(*) as files, coalesce(sum(o.file_size), 0)::text as size from files o
      where o.workspace_id = ${workspace.id} and o.deletion_id = i.deletion_id and o.deleted_at is not null
    ) f
    order by i.deleted_at desc, i.deletion_id`.execute(db)
  return { items: rows, total: counted[0]?.total ?? 0 }
}

export interface Deletion {
  type: 'file' | 'folder'
  id: number
  name: string
  /** "" for a folder. */
  file_name: string
  /** The former folder, which may be gone. */
  parent_id: number
  in_place: boolean
  deleted_by_id: number | null
}

export async function findDeletion(
  db: Db,
  workspace: AdministeredWorkspace,
  deletionId: string,
): Promise<Deletion | undefined> {
  const { rows } = await sql<Deletion>`
    with ${items(workspace)}
    select type, id, name, file_name, parent_id, in_place, deleted_by_id from item where deletion_id = ${deletionId}`.execute(
    db,
  )
  return rows[0]
}

/** `item`: the file or topmost folder of each deletion that can still be restored. */
function items({ id, actor }: AdministeredWorkspace): RawBuilder<unknown> {
  const isYoung = (row: RawBuilder<unknown>) =>
    sql`${row}.deleted_at > ${actor.now}::timestamptz - make_interval(days => ${KEPT_DAYS})`
  return sql`item as (
      select d.deletion_id, 'folder' as type, d.id, d.name, '' as file_name, d.parent_id, p.deleted_at is null as in_place,
        p.id_path as place, d.deleted_at, d.deleted_by_id, null as content_type
      from folders d join folders p on p.workspace_id = d.workspace_id and p.id = d.parent_id
      where d.workspace_id = ${id} and ${isYoung(sql`d`)} and p.deletion_id is distinct from d.deletion_id
      union all
      select f.deletion_id, 'file', f.id, f.title, f.file_name, f.folder_id, p.deleted_at is null, p.id_path, f.deleted_at,
        f.deleted_by_id, f.file_content_type
      from files f join folders p on p.workspace_id = f.workspace_id and p.id = f.folder_id
      where f.workspace_id = ${id} and ${isYoung(sql`f`)} and p.deletion_id is distinct from f.deletion_id
    )`
}

/**
 * Removes expired deletions for good, and what was read of content that only another workspace still has. The next sweep of
 * blobs removes content that nobody has. @returns the number of rows
 */
export async function purgeTrash(db: Db, now: Date): Promise<number> {
  const isOld = sql`deleted_at <= ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})`
  const files = await repeat(async () => {
    return transaction(db, async (tx) => {
      const { rows } = await sql<Purged>`
      with old as (
        select workspace_id, id from files where ${isOld} order by deleted_at limit ${PURGE_BATCH} for update skip locked
      ), versions as (
        delete from file_versions v using old where v.workspace_id = old.workspace_id and v.file_id = old.id
        returning v.workspace_id, v.blob_id
      ), gone as (
        delete from files f using old where f.workspace_id = old.workspace_id and f.id = old.id returning f.id
      )
      select (select count(*)::int from gone) as files,
        (select coalesce(json_agg(v), '[]') from versions v) as versions`.execute(tx)
      const { files: removed = 0, versions = [] } = rows[0] ?? {}
      if (versions.length > 0) await forgetShared(tx, versions)
      return removed
    })
  })
  // Works from the leaves up: a folder is removed when it is empty.
  const folders = await repeat(async () => {
    const { rows } = await sql`
      delete from folders d where ${isOld}
        and not exists (select from files f where f.workspace_id = d.workspace_id and f.folder_id = d.id)
        and not exists (select from folders c where c.workspace_id = d.workspace_id and c.parent_id = d.id)
      returning d.id`.execute(db)
    return rows.length
  })
  return files + folders
}

interface Purged {
  files: number
  versions: { workspace_id: number; blob_id: string }[]
}

async function forgetShared(db: Db, versions: Purged['versions']): Promise<void> {
  await sql`
    delete from documents d
    using jsonb_to_recordset(${JSON.stringify(versions)}::jsonb) gone (workspace_id int, blob_id text)
    where d.workspace_id = gone.workspace_id and d.blob_id = gone.blob_id
      and not exists (select from file_versions v where v.workspace_id = d.workspace_id and v.blob_id = d.blob_id)
      and exists (select from file_versions v where v.blob_id = d.blob_id)`.execute(db)
}

async function repeat(turn: () => Promise<number>): Promise<number> {
  let total = 0
  for (let removed = await turn(); removed > 0; removed = await turn()) total += removed
  return total
}
