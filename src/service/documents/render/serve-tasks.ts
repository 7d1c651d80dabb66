import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { freezeIntrinsics } from '../../../wire/freeze-intrinsics.ts'
import type { Outcome, Task } from './child-pool.ts'
import { DocumentFault } from './fault.ts'
import { RenderFault } from './faults.ts'

/** The child's side of child-pool.ts: performs one task after the other, at its priority, until the parent is gone. */
export function serveTasks(tasks: Record<string, (input: never) => Promise<unknown> | unknown>): void {
  freezeIntrinsics()
  setPriority(Number(process.argv[2]))
  volunteerForOutOfMemory()
  new Worker(new URL('./watch-parent.ts', import.meta.url), { workerData: process.ppid }).unref()
  process.on('disconnect', () => process.exit(0))
  process.on('message', (message) => void serve(message as Task).then((outcome) => process.send?.(outcome)))

  async function serve({ task, input }: Task): Promise<Outcome> {
    try {
      return { result: await tasks[task]?.(input as never) }
    } catch (error) {
      if (error instanceof RenderFault) return { fault: error.fault }
      if (error instanceof DocumentFault) return { reason: error.message }
      // WebAssembly is unusable after such an error.
      if (error instanceof Error && /^(Runtime|Range)Error$/.test(error.name)) return { fault: 'crash', crashed: true }
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** When memory runs out, the kernel kills this process instead of a more important one. Only Linux has this file. */
function volunteerForOutOfMemory(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {}
}
