import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { DownloadableFile, ManagedFile, PlainFile } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { type ParametersOf, statement } from '../../db/statement.ts'

export interface FileVersion {
  title: string
  blob_id: string
  file_size: number
  file_content_type: string
  sha256: Buffer
  damaged: boolean
}

interface Wanted {
  workspace_id: number
  file_id: number
  version: number
  admin: boolean
}

/** The version `v` of a file `f` with its document `d`, if that is released: see `isReleased`. */
const released = ({ workspace_id, file_id, version, admin }: ParametersOf<Wanted>) => sql`file_versions v
  join files f on f.workspace_id = v.workspace_id and f.id = v.file_id
  join documents d on d.workspace_id = v.workspace_id and d.blob_id = v.blob_id
  where v.workspace_id = ${workspace_id} and v.file_id = ${file_id} and v.version = ${version}
    and d.infected is distinct from true and (${admin}::boolean or not d.held)`

const wanted = ({ id: file_id, folder: { workspace } }: DownloadableFile, version: number): Wanted => ({
  workspace_id: workspace.id,
  file_id,
  version,
  admin: workspace.admin,
})

const versionRows = statement<Wanted, FileVersion>(
  (which) => sql`
    select f.title, v.blob_id, v.file_size, v.file_content_type, v.sha256, d.damage is not null as damaged
    from ${released(which)}`,
)

/** The original of a version, under the present title; undefined if infected or, except for admins, not yet scanned. */
export async function findVersion(db: Db, file: PlainFile, version: number): Promise<FileVersion | undefined> {
  return (await versionRows(db, wanted(file, version)))[0]
}

const releasedRows = statement<Wanted, object>((which) => sql`select from ${released(which)}`)

/** Whether one version may be delivered: it is not infected and, except for admins, does not wait for its scan. */
export async function isReleased(db: Db, file: DownloadableFile, version: number): Promise<boolean> {
  return (await releasedRows(db, wanted(file, version))).length > 0
}

/**
 * Returns those of the given blobs that no file version, download, stamped copy, unfinished upload or PDF of terms
 * references, and that are not made of a blob that a file version references.
 */
export async function listUnreferenced(db: Db, blobIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ blob_id: string }>`
    select b.blob_id from unnest(${blobIds}::text[]) b (blob_id)
    where not exists (select from file_versions v where v.blob_id = b.blob_id)
      and not exists (select from download_members m where m.blob_id = b.blob_id)
      and not exists (select from stamped_files s where s.blob_id = b.blob_id)
      and not exists (select from terms_pdfs p where p.blob_id = b.blob_id)
      and not exists (select from uploads u where u.part_id = b.blob_id and u.file_id is null)
      and not exists (select from documents d join file_versions v on v.blob_id = d.blob_id
        where d.converted_blob_id = b.blob_id)`.execute(db)
  return rows.map((row) => row.blob_id)
}

export type VersionRow = Omit<Reply<Api['files']['versions']>[number], 'reason_code' | 'reason_params'>

/** Newest version first. Only admins learn who else uploaded one. */
export async function listVersions(db: Db, file: ManagedFile): Promise<VersionRow[]> {
  const { workspace } = file.folder
  const isShown = sql`(${workspace.admin} or v.uploaded_by_id = ${workspace.actor.id})`
  const { rows } = await sql<VersionRow>`
    select v.version, v.file_size::text, v.file_content_type, encode(v.sha256, 'hex') as sha256,
      cardinality(d.page_widths) as pages, d.infected, d.damage is not null as damaged, d.status as viewer_status, d.reason,
      case when ${isShown} then v.uploaded_by_id end as uploaded_by_id, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email, '') as uploaded_by_name,
      v.created_at
    from file_versions v
    join documents d on d.workspace_id = v.workspace_id and d.blob_id = v.blob_id
    left join users u on u.organization_id = ${workspace.organization_id} and u.id = v.uploaded_by_id and ${isShown}
    where v.workspace_id = ${workspace.id} and v.file_id = ${file.id}
    order by v.version desc`.execute(db)
  return rows
}
