import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../contract/index.ts'
import { act, type Actor, untilDone, WrongBytes } from './acts.ts'
import { again } from './again.ts'
import { checkAll, type Findings } from './check.ts'
import { checkHealed } from './damage.ts'
import { type Fault, FAULTS } from './faults.ts'
import { Ledger } from './ledger.ts'
import { call, createRoom, type Person, type Room } from './people.ts'
import { createRandom, type Random } from './random.ts'
import { type FaultyStack, type Product, startStack } from './stack.ts'

export interface CampaignOptions {
  cycles: number
  seed: number
  people?: number
  /** Names of the faults to use; all of them when absent. */
  only?: readonly string[]
  log?: (line: string) => void
}

export interface Cycle {
  fault: string
  /** Time from the fault, or from the end of a lasting fault, until page, change and download work again. */
  recoveryMs: number
}

export interface Outcome extends Findings {
  cycles: Cycle[]
  acknowledged: number
  unanswered: number
  refused: number
  orphans: string[]
  /** Names of faults that this machine cannot produce. */
  untried: string[]
}

const RECOVERED_WITHIN = 120_000
const LONGEST_CALM_MS = 1500
const STRIKES = 5
const STRIKE_PAUSE_MS = 3000
/** The size of the disk: small enough to be filled quickly, and large enough for what people store in each cycle. */
const DISK_BYTES = 1000 * 1024 ** 2
const CYCLE_BYTES = 12 * 1024 ** 2

/** Injects one fault after another while people work, then verifies every acknowledged act. */
export async function runCampaign({
  cycles,
  seed,
  people = 6,
  only,
  log = () => {},
}: CampaignOptions): Promise<Outcome> {
  const random = createRandom(seed)
  const hasClock = !only || only.includes('clock step')
  const stack = await startStack({}, { hasClock, diskBytes: DISK_BYTES + cycles * CYCLE_BYTES })
  try {
    const room = await createRoom(stack, people)
    const ledger = new Ledger()
    const stopping = new AbortController()
    const actors = await Promise.all(
      room.people.map((person, at) => createActor(stack, room, ledger, person, at, seed, stopping.signal)),
    )
    const probe = { ...actors[0], ledger: new Ledger(), random: createRandom(seed + 1) } as Actor
    const wrong: string[] = []
    const working = actors.map((actor) =>
      act(actor).catch((error: unknown) => wrong.push(isWrong(error) ? error.message : String(error))),
    )
    const possible = FAULTS.filter(
      (fault) => (!only || only.includes(fault.name)) && (fault.isPossible?.(stack) ?? true),
    )
    const done: Cycle[] = []
    for (let cycle = 0; cycle < cycles; cycle++) {
      await sleep(200 + random.below(LONGEST_CALM_MS))
      const fault = chooseFault(possible, random, cycle)
      const recoveryMs = await strike(stack, room, probe, fault, random, wrong)
      done.push({ fault: fault.name, recoveryMs })
      log(
        `${cycle + 1}/${cycles} ${fault.name}: ${(recoveryMs / 1000).toFixed(1)} s; ${ledger.acknowledged} acts so far`,
      )
    }
    await sleep(1000)
    stopping.abort()
    await Promise.all(working)
    const findings = await checkAll(stack, room, ledger, actors)
    findings.corrupt.push(...wrong, ...(await checkHealed(stack, room)))
    const { acknowledged, unanswered, refused } = ledger
    const untried = FAULTS.filter((fault) => !possible.includes(fault) && !only).map(({ name }) => name)
    return { ...findings, cycles: done, acknowledged, unanswered, refused, untried, orphans: await stack.stop() }
  } finally {
    await stack.remove()
  }
}

/** Takes each possible fault once, in order, then chooses by weight. */
function chooseFault(possible: readonly Fault[], random: Random, cycle: number): Fault {
  const fault = possible[cycle]
  if (fault) return fault
  const [, chosen] = random.weighted(possible.map((each) => [each.weight, each] as const))
  return chosen
}

async function strike(
  stack: FaultyStack,
  room: Room,
  probe: Actor,
  fault: Fault,
  random: Random,
  wrong: string[],
): Promise<number> {
  let begun = performance.now()
  // An earlier fault may still affect what this one needs.
  const attempts = { tries: STRIKES, pauseMs: STRIKE_PAUSE_MS, mayHelp: (error: unknown) => !isWrong(error) }
  const after = await again(() => fault.strike(stack, room, random), attempts).catch((error: unknown) => {
    if (!isWrong(error)) throw error
    wrong.push(error.message)
  })
  // A lasting fault, such as a full disk, is over by now: recovery starts here.
  if (performance.now() - begun > 900) begun = performance.now()
  await after?.()
  await untilRecovered(stack, room, probe)
  return performance.now() - begun
}

const isWrong = (error: unknown): error is WrongBytes => error instanceof WrongBytes

/** Waits until the proxy answers, a change succeeds and the worker finishes a download. @throws Error after 120 s */
async function untilRecovered(stack: FaultyStack, room: Room, probe: Actor): Promise<void> {
  const { workspace_id } = room
  let stage = 'the proxy'
  let last: unknown
  for (const end = performance.now() + RECOVERED_WITHIN; performance.now() < end; await sleep(25)) {
    try {
      const page = await fetch(`${stack.url}/readyz`, { signal: AbortSignal.timeout(5000) })
      await page.arrayBuffer()
      if (page.status !== 200) continue
      stage = 'a change'
      const query = { workspace_id, folder_id: probe.place.other, file_name: 'probe.txt' }
      const bytes = new TextEncoder().encode('probe')
      const { reply: file } = await call(stack, probe.person, api.files.upload, { query }, bytes)
      stage = 'a download'
      const body = { workspace_id, download: { file_ids: [file.id], folder_ids: [] } }
      const { reply: download } = await call(stack, probe.person, api.downloads.create, { body })
      if (await untilDone(probe, download.id)) return
    } catch (error) {
      last = error
    }
  }
  throw new Error(`${stage} did not come back within ${RECOVERED_WITHIN / 1000} s`, { cause: last })
}

export async function createActor(
  stack: Product,
  room: Room,
  ledger: Ledger,
  person: Person,
  at: number,
  seed: number,
  signal: AbortSignal,
): Promise<Actor> {
  const { workspace_id } = room
  const folder = async (name: string) =>
    (await call(stack, person, api.folders.create, { body: { workspace_id, name, parent_id: 0 } })).reply.id
  const groupName = `Readers ${at}`
  const group = (await call(stack, person, api.groups.create, { body: { group: { name: groupName, workspace_id } } }))
    .reply.id
  const [name, otherName] = [`Place ${at}`, `Other ${at}`]
  const place = { name, folder: await folder(name), other: await folder(otherName), otherName, group, groupName }
  return { stack, room, ledger, person, random: createRandom(seed + 100 + at), signal, place }
}
