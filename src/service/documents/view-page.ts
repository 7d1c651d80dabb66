import { mustBeMarked } from '../access/view-pages.ts'
import type { ReadableFile } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { forbidden } from '../errors.ts'
import type { Document } from '../store/documents.ts'
import { type PageImages, type PageSize, sourceOf } from './page-images.ts'

interface Means {
  db: Db
  pages: PageImages
}

/**
 * A page as this caller may see it, with their watermark where their groups have it.
 * @throws DocumentFault for a page that cannot be drawn
 */
export async function viewPage(
  { db, pages }: Means,
  file: ReadableFile,
  document: Document,
  { page, size }: { page: number; size: PageSize },
): Promise<Buffer> {
  if (await mustBeMarked(db, file.folder)) throw forbidden('Pages of this folder are shown with a watermark only.')
  return pages.read(sourceOf(document), page, size)
}
