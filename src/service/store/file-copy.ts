import { sql } from 'kysely'
import type { ManagedFile, ManagedFolder } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { notFound, unprocessable } from '../errors.ts'
import { freeName } from './file-names.ts'
import { closeGap, lockForFiles, nextIndex } from './files.ts'

/** Copies the current version to the end of another folder, as version 1; the content is shared. @returns id of the copy */
export async function copyFile(db: Db, file: ManagedFile, destination: ManagedFolder): Promise<number> {
  const { workspace } = destination
  const source = await lockBoth(db, file, destination)
  if (source.infected) throw unprocessable('id', 'names an infected file, which cannot be copied')
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
  return rows[0].id
}

/** Moves a file to the end of another folder, with its versions. In its own folder it stays where it is. */
export async function moveFile(db: Db, file: ManagedFile, destination: ManagedFolder): Promise<void> {
  const { workspace } = destination
  const source = await lockBoth(db, file, destination)
  if (destination.id === file.folder.id) return
  const names = await namesIn(db, destination, source)
  await sql`
    update files set folder_id = ${destination.id}, title = ${names.title}, file_name = ${names.file_name},
      index = ${nextIndex(workspace, destination.id)}, updated_at = now()
    where workspace_id = ${workspace.id} and id = ${file.id}`.execute(db)
  await closeGap(db, workspace, file.folder.id, source.index)
}

interface Source {
  title: string
  file_name: string
  index: number
  infected: boolean | null
}

/** The file as it is under the locks. @throws ApiError 404 when it was moved or deleted meanwhile */
async function lockBoth(db: Db, file: ManagedFile, destination: ManagedFolder): Promise<Source> {
  const { workspace } = destination
  await lockForFiles(db, workspace, file.folder.id, destination.id)
  const source = await db
    .selectFrom('files')
    .select(['title', 'file_name', 'index', 'infected'])
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', file.id)
    .where('folder_id', '=', file.folder.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!source) throw notFound()
  return source
}

/** A name that is free in the destination; a title nobody chose follows the name. */
async function namesIn(db: Db, destination: ManagedFolder, { title, file_name }: Source) {
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
