import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../contract/index.ts'
import type { Actor } from '../faults/acts.ts'
import { call } from '../faults/people.ts'
import { untilBuilt } from './in-flight.ts'

/** The ways in which the cluster serves callers: requests that they sign, sessions behind a proxy, and jobs. */
export const WAYS = ['service', 'proxy', 'worker'] as const

/** For each way, the milliseconds until callers were served; Infinity if they were not. */
export type Recovery = Record<(typeof WAYS)[number], number>

export interface Witnesses {
  /** Signs its requests. */
  signing: Actor
  /** Has a session, as browsers do. */
  visiting: Actor
  /** A small file, which zips contain. */
  file: number
}

const RECOVERED_WITHIN = 90_000
/** Callers may be served by chance before the cluster notices the fault. */
const WATCHED_MS = 5000
const EVERY_MS = 500
const STREAK = 3
const CALL_MS = 4000
const JOB_MS = 10_000
/** Probes that overlap write different files, and the folder does not grow. */
const NAMES = 16

/** @param since when the fault struck */
export async function measureRecovery({ signing, visiting, file }: Witnesses, since: number): Promise<Recovery> {
  const [service, proxy, worker] = await Promise.all([
    untilServed((at) => change(signing, at)),
    untilServed(async (at) => {
      await openPage(visiting)
      await change(visiting, at)
    }),
    untilServed(() => zipFile(signing, file)),
  ])
  return { service: service - since, proxy: proxy - since, worker: worker - since }
}

/** When a probe was served, 'failed', or undefined while it waits. */
type Result = number | 'failed' | undefined

/**
 * Begins a probe every half second, also while earlier ones wait, as callers do who arrive meanwhile.
 * @returns when the first of several in a row was served after which none failed; Infinity if none was
 */
export async function untilServed(
  probe: (at: number) => Promise<void>,
  { withinMs = RECOVERED_WITHIN, watchedMs = WATCHED_MS, everyMs = EVERY_MS } = {},
): Promise<number> {
  const results: Result[] = []
  const begun = performance.now()
  while (performance.now() < begun + withinMs) {
    const at = results.push(undefined) - 1
    void probe(at).then(
      () => (results[at] = performance.now()),
      () => (results[at] = 'failed'),
    )
    await sleep(everyMs)
    const first = performance.now() < begun + watchedMs ? undefined : firstServed(results)
    if (first !== undefined) return first
  }
  return Infinity
}

export function firstServed(results: readonly Result[]): number | undefined {
  const isServed = (result: Result) => typeof result === 'number'
  const later = results.slice(results.lastIndexOf('failed') + 1)
  const at = later.findIndex((_, from) => {
    const streak = later.slice(from, from + STREAK)
    return streak.length === STREAK && streak.every(isServed)
  })
  return later[at] as number | undefined
}

/** Failures of probes are not those of people at work. */
const quiet = ({ stack: { url, apiUrl, dataDir, credentials } }: Actor) => ({ url, apiUrl, dataDir, credentials })

async function openPage({ stack }: Actor): Promise<void> {
  const page = await fetch(`${stack.url}/readyz`, { signal: AbortSignal.timeout(CALL_MS) })
  await page.arrayBuffer()
  if (page.status !== 200) throw new Error(`the page answered ${page.status}`)
}

async function change(actor: Actor, at: number): Promise<void> {
  const { room, person, place, random } = actor
  const { workspace_id } = room
  const query = { workspace_id, folder_id: place.other, file_name: `probe${at % NAMES}.txt` }
  const bytes = new TextEncoder().encode(`probe ${random.below(1e9)}`)
  await within(CALL_MS, call(quiet(actor), person, api.files.upload, { query }, bytes))
  const listing = { params: { id: place.other }, query: { workspace_id } }
  await within(CALL_MS, call(quiet(actor), person, api.folders.get, listing))
}

async function zipFile(actor: Actor, id: number): Promise<void> {
  const { room, person } = actor
  const body = { workspace_id: room.workspace_id, download: { file_ids: [id], folder_ids: [] } }
  const { reply } = await within(CALL_MS, call(quiet(actor), person, api.downloads.create, { body }))
  await untilBuilt({ ...actor, stack: quiet(actor) }, reply.id, JOB_MS)
}

const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  Promise.race([work, sleep(ms).then(() => Promise.reject(new Error(`no answer within ${ms / 1000} s`)))])
