import { setImmediate as othersTurn } from 'node:timers/promises'

/** Work of some microseconds each takes a few milliseconds for so many. */
const TOGETHER = 250

/** As `map` of an array, with a turn for other requests every so often. */
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
