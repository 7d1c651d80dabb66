import { type RawBuilder, sql } from 'kysely'
import { protectionsIn, rightsIn } from '../access/grants.ts'
import type { Selection, Workspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import type { DownloadKey } from './downloads.ts'

/** Rows per read. Limits the memory for a download of any length. */
const PAGE = 1000

export interface Member {
  position: number
  /** Null for a folder. */
  file_id: number | null
  /** The content in the zip: a copy, if one was made. Null for a folder. */
  blob_id: string | null
  size: number
  crc32: number
  /** Lower-case hex; "" for a folder. */
  sha256: string
  modified_at: string
  directories: string[]
  name: string
  entry_name: string | null
  left_out: 'right' | 'drm' | 'watermark' | 'infected' | 'unscanned' | null
  /** An explanation, where `left_out` does not say enough. */
  left_out_reason: string | null
}

/**
 * Writes the members of a download in the order of the zip: loose files in their given order, then each selected
 * folder, its files before its subfolders. A folder with the view right but without the download right becomes a member
 * that is left out. Nothing is written of folders without the view right.
 */
export async function insertMembers(db: Db, selection: Selection, downloadId: number): Promise<void> {
  const { workspace } = selection
  await sql`
    with recursive ${tree(selection)}, judged as materialized (
      select t.*, r.download, p.drm, p.watermark, p.pdf_delivery from tree t
      cross join lateral ${rightsIn(workspace, sql`t.id_path`)} r
      cross join lateral ${protectionsIn(workspace, sql`t.id_path`)} p
      where r.view
    ), member as (
      select null::bigint as loose, j.places as place, j.id as folder_id, null::int as file_id, null::text as blob_id,
        0::bigint as size, 0::bigint as crc32, null::bytea as sha256, j.updated_at as modified_at,
        j.names[:cardinality(j.names) - 1] as directories, j.names[cardinality(j.names)] as name,
        case when not j.download then 'right' end as left_out, false as must_be_stamped,
        'woven'::pdf_delivery as pdf_delivery, false as must_be_sealed
      from judged j where j.id <> 0
      union all
      select null, j.places || 0 || f.index, j.id, f.id, v.blob_id, v.file_size, v.crc32, v.sha256, v.created_at,
        j.names, array_to_string(j.places || 0 || f.index, '.') || ' ' || f.title, ${leftOut(workspace)}, ${protections}
      from judged j ${filesOf(sql`j.id`)} where j.download and f.deleted_at is null
      union all
      select s.loose, '{}', f.folder_id, f.id, v.blob_id, v.file_size, v.crc32, v.sha256, v.created_at,
        '{}', f.title, ${leftOut(workspace)}, ${protections}
      from unnest(${selection.file_ids}::int[]) with ordinality s (file_id, loose)
      join files l on l.workspace_id = ${workspace.id} and l.id = s.file_id and l.deleted_at is null
      join folders d on d.workspace_id = l.workspace_id and d.id = l.folder_id ${filesOf(sql`d.id`)} and f.id = l.id
      cross join lateral ${protectionsIn(workspace, sql`d.id_path`)} j
      where d.id not in (select id from tree)
    )
    insert into download_members (workspace_id, download_id, position, folder_id, file_id, blob_id, size, crc32, sha256,
      modified_at, directories, name, left_out, must_be_stamped, pdf_delivery, must_be_sealed)
    select ${workspace.id}, ${downloadId}, row_number() over (order by loose nulls last, place), folder_id, file_id,
      blob_id, size, crc32, sha256, modified_at, directories, name, left_out, must_be_stamped, pdf_delivery, must_be_sealed
    from member`.execute(db)

  function filesOf(folderId: RawBuilder<unknown>) {
    return sql`join files f on f.workspace_id = ${workspace.id} and f.folder_id = ${folderId}
      join file_versions v on v.workspace_id = f.workspace_id and v.file_id = f.id and v.version = f.version`
  }
}

const leftOut = ({ admin }: Workspace) =>
  sql`case when f.infected then 'infected' when f.held and not ${admin}::boolean then 'unscanned' end`
/** Sealed copies carry the mark anyway. */
const protections = sql`j.watermark and not j.drm, j.pdf_delivery, j.drm`

/**
 * The selected folders that no other selected folder contains, with everything below them: `(id, id_path, updated_at)`,
 * their `places` from the root down, and their `names` from the selected folder down ("1.2 Contracts"). The root itself
 * has no name.
 */
function tree({ workspace, folder_ids }: Selection): RawBuilder<unknown> {
  const ids = sql`${folder_ids}::int[]`
  return sql`tree as (
    select d.id, d.id_path, d.updated_at, o.places,
      case when d.id = 0 then '{}' else array[array_to_string(o.places, '.') || ' ' || d.name] end as names
    from folders d
    cross join lateral (
      select coalesce(array_agg(a.index order by cardinality(a.id_path)), '{}') as places from folders a
      where a.workspace_id = d.workspace_id and a.id = any(d.id_path) and a.id <> 0
    ) o
    where d.workspace_id = ${workspace.id} and d.id = any(${ids}) and d.deleted_at is null
      and not d.id_path[:cardinality(d.id_path) - 1] && ${ids}
    union all
    select c.id, c.id_path, c.updated_at, t.places || c.index,
      t.names || (array_to_string(t.places || c.index, '.') || ' ' || c.name)
    from tree t
    join folders c on c.workspace_id = ${workspace.id} and c.parent_id = t.id and c.deleted_at is null
  )`
}

/** Yields all members in order, one page at a time. */
export async function* listMembers(db: Db, { workspace_id, download_id }: DownloadKey): AsyncGenerator<Member[]> {
  for (let after = 0; ;) {
    const { rows } = await sql<Member>`
      select position, file_id, blob_id, size, crc32, coalesce(encode(sha256, 'hex'), '') as sha256, modified_at, directories,
        name, entry_name, left_out, left_out_reason
      from download_members
      where workspace_id = ${workspace_id} and download_id = ${download_id} and position > ${after}
      order by position limit ${PAGE}`.execute(db)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.position ?? after
  }
}

/** Sets the entry names of one page. The range of positions avoids a look at all other members. */
export async function setEntryNames(
  db: Db,
  { workspace_id, download_id }: DownloadKey,
  named: readonly { position: number; entry_name: string }[],
): Promise<void> {
  await sql`
    update download_members m set entry_name = n.entry_name
    from unnest(${named.map((each) => each.position)}::int[], ${named.map((each) => each.entry_name)}::text[])
      n (position, entry_name)
    where m.workspace_id = ${workspace_id} and m.download_id = ${download_id} and m.position = n.position
      and m.position between ${named[0]?.position} and ${named.at(-1)?.position}`.execute(db)
}

export interface ManifestFile {
  entry_name: string
  blob_id: string
  size: number
  crc32: number
  sha256: Buffer
  modified_at: string
}

/** Adds the manifest as the last member of the zip. */
export async function insertManifest(
  db: Db,
  { workspace_id, download_id }: DownloadKey,
  manifest: ManifestFile,
): Promise<void> {
  const position = sql<number>`(select coalesce(max(position), 0) + 1 from download_members
    where workspace_id = ${workspace_id} and download_id = ${download_id})`
  await db
    .insertInto('download_members')
    .values({ workspace_id, download_id, position, directories: [], name: manifest.entry_name, ...manifest })
    .execute()
}
