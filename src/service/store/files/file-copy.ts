import { sql } from 'kysely'
import type { ManagedFile, ManagedFolder, Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { unprocessable } from '../../base/errors.ts'
import type { FileUndo } from '../trash/undos.ts'
import { freeName } from './file-names.ts'
import { closeGap, deleteFile, lockFile, type LockedFile, nextIndex } from './files.ts'
import type { Itinerary } from '../folders/folders.ts'

/** What to do where the destination has a file of that name. Undefined for a client that does not ask: `rename`. */
export type Conflict = 'rename' | 'replace' | 'skip' | undefined

/** The file that a move or copy made or changed. */
export interface Arrival {
  id: number
  title: string
  outcome: 'done' | 'renamed' | 'replaced' | 'skipped'
  itinerary: Itinerary
  /** The version that a replaced file got. */
  version?: number
  undo?: FileUndo
}

/**
 * Copies a file's current version to the end of another folder, as version 1, or to the file of that name as its next
 * version; shares the content.
 */
export async function copyFile(
  db: Db,
  file: ManagedFile,
  destination: ManagedFolder,
  conflict: Conflict,
): Promise<Arrival> {
  const { workspace } = destination
  const source = await lockFile(db, file, destination.id)
  if (source.infected) throw unprocessable('id', 'clean_file_to_copy')
  const itinerary = itineraryOf(source, file, destination)
  const twin = await findTwin(db, file, destination, conflict, source)
  if (twin && conflict === 'skip') return skipped(file, itinerary)
  if (twin) return replace(db, file, twin, source, itinerary)
  const { title, file_name } = await namesIn(db, destination, source)
  const { rows } = await sql<{ id: number }>`
    with source as (${contentOf(workspace, file.id, source.version)}), copied as (
      insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id,
        pages, infected, viewer_status, held, damaged, number_length)
      select workspace_id, ${destination.id}::int, ${title}, ${file_name}, ${nextIndex(workspace, destination.id)},
        file_size, file_content_type, sha256, blob_id, pages, infected, status, held, damaged, (
          select f.number_length from files f where f.workspace_id = ${workspace.id} and f.id = ${file.id}
        ) from source
      returning *
    )
    insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256, crc32,
      uploaded_by_id)
    select c.workspace_id, c.id, c.version, c.blob_id, c.file_size, c.file_content_type, c.sha256, s.crc32,
      ${workspace.actor.id}::int from copied c, source s
    returning file_id as id`.execute(db)
  if (!rows[0]) throw new Error('a copy gave no row')
  const outcome = file_name === source.file_name ? 'done' : 'renamed'
  return { id: rows[0].id, title, outcome, itinerary, undo: { kind: 'copy' } }
}

/**
 * Moves a file with its versions to the end of another folder, or its current version to the file of that name, which
 * deletes the moved file reversibly. In its own folder it stays where it is. `names`: the names to take if they are free.
 */
export async function moveFile(
  db: Db,
  file: ManagedFile,
  destination: ManagedFolder,
  conflict: Conflict,
  names?: Names,
): Promise<Arrival> {
  const { workspace } = destination
  const source = await lockFile(db, file, destination.id)
  const itinerary = itineraryOf(source, file, destination)
  if (destination.id === file.folder.id) return { id: file.id, title: source.title, outcome: 'done', itinerary }
  const twin = await findTwin(db, file, destination, conflict, source)
  if (twin && conflict === 'skip') return skipped(file, itinerary)
  if (twin) {
    const arrival = await replace(db, file, twin, source, itinerary)
    const { deletion_id, index } = await deleteFile(db, file)
    await closeGap(db, workspace, file.folder.id, index)
    return { ...arrival, undo: { kind: 'replace', version: arrival.version ?? 0, deletion_id } }
  }
  const given = await namesIn(db, destination, names ?? source)
  await sql`
    update files set folder_id = ${destination.id}, title = ${given.title}, file_name = ${given.file_name},
      index = ${nextIndex(workspace, destination.id)}, updated_at = now()
    where workspace_id = ${workspace.id} and id = ${file.id}`.execute(db)
  await closeGap(db, workspace, file.folder.id, source.index)
  const { title, file_name, index } = source
  const former = { folder_id: file.folder.id, index, names: { title, file_name } }
  const outcome = given.file_name === file_name ? 'done' : 'renamed'
  const undo = { kind: 'move', to: destination.id, given, ...former } as const
  return { id: file.id, title: given.title, outcome, itinerary, undo }
}

const skipped = ({ id }: ManagedFile, itinerary: Itinerary): Arrival => ({
  id,
  title: itinerary.name,
  outcome: 'skipped',
  itinerary,
})

interface Twin {
  id: number
  title: string
}

async function replace(
  db: Db,
  file: ManagedFile,
  twin: Twin,
  { version }: LockedFile,
  itinerary: Itinerary,
): Promise<Arrival> {
  const made = await addVersion(db, file.folder.workspace, twin.id, { file_id: file.id, version })
  const undo = { kind: 'replace', version: made, deletion_id: null } as const
  return { id: twin.id, title: twin.title, outcome: 'replaced', itinerary, version: made, undo }
}

/** The file that has the name in the destination, if the conflict is to be settled in another way than by a new name. */
async function findTwin(
  db: Db,
  file: ManagedFile,
  destination: ManagedFolder,
  conflict: Conflict,
  { file_name }: LockedFile,
): Promise<Twin | undefined> {
  if (conflict === undefined || conflict === 'rename') return undefined
  return findByName(db, destination.workspace, destination.id, file_name, file.id)
}

/** Another file of that name in a folder whose files are locked. */
export async function findByName(
  db: Db,
  workspace: Workspace,
  folderId: number,
  fileName: string,
  otherThan: number,
): Promise<Twin | undefined> {
  return db
    .selectFrom('files')
    .select(['id', 'title'])
    .where('workspace_id', '=', workspace.id)
    .where('folder_id', '=', folderId)
    .where('file_name', '=', fileName)
    .where('id', '<>', otherThan)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** A version of a file with what is known about its content, locked so that it stays true. */
const contentOf = (workspace: Workspace, fileId: number, version: number) => sql`
  select v.*, d.status, cardinality(d.page_widths) as pages, d.infected, d.held, d.damage is not null as damaged
  from file_versions v
  join documents d on d.workspace_id = v.workspace_id and d.blob_id = v.blob_id
  where v.workspace_id = ${workspace.id} and v.file_id = ${fileId} and v.version = ${version}
  for share of d`

/** Adds the content of a version, of this or another file, as the next version. Requires the file's lock. @returns its number */
export async function addVersion(
  db: Db,
  workspace: Workspace,
  fileId: number,
  source: { file_id: number; version: number },
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    with source as (${contentOf(workspace, source.file_id, source.version)}), f as (
      update files f set version = f.version + 1, file_size = s.file_size, file_content_type = s.file_content_type,
        sha256 = s.sha256, blob_id = s.blob_id, viewer_status = s.status, pages = s.pages, infected = s.infected, held = s.held,
        damaged = s.damaged, updated_at = now()
      from source s where f.workspace_id = s.workspace_id and f.id = ${fileId} and f.deleted_at is null
      returning f.*
    )
    insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256, crc32,
      uploaded_by_id)
    select f.workspace_id, f.id, f.version, f.blob_id, f.file_size, f.file_content_type, f.sha256, s.crc32,
      ${workspace.actor.id}::int from f, source s
    returning version`.execute(db)
  if (!rows[0]) throw new Error('a replacement gave no version')
  return rows[0].version
}

function itineraryOf({ title, folders }: LockedFile, file: ManagedFile, destination: ManagedFolder): Itinerary {
  const nameOf = (id: number) => folders.get(id) ?? ''
  return { name: title, source: nameOf(file.folder.id), destination: nameOf(destination.id) }
}

type Names = Pick<LockedFile, 'title' | 'file_name'>

/** Returns a name that is free in the destination. A title equal to the file name follows it. */
async function namesIn(db: Db, destination: ManagedFolder, { title, file_name }: Names): Promise<Names> {
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
