import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { ApiFailure } from '../../client/failure.ts'
import { freePort } from '../../service/testing/free-port.ts'
import type { Actor } from '../faults/acts.ts'
import { Ledger } from '../faults/ledger.ts'
import type { Cluster } from './cluster.ts'
import { countedKinds, failureKind } from './failures.ts'
import { CALM, FAULTS } from './faults.ts'
import { runsBelow } from './processes.ts'
import { firstServed, untilServed } from './recovery.ts'
import { hit, type Scene, strike } from './strike.ts'
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

const row = {
  fault: 'loss of a service',
  at: 12,
  errors: new Map([['503', 2]]),
  recovery: { service: 1250, proxy: Infinity, worker: 700 },
  within: 5,
  underWay: 4,
  acts: 40,
  rate: 3.33,
  load: 5.21,
  messages: new Set<string>(),
}
const outcome = {
  acknowledged: 80,
  unanswered: 1,
  refused: 0,
  records: 90,
  corrupt: [],
  violations: [],
  doubled: [],
  lost: [],
}

test('the table counts a lost act at the fault that lost it', () => {
  const [act, other] = ['added the file: a.bin', 'added the file: b.bin']
  const rows = [
    { ...row, messages: new Set([act]) },
    { ...row, fault: 'other', messages: new Set([other]) },
  ]
  const text = tableOf({ ...outcome, rows, lost: [`${act}: 0 of 1 in the activities`] }).split('\n')
  expect(text[4]).toMatch(/^loss of a service +12 +1\.3 +never +0\.7 +5 +4 +40 +3\.3 +5\.2 +1 +0 +503 ×2$/)
  expect(text[5]).toMatch(/^other +12 +1\.3 +never +0\.7 +5 +4 +40 +3\.3 +5\.2 +0 +0 +503 ×2$/)
})

test('the table names a fault that could not strike', () => {
  const text = tableOf({ ...outcome, rows: [{ ...row, recovery: undefined }] })
  expect(text).toMatch(/^loss of a service +12 +not struck +not struck +not struck /m)
})

test.each([
  ['the first of three in a row', [1, 'failed', 3, 4, 5], 3],
  ['the first after the last failure', [1, 2, 3, 'failed', 5, 6, 7], 5],
  ['a streak while an earlier probe still waits', [undefined, 2, 3, 4], 2],
  ['no streak that waits for its second probe', [1, undefined, 3], undefined],
  ['no two', [1, 2], undefined],
] as const)('callers are served again from %s on', (_, results, first) => expect(firstServed(results)).toBe(first))

test('a probe that hangs does not delay the next', async () => {
  const begun = performance.now()
  let probes = 0
  const first = await untilServed(() => (probes++ === 0 ? new Promise(() => {}) : Promise.resolve()), {
    watchedMs: 0,
    everyMs: 10,
  })
  expect(first).toBeGreaterThan(begun)
  expect(probes).toBe(4)
})

test('callers who are never served are said to be so', async () => {
  expect(await untilServed(() => Promise.reject(new Error('away')), { withinMs: 10, everyMs: 1 })).toBe(Infinity)
})

test('a process is found below the one that started it', async () => {
  const shell = spawn('sh', ['-c', 'sleep 60 & wait'], { detached: true })
  try {
    await expect.poll(() => runsBelow(process.pid, 'sleep')).toBe(true)
    expect(runsBelow(shell.pid, 'sleep')).toBe(true)
    expect(runsBelow(shell.pid, 'soffice.bin')).toBe(false)
  } finally {
    process.kill(-shell.pid!, 'SIGKILL')
  }
  expect(runsBelow(undefined, 'sleep')).toBe(false)
})

/** A scene in which nothing answers. */
async function darkScene(): Promise<Scene> {
  const url = `http://127.0.0.1:${await freePort()}`
  const product = { url, apiUrl: url, dataDir: '', credentials: { apiKey: '', apiSecret: '', adminToken: '' } }
  const person = { email: '', id: 1, token: '' }
  const nobody = { stack: product, room: { workspace_id: 1 }, person, signal: AbortSignal.abort() } as Actor
  const cluster = { product, untilWhole: () => Promise.reject(new Error('a node did not return')) } as Cluster
  const witnesses = { signing: nobody, visiting: nobody, file: 1 }
  const attempts = { tries: 2, pauseMs: 1 }
  return { cluster, witnesses, kept: [], ledger: new Ledger(), violations: [], begun: Date.now(), attempts }
}

test('a fault that cannot strike is a violation, and the campaign goes on', async () => {
  const dark = await darkScene()
  const struck = await strike(dark, { ...CALM, name: 'a fault' })
  expect(struck).toMatchObject({ fault: 'a fault', recovery: undefined, underWay: 0 })
  expect(struck.errors).toEqual(new Map([['connection lost', 2]]))
  expect(dark.violations).toEqual([
    expect.stringMatching(/^a fault: not struck: fetch failed \(connect ECONNREFUSED/),
    'a fault: the cluster: a node did not return',
  ])
})

test('a target that is not found is looked for again, and a failed blow is repaired', async () => {
  const steps: string[] = []
  const step = (name: string) => {
    steps.push(name)
    if (steps.filter((each) => each === name).length === 1 && name !== 'repair') throw new Error(name)
  }
  const blow = { strike: () => step('strike'), repair: () => step('repair') }
  const fault = { name: 'a fault', within: 5, prepare: () => (step('prepare'), blow) }
  const begun = performance.now()
  const { since } = await hit({ ...(await darkScene()), attempts: { tries: 3, pauseMs: 1 } }, fault)
  expect(steps).toEqual(['prepare', 'prepare', 'strike', 'repair', 'prepare', 'strike'])
  expect(since).toBeGreaterThan(begun)
  await expect(
    hit(await darkScene(), { ...fault, prepare: () => Promise.reject(new Error('no primary')) }),
  ).rejects.toThrow('no primary')
})
