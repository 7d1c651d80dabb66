import { expect, test } from 'vitest'
import { ApiFailure } from '../../client/failure.ts'
import { countedKinds, failureKind } from './failures.ts'
import { FAULTS } from './faults.ts'
import { tableOf } from './table.ts'

// `npm run test:cluster` starts the cluster itself.

const lost = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

test.each([
  ['a service without its database', new ApiFailure(503, 'away'), '503', true],
  ['a balancer without a node', new ApiFailure(502, ''), '502', true],
  ['a bug', new ApiFailure(500, 'Something'), '500 Something', false],
  ['a refusal', new ApiFailure(404, 'nothing here'), '404 nothing here', false],
  ['a reset connection', lost('ECONNRESET'), 'connection lost', true],
  ['a silent node', new DOMException('late', 'TimeoutError'), 'timeout', true],
  ['an unknown error', new TypeError('x is undefined'), 'x is undefined', false],
])('%s is told apart', (_, error, kind, isRetryable) => expect(failureKind(error)).toEqual({ kind, isRetryable }))

test('kinds of errors are counted in words', () => {
  expect(countedKinds(new Map([['503', 4]]))).toBe('503 ×4')
  expect(countedKinds(new Map())).toBe('none')
})

test('at least twelve faults strike, each under its own name', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
  expect(FAULTS.length).toBeGreaterThanOrEqual(12)
})

test('the table counts a lost act at the fault that lost it', () => {
  const row = { fault: 'loss of a service', at: 12, errors: new Map([['503', 2]]), recovery: 1.25, within: 5, acts: 40 }
  const [act, other] = ['added the file: a.bin', 'added the file: b.bin']
  const text = tableOf({
    rows: [
      { ...row, messages: new Set([act]) },
      { ...row, fault: 'none', messages: new Set([other]) },
    ],
    acknowledged: 80,
    unanswered: 1,
    refused: 0,
    records: 90,
    corrupt: [],
    violations: [],
    doubled: [],
    lost: [`${act}: 0 of 1 in the activities`],
  })
  expect(text.split('\n')[1]).toMatch(/^loss of a service +12 +1\.3 +5 +40 +1 +0 +503 ×2$/)
  expect(text.split('\n')[2]).toMatch(/^none +12 +1\.3 +5 +40 +0 +0 +503 ×2$/)
})
