import { ERASED_USER, FEED_ACTS, type FeedAct, feedActs } from '../../../contract/acts.ts'
import type { Params } from '../../../contract/sentence.ts'

interface Sentence {
  act: FeedAct
  /** Text and names of parameters, by turns; the first and the last are text. */
  parts: string[]
}

/** The sentences by verb and subject type. */
const sentences = Map.groupBy(feedActs.map(sentenceOf), ({ act }) => keyOf(FEED_ACTS[act].verb, FEED_ACTS[act].subject))

function sentenceOf(act: FeedAct): Sentence {
  return { act, parts: FEED_ACTS[act].sentence.split(/\{(\w+)\}/) }
}

/**
 * Reads the parameters of a message from its end; undefined for another sentence. A parameter has at least one character.
 * A name may contain the text that separates it from the next; the last occurrence is taken for the separator.
 */
function paramsOf(parts: string[], message: string): Params | undefined {
  const params: Record<string, string> = {}
  const tail = parts.at(-1) ?? ''
  if (parts.length === 1) return message === tail ? params : undefined
  if (!message.endsWith(tail)) return undefined
  let end = message.length - tail.length
  for (let at = parts.length - 2; at > 0; at -= 2) {
    const [before = '', name = ''] = parts.slice(at - 1)
    const begin = at > 1 ? message.lastIndexOf(before, end - 1 - before.length) : message.startsWith(before) ? 0 : -1
    if (begin < 0 || begin + before.length >= end) return undefined
    params[name] = message.slice(begin + before.length, end)
    end = begin
  }
  return params
}

function keyOf(verb: string, subject: string | null): string {
  return `${verb} ${subject}`
}

/** Reads the act of an activity that was recorded before acts were stored. */
export function readAct(row: { verb: string; subject_type: string | null; message: string }): {
  act: FeedAct | null
  params: Params
} {
  for (const { act, parts } of sentences.get(keyOf(row.verb, row.subject_type)) ?? []) {
    const params = paramsOf(parts, row.message)
    if (params) return { act, params: withoutErased(params) }
  }
  return { act: null, params: {} }
}

function withoutErased({ user, ...rest }: Record<string, string>): Params {
  return user === undefined || user === ERASED_USER ? rest : { ...rest, user }
}
