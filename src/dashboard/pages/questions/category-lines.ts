import type { Settings } from './questions.ts'
import type { Route, RouteChanges } from './route-fields.tsx'

/** A line of the field, which keeps the category that it began as and what was changed of its route while it is typed anew. */
interface Line {
  text: string
  from?: string
  changes?: RouteChanges
}

interface Routed {
  route: Route
  /** What the service is told: of a category that keeps its name only what was changed. */
  sent?: Route
  isChanged: boolean
}

export const linesOf = (categories: readonly string[]): Line[] =>
  categories.length === 0 ? [{ text: '' }] : categories.map((text) => ({ text, from: text }))

export const textOf = (lines: readonly Line[]) => lines.map(({ text }) => text).join('\n')

/** The lines of another text: those that are the same stay, the others are typed anew in their order. */
export function typed(lines: readonly Line[], text: string): Line[] {
  const next = text.split('\n')
  const most = Math.min(next.length, lines.length)
  let head = 0
  while (head < most && next[head] === lines[head]?.text) head++
  let tail = 0
  while (tail < most - head && next.at(-1 - tail) === lines.at(-1 - tail)?.text) tail++
  const between = lines.slice(head, lines.length - tail)
  const changedLines = next.slice(head, next.length - tail)
  const same = changedLines.map((each) => between.find((line) => line.text === each))
  const rest = between.filter((line) => !same.includes(line))
  return [
    ...lines.slice(0, head),
    ...changedLines.map((each, at) => same[at] ?? { ...rest.shift(), text: each }),
    ...lines.slice(lines.length - tail),
  ]
}

export function changed(lines: readonly Line[], category: string, changes: RouteChanges): Line[] {
  const at = lines.findIndex(({ text }) => text.trim() === category)
  return lines.map((line, n) => (n === at ? { ...line, changes: { ...line.changes, ...changes } } : line))
}

const namesIn = (lines: readonly Line[]) => [
  ...new Set(lines.map(({ text }) => text.trim()).filter((name) => name !== '')),
]

/** The route of each category: one of a stored name has the route of this name, any other that of its line. */
export function routedIn(lines: readonly Line[], before: readonly string[], settings: Settings): Routed[] {
  const stored = storedIn(settings)
  const names = namesIn(lines)
  return names.map((category) => {
    const same = lines.filter(({ text }) => text.trim() === category)
    const isKnown = before.includes(category) || stored.has(category)
    const gone = same.flatMap(({ from = category }) => (names.includes(from) ? [] : from))
    const base = stored.get(isKnown ? category : (gone.find((from) => stored.has(from)) ?? category))
    const changes: RouteChanges = Object.assign({}, ...same.map((line) => line.changes))
    const isRenamed = !isKnown && base !== undefined
    const isChanged = isRenamed || Object.keys(changes).length > 0
    const route = { ...base, ...changes, category }
    const sent = isRenamed ? route : { ...changes, category }
    return { route, isChanged, ...((base || isChanged) && { sent }) }
  })
}

/** The categories and the routes, each only if they were changed: others may have set them meanwhile. */
export function changesOf(routed: readonly Routed[], before: readonly string[], settings: Settings) {
  const names = routed.map(({ route }) => route.category)
  const categories = names.join('\n') === before.join('\n') ? undefined : names
  const isRouted = routed.some(({ isChanged }) => isChanged)
  const ofOthers = categories ? [] : [...storedIn(settings).keys()].filter((category) => !names.includes(category))
  const routes = [...routed.flatMap(({ sent }) => sent ?? []), ...ofOthers.map((category) => ({ category }))]
  return { ...(categories && { categories }), ...(isRouted && { routes }) }
}

/** A service of an earlier release tells of no routes. */
const storedIn = ({ routes }: { routes?: Settings['routes'] }) =>
  new Map(
    (routes ?? []).map(({ category, assignee, approver, days }) => [
      category,
      { assignee_id: assignee?.id ?? null, approver_id: approver?.id ?? null, days },
    ]),
  )
