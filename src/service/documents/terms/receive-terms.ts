import type { IncomingMessage } from 'node:http'
import { parse } from 'node:path'
import type { Input } from '../../../contract/endpoint.ts'
import { TERMS_PDF } from '../../../contract/endpoints/deal/terms-pdf.ts'
import type { Api } from '../../../contract/index.ts'
import type { Actor } from '../../auth/actor.ts'
import { ApiError, refusal, tooManyAtOnce } from '../../base/errors.ts'
import type { StoredBlob } from '../../blobs/blob-store.ts'
import { arriving } from '../../blobs/write-file.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { created, recordForAudit } from '../../store/audit/audit.ts'
import { type DraftOf, findDraft, lockTerms, putPdfDraft } from '../../store/terms/drafts.ts'
import { insertPdf, type PdfFacts } from '../../store/terms/pdfs.ts'
import { type Means, readTermsPdf } from './read-terms-pdf.ts'

interface Destination {
  /** Checks the rights again, as of now: the upload and its reading may have taken a while. */
  enter: (db: Db) => Promise<DraftOf>
  actor: Actor
  named: Omit<Input<Api['terms']['setDraftPdf']>['query'], 'group_id'>
}

interface Body {
  stream: IncomingMessage
  declaredSize: number | undefined
}

/** Users whose PDF is being received or read: one of each at a time in this process, whose readers that protects. */
const busy = new Set<number>()

/**
 * Stores and reads a PDF before the transaction in which it becomes the draft, as long as the client waits for it.
 * @throws ApiError 429 while another PDF of the user is read
 */
export async function receiveTerms(means: Means & { db: Db }, to: Destination, { stream, declaredSize = 0 }: Body) {
  const { bytes } = TERMS_PDF
  if (declaredSize > bytes) throw refusal('file_above_limit', { bytes })
  const { id } = to.actor
  if (busy.has(id)) throw tooManyAtOnce()
  busy.add(id)
  const { socket } = stream
  const gone = new AbortController()
  const giveUp = () => gone.abort()
  socket.once('close', giveUp)
  try {
    return await receive(means, to, stream, gone.signal)
  } finally {
    socket.off('close', giveUp)
    busy.delete(id)
  }
}

async function receive(means: Means & { db: Db }, to: Destination, stream: IncomingMessage, signal: AbortSignal) {
  const { blobs, pages, db } = means
  const blob = await blobs.write(arriving(stream), TERMS_PDF.bytes)
  const discard = () => Promise.all([blobs.remove(blob.blob_id), pages.forget(blob.blob_id)])
  const isGone = () => signal.aborted
  let facts: PdfFacts
  try {
    facts = await readTermsPdf(means, blob, to.named.file_name, { user: to.actor.id, signal })
    if (isGone()) throw refusal('client_gone')
  } catch (error) {
    await discard()
    throw isGone() ? refusal('client_gone') : error
  }
  try {
    return await transaction(db, (tx) => store(tx, to, blob, facts))
  } catch (error) {
    // After any other error it is unknown whether the commit succeeded, so the sweep decides.
    if (error instanceof ApiError) await discard()
    throw error
  }
}

async function store(db: Db, { enter, named }: Destination, blob: StoredBlob, facts: PdfFacts): Promise<Draft> {
  const of = await enter(db)
  const [, former] = await Promise.all([lockTerms(db, of.workspace), findDraft(db, of)])
  const pdf_id = await insertPdf(db, of.workspace, blob, { ...facts, file_name: named.file_name })
  const title = named.title ?? former?.title ?? titleOf(named.file_name)
  const asks_name = named.asks_name ?? former?.asks_name ?? false
  const draft = await putPdfDraft(db, of, { title, asks_name, pdf_id, digest: named.digest })
  await recordDraft(db, of, draft)
  return draft
}

const titleOf = (fileName: string): string => parse(fileName).name.trim() || fileName

type Draft = Awaited<ReturnType<typeof putPdfDraft>>

export function recordDraft(
  db: Db,
  { workspace, group }: DraftOf,
  { title, sha256, asks_name, pdf }: Draft,
): Promise<void> {
  const changes = created({ sha256, asks_name, file_name: pdf?.file_name, group_id: group?.id })
  return recordForAudit(db, workspace, { act: 'terms_drafted', params: { title }, subject_id: workspace.id, changes })
}
