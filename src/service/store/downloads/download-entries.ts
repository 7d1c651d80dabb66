import { type RawBuilder, sql } from 'kysely'
import { protectionsIn, rightsIn } from '../../access/grants.ts'
import type { Download, Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'

/** Rows to read and judge at a time. */
const PAGE = 1000

export interface Entry {
  position: number
  entry_name: string
  /** Null for a folder. */
  blob_id: string | null
  size: number
  crc32: number
  modified_at: string
  /** The caller may have the entry right now. */
  allowed: boolean
}

/** Returns the next entries of the zip after a position, judged by the rights of this moment. */
export async function listEntries(db: Db, download: Download, after: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    with page as materialized (
      select m.*, ${place} as place, ${isGone(download.workspace)} as gone from ${included(download)} and m.position > ${after}
      order by m.position limit ${PAGE}
    ), open_folder as materialized (
      select d.id, p.* from folders d ${judged(download.workspace)}
      where d.workspace_id = ${download.workspace.id} and d.deleted_at is null and r.download
        and d.id in (select place from page)
    )
    select m.position, m.entry_name, m.blob_id, m.size, m.crc32, m.modified_at, coalesce(case
        when m.file_id is not null then not m.gone and exists (
          select from open_folder o
          where o.id = m.place and (m.sealed or not o.drm and (${isMarkedFor(sql`o.pdf_delivery`)} or not o.watermark)))
        when m.folder_id is not null then m.place in (select id from open_folder)
        else true end, false) as allowed
    from page m order by m.position`.execute(db)
  return rows
}

/** Why a download cannot be delivered as it was made: a right or a file is gone, or a protection was added. */
export type Hindrance = 'right' | 'change'

/** Checks whether the caller may have each entry right now. Judges each folder once, however many files are in it. */
export async function findHindrance(db: Db, download: Download): Promise<Hindrance | undefined> {
  const { workspace } = download
  const { rows } = await sql<{ right: boolean | null; change: boolean | null }>`
    select bool_or(d.id is not null and not r.download) as right,
      bool_or(m.gone or d.id is null
        or not m.name_only and not m.sealed and (p.drm or p.watermark and not ${isMarkedFor(sql`p.pdf_delivery`)})) as change
    from (
      select distinct ${place} as place, m.file_id is null as name_only, ${isGone(workspace)} as gone, m.stamped, m.pdf_delivery,
        m.sealed
      from ${included(download)} and m.folder_id is not null offset 0
    ) m
    left join folders d on d.workspace_id = ${workspace.id} and d.id = m.place and d.deleted_at is null
    ${judged(workspace)}`.execute(db)
  if (rows[0]?.right) return 'right'
  return rows[0]?.change ? 'change' : undefined
}

export const isWhollyAllowed = async (db: Db, download: Download): Promise<boolean> =>
  (await findHindrance(db, download)) === undefined

function included({ id, workspace }: Download): RawBuilder<unknown> {
  return sql`download_members m
    left join files f on f.workspace_id = m.workspace_id and f.id = m.file_id and f.deleted_at is null
    left join documents c on c.workspace_id = m.workspace_id and c.blob_id = m.blob_id
    where m.workspace_id = ${workspace.id} and m.download_id = ${id} and m.left_out is null
      and (m.stamped or not m.must_be_stamped) and (m.sealed or not m.must_be_sealed)`
}

/**
 * A file is judged by its present folder. A folder, which gives only its name, is judged by itself. The manifest has
 * neither: it belongs to the download.
 */
const place = sql`case when m.file_id is null then m.folder_id else f.folder_id end`
const isGone = ({ admin }: Workspace) =>
  sql`m.file_id is not null and (f.id is null or f.infected is true or c.infected is true
    or coalesce(c.held, f.held) and not ${admin}::boolean)`

/** Whether a file is marked at least as strictly as it has to be now. */
const isMarkedFor = (delivery: RawBuilder<unknown>) => sql`(m.stamped and m.pdf_delivery >= ${delivery})`

/** Joins the rights `r` and protections `p` of each folder `d`. */
function judged(workspace: Workspace): RawBuilder<unknown> {
  const idPath = sql`d.id_path`
  return sql`cross join lateral ${rightsIn(workspace, idPath)} r cross join lateral ${protectionsIn(workspace, idPath)} p`
}
