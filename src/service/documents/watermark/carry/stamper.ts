import type { PdfDelivery } from '../../../../contract/endpoints/watermarks.ts'
import type { Marking } from '../../../store/downloads/marks.ts'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { BlobStore, StoredBlob } from '../../../blobs/blob-store.ts'
import { createChildPool } from '../../render/child-pool.ts'
import { requireSpace } from '../../upload/require-space.ts'
import { withWorkFolder } from '../../convert/work-folder.ts'
import type { StampTask } from './child.ts'

/** Makes stamped copies of PDFs and images. */
export interface Stamper {
  /** @throws DocumentFault for content that cannot be stamped; any other error may be retried */
  stamp(
    source: { blob_id: string; type: string },
    marking: Marking,
    delivery: PdfDelivery,
    signal?: AbortSignal,
  ): Promise<Stamped>
  close(): Promise<void>
}

export type Stamped = StoredBlob & { type: string }

/** CPU time: weaving 1,500 pages takes five seconds; drawing them as pictures takes minutes. */
const STAMP_CPU_MS = 5 * 60_000

interface Options {
  size?: number
  niceness?: number
  /** CPU time of one copy. */
  cpuMs?: number
  quickMs?: number
  /** Checks content that cannot be stamped for damage. May reject if the content is damaged. */
  examine?: (blobId: string) => Promise<void>
}

/** Puts temporary files into `folder`, where a sweep removes what a crash leaves behind. */
export function openStamper(blobs: BlobStore, folder: string, options: Options = {}): Stamper {
  const { size = 2, niceness = 5, cpuMs = STAMP_CPU_MS, examine, ...rest } = options
  const pool = createChildPool(new URL('./child.ts', import.meta.url), { size, niceness, ...rest })

  async function stampFile(
    path: string,
    folder: string,
    type: string,
    { marking, delivery }: Pick<StampTask, 'marking' | 'delivery'>,
    signal?: AbortSignal,
  ): Promise<Stamped> {
    const target = join(folder, 'stamped')
    const task: StampTask = { source: path, type, target, marking, delivery }
    const made = await pool.run<string>('stamp', task, { cpuMs, signal, user: marking.reader.email })
    return { ...(await blobs.write(createReadStream(target), Infinity)), type: made }
  }

  return {
    async stamp({ blob_id, type }, marking, delivery, signal) {
      return withWorkFolder(folder, (own) =>
        blobs.withFile(blob_id, (path) => stampFile(path, own, type, { marking, delivery }, signal)),
      ).catch(async (error: unknown) => {
        // A failure for lack of disk space is not the document's fault.
        await requireSpace(folder)
        if (!signal?.aborted) await examine?.(blob_id)
        throw error
      })
    },
    close: () => pool.close(),
  }
}
