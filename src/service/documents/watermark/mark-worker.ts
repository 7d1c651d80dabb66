import { parentPort } from 'node:worker_threads'
import type { Marking } from '../../store/marks.ts'
import { markPage } from './mark-page.ts'
import { createOverlays } from './overlay.ts'
import { drawPreview, type PreviewPage } from './preview.ts'

/** A thread of marker.ts. */

export type MarkTask = { marking: Marking } & (
  | { image: Uint8Array<ArrayBuffer>; size: 'page' | 'thumbnail' }
  | { preview: PreviewPage }
)
export type MarkOutcome = { result: unknown } | { error: string }

const overlays = createOverlays()

async function perform(task: MarkTask): Promise<unknown> {
  if ('preview' in task) return drawPreview(task.marking, task.preview)
  return new Uint8Array(await markPage(Buffer.from(task.image.buffer), task.size, task.marking, overlays))
}

parentPort?.on('message', (task: MarkTask) => {
  void perform(task).then(
    (result) =>
      parentPort?.postMessage({ result } satisfies MarkOutcome, result instanceof Uint8Array ? [result.buffer] : []),
    (error: unknown) => parentPort?.postMessage({ error: String(error) } satisfies MarkOutcome, []),
  )
})
