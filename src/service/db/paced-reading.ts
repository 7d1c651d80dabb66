import type { Duplex } from 'node:stream'
import { nextTurn } from '../base/turns.ts'

/** Bytes that are read and parsed in one turn of the event loop: a few milliseconds. */
const TOGETHER = 64 * 1024

/** Gives other requests their turns while a large result arrives. Node itself reads on as long as there is more. */
export function paceReading(stream: Duplex): void {
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes < TOGETHER) return
    bytes = 0
    stream.pause()
    void nextTurn().then(() => stream.resume())
  })
}
