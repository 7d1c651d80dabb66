import { parseArgs } from 'node:util'
import { ensureInstalled } from '../../service/testing/system-packages.ts'
import { runCampaign } from './campaign.ts'
import { openCluster } from './cluster.ts'
import { tableOf } from './table.ts'

// `npm run test:cluster -- [--people 5] [--seed 1] [--only "kill -9 of HAProxy"] [--keep]`; as root on Debian.
// `--keep` leaves the logs and the data in the temporary folder. Exits with 0 if everything held.
// A signal ends the faults, and the acts until then are looked up; a second one removes the cluster at once.

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
  },
})
if (process.getuid?.() !== 0) throw new Error('Network namespaces need root.')
if (
  !(await ensureInstalled('patroni', 'postgres15', 'pgbouncer', 'haproxy', 'swift', 'ipTools', 'office', 'bubblewrap'))
)
  process.exit(1)

const log = (line: string) => console.log(line)
const cluster = await openCluster()
const end = (code: number) => void cluster.remove(values.keep).finally(() => process.exit(code))
const stopping = new AbortController()
let isStarted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    log(`Received ${signal}.`)
    if (!isStarted || stopping.signal.aborted) return end(130)
    stopping.abort()
  })
process.once('uncaughtException', (error) => {
  console.error(error)
  end(1)
})
let isGood = false
try {
  const { people, seed, only, keep } = values
  if (keep) log(`The logs and the data stay in ${cluster.folder}.`)
  const started = await cluster.start(log)
  isStarted = true
  const options = { people: Number(people), seed: Number(seed), only, stop: stopping.signal, log }
  const outcome = await runCampaign(started, options)
  console.log(`\n${tableOf(outcome)}`)
  const bad = [...outcome.lost, ...outcome.doubled, ...outcome.corrupt, ...outcome.violations]
  for (const line of bad.slice(0, 50)) console.log(`  ${line}`)
  isGood = bad.length === 0
} catch (error) {
  console.error(error)
} finally {
  await cluster.remove(values.keep)
}
process.exit(isGood ? 0 : 1)
