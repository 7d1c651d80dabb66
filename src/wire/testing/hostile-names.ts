import fc from 'fast-check'

/** A request that tries to reach a prototype by a name. */
export interface HostileRequest {
  query: string
  body: string
  contentType: string
  headers: Record<string, string>
}

const LEADING = ['__proto__', 'constructor', 'prototype']
const CHAINS = [['__proto__'], ['constructor', 'prototype'], ['__proto__', '__proto__'], ['prototype'], ['constructor']]
/** Names that a polluted prototype would change: options of libraries, of child processes, of our own code. */
const KEYS = ['polluted', 'shell', 'NODE_OPTIONS', 'env', 'workspace_id', 'user_token', 'status', 'toString', 'path']

const chain = fc.constantFrom(...CHAINS)
const key = fc.constantFrom(...KEYS)
const before = fc.constantFrom('', 'a', 'user', 'group', 'workspace', 'file_ids', '0')

const bracketed = fc
  .tuple(before, fc.boolean(), chain, key)
  .map(([first, isDeep, names, last]) =>
    [first, ...(isDeep ? ['b'] : []), ...names, last].filter((part, at) => part !== '' || at === 0),
  )
  .map(([first = '', ...rest]) => first + rest.map((part) => `[${part}]`).join(''))
const bare = fc
  .tuple(chain, key)
  .map(([names, last]) => names[0] + [...names.slice(1), last].map((n) => `[${n}]`).join(''))
const name = fc.oneof(
  bracketed,
  bare,
  fc.constantFrom(...LEADING, ...LEADING.map((each) => `${each}[]`), '[__proto__]'),
)

const text = (value: unknown): string => JSON.stringify(value)
const nested = (names: string[], last: string, value: string): string =>
  names.reduceRight((inner, each) => `{${escaped(each)}:${inner}}`, `{${text(last)}:${text(value)}}`)
/** Writes half of the names with an escape, which a search of the bytes would not find. */
const escaped = (each: string) =>
  each.length % 2 ? text(each) : `"\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}${each.slice(1)}"`

const json = fc.oneof(
  fc.tuple(chain, key).map(([names, last]) => nested(names, last, 'VALUE')),
  fc.tuple(chain, key).map(([names, last]) => `{"a":[1,[${nested(names, last, 'VALUE')}]]}`),
  fc.tuple(chain, key).map(([names, last]) => `[${nested(names, last, 'VALUE')}]`),
  name.map((each) => `{"a":{"b":1},${text(each)}:"VALUE"}`),
  name.map((each) => `{${text(each)}:{"polluted":"VALUE"}}`),
  name.map((each) => `{"user":{${text(each)}:{"polluted":"VALUE"}}}`),
)
const pairs = name.map((each) => `a[b]=1&${encodeURIComponent(each)}=VALUE`)
const plainPairs = name.map((each) => `${each}=VALUE`)

const empty = { query: '', body: '', contentType: 'application/json', headers: {} }

/** Requests that must each be refused with 400. */
export const hostileInput: fc.Arbitrary<HostileRequest> = fc.oneof(
  json.map((body) => ({ ...empty, body })),
  json.map((body) => ({ ...empty, body, contentType: 'application/x-www-form-urlencoded' })),
  pairs.map((body) => ({ ...empty, body, contentType: 'application/x-www-form-urlencoded' })),
  plainPairs.map((body) => ({ ...empty, body, contentType: 'text/plain' })),
  fc.oneof(pairs, plainPairs).map((query) => ({ ...empty, query })),
  fc.constantFrom(...LEADING).map((each) => ({ ...empty, headers: { [each]: 'VALUE' } })),
)

/** Cookies that must be ignored: another site under the same domain may have set them. */
export const hostileCookie: fc.Arbitrary<string> = fc
  .tuple(name, key)
  .map(([each, last]) => `${each}={"${last}":"VALUE"}; ${each}=VALUE`)

/** Path segments that replace ids and words. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...LEADING, ...LEADING.map((each) => `${each}/${each}`)),
  name.map((each) => encodeURIComponent(each)),
)

/** The properties of all shared prototypes; equal before and after if nothing was polluted. */
export function prototypes(): unknown[] {
  const shared = [Object, Array, Function, String, Number, Error, Map, Promise, Buffer]
  return shared.map(({ prototype }) => [Reflect.ownKeys(prototype as object), inheritedNames(prototype as object)])
}

function inheritedNames(value: object): string[] {
  const names: string[] = []
  for (const each in value) names.push(each)
  return names
}
