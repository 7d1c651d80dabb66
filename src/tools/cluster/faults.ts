import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../faults/acts.ts'
import type { Cluster } from './cluster.ts'
import { postmasterOf, standbyOf, switchOver } from './databases.ts'
import { convert } from './in-flight.ts'
import type { Machine } from './machines.ts'
import { untilAnswering } from './store.ts'

/** Seconds within which callers must be served again after the loss of a node of several, and of the primary. */
const NODE = 5
const PRIMARY = 30
/** Parts that exist once are lost until they are started again, which takes a second. */
const SINGLE = 10

/** A fault whose target is known. */
export interface Blow {
  strike(): Promise<void> | void
  /** Ends the fault, once its recovery is measured. */
  repair?(): void
  /** Rejects unless work that the fault interrupted was finished. */
  finished?(): Promise<void>
}

export interface ClusterFault {
  name: string
  /** Seconds. */
  within: number
  /** The fault is over when it has struck, and recovery is counted from then on. */
  isBrief?: boolean
  /** Finds the target and breaks nothing, so that it may be repeated. */
  prepare(cluster: Cluster, actor: Actor): Promise<Blow> | Blow
}

const powerOff = (machine: Machine): Blow => ({ strike: () => machine.powerOff(), repair: () => machine.powerOn() })
const cut = (machine: Machine): Blow => ({ strike: () => machine.cut(), repair: () => machine.rejoin() })
const freeze = (machine: Machine): Blow => ({ strike: () => machine.freeze(), repair: () => machine.thaw() })
const kill = (machine: Machine, program: string, signal?: NodeJS.Signals): Blow => ({
  strike: () => machine.kill(program, signal),
})

const CUT_MS = 4000

const cutBriefly = (machine: Machine): Blow => ({
  async strike() {
    machine.cut()
    await sleep(CUT_MS)
    machine.rejoin()
  },
})

const any = (machines: readonly Machine[], { random }: Actor): Machine => machines[random.below(machines.length)]!

/** Measures what the table measures while nothing is broken. */
export const CALM: ClusterFault = { name: 'no fault', within: NODE, prepare: () => ({ strike() {} }) }

export const FAULTS: readonly ClusterFault[] = [
  { name: 'loss of a service', within: NODE, prepare: ({ services }, actor) => powerOff(any(services, actor)) },
  {
    name: 'loss of a worker in mid-conversion',
    within: NODE,
    async prepare(cluster, actor) {
      const { worker, finished } = await convert(actor, cluster)
      return { ...powerOff(worker), finished }
    },
  },
  {
    name: "kill -9 of the primary's PostgreSQL",
    within: PRIMARY,
    async prepare({ databases, folder }) {
      const pid = postmasterOf(folder, await databases.primary())
      return { strike: () => void process.kill(pid, 'SIGKILL') }
    },
  },
  {
    name: 'kill -9 of the etcd leader',
    within: NODE,
    prepare: async ({ databases }) => kill(await databases.etcdLeader(), 'etcd'),
  },
  { name: 'kill -9 of the pooler', within: SINGLE, prepare: ({ pooler }) => kill(pooler, 'pgbouncer') },
  { name: 'kill -9 of HAProxy', within: SINGLE, prepare: ({ balancer }) => kill(balancer, 'haproxy') },
  {
    name: 'SIGSTOP of the primary',
    within: PRIMARY,
    prepare: async ({ databases }) => freeze(await databases.primary()),
  },
  { name: 'loss of a proxy', within: NODE, prepare: ({ proxies }, actor) => powerOff(any(proxies, actor)) },
  {
    name: 'network cut of the primary',
    within: PRIMARY,
    prepare: async ({ databases }) => cut(await databases.primary()),
  },
  { name: 'network cut of a service', within: NODE, prepare: ({ services }, actor) => cut(any(services, actor)) },
  {
    name: 'network cut of a worker in mid-conversion',
    within: NODE,
    async prepare(cluster, actor) {
      const { worker, finished } = await convert(actor, cluster)
      return { ...cut(worker), finished }
    },
  },
  {
    name: 'loss of the machine of the primary',
    within: PRIMARY,
    prepare: async ({ databases }) => powerOff(await databases.primary()),
  },
  { name: 'SIGSTOP of a service', within: NODE, prepare: ({ services }, actor) => freeze(any(services, actor)) },
  {
    name: 'network cut of the synchronous standby',
    within: PRIMARY,
    prepare: async ({ databases }) => cut(await standbyOf(await databases.primary(), databases.machines)),
  },
  {
    name: 'switchover of the primary',
    within: PRIMARY,
    async prepare({ databases }) {
      const primary = await databases.primary()
      return { strike: () => switchOver(primary) }
    },
  },
  { name: 'network cut of a proxy', within: NODE, prepare: ({ proxies }, actor) => cut(any(proxies, actor)) },
  {
    name: 'network cut of the pooler for 4 s',
    within: SINGLE,
    isBrief: true,
    prepare: ({ pooler }) => cutBriefly(pooler),
  },
  {
    // The store exists once, and on a busy machine its servers take longer to start than callers to be served again.
    name: 'kill -9 of the store until it is back',
    within: SINGLE,
    isBrief: true,
    prepare: ({ store }) => ({
      async strike() {
        await store.powerOff()
        store.powerOn()
        await untilAnswering(store)
      },
    }),
  },
  {
    name: 'network cut of the store for 4 s',
    within: SINGLE,
    isBrief: true,
    prepare: ({ store }) => cutBriefly(store),
  },
  {
    name: 'SIGTERM of a service',
    within: NODE,
    prepare: ({ services }, actor) => kill(any(services, actor), 'service', 'SIGTERM'),
  },
]
