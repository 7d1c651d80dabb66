import { sql } from 'kysely'
import { PDF_DELIVERIES, type PdfDelivery } from '../../../contract/endpoints/watermarks.ts'
import { type Judgement, judgeFolders } from '../../access/grants.ts'
import type { Download } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'

/** Rows to read and judge at a time. */
export const ENTRIES_AT_ONCE = 1000

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

/** A member as it was written, and as its file and content are now. */
interface Member extends Omit<Entry, 'allowed'> {
  file_id: number | null
  folder_id: number | null
  sealed: boolean
  stamped: boolean
  pdf_delivery: PdfDelivery
  /**
   * The folder that decides: for a file its present folder, for a folder, which gives only its name, the folder itself.
   * The manifest has none: it belongs to the download.
   */
  place: number | null
  gone: boolean
  folder: Judgement | undefined
}

/** Returns the next entries of the zip after a position, judged by the rights of this moment. */
export async function listEntries(db: Db, download: Download, after: number): Promise<Entry[]> {
  const members = await listMembers(db, download, after)
  return members.map((member) => {
    const { position, entry_name, blob_id, size, crc32, modified_at } = member
    return { position, entry_name, blob_id, size, crc32, modified_at, allowed: hindranceOf(member) === undefined }
  })
}

/** Why a download cannot be delivered as it was made: a right or a file is gone, or a protection was added. */
export type Hindrance = 'right' | 'change'

/** Checks whether the caller may have each entry right now. A missing right comes before a change. */
export async function findHindrance(db: Db, download: Download): Promise<Hindrance | undefined> {
  let found: Hindrance | undefined
  for (let after = 0; ;) {
    const members = await listMembers(db, download, after)
    const hindrances = members.map(hindranceOf)
    if (hindrances.includes('right')) return 'right'
    if (hindrances.includes('change')) found = 'change'
    if (members.length < ENTRIES_AT_ONCE) return found
    after = members.at(-1)?.position ?? after
  }
}

function hindranceOf({ file_id, folder_id, gone, folder, ...member }: Member): Hindrance | undefined {
  if (file_id === null && folder_id === null) return undefined
  if (folder && !folder.download) return 'right'
  if (gone || !folder) return 'change'
  return file_id === null || isProtected(member, folder) ? undefined : 'change'
}

/** Whether a file is sealed, or else marked at least as strictly as its folder asks for now. */
function isProtected(
  { sealed, stamped, pdf_delivery }: Pick<Member, 'sealed' | 'stamped' | 'pdf_delivery'>,
  { drm, watermark, ...wanted }: Judgement,
): boolean {
  const isMarked = stamped && PDF_DELIVERIES.indexOf(pdf_delivery) >= PDF_DELIVERIES.indexOf(wanted.pdf_delivery)
  return sealed || (!drm && (isMarked || !watermark))
}

/**
 * A page of members with their files, contents and folders, each read by its ids: without statistics, PostgreSQL would
 * join them by reading all of one for each of the other.
 */
async function listMembers(db: Db, { id, workspace }: Download, after: number): Promise<Member[]> {
  const { rows } = await sql<Omit<Member, 'place' | 'gone' | 'folder'>>`
    select m.position, m.entry_name, m.blob_id, m.size, m.crc32, m.modified_at, m.file_id, m.folder_id, m.sealed,
      m.stamped, m.pdf_delivery
    from download_members m
    where m.workspace_id = ${workspace.id} and m.download_id = ${id} and m.position > ${after} and m.left_out is null
      and (m.stamped or not m.must_be_stamped) and (m.sealed or not m.must_be_sealed)
    order by m.position limit ${ENTRIES_AT_ONCE}`.execute(db)
  const [files, contents] = await Promise.all([
    sql<{ id: number; folder_id: number; infected: boolean | null; held: boolean }>`
      select id, folder_id, infected, held from files
      where workspace_id = ${workspace.id} and id = any(${distinct(rows.map(({ file_id }) => file_id))}::int[]) and deleted_at is null`.execute(
      db,
    ),
    sql<{ blob_id: string; infected: boolean | null; held: boolean }>`
      select blob_id, infected, held from documents
      where workspace_id = ${workspace.id} and blob_id = any(${distinct(rows.map(({ blob_id }) => blob_id))}::text[])`.execute(
      db,
    ),
  ])
  const fileOf = new Map(files.rows.map((file) => [file.id, file]))
  const contentOf = new Map(contents.rows.map((content) => [content.blob_id, content]))
  const placed = rows.map((row) => {
    const file = fileOf.get(row.file_id ?? -1)
    const content = contentOf.get(row.blob_id ?? '')
    const isUnsafe = file?.infected || content?.infected || ((content ?? file)?.held && !workspace.admin)
    const place = row.file_id === null ? row.folder_id : (file?.folder_id ?? null)
    return { ...row, place, gone: row.file_id !== null && (!file || isUnsafe === true) }
  })
  const folders = await judgeFolders(db, workspace, distinct(placed.map(({ place }) => place)))
  return placed.map((member) => ({ ...member, folder: folders.get(member.place ?? -1) }))
}

const distinct = <Value>(values: readonly (Value | null)[]): Value[] => [
  ...new Set(values.filter((value) => value !== null)),
]
