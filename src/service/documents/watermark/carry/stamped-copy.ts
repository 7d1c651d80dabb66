import { createHash } from 'node:crypto'
import type { PdfDelivery } from '../../../../contract/endpoints/watermarks.ts'
import type { MarkedFile } from '../../../access/scopes.ts'
import type { Db } from '../../../db/pool.ts'
import { notFound, refusal, unprocessable } from '../../../base/errors.ts'
import { findVersionDocument } from '../../../store/documents/documents.ts'
import { findMarking, type Marking } from '../../../store/downloads/marks.ts'
import { insertStampedFile, reuseStampedFile, type StampedFile } from '../../../store/downloads/stamped-files.ts'
import { reasonParams } from '../../pages/coded-reason.ts'
import { DocumentFault } from '../../render.ts'
import { stampedName, stampSourceOf } from './stamp-source.ts'
import type { Stamper } from './stamper.ts'

interface Means {
  db: Db
  stamper: Stamper
}

/** Lifetime of an expiring URL. A transfer in progress when it ends may finish. */
const LIFE_SECONDS = 20 * 60

/**
 * Returns the caller's own stamped copy of the current version, or of an earlier one, with the mark of this minute.
 * @throws ApiError 404 if there is no such version, 422 with the reason if it cannot be stamped, 409 if that is not
 * known yet
 */
export async function makeStampedCopy(
  { db, stamper }: Means,
  file: MarkedFile,
  earlier?: number,
): Promise<StampedFile> {
  const { pdf_delivery, folder } = file
  const { workspace } = folder
  const document = await findVersionDocument(db, file, earlier)
  if (!document) throw notFound()
  const { version, title } = document
  const marking = await findMarking(db, workspace)
  const copy = {
    version,
    mark: markId(marking, pdf_delivery),
    expires_at: new Date(workspace.actor.now.getTime() + LIFE_SECONDS * 1000),
  }
  const known = await reuseStampedFile(db, file, copy)
  if (known) return known

  const source = stampSourceOf(document)
  if (source === 'not yet') throw refusal('not_prepared')
  if ('unstampable' in source) throw refused(source.unstampable)
  const { blob_id, size, sha256, type } = await stamper.stamp(source, marking, pdf_delivery).catch(toRefusal)
  const file_name = stampedName(title, type)
  return insertStampedFile(db, file, { ...copy, file_name, file_content_type: type, blob_id, file_size: size, sha256 })
}

const refused = (reason: string) => unprocessable('file_id', 'markable_file', { ...reasonParams(reason), reason })

function toRefusal(error: unknown): never {
  throw error instanceof DocumentFault ? refused(error.message) : error
}

function markId({ looks, reader }: Marking, delivery: PdfDelivery): string {
  const minute = Math.floor(reader.at.getTime() / 60_000)
  return createHash('sha256')
    .update(JSON.stringify([looks, { ...reader, at: minute }, delivery]))
    .digest('hex')
}
