import { parseArgs } from 'node:util'
import { createFuzzer } from './run-target.ts'
import { allTargets } from './targets.ts'

// `npm run test:fuzz -- --seconds 600 --seed 7 --target "range headers"` runs each target for its share of the time.

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, target: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
const targets = (await allTargets()).filter(({ name }) => values.target === undefined || name === values.target)
if (targets.length === 0) {
  console.error(
    `There is no target ${values.target}. There are: ${(await allTargets()).map(({ name }) => name).join(', ')}.`,
  )
  process.exit(1)
}

const fuzzer = createFuzzer()
let failed = 0
console.log(`seed ${seed}`)
try {
  for (const target of targets) {
    const bounds = values.seconds === undefined ? { inputs: 500 } : { seconds: Number(values.seconds) / targets.length }
    const { tried, longestMs, failure } = await fuzzer.run(target, { seed, ...bounds })
    const verdict = failure === undefined ? 'ok' : 'FAILED'
    console.log(
      `${verdict.padEnd(7)}${target.name.padEnd(28)}${tried} inputs, longest block ${longestMs.toFixed(0)} ms`,
    )
    if (failure !== undefined) console.log(failure)
    failed += failure === undefined ? 0 : 1
  }
} finally {
  await fuzzer.close()
}
console.log(`\n${targets.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
