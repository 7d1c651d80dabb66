import { leadsToPrototype, NAME_REFUSED } from './names.ts'
import { finish, type Work } from './work.ts'

/** A JSON value whose objects have no prototype, because clients choose the names. */
export type Json = string | number | boolean | null | Json[] | JsonObject
export interface JsonObject {
  [name: string]: Json
}

/** A text that is not JSON, or exceeds a limit. The message is meant for the sender. */
export class BadJson extends Error {}

/** Deeper than any input of the contract. */
const MAX_DEPTH = 32
/** Above the largest input of the contract: 10,000 changes of rights with five commas each. */
const MAX_VALUES = 60_000
/** Each costs many times as much as a number. Above the 10,000 changes of rights, which take two each. */
const MAX_CONTAINERS = 21_000

/**
 * Names and values in a query, a form or a JSON body; the content of a JSON list counts as part of the list. A body may
 * not have more distinct names either, because objects that share no names are slow to build.
 */
export const MAX_PARAMETERS = 1000
const TOO_MANY_PARAMETERS = 'A request may have 1,000 parameters at most.'
const INVALID = 'The JSON is not valid.'

/**
 * Parses JSON. All limits are checked before any value is built.
 * @throws BadJson
 */
export const parseJson = (text: string): Json => finish(parsing(text))

/** Parses JSON piece by piece: a large text takes longer than one turn of the event loop may. @throws BadJson */
export function* parsing(text: string): Work<Json> {
  yield* checkingSize(text)
  const value = parse(text)
  yield
  yield* removingPrototypes(value)
  return value as Json
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadJson(INVALID)
  }
}

const NO_NAME = -1
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Characters that are checked without a pause. */
const PIECE = 64 * 1024

/** Counts brackets and separators outside strings. */
function* checkingSize(text: string): Work<void> {
  let pause = PIECE
  let depth = 0
  let lists = 0
  let values = 0
  let containers = 0
  let names = 0
  let name = NO_NAME
  const distinct = new Set<string>()
  for (let at = 0; at < text.length; at++) {
    if (at >= pause) {
      yield
      pause = at + PIECE
    }
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      name = at
      at = endOfString(text, at)
    } else if (code === COMMA) values++
    else if (code === COLON) {
      if (name === NO_NAME) throw new BadJson(INVALID)
      distinct.add(text.slice(name, at))
      name = NO_NAME
      if (lists === 0) names++
    } else if (code === OPEN_OBJECT) depth++
    else if (code === CLOSE_OBJECT) depth--
    else if (code === OPEN_ARRAY) lists++
    else if (code === CLOSE_ARRAY) lists--
    else continue
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) containers++
    if (depth + lists > MAX_DEPTH) throw new BadJson(`JSON may be nested ${MAX_DEPTH} levels deep at most.`)
    if (values > MAX_VALUES) throw new BadJson(`JSON may hold ${MAX_VALUES} values at most.`)
    if (containers > MAX_CONTAINERS) throw new BadJson(`JSON may hold ${MAX_CONTAINERS} lists and objects at most.`)
    if (Math.max(names, distinct.size) > MAX_PARAMETERS) throw new BadJson(TOO_MANY_PARAMETERS)
  }
}

/** Index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) return at
  }
  return text.length
}

/** Removes the prototypes from a tree in place: copies of objects with numeric names would be many times as large. */
function* removingPrototypes(tree: unknown): Work<void> {
  const left = [tree]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    yield
    if (!Array.isArray(value)) {
      if (Object.keys(value).some(leadsToPrototype)) throw new BadJson(NAME_REFUSED)
      Object.setPrototypeOf(value, null)
    }
    for (const inner of Object.values(value)) left.push(inner)
  }
}
