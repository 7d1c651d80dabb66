import { ERASED_USER, FEED_ACTS, type FeedAct, feedActs } from '../../../contract/acts.ts'
import { type Params, partsOf, readParams } from '../../../contract/sentence.ts'

interface Sentence {
  act: FeedAct
  /** Text and names of parameters, by turns; the first and the last are text. */
  parts: string[]
}

/** The sentences by verb and subject type. */
const sentences = Map.groupBy(feedActs.map(sentenceOf), ({ act }) => keyOf(FEED_ACTS[act].verb, FEED_ACTS[act].subject))

function sentenceOf(act: FeedAct): Sentence {
  return { act, parts: partsOf(FEED_ACTS[act].sentence) }
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
    const params = readParams(parts, row.message)
    if (params) return { act, params: withoutErased(params) }
  }
  return { act: null, params: {} }
}

function withoutErased({ user, ...rest }: Params): Params {
  return user === undefined || user === ERASED_USER ? rest : { ...rest, user }
}
