import { expect, test } from 'vitest'
import { mapInTurns, nextTurn } from './turns.ts'

/** Works for some milliseconds of any clock. */
function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Counts the turns of the event loop while the work lasts. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

test('K24: other requests get their turns during work on a long list', async () => {
  const numbers = Array.from({ length: 100 }, (_, at) => at)
  const doubled = numbers.map((each) => each * 2)
  const slowly = (each: number) => {
    work(1)
    return each * 2
  }
  expect(await turnsDuring(async () => expect(await mapInTurns(numbers, slowly)).toEqual(doubled))).toBeGreaterThan(10)
})

test('K25: many long tasks together take one turn of one of them at a time', async () => {
  const order: string[] = []
  async function task(name: string) {
    for (let piece = 0; piece < 3; piece++) {
      await nextTurn()
      order.push(name)
    }
  }
  const others = async () => {
    for (let turn = 0; turn < 6; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('other')
    }
  }
  await Promise.all([task('first'), task('second'), others()])
  expect(order.join(' ')).toBe(Array.from({ length: 3 }, () => 'first other second other').join(' '))
})

test('a task that waits for its turn is not forgotten when another ends', async () => {
  const done = await Promise.all([nextTurn().then(() => nextTurn()), nextTurn(), nextTurn()])
  expect(done).toHaveLength(3)
})
