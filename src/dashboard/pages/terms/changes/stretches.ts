export interface Word {
  word: string
  /** With what follows it: nothing, a space or the end of a paragraph. */
  text: string
}

/** Parts of two texts that belong to each other. */
export interface Stretch {
  /** The words are the same. */
  same: boolean
  from: Word[]
  to: Word[]
}

interface Anchor {
  from: number
  to: number
}

/** Words of an anchor. */
const RUN = 4
/** Words looked at in one step. */
const AT_ONCE = 5000

/**
 * Divides two texts where they have a run of words in common that is in each of them once. What is between can be compared
 * by itself, in short steps. Yields undefined after each step before the first stretch.
 */
export function* stretchesOf(from: readonly Word[], to: readonly Word[]): Generator<Stretch | undefined> {
  let [doneFrom, doneTo] = [0, 0]
  for (const anchor of yield* anchorsOf(from, to)) {
    if (anchor.from < doneFrom || anchor.to < doneTo) continue
    yield* different(from.slice(doneFrom, anchor.from), to.slice(doneTo, anchor.to))
    const length = lengthOfSame(from, to, anchor)
    doneFrom = anchor.from + length
    doneTo = anchor.to + length
    yield { same: true, from: from.slice(anchor.from, doneFrom), to: to.slice(anchor.to, doneTo) }
  }
  yield* different(from.slice(doneFrom), to.slice(doneTo))
}

function* different(from: Word[], to: Word[]): Generator<Stretch> {
  if (from.length + to.length > 0) yield { same: false, from, to }
}

function lengthOfSame(from: readonly Word[], to: readonly Word[], at: Anchor): number {
  let length = 0
  for (;;) {
    const [one, other] = [from[at.from + length], to[at.to + length]]
    if (!one || one.word !== other?.word) return length
    length++
  }
}

/** The beginning, which both texts may have in common, and the anchors that are in the same order in both texts. */
function* anchorsOf(from: readonly Word[], to: readonly Word[]): Generator<undefined, Anchor[]> {
  const ofFrom = yield* placesOf(from)
  const ofTo = yield* placesOf(to)
  const anchors: Anchor[] = []
  for (const [run, place] of ofFrom) {
    const other = ofTo.get(run)
    if (place !== undefined && other !== undefined) anchors.push({ from: place, to: other })
  }
  return [{ from: 0, to: 0 }, ...inOrder(anchors.toSorted((one, other) => one.from - other.from))]
}

/** Where each run of words begins; undefined for one that is there several times. */
function* placesOf(words: readonly Word[]): Generator<undefined, Map<string, number | undefined>> {
  const places = new Map<string, number | undefined>()
  for (let at = 0; at + RUN <= words.length; at++) {
    let run = ''
    for (let next = at; next < at + RUN; next++) run += `${words[next]?.word} `
    places.set(run, places.has(run) ? undefined : at)
    if (at % AT_ONCE === 0) yield undefined
  }
  return places
}

/** The longest list of anchors with rising places in both texts. */
function inOrder(anchors: readonly Anchor[]): Anchor[] {
  /** For each length, the anchor with the lowest place that ends a list of that length. */
  const ends: number[] = []
  const before: (number | undefined)[] = []
  for (const [at, { to }] of anchors.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((anchors[ends[middle] ?? 0]?.to ?? 0) < to) low = middle + 1
      else high = middle
    }
    before.push(ends[low - 1])
    ends[low] = at
  }
  const list: Anchor[] = []
  for (let at = ends.at(-1); at !== undefined; at = before[at]) {
    const anchor = anchors[at]
    if (anchor) list.push(anchor)
  }
  return list.toReversed()
}
