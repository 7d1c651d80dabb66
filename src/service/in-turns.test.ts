import { expect, test } from 'vitest'
import { mapInTurns } from './in-turns.ts'

test('K24: other requests get their turn during work on a long list', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const numbers = Array.from({ length: 10_000 }, (_, at) => at)
  const doubled = await mapInTurns(numbers, (each) => each * 2)
  isOver = true
  expect(doubled).toEqual(numbers.map((each) => each * 2))
  expect(turns).toBeGreaterThan(20)
})
