import { parentPort, workerData } from 'node:worker_threads'
import { type Examined, examine } from './examine.ts'
import type { Heard } from './examine-apart.ts'

const tell = (heard: Heard) => parentPort?.postMessage(heard, [])

await examine(workerData as Examined, undefined, {
  found: (findings) => tell({ findings }),
  counted: (content) => tell({ content }),
})
tell({ ended: true })
process.exit()
