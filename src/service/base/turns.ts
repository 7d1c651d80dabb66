import type { Work } from '../../wire/work.ts'

/** Milliseconds of one task's work in one turn of the event loop. */
const TURN_MS = 5
/** Steps between two looks at the clock, which costs about as much as a step. */
const STEPS_TOGETHER = 8

const waiting: (() => void)[] = []

/** Resolves in a later turn of the event loop. Waiting tasks continue one per turn, in their order. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(continueOne)
  })
}

function continueOne(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(continueOne)
}

/** Does work in turns of a few milliseconds, and other requests in between. */
export async function inTurns<Result>(work: Work<Result>): Promise<Result> {
  let end = performance.now() + TURN_MS
  for (let steps = 1; ; steps++) {
    const step = work.next()
    if (step.done) return step.value
    if (steps % STEPS_TOGETHER !== 0 || performance.now() < end) continue
    await nextTurn()
    end = performance.now() + TURN_MS
  }
}

/** Works like `map` of an array, but gives other requests their turns. */
export function mapInTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> {
  return inTurns(mapping(items, work))
}

function* mapping<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Work<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(work(item))
    yield
  }
  return results
}
