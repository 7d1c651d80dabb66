import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type * as z from 'zod/v4/core'
import { refusal, tooManyAtOnce, unprocessable } from '../../base/errors.ts'
import { arriving } from '../../blobs/write-file.ts'
import { readElement } from './read-input.ts'

/** Above the largest line that is valid. */
const MAX_LINE_BYTES = 512 * 1024
/** In this process, one for each user. The elements of each are in memory. */
const MOST_AT_ONCE = 4
const LONGEST_MS = 10 * 60_000

const busy = new Set<number>()

interface Wanted<E extends z.$ZodType> {
  /** The name of the list in refusals. */
  list: string
  element: E
  most: number
  /** The id of the user who sends them. */
  user: number
}

/**
 * Reads JSON lines as a list, each line while the next ones arrive.
 * @throws ApiError 400 or 422 with the place of the line, 413 for a line that is too large, 429 while others arrive
 */
export async function receiveLines<E extends z.$ZodType>(
  stream: IncomingMessage,
  { list, element, most, user }: Wanted<E>,
): Promise<z.output<E>[]> {
  if (busy.has(user) || busy.size >= MOST_AT_ONCE) throw tooManyAtOnce()
  busy.add(user)
  const timer = setTimeout(() => void stream.destroy(), LONGEST_MS)
  const elements: z.output<E>[] = []
  try {
    for await (const line of linesOf(stream)) {
      if (elements.length === most) throw unprocessable(list, 'max_elements', { limit: most })
      elements.push(readElement(element, line, list, elements.length))
    }
  } finally {
    clearTimeout(timer)
    busy.delete(user)
  }
  if (elements.length === 0) throw unprocessable(list, 'list_not_empty')
  return elements
}

async function* linesOf(stream: IncomingMessage): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let size = 0
  let line = 1
  const add = (part: Buffer) => {
    size += part.length
    if (size > MAX_LINE_BYTES) throw refusal('line_too_large', { line: String(line), limit: MAX_LINE_BYTES / 1024 })
    parts.push(part)
  }
  const take = () => {
    const bytes = Buffer.concat(parts)
    if (!isUtf8(bytes)) throw refusal('body_not_utf8')
    parts = []
    size = 0
    line++
    return bytes.toString('utf8')
  }
  for await (const chunk of arriving(stream)) {
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
