import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../start-service.ts'
import { type Command, compare, compareAudit, races, steps, tally } from './play.ts'
import { startRun } from './run.ts'

// Random acts of several people through HTTP, compared with the model. `npm test` includes a short run with a fixed
// seed; `npm run test:model -- --runs 200 --seed 7` runs longer.

const { MODEL_RUNS: runs, MODEL_SEED: seed, MODEL_PATH: path, MODEL_ONLY: only } = process.env

let service: TestService
beforeAll(async () => void (service = await startTestService()))
afterAll(async () => {
  const { kinds, ...counts } = tally
  if (runs !== undefined) console.log({ ...counts, answers: Object.fromEntries([...kinds].toSorted()) })
  await service.close()
})

test.skipIf(only !== undefined && only !== 'steps')(
  'C1, C3, C4, C6, C7, C11, C13, C14, I3: what everybody sees and every act in the trail follow the rules',
  async () => {
    await play('steps', steps, 3)
    expect(tally.done).toBeGreaterThan(0)
  },
  3_600_000,
)

test.skipIf(only !== undefined && only !== 'races')(
  'C7, C8: acts at the same moment come out as in some order, and nothing acknowledged is lost',
  async () => {
    await play('races', races, 3)
    expect(tally.races).toBeGreaterThan(0)
  },
  3_600_000,
)

async function play(kind: string, commands: fc.Arbitrary<Command[]>, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(commands, async (chosen) => {
    tally.runs += 1
    const { run, model } = await startRun(service)
    await fc.asyncModelRun(() => ({ model, real: run }), chosen)
    await compare(model, run)
    await compareAudit(model, run)
    if (runs !== undefined && tally.runs % 5 === 0) console.log(`${tally.runs} runs, ${tally.done} acts done`)
  })
  const details = await fc.check(property, {
    numRuns: Number(runs ?? numRuns),
    seed: Number(seed ?? 1),
    ...(path !== undefined && { path }),
    // Shrinking starts a workspace for each try, so it runs only on request.
    endOnFailure: process.env['MODEL_SHRINK'] === undefined,
  })
  if (!details.failed) return
  const place = `--only ${kind} --seed ${details.seed} --path ${details.counterexamplePath}`
  const report = await fc.asyncDefaultReportMessage(details)
  throw new Error(`Replay: npm run test:model -- ${place}\n${report ?? ''}`, { cause: details.errorInstance })
}
