import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { setInterval } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { receiveLines } from './receive-lines.ts'

afterEach(() => vi.useRealTimers())

const receive = (stream: PassThrough, organization = 1) =>
  receiveLines(stream as unknown as IncomingMessage, {
    list: 'items',
    element: z.object({ name: z.string() }),
    most: 500,
    organization,
  })

function streamOf(text: string) {
  const stream = new PassThrough({ highWaterMark: 2 ** 30 })
  stream.end(text)
  return stream
}

test('empty lines do not count', async () => {
  expect(await receive(streamOf('\n{"name":"a"}\r\n\n{"name":"b"}\n\n'))).toEqual([{ name: 'a' }, { name: 'b' }])
})

test.each([
  ['{"name":"a"}\n\n{"name"\n', 'malformed_line', 'Line 3: The JSON is not valid.'],
  ['Who pays?', 'malformed_line', 'Line 1: The JSON is not valid.'],
  ['{"name":"a"}\r\n{"name":"b"}{"name":"c"}', 'malformed_line', 'Line 2: The JSON is not valid.'],
  [`\n${'['.repeat(40)}`, 'malformed_line', 'Line 2: JSON may be nested 32 levels deep at most.'],
  [`{"name":"a"}\n${' '.repeat(600_000)}`, 'line_too_large', 'Line 2 is larger than 512 KiB.'],
])('K113: the line that cannot be read is named by its number, with empty ones', async (text, reason, message) => {
  await expect(receive(streamOf(text))).rejects.toMatchObject({ reason, message })
})

test('K113: whoever stops sending, or sends a few bytes, gives way to others', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const slow = new PassThrough()
  slow.write('{"name"')
  const first = receive(slow)
  first.catch(() => {})
  await expect(receive(streamOf('{"name":"a"}'))).rejects.toMatchObject({ status: 429 })
  expect(await receive(streamOf('{"name":"a"}'), 2)).toHaveLength(1)
  vi.advanceTimersByTime(15_000)
  await expect(first).rejects.toMatchObject({ reason: 'upload_broke_off' })
  expect(await receive(streamOf('{"name":"a"}'))).toHaveLength(1)
})

test('K113: others are served while many lines are read', async () => {
  const line = JSON.stringify({ name: 'a', other: Array.from({ length: 15_000 }, () => [0]) })
  const done = new AbortController()
  let turns = 0
  const counted = (async () => {
    for await (const _ of setInterval(1, undefined, { signal: done.signal })) turns++
  })().catch(() => {})
  await receive(streamOf(`${line}\n`.repeat(100)))
  done.abort()
  await counted
  expect(turns).toBeGreaterThan(5)
})
