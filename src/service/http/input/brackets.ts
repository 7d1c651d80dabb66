import { leadsToPrototype } from '../../../wire/names.ts'
import { refusal } from '../../base/errors.ts'

/** A parameter tree: text, JSON values, arrays, and objects without a prototype, since clients choose the names. */
export type Parameters = { [name: string]: unknown }

const MAX_DEPTH = 5
const MAX_INDEX = 10_000
const NAME = /^([^[\]]*)((?:\[[^[\]]*\]){0,4})$/

export const emptyParameters = (): Parameters => Object.create(null) as Parameters

/** Whether the value is a node of a parameter tree. No node has a prototype. */
export function isNode(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
}

/** Splits `user[id]` into user, id and `x[]` into x, "". A name with unbalanced or too many brackets is not split. */
function keysOf(name: string): string[] {
  if (leadsToPrototype(name)) throw refusal('name_refused')
  const match = NAME.exec(name)
  if (!match) return [name]
  const inner = (match[2] ?? '').split(']').slice(0, -1)
  return [match[1] ?? '', ...inner.map((part) => part.slice(1))]
}

/** Sets one bracketed parameter; a repeated name becomes an array. */
export function setParameter(target: Parameters, name: string, value: unknown): void {
  const keys = keysOf(name)
  let node = target
  for (const [depth, key] of keys.entries()) {
    if (depth === keys.length - 1) return put(node, key, value)
    const next = node[key]
    if (isNode(next)) node = next
    else node = node[key] = emptyParameters()
  }
}

/** How many `x[]` values a node has taken. Counting its keys for each value would be quadratic in the list's length. */
const appended = new WeakMap<Parameters, number>()

function put(node: Parameters, key: string, value: unknown): void {
  const present = node[key]
  if (key === '') append(node, value)
  else if (!(key in node)) node[key] = value
  else if (isNode(present) && isNode(value)) node[key] = merge(present, value)
  else if (Array.isArray(present) && !Array.isArray(value)) present.push(value)
  else node[key] = [present, value].flat()
}

/** `x[]=1&x[]=2`: the node of x gets numbered keys, which become an array in the end. */
function append(node: Parameters, value: unknown): void {
  let next = appended.get(node) ?? 0
  while (String(next) in node) next++
  if (next <= MAX_INDEX) node[String(next)] = value
  appended.set(node, next)
}

/** Builds the tree from the pairs of a query or a form. */
export function fromPairs(pairs: Iterable<[string, string]>): Parameters {
  const tree = emptyParameters()
  for (const [name, value] of pairs) setParameter(tree, name, value)
  return numberedToArrays(tree) as Parameters
}

/** Builds the tree from a JSON object whose keys may be literal bracket names: `{"group[name]": "x"}`. */
export function fromObject(object: Parameters): Parameters {
  const tree = emptyParameters()
  for (const [name, value] of Object.entries(object)) setParameter(tree, name, value)
  return numberedToArrays(tree) as Parameters
}

/** `{0: a, 1: b}` -> `[a, b]`: arrays arrive numbered. Nodes deeper than any parameter stay as they are. */
function numberedToArrays(value: unknown, depth = 0): unknown {
  if (!isNode(value) || depth > MAX_DEPTH) return value
  const entries = Object.entries(value)
  for (const [key, inner] of entries) value[key] = numberedToArrays(inner, depth + 1)
  if (entries.length === 0 || !entries.every(([key]) => /^\d{1,5}$/.test(key))) return value
  return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([key]) => value[key])
}

/** Merges nodes down to MAX_DEPTH; `over` wins. */
export function merge(under: Parameters, over: Parameters, depth = 0): Parameters {
  const merged = Object.assign(emptyParameters(), under)
  for (const [name, value] of Object.entries(over)) {
    const below = merged[name]
    const areNodes = isNode(below) && isNode(value) && depth < MAX_DEPTH
    merged[name] = areNodes ? merge(below, value, depth + 1) : value
  }
  return merged
}
