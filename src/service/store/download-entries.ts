import { type RawBuilder, sql } from 'kysely'
import { protectionsIn, rightsIn } from '../access/grants.ts'
import type { Download, Workspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'

/** Rows read, and rights looked at, at a time. */
const PAGE = 1000

export interface Entry {
  position: number
  entry_name: string
  /** Null for a folder. */
  blob_id: string | null
  size: number
  crc32: number
  modified_at: string
  /** The caller may have it right now. */
  allowed: boolean
}

/** The next entries of the zip after a position, judged by the rights of this moment. */
export async function listEntries(db: Db, download: Download, after: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    with page as (
      select m.* from ${included(download)} and m.position > ${after} order by m.position limit ${PAGE}
    ), ${judgedMembers(download.workspace)}
    select m.position, m.entry_name, m.blob_id, m.size, m.crc32, m.modified_at, m.allowed from judged m
    order by m.position`.execute(db)
  return rows
}

/** Whether the caller may have each of its entries right now. */
export async function isWhollyAllowed(db: Db, download: Download): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`
    with page as (select m.* from ${included(download)}), ${judgedMembers(download.workspace)}
    select coalesce(bool_and(m.allowed), true) as allowed from judged m`.execute(db)
  return rows[0]?.allowed ?? false
}

function included({ id, workspace }: Download): RawBuilder<unknown> {
  return sql`download_members m
    where m.workspace_id = ${workspace.id} and m.download_id = ${id} and m.left_out is null`
}

/**
 * `judged`: the rows of `page` with `allowed`. A file counts where it is now, a folder gives its name alone, the manifest
 * is the download's own.
 */
function judgedMembers(workspace: Workspace): RawBuilder<unknown> {
  const idPath = sql`d.id_path`
  return sql`placed as materialized (
      select p.*, case when p.file_id is null then p.folder_id else f.folder_id end as place,
        p.file_id is null or f.infected is not true as harmless
      from page p left join files f on f.workspace_id = p.workspace_id and f.id = p.file_id and f.deleted_at is null
    ), open_folder as materialized (
      select d.id, p.drm or p.watermark as protects from folders d
      cross join lateral ${rightsIn(workspace, idPath)} r
      cross join lateral ${protectionsIn(workspace, idPath)} p
      where d.workspace_id = ${workspace.id} and d.deleted_at is null and r.download
        and d.id in (select place from placed)
    ), judged as (
      select m.*, case
        when m.file_id is not null then m.harmless and o.id is not null and not o.protects
        when m.folder_id is not null then o.id is not null
        else true end as allowed
      from placed m left join open_folder o on o.id = m.place
    )`
}
