import { createReadStream } from 'node:fs'
import { DOCUMENT_REASONS } from '../../../contract/shown-sentences.ts'
import { timed } from '../../../wire/metrics/record.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Db } from '../../db/pool.ts'
import { needsMoreTime, type Turn, wholeTurn } from '../../jobs/turn.ts'
import {
  type Document,
  type DocumentKey,
  findDocument,
  findTwin,
  listSharing,
  updateDocument,
} from '../../store/documents/documents.ts'
import type { Converter } from '../convert/convert.ts'
import { isViewable } from '../formats.ts'
import { indexText } from './index-text.ts'
import type { PageCache } from '../pages/page-cache.ts'
import { type PageImages, type PageSource, sourceOf } from '../pages/page-images.ts'
import { DocumentFault, type Renderer } from '../render.ts'
import { NotScanned, type Scanner } from './scan.ts'
import { isUnread, knownFrom, needsConversion, settleAtOnce } from './settle-at-once.ts'
import { requireSpace } from '../upload/require-space.ts'
import { withWorkFolder } from '../convert/work-folder.ts'

export interface IngestMeans {
  db: Db
  blobs: BlobStore
  cache: PageCache
  renderer: Renderer
  pages: PageImages
  converter: Converter
  scanner: Scanner | undefined
  /** Whether content may be read only after it was scanned. */
  scanRequired: boolean
  folder: string
}

/**
 * Scans content, converts what cannot be rendered directly, measures its pages, draws the first and indexes its text.
 * Each step records its result and is then not repeated, so the job can restart at any point. A fault of the document
 * ends the job for good, unless a quick turn was too short or the disk was full. Any other error is retried. Content has
 * one job, also where several workspaces share it.
 */
export async function ingest(means: IngestMeans, key: DocumentKey, turn: Turn = wholeTurn()): Promise<void> {
  const failures: unknown[] = []
  const read = (one: DocumentKey) => ingestIn(means, one, turn).catch((error: unknown) => void failures.push(error))
  await read(key)
  const isDue = (document: Document) => isUnread(document) || (means.scanner && document.scanned_at === null)
  const others = (await listSharing(means.db, key.blob_id)).filter((each) => each.workspace_id !== key.workspace_id)
  for (const other of others.filter(isDue)) await read(other)
  if (failures.length > 0) throw failures[0]
}

async function ingestIn(means: IngestMeans, key: DocumentKey, turn: Turn): Promise<void> {
  if (await settleAtOnce(means, key, turn)) return
  const document = await findDocument(means.db, key)
  if (!document) return
  const scanning = await noteFault(means, document, turn, () => scan(means, document, turn))
  if (scanning === 'infected' || scanning === 'fault') return
  // Most types yield their text without pages, so search finds them before, or even without, a preview.
  await indexText(means, key, turn)
  if (isUnread(document)) await noteFault(means, document, turn, () => makeViewable(means, document, turn))
  await indexText(means, key, turn)
  // The scanner is unavailable. Scanning is optional here and delays nothing, but the job must come back to it.
  if (scanning instanceof Error) throw scanning
}

async function noteFault<Result>(
  { db, folder }: IngestMeans,
  key: DocumentKey,
  turn: Turn,
  step: () => Promise<Result>,
): Promise<Result | 'fault'> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error
    if (error.late && !turn.heavy) throw needsMoreTime()
    await requireSpace(folder)
    await updateDocument(db, key, { status: 'Failed', reason: error.message })
    return 'fault'
  }
}

/** @throws DocumentFault if content cannot be scanned but must be; NotScanned or PutBack if the scan can be retried */
async function scan(
  { db, blobs, scanner, scanRequired }: IngestMeans,
  document: Document,
  turn: Turn,
): Promise<'done' | 'infected' | NotScanned> {
  if (!scanner) return 'done'
  if (document.scanned_at !== null) return document.infected ? 'infected' : 'done'
  try {
    const verdict = await timed('scan', async () => scanner.scan(await blobs.read(document.blob_id)))
    const scanned_at = new Date().toISOString()
    if (verdict === 'clean') {
      // Keep the reason of an earlier failure.
      const reason = isUnread(document) ? null : document.reason
      await updateDocument(db, document, { infected: false, held: false, scanned_at, reason })
      return 'done'
    }
    const found = { infected: true, held: false, infection: verdict.infected, scanned_at }
    const infected = { ...found, status: 'Failed', reason: DOCUMENT_REASONS.infected } as const
    const sharing = await listSharing(db, document.blob_id)
    // The own one last: a worker that dies before would scan again.
    const own = ({ workspace_id }: Document) => Number(workspace_id === document.workspace_id)
    for (const each of sharing.toSorted((a, b) => own(a) - own(b))) await updateDocument(db, each, infected)
    return 'infected'
  } catch (error) {
    if (!(error instanceof NotScanned)) throw error
    if (error.late && !turn.heavy) throw needsMoreTime()
    if (!scanRequired) return error.permanent ? 'done' : error
    if (error.permanent) throw new DocumentFault(error.message)
    await updateDocument(db, document, { reason: DOCUMENT_REASONS.scanner_away })
    throw error
  }
}

async function makeViewable(means: IngestMeans, document: Document, turn: Turn): Promise<void> {
  const { db } = means
  if (!isViewable(document.content_type)) return updateDocument(db, document, { status: 'Unsupported', reason: null })
  const twin = await findTwin(db, document)
  if (twin) return updateDocument(db, document, knownFrom(twin))

  await updateDocument(db, document, { status: 'Processing' })
  const source = await findSource(means, document, turn)
  if ('obstacle' in source) return updateDocument(db, document, { status: 'Unsupported', reason: source.obstacle })
  await measure(means, document, source, turn)
}

/** Returns what the pages can be drawn from: the content, or a PDF or image that the content is converted to now. */
async function findSource(
  means: IngestMeans,
  document: Document,
  turn: Turn,
): Promise<PageSource | { obstacle: string }> {
  if (!needsConversion(document)) return sourceOf(document)
  const obstacle = await means.converter.obstacle(document.content_type)
  if (obstacle !== undefined) return { obstacle }
  return convert(means, document, turn)
}

async function convert(
  means: IngestMeans,
  { workspace_id, blob_id, content_type }: Document,
  { signal }: Turn,
): Promise<PageSource> {
  const { db, blobs, converter, folder } = means
  return withWorkFolder(folder, async (outDir) => {
    await requireSpace(folder)
    const made = await blobs.withFile(blob_id, (path) =>
      timed('convert', () => converter.convert(path, content_type, outDir, signal)),
    )
    const stored = await blobs.write(createReadStream(made.path), Infinity)
    const converted = { converted_blob_id: stored.blob_id, converted_type: made.content_type }
    await updateDocument(db, { workspace_id, blob_id }, converted)
    return { blob_id: stored.blob_id, type: made.content_type }
  })
}

async function measure(means: IngestMeans, document: Document, source: PageSource, { signal }: Turn): Promise<void> {
  const { db, blobs, cache, renderer, pages } = means
  // Removes cached page faults, so that failed pages are drawn again.
  await cache.removeAll([source.blob_id])
  const boxes = await blobs.withFile(source.blob_id, (path) => renderer.boxes({ path, type: source.type }, { signal }))
  await pages.read(source, 1, 'thumbnail', { signal })
  await updateDocument(db, document, {
    status: 'Ready',
    reason: null,
    page_widths: boxes.map((box) => box.width),
    page_heights: boxes.map((box) => box.height),
  })
}
