import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import * as z from 'zod'
import type { AnyEndpoint, Input } from '../../contract/endpoint.ts'
import { ApiError, badRequest, tooLarge } from '../errors.ts'
import { emptyParameters, fromObject, fromPairs, isPlainObject, merge, type Parameters } from './brackets.ts'
import { coerce } from './coerce.ts'

/** Far above any legitimate JSON or form body. */
const MAX_BODY_BYTES = 1024 * 1024

export interface RawInput {
  params: Record<string, string>
  /** Without the question mark. */
  queryString: string
  body: Buffer
}

/**
 * Path, query and body as an endpoint declares them. A declared parameter is taken from wherever it was sent:
 * path before body before query (decisions, section 2).
 * @throws ApiError 400 or 422 with details
 */
export function readInput<E extends AnyEndpoint>(endpoint: E, raw: RawInput): Input<E> {
  const sent = readSent(endpoint, raw)
  return {
    params: readPart(endpoint.params, raw.params),
    query: readPart(endpoint.query, sent),
    body: readPart(endpoint.body, sent),
  } as Input<E>
}

/** What query and body say, not read as anything yet. */
export function readSent(endpoint: Pick<AnyEndpoint, 'raw'>, raw: RawInput): Parameters {
  const query = readQuery(raw.queryString)
  return endpoint.raw ? query : merge(query, readBody(raw.body))
}

function readPart(schema: AnyEndpoint['params'], sent: Parameters): unknown {
  const result = z.safeParse(schema, coerce(schema, sent, ''))
  if (result.success) return result.data
  const details = result.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message }))
  const first = details[0]
  throw new ApiError(422, `${first?.field}: ${first?.message}.`.replace(/\.\.$/, '.'), details)
}

function readQuery(queryString: string): Parameters {
  return fromPairs(readForm(queryString))
}

/** Replacing what is not UTF-8 would make one name of several, and so one file of several. */
function readForm(text: string): URLSearchParams {
  try {
    // It alone refuses what is not UTF-8, and with it a percent sign that stands for itself, as URLs do not.
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    throw badRequest('The parameters are not valid UTF-8.')
  }
  return new URLSearchParams(text)
}

/**
 * JSON or form, told by the content and not by the label: clients label wrongly. A JSON body that is no object is
 * ignored: some clients send their credentials that way.
 */
function readBody(body: Buffer): Parameters {
  if (!isUtf8(body)) throw badRequest('The body is not valid UTF-8.')
  const text = body.toString('utf8').trim()
  if (text === '') return emptyParameters()
  const json = parseJson(text)
  if (json !== undefined) return isPlainObject(json) ? fromObject(json) : emptyParameters()
  if (/^[{["]/.test(text)) throw badRequest('The body is not valid JSON.')
  return fromPairs(readForm(text))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The whole request body, at most 1 MiB. @throws ApiError 413 */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // The request outlives a refusal: destroying it would close the connection before the reply.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw tooLarge('The body is larger than 1 MiB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
