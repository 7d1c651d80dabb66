import { expect, test } from 'vitest'
import { groupsOf } from './compose.ts'

const MIB = 1024 ** 2

const chunks = (count: number, size: number) => Array.from({ length: count }, (_, at) => ({ key: String(at), size }))

test.each([
  ['many small chunks', chunks(100_000, 100 * 1024)],
  ['as many chunks of 5 MiB as the largest upload has', chunks(13_107, 5 * MIB)],
  ['uneven chunks', [...chunks(9_999, 5 * MIB), ...chunks(300, 7 * MIB), ...chunks(5, 1)]],
])('%s become at most 10,000 parts that S3 accepts', (_, all) => {
  const groups = groupsOf(all)

  expect(groups.flat()).toEqual(all)
  expect(groups.length).toBeLessThanOrEqual(10_000)
  const bytes = groups.map((group) => group.reduce((sum, { size }) => sum + size, 0))
  expect(Math.min(...bytes.slice(0, -1))).toBeGreaterThanOrEqual(5 * MIB)
})
