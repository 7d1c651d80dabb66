import type { IncomingMessage } from 'node:http'
import { parse } from 'node:path'
import type { Input } from '../../../contract/endpoint.ts'
import { TERMS_PDF } from '../../../contract/endpoints/deal/terms-pdf.ts'
import type { Api } from '../../../contract/index.ts'
import type { Actor } from '../../auth/actor.ts'
import { ApiError, refusal } from '../../base/errors.ts'
import { arriving } from '../../blobs/write-file.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { created, recordForAudit } from '../../store/audit/audit.ts'
import { type DraftOf, findDraft, putPdfDraft } from '../../store/terms/drafts.ts'
import { insertPdf } from '../../store/terms/pdfs.ts'
import { type Means, readTermsPdf } from './read-terms-pdf.ts'

interface Destination {
  /** Checks the rights again, as of now: the upload and its reading may have taken a while. */
  enter: (db: Db) => Promise<DraftOf>
  actor: Actor
  named: Omit<Input<Api['terms']['setDraftPdf']>['query'], 'group_id'>
}

/** Stores and reads a PDF before the transaction in which it becomes the draft. */
export async function receiveTerms(
  means: Means & { db: Db },
  { enter, actor, named }: Destination,
  { stream, declaredSize = 0 }: { stream: IncomingMessage; declaredSize: number | undefined },
) {
  const { bytes } = TERMS_PDF
  if (declaredSize > bytes) throw refusal('file_above_limit', { bytes })
  const blob = await means.blobs.write(arriving(stream), bytes)
  try {
    const facts = await readTermsPdf(means, blob, named.file_name, actor.id)
    return await transaction(means.db, async (tx) => {
      const of = await enter(tx)
      const former = await findDraft(tx, of)
      const pdf_id = await insertPdf(tx, of.workspace, blob, { ...facts, file_name: named.file_name })
      const title = named.title ?? former?.title ?? titleOf(named.file_name)
      const asks_name = named.asks_name ?? former?.asks_name ?? false
      const draft = await putPdfDraft(tx, of, { title, asks_name, pdf_id })
      await recordDraft(tx, of, draft)
      return draft
    })
  } catch (error) {
    // After any other error it is unknown whether the commit succeeded, so the sweep decides.
    if (error instanceof ApiError) await means.blobs.remove(blob.blob_id)
    throw error
  }
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
