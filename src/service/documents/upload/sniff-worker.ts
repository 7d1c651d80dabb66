import { parentPort } from 'node:worker_threads'
import { sniff } from './sniff.ts'

/** The thread of detect-type.ts. */

export interface Sniffed {
  head: Uint8Array
  fileName: string
}

parentPort?.on('message', ({ head, fileName }: Sniffed) => {
  void sniff(Buffer.from(head), fileName).then((type) => parentPort?.postMessage(type, []))
})
// It is loaded now: see createThread.
parentPort?.postMessage('loaded', [])
