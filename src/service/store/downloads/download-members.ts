import { type RawBuilder, sql } from 'kysely'
import { rightsAmong } from '../../access/grants.ts'
import type { Selection, Workspace } from '../../access/scopes.ts'
import { asOneSet } from '../../db/one-set.ts'
import type { Db } from '../../db/pool.ts'
import { fileOutlineIn, nameBehind, outlinesAtOnce } from '../folders/outlines.ts'
import type { Document } from '../documents/documents.ts'
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
 * folder with its subfolders before its files, by their numbers. A folder with the view right but without the download right becomes a member
 * that is left out. Nothing is written of folders without the view right.
 * @returns how many there are
 */
export async function insertMembers(db: Db, selection: Selection, downloadId: number): Promise<number> {
  const { workspace } = selection
  const { members, size } = await membersOf(db, selection)
  const insert = sql`
    with ${members}
    insert into download_members (workspace_id, download_id, position, folder_id, file_id, blob_id, size, crc32, sha256,
      modified_at, directories, name, left_out, must_be_stamped, pdf_delivery, must_be_sealed)
    select ${workspace.id}, ${downloadId}, row_number() over (order by loose nulls last, place), folder_id, file_id,
      blob_id, size, crc32, sha256, modified_at, directories, name, left_out, must_be_stamped, pdf_delivery, must_be_sealed
    from member`
  const { numAffectedRows } = await asOneSet(db, size, () => insert.execute(db))
  return Number(numAffectedRows)
}

/** Members that are alike: how many there are, and the document of one of them. Folders have no document. */
export interface AlikeMembers extends Pick<Member, 'left_out'> {
  must_be_stamped: boolean
  must_be_sealed: boolean
  /** It has more pages than the limit. */
  is_long: boolean
  members: number
  document: Pick<
    Document,
    'blob_id' | 'content_type' | 'status' | 'reason' | 'infected' | 'converted_blob_id' | 'converted_type'
  > | null
}

/** Counts the members that a download would get, by what decides about them. */
export async function countMembers(
  db: Db,
  selection: Selection,
  { mostPages }: { mostPages: number },
): Promise<AlikeMembers[]> {
  const { members, size } = await membersOf(db, selection)
  const counting = sql<AlikeMembers>`
    with ${members}
    select m.left_out, m.must_be_stamped, m.must_be_sealed, coalesce(cardinality(d.page_widths) > ${mostPages}, false) as is_long,
      count(*)::int as members, case when d.content_type is not null then json_build_object(
        'blob_id', max(d.blob_id), 'content_type', d.content_type, 'status', d.status, 'reason', null, 'infected', d.infected,
        'converted_blob_id', max(d.converted_blob_id), 'converted_type', d.converted_type) end as document
    from member m left join documents d on d.workspace_id = ${selection.workspace.id} and d.blob_id = m.blob_id
    where m.file_id is not null or m.left_out is not null
    group by m.left_out, m.must_be_stamped, m.must_be_sealed, is_long, d.content_type, d.status, d.infected, d.converted_type`
  return (await asOneSet(db, size, () => counting.execute(db))).rows
}

