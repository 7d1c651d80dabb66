import { parseArgs } from 'node:util'
import { runCampaign } from './campaign.ts'
import { tableOf } from './table.ts'

// `npm run test:faults -- --cycles 200 [--seed 1] [--people 6] [--only "kill -9 service"]`

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    people: { type: 'string', default: '6' },
    only: { type: 'string', multiple: true },
  },
})
const outcome = await runCampaign({
  cycles: Number(values.cycles),
  seed: Number(values.seed),
  people: Number(values.people),
  ...(values.only && { only: values.only }),
  log: (line) => console.log(line),
})
console.log(`\n${tableOf(outcome)}`)
const bad = [...outcome.lost, ...outcome.doubled, ...outcome.corrupt, ...outcome.orphans]
for (const line of bad.slice(0, 50)) console.log(`  ${line}`)
process.exit(bad.length === 0 ? 0 : 1)
