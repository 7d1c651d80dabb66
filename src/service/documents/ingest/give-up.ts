import type { Db } from '../../db/pool.ts'
import type { WhenParked } from '../../jobs/run.ts'
import { OUT_OF_MEMORY } from '../../jobs/turn.ts'
import { listWaiting, updateDocument } from '../../store/documents/documents.ts'
import { DOCUMENT_REASONS } from '../../../contract/shown-sentences.ts'

/**
 * Marks content as failed when its job is given up, in the workspaces that wait for it. The error itself stays in the job,
 * for the operator.
 */
export const giveUp = (db: Db): WhenParked => ({
  async ingest({ blob_id }, reason) {
    const failure = DOCUMENT_REASONS[reason === OUT_OF_MEMORY ? 'too_little_memory' : 'attempts_failed']
    for (const each of await listWaiting(db, blob_id))
      await updateDocument(db, each, { status: 'Failed', reason: failure })
  },
})
