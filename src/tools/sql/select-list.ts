/** A column that a statement returns, as far as the text of the statement tells. */
export type Column =
  /** `null` is a name that only PostgreSQL knows. */
  | { name: string | null; text: string }
  /** All columns of the fragment with this index: `${fragment}`, or `alias.*` of `${fragment} alias`. */
  | { fragment: number }

const MARK = /§(\d+)§/
const END_OF_LIST =
  /(?<!\bdistinct\s+)\bfrom\b|\b(where|group by|having|window|union|intersect|except|order by|offset|limit|fetch|for)\b/

/** Stands for the interpolated value or fragment with this index in the text of a statement. */
export const mark = (index: number): string => `§${index}§`

/** Returns the columns of a statement, or undefined for text that is no statement. */
export function columnsOf(text: string): Column[] | undefined {
  const flat = flatten(text).trim()
  if (/^\(\s*\)$/.test(flat)) return columnsOf(text.trim().slice(1, -1))
  const whole = /^§\d+§/.exec(flat) ?? /^with\b(?!.*\b(select|insert|update|delete)\b).*§\d+§$/s.exec(flat)
  if (whole) return [{ fragment: indexOf(whole[0].slice(whole[0].lastIndexOf('§', whole[0].length - 2))) }]
  const verb = /\b(select|insert|update|delete)\b/.exec(flat)?.[0]
  if (!verb) return undefined
  return listOf(verb === 'select' ? selected(text) : returned(text), text)
}

function selected(text: string): string {
  const flat = flatten(text)
  const start = /\bselect\b(\s+distinct\b(\s+on\s*\(\s*\))?)?/.exec(flat)
  const from = start ? start.index + start[0].length : flat.length
  const length = END_OF_LIST.exec(flat.slice(from))?.index
  return text.slice(from, length === undefined ? undefined : from + length)
}

function returned(text: string): string {
  const start = /\breturning\b/.exec(flatten(text))
  return start ? text.slice(start.index + start[0].length) : ''
}

/** Returns the columns of a list. The statement around it defines the aliases that the list names. */
export function listOf(list: string, statement = list): Column[] {
  const commas = [...flatten(list).matchAll(/,/g)].map(({ index }) => index)
  return [0, ...commas.map((at) => at + 1)]
    .map((start, place) => list.slice(start, commas[place]).trim())
    .filter((item) => item !== '')
    .flatMap((item) => itemOf(item, statement))
}

function itemOf(item: string, statement: string): Column[] {
  if (/^§\d+§$/.test(item)) return [{ fragment: indexOf(item) }]
  const alias = /^(\w+)\.\*$/.exec(item)?.[1]
  const source = alias && sourceOf(alias, statement)
  if (source) return columnsOf(source) ?? []
  const named = /\bas\s+"?(\w+)"?$/.exec(item) ?? /^(?:\w+\.)?(\w+)\s*(?:\(\s*\))?(?:::[\w[\]]+)?$/.exec(flatten(item))
  return [{ name: named?.[1] ?? null, text: item }]
}

/** Returns the subquery or fragment that has an alias. */
function sourceOf(alias: string, statement: string): string | undefined {
  const found = new RegExp(`(§\\d+§|\\(\\s*\\))\\s+(as\\s+)?${alias}\\b`).exec(flatten(statement))
  return found?.[1] && statement.slice(found.index, found.index + found[1].length)
}

const indexOf = (marked: string): number => Number(MARK.exec(marked)?.[1])

/** Blanks out what stands in quotes, parentheses and brackets. */
function flatten(text: string): string {
  let depth = 0
  return text.replaceAll(/'[^']*'|[([]|[)\]]|[^]/g, (part) => {
    if (part === '(' || part === '[') return depth++ === 0 ? part : ' '
    if (part === ')' || part === ']') return --depth === 0 ? part : ' '
    return depth > 0 || part.startsWith("'") ? ' '.repeat(part.length) : part
  })
}
