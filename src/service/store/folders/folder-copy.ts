import { sql } from 'kysely'
import type { ManagedFolder, Workspace } from '../../access/scopes.ts'
import { isInSubtree } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { unprocessable } from '../../base/errors.ts'
import { foundAct, recordFound } from '../audit/activities.ts'
import { refuseTooManyDrafts } from './drafts.ts'
import {
  checkDepth,
  type FolderArrival,
  type FolderConflict,
  freeFolderName,
  isDraftIn,
  lockTree,
  presentPlaces,
} from './folders.ts'

/**
 * Copies a folder with everything in it to the end of another folder. The copy has no overrides: it inherits. Blobs are
 * shared. If a sibling there has the name, the copy becomes "name (2)". A copy of what is a draft, or in one, is a draft.
 */
export async function copyFolder(
  db: Db,
  folder: ManagedFolder,
  destination: ManagedFolder,
  conflict: FolderConflict,
): Promise<FolderArrival> {
  const { workspace } = folder
  await lockTree(db, workspace, 'exclusive')
  const [source, target] = await presentPlaces(db, folder, destination)
  await checkDepth(db, workspace, { source: source.id_path, target: target.id_path, trashed: false })
  await refuseInfected(db, workspace, source.id_path)
  const name = await freeFolderName(db, workspace, destination.id, source.name)
  const itinerary = { name: source.name, source: source.parent_name, destination: target.name }
  const outcome = name === source.name ? 'done' : 'renamed'
  if (conflict === 'skip' && outcome === 'renamed')
    return { id: folder.id, name: source.name, outcome: 'skipped', itinerary }
  const actor = workspace.actor.id
  const isDraft = sql`case when s.id = ${folder.id} then ${isDraftIn(workspace, 's', source, target)} else s.is_draft end`
  const { rows } = await sql<{ id: number; drafts: number }>`
    with source as materialized (
      select f.*, nextval(pg_get_serial_sequence('folders', 'id'))::int as new_id from folders f
      where f.workspace_id = ${workspace.id} and f.deleted_at is null
        and ${isInSubtree(sql`f.id_path`, source.id_path)}
    ), copied_folders as (
      insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id, is_draft,
        number_length)
      select s.workspace_id, s.new_id, coalesce(p.new_id, ${destination.id}),
        case when s.id = ${folder.id} then ${name} else s.name end,
        case when s.id = ${folder.id} then (select coalesce(max(index), 0) + 1 from folders
          where workspace_id = ${workspace.id} and parent_id = ${destination.id} and deleted_at is null) else s.index end,
        ${target.id_path}::int[] || (select array_agg(m.new_id order by step.place)
          from unnest(s.id_path) with ordinality step (id, place) join source m on m.id = step.id),
        ${actor}, ${isDraft}, s.number_length
      from source s left join source p on p.id = s.parent_id
    ), file_source as materialized (
      select f.*, v.crc32, d.status, cardinality(d.page_widths) as page_count, d.infected as is_infected, d.held as is_held,
        d.damage is not null as is_damaged, s.new_id as new_folder_id, nextval(pg_get_serial_sequence('files', 'id'))::int as new_id
      from source s
      join files f on f.workspace_id = s.workspace_id and f.folder_id = s.id and f.deleted_at is null
      join file_versions v on v.workspace_id = f.workspace_id and v.file_id = f.id and v.version = f.version
      join documents d on d.workspace_id = f.workspace_id and d.blob_id = f.blob_id
      for share of d
    ), copied_files as (
      insert into files (workspace_id, id, folder_id, title, file_name, index, file_size, file_content_type, sha256,
        blob_id, pages, infected, viewer_status, held, damaged, number_length)
      select workspace_id, new_id, new_folder_id, title, file_name, index, file_size, file_content_type, sha256,
        blob_id, page_count, is_infected, status, is_held, is_damaged, number_length from file_source
    ), copied_versions as (
      insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256, crc32, uploaded_by_id)
      select workspace_id, new_id, 1, blob_id, file_size, file_content_type, sha256, crc32, ${actor} from file_source
    )
    select new_id as id, (select count(*)::int from source s where ${isDraft}) as drafts
    from source where id = ${folder.id}`.execute(db)
  if (rows[0] && rows[0].drafts > 0) await refuseTooManyDrafts(db, workspace)
  return { id: rows[0]?.id ?? 0, name, outcome, itinerary, undo: { kind: 'copy' } }
}

/** Records each file that came with the copy of a folder, so that it is news. */
export async function recordCopied(db: Db, workspace: Workspace, copy: FolderArrival): Promise<void> {
  if (copy.outcome === 'skipped') return
  await recordFilesIn(db, workspace, copy.id)
}

/** Records that the files in a folder and below came with it. */
export async function recordFilesIn(db: Db, workspace: Workspace, folderId: number): Promise<void> {
  const { id } = workspace
  await recordFound(
    db,
    workspace,
    sql`
      select ${foundAct('file_copied_along', sql`f.title`)}, f.id as subject_id,
        row_number() over (order by d.id_path, f.index) as position
      from folders top join folders d on d.workspace_id = ${id} and ${isInSubtree(sql`d.id_path`, sql`top.id_path`)}
      join files f on f.workspace_id = ${id} and f.folder_id = d.id
      where top.workspace_id = ${id} and top.id = ${folderId} and d.deleted_at is null and f.deleted_at is null`,
  )
}

/** An infected file is never copied (decisions, section 6), not even inside a folder. */
async function refuseInfected(db: Db, workspace: Workspace, idPath: readonly number[]): Promise<void> {
  const { rows } = await sql<{ title: string }>`
    select f.title from folders d join files f on f.workspace_id = d.workspace_id and f.folder_id = d.id
    where d.workspace_id = ${workspace.id} and d.deleted_at is null and f.deleted_at is null and f.infected
      and ${isInSubtree(sql`d.id_path`, idPath)} limit 1`.execute(db)
  if (rows[0]) throw unprocessable('id', 'clean_folder', { title: rows[0].title })
}
