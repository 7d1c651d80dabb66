import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type * as z from 'zod/v4/core'
import { ApiError, refusal, tooManyAtOnce, unprocessable } from '../../base/errors.ts'
import { arriving } from '../../blobs/write-file.ts'
import { readElement } from './read-input.ts'

/** Above the largest line that is valid. */
const MAX_LINE_BYTES = 512 * 1024
/** In this process, one for each organization. The elements of each are in memory. */
const MOST_AT_ONCE = 4
const LONGEST_MS = 10 * 60_000
/** Whoever sends less in this time is cut off, so that others have their turn. */
const PACE_MS = 15_000
const LEAST_BYTES = 64 * 1024
/** Lines are read for this time before others are served. */
const SLICE_MS = 10

const busy = new Set<number>()

interface Wanted<E extends z.$ZodType> {
  /** The name of the list in refusals. */
  list: string
  element: E
  most: number
  /** The id of the organization from which they come. */
  organization: number
}

/**
 * Reads JSON lines as a list, each line while the next ones arrive. Empty lines do not count.
 * @throws ApiError 400 or 422 with the place of the line, 413 for a line that is too large, 429 while others arrive
 */
export async function receiveLines<E extends z.$ZodType>(
  stream: IncomingMessage,
  { list, element, most, organization }: Wanted<E>,
): Promise<z.output<E>[]> {
  if (busy.has(organization) || busy.size >= MOST_AT_ONCE) throw tooManyAtOnce()
  busy.add(organization)
  const timer = setTimeout(() => void stream.destroy(), LONGEST_MS)
  const elements: z.output<E>[] = []
  try {
    let begun = performance.now()
    for await (const { line, text } of linesOf(stream)) {
      if (performance.now() - begun > SLICE_MS) {
        await setImmediate()
        begun = performance.now()
      }
      if (text.trim() === '') continue
      if (elements.length === most) throw unprocessable(list, 'max_elements', { limit: most })
      elements.push(readLine(line, () => readElement(element, text, list, elements.length)))
    }
  } finally {
    clearTimeout(timer)
    busy.delete(organization)
  }
  if (elements.length === 0) throw unprocessable(list, 'list_not_empty')
  return elements
}

function readLine<T>(line: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'malformed_json') throw error
    throw refusal('malformed_line', { line: String(line), problem: error.message })
  }
}

interface Line {
  /** Counted from 1, with empty lines. */
  line: number
  text: string
}

async function* linesOf(stream: IncomingMessage): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let size = 0
  let line = 1
  const add = (part: Buffer) => {
    size += part.length
    if (size > MAX_LINE_BYTES) throw refusal('line_too_large', { line: String(line), limit: MAX_LINE_BYTES / 1024 })
    parts.push(part)
  }
  const take = (): Line => {
    const bytes = Buffer.concat(parts)
    if (!isUtf8(bytes)) throw refusal('line_not_utf8', { line: String(line) })
    parts = []
    size = 0
    return { line: line++, text: bytes.toString('utf8') }
  }
  for await (const chunk of inTime(stream)) {
    let from = 0
    for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', from)) {
      add(chunk.subarray(from, at))
      yield take()
      from = at + 1
    }
    // The chunk is valid only until the next one.
    if (from < chunk.length) add(Buffer.from(chunk.subarray(from)))
  }
  if (size > 0) yield take()
}

/** The chunks of a body that keeps coming. */
async function* inTime(stream: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0
  const timer = setInterval(() => {
    if (bytes < LEAST_BYTES) stream.destroy()
    bytes = 0
  }, PACE_MS)
  try {
    for await (const chunk of arriving(stream)) {
      bytes += chunk.length
      yield chunk
    }
  } finally {
    clearInterval(timer)
  }
}
