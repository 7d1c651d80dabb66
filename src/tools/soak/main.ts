import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { act } from '../faults/acts.ts'
import { createActor } from '../faults/campaign.ts'
import { checkAll } from '../faults/check.ts'
import { Ledger } from '../faults/ledger.ts'
import { createRoom } from '../faults/people.ts'
import { startStack } from '../faults/stack.ts'
import { createSampler } from './sampler.ts'
import { verdicts } from './verdicts.ts'

// `npm run soak -- --minutes 20 [--people 50]` sends mixed traffic of many people through the proxy. Memory, open files
// and connections and the queue of jobs must not grow, and answers must not become slower.

/** The longest pause between two acts: each person acts about every 1.5 seconds. */
const PAUSE_MS = 3000
const SAMPLE_EVERY_MS = 5000

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '20' }, people: { type: 'string', default: '50' } },
})
const minutes = Number(values.minutes)
const people = Number(values.people)

const stack = await startStack({ LOG_VITALS_EVERY: '5', TRUSTED_PROXIES: '127.0.0.1' })
try {
  const room = await createRoom(stack, people, 'proxy')
  const ledger = new Ledger()
  const stopping = new AbortController()
  const actors = []
  for (const [at, person] of room.people.entries()) {
    actors.push(await createActor(stack, room, ledger, person, at, 1, stopping.signal))
  }
  const sampler = createSampler(stack)
  stack.observe = sampler.noteCall
  const failures: string[] = []
  const working = actors.map((actor) => act(actor, PAUSE_MS).catch((error) => failures.push(String(error))))
  const begun = Date.now()
  while (Date.now() - begun < minutes * 60_000) {
    await sleep(SAMPLE_EVERY_MS)
    console.log(await sampler.sample())
  }
  stopping.abort()
  await Promise.all(working)
  delete stack.observe
  const { lost, doubled, corrupt } = await checkAll(stack, room, ledger, actors)
  const lines = verdicts(sampler.samples, sampler.calls)
  console.log(`\n${ledger.acknowledged} acts acknowledged, ${ledger.unanswered} unanswered, ${ledger.refused} refused`)
  const bad = [...failures, ...lost, ...doubled, ...corrupt]
  for (const line of [...lines.map(({ text }) => text), ...bad.slice(0, 20)]) console.log(line)
  const left = await stack.stop()
  process.exitCode = bad.length === 0 && left.length === 0 && lines.every(({ holds }) => holds) ? 0 : 1
} finally {
  await stack.remove()
}
process.exit()
