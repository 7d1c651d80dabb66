import { MAX_BATCH_PAGES } from '../../../../contract/endpoints/deal/engagement.ts'
import { newId } from '../../../shared/new-id.ts'
import type { PageTime } from './reading-meter.ts'

export interface ReadingBatch {
  batch_id: string
  pages: PageTime[]
}

/** Batches that wait while the service does not answer. Older ones are given up. */
const WAITING = 4

/**
 * Sends batches until the service has answered. An answer may be lost, so a batch keeps its id when it is sent again.
 * @param post whether the service has answered
 */
export function createReadingBatches(post: (batch: ReadingBatch) => Promise<boolean>) {
  const waiting = new Set<ReadingBatch>()
  const sent = new Set<ReadingBatch>()
  const send = async (batch: ReadingBatch) => {
    sent.add(batch)
    if (await post(batch)) waiting.delete(batch)
    sent.delete(batch)
  }
  return {
    send(pages: PageTime[]) {
      for (let at = 0; at < pages.length; at += MAX_BATCH_PAGES)
        waiting.add({ batch_id: newId(), pages: pages.slice(at, at + MAX_BATCH_PAGES) })
      for (const oldest of [...waiting].slice(0, -WAITING)) waiting.delete(oldest)
      return Promise.all([...waiting].filter((batch) => !sent.has(batch)).map(send))
    },
  }
}
