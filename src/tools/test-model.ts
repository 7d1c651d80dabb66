import { parseArgs } from 'node:util'
import { run } from './run.ts'

// `npm run test:model -- --runs 200 --seed 7` compares random acts of several people with the model of the rules. A
// failure prints the command that replays it; `--shrink` looks for a shorter sequence.

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    path: { type: 'string' },
    /** `steps`: one act after another; `races`: several at once; `identity`: e-mail addresses and their invitations. */
    only: { type: 'string' },
    shrink: { type: 'boolean', default: false },
  },
})
const { runs, seed, path, only, shrink } = values
console.log(`seed ${seed}`)
process.exit(
  await run({
    name: 'the service held against the model',
    program: 'vitest/vitest.mjs',
    args: ['run', 'src/service/testing/model'],
    env: {
      MODEL_RUNS: path === undefined ? runs : '1',
      MODEL_SEED: seed,
      ...(path !== undefined && { MODEL_PATH: path }),
      ...(only !== undefined && { MODEL_ONLY: only }),
      ...(shrink && { MODEL_SHRINK: 'true' }),
    },
  }),
)
