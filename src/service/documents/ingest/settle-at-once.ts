import { committing, together } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import type { Turn } from '../../jobs/turn.ts'
import { writeText } from '../../store/documents/document-texts.ts'
import {
  type Change,
  changeDocument,
  type Document,
  type DocumentKey,
  findDocument,
  findTwin,
  type ReadDocument,
} from '../../store/documents/documents.ts'
import { isViewable, pagesOf, textSourceOf } from '../formats.ts'
import { readText } from './index-text.ts'
import type { IngestMeans } from './ingest.ts'

const NO_TEXT = Symbol('no text')
/** The text of a document, or another document that has the same. */
type Text = string | DocumentKey | typeof NO_TEXT

/**
 * Ingests a document that needs no scan and no pages of its own: its bytes are known, or its type has no preview here.
 * Everything is recorded in one transaction.
 * @returns false, having changed nothing, for a document that needs more
 */
export async function settleAtOnce(means: IngestMeans, key: DocumentKey, turn: Turn): Promise<boolean> {
  const { db, scanner } = means
  const [document, twin] = await together(db, (one) => Promise.all([findDocument(one, key), findTwin(one, key)]))
  if (!document) return true
  if (document.infected === true || (scanner && document.scanned_at === null)) return false
  const change = await stateWithoutPages(means, document, twin)
  if (change === undefined) return false
  const text = await textWithoutPages(means, document, twin, turn)
  if (text === undefined) return false
  if (text !== NO_TEXT || Object.keys(change).length > 0) await store(db, key, change, text)
  return true
}

async function store(db: Db, key: DocumentKey, change: Change, text: Text): Promise<void> {
  await transaction(db, (tx) =>
    committing(tx, async () => {
      const written = text === NO_TEXT ? undefined : writeText(tx, key, text)
      await Promise.all([written, changeDocument(tx, key, change)])
    }),
  )
}

export const isUnread = ({ status }: Document) => status === 'Pending' || status === 'Processing'

/** Whether the pages can be drawn only from a PDF or an image that the content is not yet converted to. */
export const needsConversion = ({ converted_blob_id, content_type }: Document) =>
  converted_blob_id === null && pagesOf(content_type).tool !== undefined

export const knownFrom = ({ page_widths, page_heights, converted_blob_id, converted_type }: Document) =>
  ({ status: 'Ready', reason: null, page_widths, page_heights, converted_blob_id, converted_type }) as const

/** Returns undefined if the pages must be made first. */
async function stateWithoutPages(
  { converter }: IngestMeans,
  document: Document,
  twin: Document | undefined,
): Promise<Change | undefined> {
  if (!isUnread(document)) return {}
  if (!isViewable(document.content_type)) return { status: 'Unsupported', reason: null }
  if (twin) return knownFrom(twin)
  const obstacle = needsConversion(document) ? await converter.obstacle(document.content_type) : undefined
  return obstacle === undefined ? undefined : { status: 'Unsupported', reason: obstacle }
}

/** Returns undefined if the text comes from the pages. */
async function textWithoutPages(
  means: IngestMeans,
  document: ReadDocument,
  twin: ReadDocument | undefined,
  turn: Turn,
): Promise<Text | undefined> {
  const source = textSourceOf(document.content_type)
  if (document.has_text || source === 'none') return NO_TEXT
  if (twin?.has_text) return twin
  return source === 'file' ? readText(means, document, turn) : undefined
}
