import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createFuzzer } from './run-target.ts'
import { target } from './target.ts'
import { allTargets } from './targets.ts'

// A short run with a fixed seed; `npm run test:fuzz` runs as long as wanted.

const fuzzer = createFuzzer()
afterAll(() => fuzzer.close())

// LibreOffice takes most of the time, and more on a busy machine.
test('K3: no input misleads, crashes or blocks service, proxy and document readers', { timeout: 300_000 }, async () => {
  for (const each of await allTargets()) {
    const { failure, tried } = await fuzzer.run(each, { seed: 20_261_122, inputs: each.shortRun ?? 40 })
    expect({ target: each.name, failure }).toEqual({ target: each.name, failure: undefined })
    expect(tried).toBeGreaterThan(0)
  }
})

describe('the watchdog', () => {
  const busy = (ms: number) => {
    const { user } = process.threadCpuUsage()
    while (process.threadCpuUsage().user - user < ms * 1000);
  }
  const holding = (ms: number) =>
    target({ name: 'holding', inProcess: true, input: fc.constant(null), attempt: async () => busy(ms) })

  test('reports a block and accepts shorter work', async () => {
    expect((await fuzzer.run(holding(400), { seed: 1, inputs: 1 })).failure).toContain('blocked')
    expect((await fuzzer.run(holding(1), { seed: 1, inputs: 1 })).failure).toBeUndefined()
  })
})
