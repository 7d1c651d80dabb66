import { type Reader, viewAs } from '../../access/enter/view-as.ts'
import { asAdmin } from '../../access/enter/workspace.ts'
import { openForViewing, openUnmarkedPages } from '../../access/view-pages.ts'
import type { ReadableFile } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import type { Document, VersionDocument } from '../../store/documents/documents.ts'
import { findForeseenMarking, findMarking } from '../../store/downloads/marks.ts'
import { bytesOf, type PageImages, type PageSize, sourceOf } from './page-images.ts'
import type { Marker } from '../watermark/marker.ts'

interface ForeseenFile {
  /** As the admin enters it. */
  file: ReadableFile
  reader: Reader
}

/**
 * Returns a page as a group or person would see it, for an admin. A mark says that it is a preview.
 * @throws ApiError 403 for a caller who is no admin, 404 if the reader does not see the file
 */
export async function foreseePage(
  { db, pages, marker }: Means,
  { file, reader }: ForeseenFile,
  document: VersionDocument,
  { page, size }: { page: number; size: PageSize },
): Promise<Buffer> {
  const { workspace } = file.folder
  const { unmarked, marking } = await viewAs(db, asAdmin(workspace), reader, async (tx, seen) => {
    const { folder } = await openForViewing(tx, seen, file.id, document.version)
    return { unmarked: await openUnmarkedPages(tx, folder), marking: await findForeseenMarking(tx, seen, reader) }
  })
  const image = await pages.read(sourceOf(document), page, size, { user: workspace.actor.id })
  return unmarked ? bytesOf(image, unmarked) : marker.mark(image, size, marking)
}

interface Means {
  db: Db
  pages: PageImages
  marker: Marker
}

/**
 * Returns a page as this caller may see it, with the caller's mark if the groups require one.
 * @throws DocumentFault for a page that cannot be drawn
 */
export async function viewPage(
  { db, pages, marker }: Means,
  file: ReadableFile,
  document: Document,
  { page, size }: { page: number; size: PageSize },
): Promise<Buffer> {
  const unmarked = await openUnmarkedPages(db, file.folder)
  const image = await pages.read(sourceOf(document), page, size, { user: file.folder.workspace.actor.id })
  return unmarked ? bytesOf(image, unmarked) : marker.mark(image, size, await findMarking(db, file.folder.workspace))
}
