import type { Db } from '../../db/pool.ts'
import type { WhenParked } from '../../jobs/run.ts'
import { OUT_OF_MEMORY } from '../../jobs/turn.ts'
import { updateDocument } from '../../store/documents/documents.ts'
import { DOCUMENT_REASONS } from '../../../contract/shown-sentences.ts'

/** Marks a document as failed when its job is given up. The error itself stays in the job, for the operator. */
export const giveUp = (db: Db): WhenParked => ({
  ingest: (key, reason) =>
    updateDocument(db, key, {
      status: 'Failed',
      reason: DOCUMENT_REASONS[reason === OUT_OF_MEMORY ? 'too_little_memory' : 'attempts_failed'],
    }),
})
