import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { again } from './again.ts'
import { runCampaign } from './campaign.ts'
import { isComplete } from './check.ts'
import { Ledger } from './ledger.ts'
import { createRandom } from './random.ts'
import { tableOf } from './table.ts'

// Runs a few cycles; `npm run test:faults` runs hundreds.

const KINDS = [
  'kill -9 service',
  'kill -9 worker',
  'kill -9 proxy',
  'kill -9 database',
  'kill -9 supervisor',
  'full disk',
]

describe.skipIf(!existsSync('/proc/self/stat'))('J4, J6, E6: after kills and a full disk while people work,', () => {
  test('every acknowledged act exists once, with its bytes, its activity and its audit entry', async () => {
    const outcome = await runCampaign({ cycles: KINDS.length, seed: 7, people: 4, only: KINDS })
    console.log(tableOf(outcome))
    const { lost, doubled, corrupt, orphans, acknowledged, records } = outcome
    expect({ lost, doubled, corrupt, orphans }).toEqual({ lost: [], doubled: [], corrupt: [], orphans: [] })
    expect(acknowledged).toBeGreaterThan(10)
    expect(records).toBeGreaterThan(acknowledged)
  }, 420_000)
})

test('the ledger tells certain acts from possible ones', () => {
  const ledger = new Ledger()
  ledger.acknowledge('added', 'request')
  ledger.leaveOpen('added')
  expect(ledger.messages.get('added')).toEqual({ least: 1, most: 2 })
})

test('the trail is complete with every acknowledged act, also with one that is chained after a later one', () => {
  const ledger = new Ledger()
  ledger.acknowledge('added a', 'first')
  ledger.acknowledge('added b', 'last')
  ledger.acknowledge('added c', undefined)
  const [a, b, c] = ['first', 'last', 'retried'].map((request_id, at) => ({
    message: `added ${'abc'[at]}`,
    request_id,
  }))
  expect(isComplete([a!, b!, c!], ledger)).toBe(true)
  expect(isComplete([b!, c!], ledger)).toBe(false)
  expect(isComplete([a!, b!], ledger)).toBe(false)
})

test('an attempt is repeated as often as told, unless that cannot help', async () => {
  const failing = (times: number) => async () => {
    if (times-- > 0) throw new Error(String(times))
    return 'done'
  }
  expect(await again(failing(2), { pauseMs: 0 })).toBe('done')
  await expect(again(failing(3), { pauseMs: 0 })).rejects.toThrow('0')
  await expect(again(failing(1), { mayHelp: () => false })).rejects.toThrow('0')
})

test('the same seed gives the same numbers', () => {
  const [one, other] = [createRandom(5), createRandom(5)]
  expect([one.below(1000), one.bytes(3)]).toEqual([other.below(1000), other.bytes(3)])
})
