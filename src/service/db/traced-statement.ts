import { LRUCache } from 'lru-cache'
import { beginChild, errorTypeOf, isTracing, type Span } from '../../wire/traces/span.ts'

const MOST_NAMES = 500
const MOST_TABLES = 3
const LITERAL = /'[^']*'/g
/** `insert into files`, `update jobs`; not `for update`, `do update set`, `for no key update`. */
const WRITES = /\b(insert|delete|(?<!\b(?:for|do|key) )update)\s+(?:into\s+|from\s+)?"?(?!set\b)([a-z_]+)/g
/** `from folders`, `join users`; no function, no `extract(epoch from …)`, no `is distinct from`. */
const READS = /(?<!\b(?:epoch|distinct) )\b(?:from|join)\s+"?(?!lateral\b)([a-z_]+)\b(?!"?\s*\()/g
const SUBQUERY =
  /(?:\bwith\s+|\brecursive\s+|,\s*)"?([a-z_]+)"?(?:\s*\([^()]*\))?\s+as\s+(?:materialized\s+|not materialized\s+)?\(/g

const names = new LRUCache<string, string>({ max: MOST_NAMES })

/** Names a statement by what it changes, or else by what it reads: `insert files, insert jobs`, `select folders`. */
export function nameOfStatement(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const bare = text.replace(LITERAL, '').toLowerCase()
  const subqueries = new Set([...bare.matchAll(SUBQUERY)].map(([, name]) => name))
  const writes = [...bare.matchAll(WRITES)].map(([, verb, table]) => `${verb} ${table}`)
  const reads = [...bare.matchAll(READS)].flatMap(([, table]) => (subqueries.has(table) ? [] : [`select ${table}`]))
  const all = [...new Set(writes.length > 0 ? writes : reads)]
  const name = all.slice(0, MOST_TABLES).join(', ') || (/^\s*([a-z]+)/.exec(bare)?.[1] ?? 'statement')
  names.set(text, name)
  return name
}

/** A span of the current request or job. Values are never part of it. */
export function beginStatement(text: string): Span | undefined {
  if (!isTracing()) return undefined
  const name = nameOfStatement(text)
  return beginChild(name, {
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
  })
}

export function endStatement(span: Span, reply: Promise<unknown>): void {
  reply.then(
    () => span.end(),
    (error: unknown) => span.end({}, errorTypeOf(error)),
  )
}
