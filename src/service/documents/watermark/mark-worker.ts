import { parentPort } from 'node:worker_threads'
import type { Marking } from '../../store/downloads/marks.ts'
import { markPage } from './mark-page.ts'
import { createOverlays } from './plan/overlay.ts'
import { drawPreview, type PreviewPage } from './preview.ts'

/** A thread of marker.ts. */

export type MarkTask = { marking: Marking } & (
  | { image: Uint8Array<ArrayBuffer>; size: 'page' | 'thumbnail' }
  | { preview: PreviewPage }
)
export type MarkOutcome = { result: unknown } | { error: string }

const overlays = createOverlays()

/** Returns the result, and the buffers that are transferred without a copy. */
async function perform(task: MarkTask): Promise<[unknown, ArrayBuffer[]]> {
  if ('preview' in task) return [await drawPreview(task.marking, task.preview), []]
  const marked = new Uint8Array(await markPage(Buffer.from(task.image.buffer), task.size, task.marking, overlays))
  return [marked, [marked.buffer]]
}

parentPort?.on('message', (task: MarkTask) => {
  void perform(task).then(
    ([result, transfer]) => parentPort?.postMessage({ result } satisfies MarkOutcome, transfer),
    (error: unknown) => parentPort?.postMessage({ error: String(error) } satisfies MarkOutcome, []),
  )
})