/** Parts of a statement, of which `member` has the members of a download, and about how many rows they judge. */
async function membersOf(db: Db, selection: Selection) {
  const { workspace, paths, file_ids } = selection
  const tree = await listTree(db, selection)
  const folderIds = [...new Set([...tree, ...paths.keys()])]
  const onPaths = [...new Set([...folderIds, ...[...paths.values()].flat()])]
  const outline = fileOutlineIn('j')
  const members = sql`
    folder as materialized (
      select d.id, d.id_path, d.index, d.name, d.number_length, d.updated_at from folders d
      where d.workspace_id = ${workspace.id} and d.id = any(${onPaths}::int[])
    ), wanted as materialized (
      select * from folder where id = any(${folderIds}::int[])
    ), in_tree as materialized (
      select id from unnest(${tree}::int[]) t (id)
    ), step as materialized (
      select w.id, s.on_path, s.depth from wanted w cross join unnest(w.id_path) with ordinality s (on_path, depth)
    ), judged as materialized (
      select * from ${rightsAmong(workspace, { steps: sql`step`, onPaths })} r
    ), numbered as materialized (
      select s.id, array_agg(a.index order by s.depth) as places
      from step s join folder a on a.id = s.on_path where a.id <> 0 group by s.id
    ), outlined as materialized (
      select o.id, o.outline, o.shown from ${outlinesAtOnce(workspace, { ids: folderIds, onPaths })} o
    ), labelled as materialized (
      select n.id, n.places, o.outline || ' ' || ${nameBehind(sql`o.outline`, 'w', 'name')} as label
      from numbered n join wanted w on w.id = n.id join outlined o on o.id = n.id join in_tree t on t.id = n.id
    ), named as (
      select s.id, array_agg(l.label order by s.depth) as names from step s join labelled l on l.id = s.on_path group by s.id
    ), place as materialized (
      select j.*, w.updated_at, coalesce(l.places, '{}') as places, coalesce(n.names, '{}') as names,
        o.outline, o.shown
      from in_tree t join judged j on j.id = t.id join wanted w on w.id = t.id join outlined o on o.id = t.id
      left join labelled l on l.id = t.id left join named n on n.id = t.id where j.view
    ), tree_file as materialized (${contentOf(sql`f.folder_id = any(${tree}::int[])`)}
    ), loose_file as materialized (${contentOf(sql`f.id = any(${file_ids}::int[])`)}
    ), member as (
      select null::bigint as loose, j.places as place, j.id as folder_id, null::int as file_id, null::text as blob_id,
        0::bigint as size, 0::bigint as crc32, null::bytea as sha256, j.updated_at as modified_at,
        j.names[:cardinality(j.names) - 1] as directories, j.names[cardinality(j.names)] as name,
        case when not j.download then 'right' end as left_out, false as must_be_stamped,
        'woven'::pdf_delivery as pdf_delivery, false as must_be_sealed
      from place j where j.id <> 0
      union all
      select null, j.places || ${BEHIND_FOLDERS} || f.index, j.id, f.id, f.blob_id, f.file_size, f.crc32, f.sha256, f.created_at,
        j.names, ${outline} || ' ' || ${nameBehind(outline, 'f', 'title')}, ${leftOut(workspace)}, ${protections}
      from place j join tree_file f on f.folder_id = j.id where j.download
      union all
      select s.loose, '{}', f.folder_id, f.id, f.blob_id, f.file_size, f.crc32, f.sha256, f.created_at,
        '{}', f.title, ${leftOut(workspace)}, ${protections}
      from unnest(${file_ids}::int[]) with ordinality s (file_id, loose)
      join loose_file f on f.id = s.file_id join judged j on j.id = f.folder_id
      where not exists (select from in_tree t where t.id = f.folder_id)
    )`
  return { members, size: Math.max(folderIds.length, file_ids.length) }

  /** The subquery gets each version by its key, which is the only index that serves it. */
  function contentOf(isWanted: RawBuilder<boolean>) {
    return sql`
      select f.id, f.folder_id, f.index, f.title, f.number_length, f.infected, f.held, v.* from files f
      cross join lateral (
        select v.blob_id, v.file_size, v.crc32, v.sha256, v.created_at from file_versions v
        where v.workspace_id = f.workspace_id and v.file_id = f.id and v.version = f.version offset 0
      ) v
      where f.workspace_id = ${workspace.id} and ${isWanted} and f.deleted_at is null`
  }
}

const BEHIND_FOLDERS = sql.lit(2 ** 31 - 1)

const leftOut = ({ admin }: Workspace) =>
  sql`case when f.infected then 'infected' when f.held and not ${admin}::boolean then 'unscanned' end`
/** Sealed copies carry the mark anyway. */
const protections = sql`j.watermark and not j.drm, j.pdf_delivery, j.drm`

/**
 * Returns the selected folders that no other selected folder contains, with everything below them. It reads one level
 * at a time, because PostgreSQL would have to guess the size of each level.
 */
async function listTree(db: Db, { workspace, folder_ids, paths }: Selection): Promise<number[]> {
  const selected = new Set(folder_ids)
  const isInner = (id: number) => paths.get(id)?.some((above) => above !== id && selected.has(above))
  const tree: number[] = []
  for (let level = folder_ids.filter((id) => !isInner(id)); level.length > 0;) {
    for (const id of level) tree.push(id)
    const below = await db
      .selectFrom('folders')
      .select('id')
      .where('workspace_id', '=', workspace.id)
      .where('parent_id', '=', sql<number>`any(${level}::int[])`)
      .where('deleted_at', 'is', null)
      .execute()
    level = below.map(({ id }) => id)
  }
  return tree
}

export interface SealedFile {
  name: string
  blob_id: string
  size: number
  sha256: Buffer
}

/** Returns the sealed file of a download that has nothing else. */
export async function findOnlySealed(
  db: Db,
  { workspace_id, download_id }: DownloadKey,
): Promise<SealedFile | undefined> {
  const { rows } = await sql<SealedFile & { sealed: boolean }>`
    select entry_name as name, blob_id, size, sha256, sealed and left_out is null as sealed
    from download_members
    where workspace_id = ${workspace_id} and download_id = ${download_id}
      and (file_id is not null or folder_id is not null)
    order by position limit 2`.execute(db)
  const [only] = rows
  return rows.length === 1 && only?.sealed ? only : undefined
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
