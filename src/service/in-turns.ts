import { setImmediate as othersTurn } from 'node:timers/promises'

/** Items per turn: at some microseconds each, they take a few milliseconds. */
const TOGETHER = 250

/** Works like `map` of an array, but gives other requests a turn every so often. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % TOGETHER === 0) await othersTurn()
    results.push(work(item))
  }
  return results
}
