import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { paceReading } from './paced-reading.ts'

const KIB = 1024

/** Returns the most bytes that arrive in one turn of the event loop. */
async function mostInOneTurn(stream: PassThrough): Promise<number> {
  let bytes = 0
  let most = 0
  let isOver = false
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    most = Math.max(most, bytes)
  })
  const turn = () => {
    bytes = 0
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  for (let piece = 0; piece < 200; piece++) stream.write(Buffer.alloc(16 * KIB))
  stream.end()
  await once(stream, 'end')
  isOver = true
  return most
}

test('K25: a large result of the database is read in many turns', async () => {
  const stream = new PassThrough()
  paceReading(stream)
  expect(await mostInOneTurn(stream)).toBeLessThanOrEqual(128 * KIB)
  expect(await mostInOneTurn(new PassThrough())).toBeGreaterThan(1024 * KIB)
})
