import type { Db } from '../../db/pool.ts'
import type { WhenParked } from '../../jobs/run.ts'
import { OUT_OF_MEMORY } from '../../jobs/turn.ts'
import { updateDocument } from '../../store/documents/documents.ts'
import { FAULTS } from '../convert/convert-faults.ts'

const REASON = 'It could not be read, in several attempts.'

/** Marks a document as failed when its job is given up. The error itself stays in the job, for the operator. */
export const giveUp = (db: Db): WhenParked => ({
  ingest: (key, reason) =>
    updateDocument(db, key, { status: 'Failed', reason: reason === OUT_OF_MEMORY ? FAULTS.machine : REASON }),
})
