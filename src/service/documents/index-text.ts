import type { BlobStore } from '../blobs/blob-store.ts'
import type { Db } from '../db/pool.ts'
import { copyText, hasText, saveText } from '../store/document-texts.ts'
import { type Document, type DocumentKey, findDocument, findTwin } from '../store/documents.ts'
import { sourceOf } from './page-images.ts'
import { DocumentFault, type Renderer } from './render.ts'
import { keepable } from './text.ts'
import { needsMoreTime, type Turn } from '../jobs/turn.ts'

interface Means {
  db: Db
  blobs: BlobStore
  renderer: Renderer
}

/**
 * Makes the files with this content found by its text; that its pages could not be drawn does not matter. Not to
 * be called before it was scanned where it must be; again when its pages are known, which give the text of PDFs. Does
 * nothing where the text is there already.
 */
export async function indexText(means: Means, key: DocumentKey, turn: Turn): Promise<void> {
  const { db } = means
  const document = await findDocument(db, key)
  if (!document || document.infected === true || (await hasText(db, key))) return
  const twin = await findTwin(db, document)
  if (twin && (await hasText(db, twin))) return copyText(db, twin, key)
  const text = await readText(means, document, turn)
  if (text !== undefined) await saveText(db, key, text)
}

/** Undefined where there is no text to be had, for now. */
async function readText(means: Means, document: Document, turn: Turn): Promise<string | undefined> {
  try {
    const { blob_id, content_type: type } = document
    const own = await means.blobs.withFile(blob_id, (path) =>
      means.renderer.extractText({ path, type }, { signal: turn.signal }),
    )
    return own ?? (await readPages(means, document, turn))
  } catch (error) {
    if (error instanceof DocumentFault && error.late && !turn.heavy) throw needsMoreTime()
    // Another attempt would end the same way.
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
