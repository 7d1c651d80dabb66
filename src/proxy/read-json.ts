import type { IncomingMessage } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'
import { BadJson, type Json, parseJson } from '../wire/json.ts'
import type { Exchange } from './exchange.ts'
import { Refusal } from './refusal.ts'

const MAX_BYTES = 4096
const WITHIN_MS = 10_000

/**
 * Reads the small JSON body of a sign-in request. It requires the JSON content type, which a form of another site
 * cannot send.
 * @throws Refusal 400, 408, 413, 415 or 422
 */
export async function readJson<S extends z.ZodMiniType>({ request, reply }: Exchange, schema: S): Promise<z.output<S>> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(415, 'The content type must be application/json.')
  }
  if (request.headers.expect !== undefined) reply.writeContinue()
  const parsed = z.safeParse(schema, parse(await inTime(readText(request))))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Refusal(422, `${issue?.path.join('.') || 'The body'}: ${issue?.message}.`)
}

async function inTime(text: Promise<string>): Promise<string> {
  const isRead = new AbortController()
  const tooSlow = after(WITHIN_MS, undefined, { signal: isRead.signal }).then(() => {
    throw new Refusal(408, 'The body came too slowly.')
  })
  try {
    return await Promise.race([text, tooSlow])
  } finally {
    isRead.abort()
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size > MAX_BYTES) throw new Refusal(413, 'The body is too large.')
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): Json {
  try {
    return parseJson(text)
  } catch (error) {
    throw error instanceof BadJson ? new Refusal(400, error.message) : error
  }
}
