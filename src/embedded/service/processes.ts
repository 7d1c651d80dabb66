import { availableParallelism } from 'node:os'
import { MOST_PROCESSES } from '../../service/base/config.ts'
import type { FromSibling, ToSibling } from '../../wire/siblings.ts'
import { type Child, SERVICE_SEMI_SPACE, startChild } from '../children.ts'

/** A process is busy while its event loop works for this share of the time. */
const BUSY = 0.75
/** Beats for which all processes must be busy before another one starts; a process reports every two seconds. */
const BUSY_BEATS = 3
/** The last process ends after all together worked less than this for CALM_MS. */
const CALM = 0.4
const CALM_MS = 5 * 60_000

export interface Range {
  least: number
  most: number
}

/** Only Linux spreads the connections of one port over processes. By default, further processes start under load. */
export function processesFor(wanted: number | undefined): Range {
  if (wanted !== undefined) return { least: wanted, most: wanted }
  return { least: 1, most: process.platform === 'linux' ? Math.min(availableParallelism(), MOST_PROCESSES) : 1 }
}

interface Options {
  range: Range
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  file?: string
  calmMs?: number
}

interface Member {
  child: Child
  isReady: boolean
  /** The last reported share of the time, and the number of reports since it was below BUSY. */
  busy: number
  busyBeats: number
}

/**
 * Keeps the processes of one service running on one port. It passes their news on to each other, starts another process
 * when all are busy, and ends it when they are not. The first process migrates the database before others start.
 */
export function startServiceProcesses({ range, env, log, file = 'service/main.ts', calmMs = CALM_MS }: Options): Child {
  const members = new Map<number, Member>()
  const ending = new Set<Promise<void>>()
  let calmSince = Date.now()
  start(1)

  function start(slot: number): void {
    const child = startChild({
      name: slot === 1 ? 'service' : `service ${slot}`,
      file,
      env: range.most === 1 ? env : { ...env, SERVICE_PROCESSES: String(range.most), SERVICE_SLOT: String(slot) },
      semiSpace: SERVICE_SEMI_SPACE,
      log,
      onMessage: (message) => hear(slot, message as FromSibling),
      onEnd: () => setReady(slot, false),
    })
    members.set(slot, { child, isReady: false, busy: 0, busyBeats: 0 })
  }

  function hear(slot: number, message: FromSibling): void {
    const member = members.get(slot)
    if (!member) return
    if ('topic' in message) return tellOthers(slot, { from: slot, ...message })
    if ('metrics' in message) return
    if ('ready' in message) return setReady(slot, true)
    member.busy = message.busy
    member.busyBeats = message.busy >= BUSY ? member.busyBeats + 1 : 0
    adapt()
  }

  function setReady(slot: number, isReady: boolean): void {
    const member = members.get(slot)
    if (!member || member.isReady === isReady) return
    Object.assign(member, { isReady, busy: 0, busyBeats: 0 })
    introduce()
    if (!isReady) return
    while (members.size < range.least) start(members.size + 1)
  }

  function introduce(): void {
    const present = [...members].filter(([, { isReady }]) => isReady).map(([slot]) => slot)
    for (const slot of present) members.get(slot)?.child.tell({ present } satisfies ToSibling)
  }

  function tellOthers(slot: number, message: ToSibling): void {
    for (const [other, { child, isReady }] of members) if (other !== slot && isReady) child.tell(message)
  }

  function adapt(): void {
    const all = [...members.values()]
    const total = all.reduce((sum, { busy }) => sum + busy, 0)
    if (total >= CALM) calmSince = Date.now()
    if (all.length < range.most && all.every(({ isReady, busyBeats }) => isReady && busyBeats >= BUSY_BEATS)) {
      log(`The service is busy; starting process ${all.length + 1} of at most ${range.most}.`)
      start(all.length + 1)
    } else if (all.length > range.least && Date.now() - calmSince > calmMs) {
      calmSince = Date.now()
      endLast()
    }
  }

  function endLast(): void {
    const slot = members.size
    const last = members.get(slot)
    if (!last) return
    log(`Ending process ${slot} of the service, which is not needed.`)
    members.delete(slot)
    introduce()
    const ended = last.child.stop().finally(() => ending.delete(ended))
    ending.add(ended)
  }

  const each = () => [...members.values()].map(({ child }) => child)
  return {
    restart: () => each().forEach((child) => child.restart()),
    async untilReady(url, signal) {
      await members.get(1)?.child.untilReady(url, signal)
    },
    async stop() {
      const stopped = each().map((child) => child.stop())
      await Promise.all([...stopped, ...ending])
    },
    tell: (message) => each().forEach((child) => child.tell(message)),
    metrics: async () => (await Promise.all(each().map((child) => child.metrics()))).flat(),
  }
}
