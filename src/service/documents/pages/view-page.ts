import { openUnmarkedPages } from '../../access/view-pages.ts'
import type { ReadableFile } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import type { Document } from '../../store/documents/documents.ts'
import { findMarking } from '../../store/downloads/marks.ts'
import { bytesOf, type PageImages, type PageSize, sourceOf } from './page-images.ts'
import type { Marker } from '../watermark/marker.ts'

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
