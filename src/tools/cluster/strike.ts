import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../faults/acts.ts'
import { again, type Attempts } from '../faults/again.ts'
import type { KnownFile, Ledger } from '../faults/ledger.ts'
import type { Cluster } from './cluster.ts'
import { failureKind } from './failures.ts'
import type { Blow, ClusterFault } from './faults.ts'
import { build, readZip, upload } from './in-flight.ts'
import { measureRecovery, type Recovery, WAYS, type Witnesses } from './recovery.ts'
import type { Row } from './table.ts'

export interface Scene {
  cluster: Cluster
  witnesses: Witnesses
  kept: readonly KnownFile[]
  ledger: Ledger
  /** Whatever did not hold, in words. */
  violations: string[]
  /** When the campaign began. */
  begun: number
  /** How often a step of the test itself is tried. */
  attempts?: Attempts
}

const IN_FLIGHT_MS = 700
const LASTING_MS = 1500
const SETTLED_MS = 1500
/** Until transfers that were under way are given up. */
const PATIENCE_MS = 300_000
const ATTEMPTS: Attempts = { tries: 3, pauseMs: 3000 }

/**
 * Strikes once while transfers are under way, measures the recovery, repairs the damage and waits until the cluster is
 * whole again. Whatever fails becomes a violation of this fault, and the campaign goes on.
 */
export async function strike(scene: Scene, fault: ClusterFault): Promise<Row> {
  const { cluster, ledger, violations } = scene
  const begun = Date.now()
  const [acknowledged, known] = [ledger.acknowledged, new Set(ledger.messages.keys())]
  const fail = (what: string, error: unknown) => violations.push(`${fault.name}: ${what}: ${reasonOf(error)}`)
  const errors = countErrors(scene, fault)
  const struck = await strikeAndRecover(scene, fault, fail).catch((error: unknown) => void fail('not struck', error))
  await cluster.untilWhole().catch((error: unknown) => fail('the cluster', error))
  await Promise.all(struck?.outcomes ?? [])
  await sleep(SETTLED_MS)
  const acts = ledger.acknowledged - acknowledged
  return {
    fault: fault.name,
    at: (Date.now() - scene.begun) / 1000,
    errors,
    recovery: struck?.recovery,
    within: fault.within,
    underWay: struck?.underWay ?? 0,
    acts,
    rate: (acts * 1000) / (Date.now() - begun),
    load: loadavg()[0] ?? 0,
    messages: new Set([...ledger.messages.keys()].filter((message) => !known.has(message))),
  }
}

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}

function countErrors({ cluster: { product }, violations }: Scene, { name }: ClusterFault): Map<string, number> {
  const errors = new Map<string, number>()
  product.noteFailure = (error) => {
    const { kind, isRetryable } = failureKind(error)
    errors.set(kind, (errors.get(kind) ?? 0) + 1)
    if (!isRetryable) violations.push(`${name}: a caller saw "${kind}"`)
  }
  return errors
}

type Fail = (what: string, error: unknown) => void

interface Struck {
  recovery: Recovery
  /** Number of transfers and jobs that were not complete when the fault struck. */
  underWay: number
  /** Resolve when each of them has ended, well or not. */
  outcomes: Promise<void>[]
}

async function strikeAndRecover(scene: Scene, fault: ClusterFault, fail: Fail): Promise<Struck> {
  const transfers = await beginTransfers(scene, fail)
  const { blow, since } = await hit(scene, fault)
  const underWay = transfers.filter(({ isComplete }) => !isComplete())
  if (blow.finished) underWay.push(followed('conversion', blow.finished(), fail))
  const recovery = await measureRecovery(scene.witnesses, since)
  for (const way of WAYS)
    if (recovery[way] > fault.within * 1000)
      fail(way, new Error(`${(recovery[way] / 1000).toFixed(1)} s instead of ${fault.within} s at most, ${loadNow()}`))
  await sleep(LASTING_MS)
  await again(async () => blow.repair?.(), scene.attempts ?? ATTEMPTS)
  return { recovery, underWay: underWay.length, outcomes: [...transfers, ...underWay].map(({ ended }) => ended) }
}

const loadNow = () => `at a load of ${(loadavg()[0] ?? 0).toFixed(0)} on ${cpus().length} cores`

/** Strikes, again after a failure of the test itself: an earlier fault may still affect what this one needs. */
export async function hit(
  { cluster, witnesses, attempts = ATTEMPTS }: Scene,
  fault: ClusterFault,
): Promise<{ blow: Blow; since: number }> {
  return again(async () => {
    const blow = await fault.prepare(cluster, witnesses.signing)
    const since = performance.now()
    try {
      await blow.strike()
    } catch (error) {
      blow.repair?.()
      throw error
    }
    return { blow, since: fault.isBrief ? performance.now() : since }
  }, attempts)
}

interface Transfer {
  isComplete(): boolean
  ended: Promise<void>
}

/** Begins uploads of both witnesses, a zip, and the download of a zip, which are half done when the fault strikes. */
async function beginTransfers({ witnesses, kept, attempts = ATTEMPTS }: Scene, fail: Fail): Promise<Transfer[]> {
  const patient = (actor: Actor): Actor => ({
    ...actor,
    signal: AbortSignal.any([actor.signal, AbortSignal.timeout(PATIENCE_MS)]),
  })
  const [signing, visiting] = [patient(witnesses.signing), patient(witnesses.visiting)]
  const built = await again(() => build(signing, kept), attempts)
  const begun = {
    upload: upload(signing),
    'upload through a proxy': upload(visiting),
    zip: build(signing, kept).then((id) => readZip(signing, id, kept)),
    download: readZip(signing, built, kept),
  }
  const transfers = Object.entries(begun).map(([name, work]) => followed(name, work, fail))
  await sleep(IN_FLIGHT_MS)
  return transfers
}

function followed(name: string, work: Promise<void>, fail: Fail): Transfer {
  let isComplete = false
  const ended = work.catch((error: unknown) => fail(name, error)).finally(() => (isComplete = true))
  return { isComplete: () => isComplete, ended }
}
