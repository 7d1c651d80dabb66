import type { Db } from '../../db/pool.ts'
import type { WhenParked } from '../../jobs/run.ts'
import { OUT_OF_MEMORY } from '../../jobs/turn.ts'
import { listElsewhere, updateDocument } from '../../store/documents/documents.ts'
import { isUnread } from './settle-at-once.ts'
import { DOCUMENT_REASONS } from '../../../contract/shown-sentences.ts'

/**
 * Marks a document as failed when its job is given up, in all workspaces that wait for it. The error itself stays in the
 * job, for the operator.
 */
export const giveUp = (db: Db): WhenParked => ({
  async ingest(key, reason) {
    const failure = DOCUMENT_REASONS[reason === OUT_OF_MEMORY ? 'too_little_memory' : 'attempts_failed']
    const unread = (await listElsewhere(db, key)).filter(isUnread)
    for (const each of [key, ...unread]) await updateDocument(db, each, { status: 'Failed', reason: failure })
  },
})
