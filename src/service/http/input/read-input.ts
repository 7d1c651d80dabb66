import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import * as z from 'zod'
import type { AnyEndpoint, Input } from '../../../contract/endpoint.ts'
import { ApiError, detailOf, refusal } from '../../base/errors.ts'
import { BadJson, type Json, MAX_PARAMETERS, parsing } from '../../../wire/json.ts'
import { finish, type Work } from '../../../wire/work.ts'
import { completeBody } from './body-fields.ts'
import { emptyParameters, fromObject, fromPairs, isNode, merge, type Parameters } from './brackets.ts'
import { coerce, coercingList, innermost, type ListDef } from './coerce.ts'
import { detailOfIssue } from '../../base/issue-rules.ts'

type Shape = Readonly<Record<string, z.core.$ZodType>>

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
export function* readingInput<E extends AnyEndpoint>(endpoint: E, raw: RawInput): Work<Input<E>> {
  const sent = yield* readingSent(endpoint, raw)
  if (endpoint.raw) requireInQuery(endpoint, sent)
  return {
    params: yield* readingPart(endpoint.params, Object.assign(emptyParameters(), raw.params)),
    query: yield* readingPart(endpoint.query, sent),
    body: yield* readingPart(endpoint.body, sent),
  } as Input<E>
}

export const readInput = <E extends AnyEndpoint>(endpoint: E, raw: RawInput): Input<E> =>
  finish(readingInput(endpoint, raw))

/** The parameters of query and body, before the schema is applied. */
export const readSent = (endpoint: Pick<AnyEndpoint, 'raw' | 'body'>, raw: RawInput): Parameters =>
  finish(readingSent(endpoint, raw))

/** Each part is completed before the merge: a field in the body wins, even beside its object. */
function* readingSent(endpoint: Pick<AnyEndpoint, 'raw' | 'body'>, raw: RawInput): Work<Parameters> {
  if (raw.sent) return raw.sent
  const query = readQuery(raw.queryString)
  if (endpoint.raw) return (raw.sent = query)
  const body = completeBody(endpoint, yield* readingBody(raw.body))
  const all = isEmpty(query) ? body : merge(completeBody(endpoint, query), body)
  return (raw.sent = completeBody(endpoint, all))
}

/** Clients tend to put the parameters of an upload in its body, which is the file. @throws ApiError 400 */
function requireInQuery({ query }: AnyEndpoint, sent: Parameters): void {
  const shape: Record<string, z.core.$ZodType> = query.shape
  const required = Object.keys(shape).filter((name) => !z.safeParse(shape[name]!, undefined).success)
  const absent = required.filter((name) => sent[name] === undefined)
  if (absent.length === 0) return
  const names = new Intl.ListFormat('en').format(required)
  const details = absent.map((field) => detailOf(field, 'required'))
  throw new ApiError('fields_outside_query', { fields: names }, { details })
}

function* readingPart(schema: AnyEndpoint['params'], sent: Parameters): Work<unknown> {
  if (isEmpty(schema.shape)) return {}
  const lists = yield* readingLongLists(schema.shape, sent)
  const others = lists ? without(schema, lists) : schema
  const result = z.safeParse(others, coerce(others, sent, ''))
  if (!result.success) throw refusalOf(result.error.issues)
  return lists ? { ...result.data, ...lists } : result.data
}

function isEmpty(object: object): boolean {
  for (const _name in object) return false
  return true
}

function without({ shape }: AnyEndpoint['params'], lists: Parameters): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries<z.core.$ZodType>(shape).filter(([name]) => !(name in lists))))
}

/** Lists with more elements are read element by element. */
const LONG_LIST = 250

function* readingLongLists(shape: Shape, sent: Parameters): Work<Parameters | undefined> {
  let lists: Parameters | undefined
  for (const name in shape) {
    const value = sent[name]
    if (!Array.isArray(value) || value.length <= LONG_LIST) continue
    const def = innermost(shape[name]!)
    if (def.type === 'array') (lists ??= emptyParameters())[name] = yield* readingList(def, value, name)
  }
  return lists
}

/** Reads JSON as an element of a list. @throws ApiError 400 or 422 with details */
export function readElement<E extends z.core.$ZodType>(
  element: E,
  text: string,
  list: string,
  at: number,
): z.output<E> {
  const result = z.safeParse(element, coerce(element, readJson(text), `${list}.${at}`))
  if (result.success) return result.data
  throw refusalOf(result.error.issues.map((issue) => ({ ...issue, path: [list, at, ...issue.path] })))
}

function* readingList(def: ListDef, value: unknown[], name: string): Work<unknown[]> {
  const issues: z.core.$ZodIssue[] = []
  const list: unknown[] = []
  for (const item of yield* coercingList(def, value, name)) {
    const result = z.safeParse(def.element, item)
    const path = [name, list.length]
    list.push(result.data)
    issues.push(...(result.error?.issues ?? []).map((issue) => ({ ...issue, path: [...path, ...issue.path] })))
    yield
  }
  // The definition does not know the type of its elements.
  const whole = z.array(z.unknown()).check(...((def.checks ?? []) as z.core.$ZodCheck<unknown[]>[]))
  issues.push(...(z.safeParse(whole, list).error?.issues ?? []).map((issue) => ({ ...issue, path: [name] })))
  if (issues.length > 0) throw refusalOf(issues)
  return list
}

function refusalOf(issues: readonly z.core.$ZodIssue[]): ApiError {
  const details = issues.map(detailOfIssue)
  const first = details[0]
  const problem = `${first?.message}.`.replace(/\.\.$/, '.')
  return new ApiError('invalid_value', { field: String(first?.field), problem }, { details })
}

function readQuery(queryString: string): Parameters {
  return queryString === '' ? emptyParameters() : fromPairs(readForm(queryString))
}

/** Replacing invalid UTF-8 would turn several names into one, and so several files into one. */
function readForm(text: string): URLSearchParams {
  if (countPairs(text) > MAX_PARAMETERS) throw refusal('too_many_parameters')
  try {
    // Only decodeURIComponent rejects invalid UTF-8. It also rejects a bare '%', so escape those first.
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    throw refusal('parameters_not_utf8')
  }
  return new URLSearchParams(text)
}

/**
 * Detects JSON or a form by the content, because clients send wrong Content-Types. A JSON body that is not an object is
 * ignored: some clients send their credentials that way.
 */
function* readingBody(body: Buffer): Work<Parameters> {
  if (body.length === 0) return emptyParameters()
  if (!isUtf8(body)) throw refusal('body_not_utf8')
  const text = body.toString('utf8').trim()
  if (text === '') return emptyParameters()
  const json = /^[{["]/.test(text) ? yield* readingJson(text) : readScalar(text)
  if (json !== undefined) return isNode(json) ? fromObject(json) : emptyParameters()
  if (body.length > MAX_FORM_BYTES) throw refusal('form_too_large')
  return fromPairs(readForm(text))
}

/** @throws ApiError 400 */
export const readJson = (text: string): Json => finish(readingJson(text))

function* readingJson(text: string): Work<Json> {
  try {
    return yield* parsing(text)
  } catch (error) {
    throw error instanceof BadJson ? refusal('malformed_json', { problem: error.message }) : error
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
    if (size > maxBytes) throw refusal('body_too_large', { limit: maxBytes / 1024 })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
