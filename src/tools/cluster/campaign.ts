import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../contract/index.ts'
import { act, type Actor, untilDone } from '../faults/acts.ts'
import { createActor } from '../faults/campaign.ts'
import { checkAll, type Findings } from '../faults/check.ts'
import { Ledger } from '../faults/ledger.ts'
import { call, createRoom } from '../faults/people.ts'
import type { Cluster } from './cluster.ts'
import { failureKind } from './failures.ts'
import { type ClusterFault, FAULTS, type Struck } from './faults.ts'
import { type Kept, keepFiles, readZip, upload, zip } from './in-flight.ts'

export interface Row {
  fault: string
  /** Seconds since the campaign began. */
  at: number
  /** Kind of error -> how many callers saw it. */
  errors: Map<string, number>
  recovery: number
  within: number
  acts: number
  /** Messages of the acts of this time. */
  messages: Set<string>
}

export interface Outcome extends Findings {
  rows: Row[]
  acknowledged: number
  unanswered: number
  refused: number
  violations: string[]
}

interface Scene {
  cluster: Cluster
  actors: Actor[]
  /** Acts in rooms of its own, so that its files do not change by chance. */
  witness: Actor
  kept: Kept
  ledger: Ledger
  violations: string[]
  begun: number
}

const PAUSE_MS = 250
const IN_FLIGHT_MS = 700
const LASTING_MS = 1500
const RECOVERED_WITHIN = 90_000
const STREAK = 3
const PROBE_MS = 4000
const SETTLED_MS = 1500
const CHECKS = 5

interface Options {
  people: number
  seed: number
  only: readonly string[]
  log: (line: string) => void
}

/** Lets people work while one fault after another strikes, then looks up every acknowledged act. */
export async function runCampaign(cluster: Cluster, { people, seed, only, log }: Options): Promise<Outcome> {
  const faults = FAULTS.filter(({ name }) => only.length === 0 || only.includes(name))
  const room = await createRoom(cluster.product, people + 1)
  const ledger = new Ledger()
  const stopping = new AbortController()
  const [witness, ...actors] = await Promise.all(
    room.people.map((person, at) => createActor(cluster.product, room, ledger, person, at, seed, stopping.signal)),
  )
  if (!witness) throw new Error('nobody is there')
  const violations: string[] = []
  const scene = { cluster, actors, witness, kept: await keepFiles(witness), ledger, violations, begun: Date.now() }
  const working = actors.map((actor) => act(actor, PAUSE_MS).catch((error: unknown) => violations.push(String(error))))
  const rows: Row[] = []
  for (const fault of faults) {
    const row = await strike(scene, fault)
    rows.push(row)
    log(`${rows.length}/${faults.length} ${fault.name}: ${row.recovery.toFixed(1)} s, ${row.acts} acts`)
  }
  stopping.abort()
  await Promise.all(working)
  delete cluster.product.noteFailure
  log('Looking up every acknowledged act.')
  const findings = await retried(() => checkAll(cluster.product, room, ledger, [witness, ...actors]))
  const { acknowledged, unanswered, refused } = ledger
  return { ...findings, rows, acknowledged, unanswered, refused, violations: [...violations, ...slow(rows)] }
}

/** A check reads only, and a busy machine may lose one of its thousands of connections. */
async function retried<T>(check: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await check()
    } catch (error) {
      if (!failureKind(error).isRetryable || tries === CHECKS) throw error
    }
  }
}

const slow = (rows: readonly Row[]): string[] =>
  rows
    .filter(({ recovery, within }) => recovery > within)
    .map(({ fault, recovery, within }) => `${fault}: ${recovery.toFixed(1)} s instead of ${within} s at most`)

/** Strikes once, measures the recovery, repairs the damage, and waits until the cluster is whole again. */
async function strike(scene: Scene, fault: ClusterFault): Promise<Row> {
  const { cluster, ledger, violations, witness } = scene
  const [before, known] = [ledger.acknowledged, new Set(ledger.messages.keys())]
  const errors = countErrors(scene, fault)
  const underWay = await beginTransfers(scene)
  let begun = performance.now()
  const { repair, finished }: Struck = (await fault.strike(cluster, witness)) ?? {}
  if (fault.isBrief || finished) begun = performance.now()
  const recovery = (await untilServed(witness)) - begun
  await sleep(LASTING_MS)
  await repair?.()
  await cluster.untilWhole()
  for (const { name, done } of [...underWay, { name: 'conversion', done: finished?.() }])
    await done?.catch((error: unknown) => violations.push(`${fault.name}: ${name}: ${(error as Error).message}`))
  await sleep(SETTLED_MS)
  return {
    fault: fault.name,
    at: (Date.now() - scene.begun) / 1000,
    errors,
    recovery: recovery / 1000,
    within: fault.within,
    acts: ledger.acknowledged - before,
    messages: new Set([...ledger.messages.keys()].filter((message) => !known.has(message))),
  }
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

/** Begins an upload, a zip, and the download of a zip, which are half done when the fault strikes. */
async function beginTransfers({ witness, kept }: Scene) {
  const { stack, room, person } = witness
  const body = { workspace_id: room.workspace_id, download: { file_ids: kept.ids, folder_ids: [] } }
  const built = (await call(stack, person, api.downloads.create, { body })).reply.id
  if (!(await untilDone(witness, built))) throw new Error('no zip was built before the fault')
  const begun = { upload: upload(witness), zip: zip(witness, kept), download: readZip(witness, built, kept) }
  await sleep(IN_FLIGHT_MS)
  return Object.entries(begun).map(([name, done]) => {
    done.catch(() => {})
    return { name, done }
  })
}

/** @returns when the first of several acts in a row was served, each of page, change, listing and download */
async function untilServed(witness: Actor): Promise<number> {
  let first = 0
  let streak = 0
  let last: unknown
  for (const end = performance.now() + RECOVERED_WITHIN; performance.now() < end; await sleep(50)) {
    try {
      await probe(witness)
      if (streak++ === 0) first = performance.now()
      if (streak === STREAK) return first
    } catch (error) {
      streak = 0
      last = error
    }
  }
  throw new Error(`callers were not served again within ${RECOVERED_WITHIN / 1000} s`, { cause: last })
}

async function probe({ stack, room: { workspace_id }, person, place, random }: Actor): Promise<void> {
  const quiet = { url: stack.url, apiUrl: stack.apiUrl, dataDir: stack.dataDir, credentials: stack.credentials }
  const within = <T>(work: Promise<T>) =>
    Promise.race([work, sleep(PROBE_MS).then(() => Promise.reject(new Error('too slow')))])
  const page = await fetch(`${stack.url}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) })
  if (page.status !== 200) throw new Error(`the page answered ${page.status}`)
  await page.arrayBuffer()
  const query = { workspace_id, folder_id: place.other, file_name: 'probe.txt' }
  const bytes = new TextEncoder().encode(`probe ${random.below(1e9)}`)
  const { reply: file } = await within(call(quiet, person, api.files.upload, { query }, bytes))
  await within(call(quiet, person, api.folders.get, { params: { id: place.other }, query: { workspace_id } }))
  const body = { workspace_id, download: { file_ids: [file.id], folder_ids: [] } }
  await within(call(quiet, person, api.downloads.create, { body }))
}
