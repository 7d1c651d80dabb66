import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Db } from '../../db/pool.ts'
import { copyText, saveText } from '../../store/documents/document-texts.ts'
import { type Document, type DocumentKey, findDocument, findTwin } from '../../store/documents/documents.ts'
import { sourceOf } from '../pages/page-images.ts'
import { textSourceOf } from '../formats.ts'
import { DocumentFault, type Renderer } from '../render.ts'
import { keepable } from '../text/keepable.ts'
import { needsMoreTime, type Turn } from '../../jobs/turn.ts'

interface Means {
  db: Db
  blobs: BlobStore
  renderer: Renderer
}

/**
 * Stores the text of a document, so that search finds the files with this content even if their pages could not be
 * drawn. If scanning is required, call it only after the scan. Call it again when the pages are known, because they
 * provide the text of PDFs. Does nothing if the text is already stored.
 */
export async function indexText(means: Means, key: DocumentKey, turn: Turn): Promise<void> {
  const { db } = means
  const document = await findDocument(db, key)
  if (!document || document.infected === true || document.has_text) return
  const twin = await findTwin(db, document)
  if (twin?.has_text) return copyText(db, twin, key)
  const text = await readText(means, document, turn)
  if (text !== undefined) await saveText(db, key, text)
}

/** Returns undefined if no text is available, for now. */
export async function readText(means: Means, document: Document, turn: Turn): Promise<string | undefined> {
  try {
    const { blob_id, content_type: type } = document
    if (textSourceOf(type) !== 'file') return await readPages(means, document, turn)
    return await means.blobs.withFile(blob_id, (path) =>
      means.renderer.extractText({ path, type }, { signal: turn.signal }),
    )
  } catch (error) {
    if (error instanceof DocumentFault && error.late && !turn.heavy) throw needsMoreTime()
    // Another attempt would fail in the same way.
    if (error instanceof DocumentFault) return ''
    throw error
  }
}

async function readPages(
  { blobs, renderer }: Means,
  document: Document,
  { signal }: Turn,
): Promise<string | undefined> {
  const { blob_id, type } = sourceOf(document)
  if (type !== 'application/pdf' || document.status !== 'Ready') return undefined
  const pages = document.page_widths.length
  const texts = await blobs.withFile(blob_id, (path) => renderer.text({ path, type }, pages, { signal }))
  return keepable(texts.join('\n\n'))
}
