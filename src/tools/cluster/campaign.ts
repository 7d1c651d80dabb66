import { act, type Actor } from '../faults/acts.ts'
import { again } from '../faults/again.ts'
import { createActor } from '../faults/campaign.ts'
import { checkAll, type Findings } from '../faults/check.ts'
import { Ledger } from '../faults/ledger.ts'
import { createRoom } from '../faults/people.ts'
import type { Cluster } from './cluster.ts'
import { failureKind } from './failures.ts'
import { CALM, FAULTS } from './faults.ts'
import { keepFiles } from './in-flight.ts'
import { type Scene, strike } from './strike.ts'
import { lineOf, type Outcome, type Row } from './table.ts'

const PAUSE_MS = 250
const CHECKS = 5

interface Options {
  people: number
  seed: number
  only: readonly string[]
  /** Ends the faults; what was done until then is looked up. */
  stop: AbortSignal
  log: (line: string) => void
}

/** Lets people work while one fault after another strikes, then looks up every acknowledged act. */
export async function runCampaign(cluster: Cluster, { people, seed, only, stop, log }: Options): Promise<Outcome> {
  const faults = FAULTS.filter(({ name }) => only.length === 0 || only.includes(name))
  const room = await createRoom(cluster.product, people + 2)
  const ledger = new Ledger()
  const stopping = new AbortController()
  const actors = await Promise.all(
    room.people.map((person, at) => createActor(cluster.product, room, ledger, person, at, seed, stopping.signal)),
  )
  const violations: string[] = []
  const scene = { cluster, ledger, violations, ...(await beginWith(actors)), begun: Date.now() }
  const working = actors
    .slice(2)
    .map((actor) => act(actor, PAUSE_MS).catch((error: unknown) => violations.push(String(error))))
  const rows: Row[] = []
  for (const fault of [CALM, ...faults]) {
    if (stop.aborted) {
      violations.push(`stopped before "${fault.name}"`)
      break
    }
    rows.push(await strike(scene, fault))
    log(`${rows.length - 1}/${faults.length} ${lineOf(rows.at(-1)!)}`)
  }
  stopping.abort()
  await Promise.all(working)
  delete cluster.product.noteFailure
  log('Looking up every acknowledged act.')
  const findings = await lookUp(scene, () => checkAll(cluster.product, room, ledger, actors))
  const { acknowledged, unanswered, refused } = ledger
  return { ...findings, rows, acknowledged, unanswered, refused, violations }
}

/** The first two people are witnesses. They act in folders of their own, so that their files do not change by chance. */
async function beginWith([signing, visiting]: readonly Actor[]): Promise<Pick<Scene, 'witnesses' | 'kept'>> {
  if (!signing || !visiting) throw new Error('there are no witnesses')
  const { kept, small } = await keepFiles(signing)
  return { witnesses: { signing, visiting, file: small.id }, kept }
}

/** A check reads only, and a busy machine may lose one of its thousands of connections. */
async function lookUp({ violations }: Pick<Scene, 'violations'>, check: () => Promise<Findings>): Promise<Findings> {
  try {
    return await again(check, { tries: CHECKS, mayHelp: (error) => failureKind(error).isRetryable })
  } catch (error) {
    violations.push(`the acts could not be looked up: ${(error as Error).message}`)
    return { lost: [], doubled: [], corrupt: [], records: 0 }
  }
}
