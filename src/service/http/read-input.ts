import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import * as z from 'zod'
import type { AnyEndpoint, Input } from '../../contract/endpoint.ts'
import { ApiError, badRequest, tooLarge } from '../errors.ts'
import { BadJson, type Json, MAX_PARAMETERS, parseJson, TOO_MANY_PARAMETERS } from '../../wire/json.ts'
import { completeBody } from './body-fields.ts'
import { emptyParameters, fromObject, fromPairs, isNode, merge, type Parameters } from './brackets.ts'
import { coerce } from './coerce.ts'

/** Far above any legitimate JSON or form body. */
const MAX_BODY_BYTES = 1024 * 1024
/** Forms take several times as long to read as JSON, so they hold at most 1,000 parameters. */
const MAX_FORM_BYTES = 256 * 1024

export interface RawInput {
  params: Record<string, string>
  /** Without the question mark. */
  queryString: string
  body: Buffer
  /** The parsed query and body, cached because parsing is expensive. */
  sent?: Parameters
}

/**
 * Reads path, query and body as the endpoint declares them. A declared parameter is taken from wherever it was sent:
 * path before body before query (decisions, section 2).
 * @throws ApiError 400 or 422 with details
 */
export function readInput<E extends AnyEndpoint>(endpoint: E, raw: RawInput): Input<E> {
  const sent = readSent(endpoint, raw)
  if (endpoint.raw) requireInQuery(endpoint, sent)
  return {
    params: readPart(endpoint.params, Object.assign(emptyParameters(), raw.params)),
    query: readPart(endpoint.query, sent),
    body: readPart(endpoint.body, sent),
  } as Input<E>
}

/** The parameters of query and body, before the schema is applied. */
export function readSent(endpoint: Pick<AnyEndpoint, 'raw' | 'body'>, raw: RawInput): Parameters {
  return (raw.sent ??= readQueryAndBody(endpoint, raw))
}

/** Each part is completed before the merge: a field in the body wins, even beside its object. */
function readQueryAndBody(endpoint: Pick<AnyEndpoint, 'raw' | 'body'>, raw: RawInput): Parameters {
  const query = readQuery(raw.queryString)
  if (endpoint.raw) return query
  const body = completeBody(endpoint, readBody(raw.body))
  return completeBody(endpoint, merge(completeBody(endpoint, query), body))
}

/** Clients tend to put the parameters of an upload in its body, which is the file. @throws ApiError 400 */
function requireInQuery({ query }: AnyEndpoint, sent: Parameters): void {
  const shape: Record<string, z.core.$ZodType> = query.shape
  const required = Object.keys(shape).filter((name) => !z.safeParse(shape[name]!, undefined).success)
  const absent = required.filter((name) => sent[name] === undefined)
  if (absent.length === 0) return
  const names = new Intl.ListFormat('en').format(required)
  const details = absent.map((field) => ({ field, message: 'is required' }))
  throw badRequest(`The query of the URL must have ${names}; the body is the file itself.`, details)
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

/** Replacing invalid UTF-8 would turn several names into one, and so several files into one. */
function readForm(text: string): URLSearchParams {
  if (countPairs(text) > MAX_PARAMETERS) throw badRequest(TOO_MANY_PARAMETERS)
  try {
    // Only decodeURIComponent rejects invalid UTF-8. It also rejects a bare '%', so escape those first.
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    throw badRequest('The parameters are not valid UTF-8.')
  }
  return new URLSearchParams(text)
}

/**
 * Detects JSON or a form by the content, because clients send wrong Content-Types. A JSON body that is not an object is
 * ignored: some clients send their credentials that way.
 */
function readBody(body: Buffer): Parameters {
  if (!isUtf8(body)) throw badRequest('The body is not valid UTF-8.')
  const text = body.toString('utf8').trim()
  if (text === '') return emptyParameters()
  const json = /^[{["]/.test(text) ? readJson(text) : readScalar(text)
  if (json !== undefined) return isNode(json) ? fromObject(json) : emptyParameters()
  if (body.length > MAX_FORM_BYTES) throw tooLarge('The form is larger than 256 KiB.')
  return fromPairs(readForm(text))
}

/** @throws ApiError 400 */
export function readJson(text: string): Json {
  try {
    return parseJson(text)
  } catch (error) {
    throw error instanceof BadJson ? badRequest(error.message) : error
  }
}

/** Parses a number, true, false or null; anything else is a form. */
function readScalar(text: string): Json | undefined {
  return /^(?:true|false|null|-?\d{1,20}(?:\.\d{1,20})?)$/.test(text) ? readJson(text) : undefined
}

function countPairs(text: string): number {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) count++
  return count
}

/** The whole request body. @throws ApiError 413 */
export async function readBytes(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // The request stays open after a refusal: destroying it would close the connection before the reply.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(`The body is larger than ${maxBytes / 1024} KiB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
