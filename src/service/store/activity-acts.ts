import { ERASED_USER, FEED_ACTS, type FeedAct, feedActs } from '../../contract/acts.ts'
import type { Params } from '../../contract/sentence.ts'

interface Pattern {
  act: FeedAct
  pattern: RegExp
}

/** Patterns of the sentences, by verb and subject type. */
const patterns = Map.groupBy(feedActs.map(patternOf), ({ act }) => keyOf(FEED_ACTS[act].verb, FEED_ACTS[act].subject))

function patternOf(act: FeedAct): Pattern {
  const parts = FEED_ACTS[act].sentence.split(/\{(\w+)\}/)
  const source = parts.map((part, at) => (at % 2 === 1 ? `(?<${part}>.+)` : escape(part)))
  return { act, pattern: new RegExp(`^${source.join('')}$`, 's') }
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function keyOf(verb: string, subject: string | null): string {
  return `${verb} ${subject}`
}

/** Reads the act of an activity that was recorded before acts were stored. */
export function readAct(row: { verb: string; subject_type: string | null; message: string }): {
  act: FeedAct | null
  params: Params
} {
  for (const { act, pattern } of patterns.get(keyOf(row.verb, row.subject_type)) ?? []) {
    const found = pattern.exec(row.message)
    if (found) return { act, params: withoutErased({ ...found.groups }) }
  }
  return { act: null, params: {} }
}

function withoutErased({ user, ...rest }: Record<string, string>): Params {
  return user === undefined || user === ERASED_USER ? rest : { ...rest, user }
}
