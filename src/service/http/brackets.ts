/** A parameter tree: text, JSON values, arrays, and objects without a prototype (names come from outside). */
export type Parameters = { [name: string]: unknown }

const MAX_DEPTH = 5
const MAX_INDEX = 10_000
const NAME = /^([^[\]]*)((?:\[[^[\]]*\])*)$/

export const emptyParameters = (): Parameters => Object.create(null) as Parameters

export function isPlainObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Splits `user[id]` into user, id and `x[]` into x, "". A name with unbalanced brackets is one plain name. */
function keysOf(name: string): string[] {
  const match = NAME.exec(name)
  if (!match) return [name]
  const inner = (match[2] ?? '').split(']').slice(0, -1)
  return [match[1] ?? '', ...inner.map((part) => part.slice(1))].slice(0, MAX_DEPTH)
}

/** Sets one bracketed parameter; a name given twice becomes an array. */
export function setParameter(target: Parameters, name: string, value: unknown): void {
  const keys = keysOf(name)
  let node = target
  for (const [depth, key] of keys.entries()) {
    if (depth === keys.length - 1) return put(node, key, value)
    const next = node[key]
    if (isPlainObject(next)) node = next
    else node = node[key] = emptyParameters()
  }
}

function put(node: Parameters, key: string, value: unknown): void {
  if (key === '') {
    // `x[]=1&x[]=2`: the node of x becomes numbered, and an array in the end.
    const next = Object.keys(node).length
    if (next <= MAX_INDEX) node[String(next)] = value
    return
  }
  if (!(key in node)) node[key] = value
  else if (isPlainObject(node[key]) && isPlainObject(value)) node[key] = merge(node[key], value)
  else node[key] = [node[key], value].flat()
}

/** The pairs of a query or a form. */
export function fromPairs(pairs: Iterable<[string, string]>): Parameters {
  const tree = emptyParameters()
  for (const [name, value] of pairs) setParameter(tree, name, value)
  return numberedToArrays(tree) as Parameters
}

/** A JSON object whose keys may be literal bracket names: `{"group[name]": "x"}`. */
export function fromObject(object: Parameters): Parameters {
  const tree = emptyParameters()
  for (const [name, value] of Object.entries(object)) setParameter(tree, name, value)
  return numberedToArrays(tree) as Parameters
}

/** `{0: a, 1: b}` -> `[a, b]`: how numbered arrays arrive. */
function numberedToArrays(value: unknown): unknown {
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value)
  for (const [key, inner] of entries) value[key] = numberedToArrays(inner)
  if (entries.length === 0 || !entries.every(([key]) => /^\d{1,5}$/.test(key))) return value
  return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([key]) => value[key])
}

/** Deep merge; `over` wins. */
export function merge(under: Parameters, over: Parameters): Parameters {
  const merged = Object.assign(emptyParameters(), under)
  for (const [name, value] of Object.entries(over)) {
    const below = merged[name]
    merged[name] = isPlainObject(below) && isPlainObject(value) ? merge(below, value) : value
  }
  return merged
}
