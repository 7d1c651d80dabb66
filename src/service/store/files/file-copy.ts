import { sql } from 'kysely'
import type { ManagedFile, ManagedFolder } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { unprocessable } from '../../base/errors.ts'
import { freeName } from './file-names.ts'
import { closeGap, lockFile, type LockedFile, nextIndex } from './files.ts'
import type { Itinerary } from '../folders/folders.ts'

/** Copies a file's current version to the end of another folder, as version 1; shares the content. `id`: the copy's. */
export async function copyFile(
  db: Db,
  file: ManagedFile,
  destination: ManagedFolder,
): Promise<{ id: number; itinerary: Itinerary }> {
  const { workspace } = destination
  const source = await lockFile(db, file, destination.id)
  if (source.infected) throw unprocessable('id', 'clean_file_to_copy')
  const { title, file_name } = await namesIn(db, destination, source)
  const { rows } = await sql<{ id: number }>`
    with source as (
      select f.*, v.crc32, d.status, cardinality(d.page_widths) as page_count, d.infected as is_infected,
        d.held as is_held, d.damage is not null as is_damaged
      from files f
      join file_versions v on v.workspace_id = f.workspace_id and v.file_id = f.id and v.version = f.version
      join documents d on d.workspace_id = f.workspace_id and d.blob_id = f.blob_id
      where f.workspace_id = ${workspace.id} and f.id = ${file.id}
      for share of d
    ), copied as (
      insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id,
        pages, infected, viewer_status, held, damaged)
      select workspace_id, ${destination.id}::int, ${title}, ${file_name}, ${nextIndex(workspace, destination.id)},
        file_size, file_content_type, sha256, blob_id, page_count, is_infected, status, is_held, is_damaged from source
      returning *
    )
    insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256, crc32,
      uploaded_by_id)
    select c.workspace_id, c.id, c.version, c.blob_id, c.file_size, c.file_content_type, c.sha256, s.crc32,
      ${workspace.actor.id}::int from copied c, source s
    returning file_id as id`.execute(db)
  if (!rows[0]) throw new Error('a copy gave no row')
  return { id: rows[0].id, itinerary: itineraryOf(source, file, destination) }
}

/** Moves a file with its versions to the end of another folder. In its own folder it stays where it is. */
export async function moveFile(db: Db, file: ManagedFile, destination: ManagedFolder): Promise<Itinerary> {
  const { workspace } = destination
  const source = await lockFile(db, file, destination.id)
  const itinerary = itineraryOf(source, file, destination)
  if (destination.id === file.folder.id) return itinerary
  const names = await namesIn(db, destination, source)
  await sql`
    update files set folder_id = ${destination.id}, title = ${names.title}, file_name = ${names.file_name},
      index = ${nextIndex(workspace, destination.id)}, updated_at = now()
    where workspace_id = ${workspace.id} and id = ${file.id}`.execute(db)
  await closeGap(db, workspace, file.folder.id, source.index)
  return itinerary
}

function itineraryOf({ title, folders }: LockedFile, file: ManagedFile, destination: ManagedFolder): Itinerary {
  const nameOf = (id: number) => folders.get(id) ?? ''
  return { name: title, source: nameOf(file.folder.id), destination: nameOf(destination.id) }
}

/** Returns a name that is free in the destination. A title equal to the file name follows it. */
async function namesIn(db: Db, destination: ManagedFolder, { title, file_name }: LockedFile) {
  const taken = await db
    .selectFrom('files')
    .select('file_name')
    .where('workspace_id', '=', destination.workspace.id)
    .where('folder_id', '=', destination.id)
    .where('deleted_at', 'is', null)
    .execute()
  const name = freeName(file_name, new Set(taken.map((row) => row.file_name)))
  return { title: title === file_name ? name : title, file_name: name }
}
