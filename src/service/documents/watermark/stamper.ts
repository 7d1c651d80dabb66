import type { PdfDelivery } from '../../../contract/watermarks.ts'
import type { Marking } from '../../store/marks.ts'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { BlobStore, StoredBlob } from '../../blobs/blob-store.ts'
import { createChildPool } from '../render/child-pool.ts'
import { requireSpace } from '../require-space.ts'
import { withWorkFolder } from '../work-folder.ts'
import type { StampTask } from './child.ts'

/** Makes marked copies of PDFs and images. */
export interface Stamper {
  /** @throws DocumentFault for what cannot be marked; any other error may be tried again */
  stamp(
    source: { blob_id: string; type: string },
    marking: Marking,
    delivery: PdfDelivery,
    signal?: AbortSignal,
  ): Promise<Stamped>
  close(): Promise<void>
}

export type Stamped = StoredBlob & { type: string }

/** Processor time: 1,500 pages take five seconds; pictures of them take minutes. */
const STAMP_CPU_MS = 5 * 60_000

interface Options {
  size?: number
  niceness?: number
  /** Processor time of one copy. */
  cpuMs?: number
  quickMs?: number
  /** Looks at content that cannot be stamped, and rejects where it is damaged. */
  examine?: (blobId: string) => Promise<void>
}

/** What is made on the way is in `folder`, where a sweep finds what a crash leaves. */
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
        // What failed for want of space is no fault of the document.
        await requireSpace(folder)
        if (!signal?.aborted) await examine?.(blob_id)
        throw error
      })
    },
    close: () => pool.close(),
  }
}
