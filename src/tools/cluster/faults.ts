import { setTimeout as sleep } from 'node:timers/promises'
import { processTable } from '../../service/base/process-name.ts'
import type { Actor } from '../faults/acts.ts'
import type { Cluster } from './cluster.ts'
import { postmasterOf, standbyOf, switchOver } from './databases.ts'
import { convert } from './in-flight.ts'
import type { Machine } from './machines.ts'

/** Seconds within which callers must be served again after the loss of a node of several, and of the primary. */
const NODE = 5
const PRIMARY = 30
/** Parts that exist once are lost until they are started again, which takes a second. */
const SINGLE = 10

export interface Struck {
  /** Ends the fault, once its recovery is measured. */
  repair?(): Promise<void> | void
  /** Rejects unless work that the fault interrupted was finished. */
  finished?(): Promise<void>
}

export interface ClusterFault {
  name: string
  /** Seconds. */
  within: number
  /** The fault is over when this resolves, and recovery is counted from then on. */
  isBrief?: boolean
  strike(cluster: Cluster, actor: Actor): Promise<Struck | void>
}

const powerOff = async (machine: Machine): Promise<Struck> => {
  await machine.powerOff()
  return { repair: () => machine.powerOn() }
}

function cut(machine: Machine): Struck {
  machine.cut()
  return { repair: () => machine.rejoin() }
}

function freeze(machine: Machine): Struck {
  machine.freeze()
  return { repair: () => machine.thaw() }
}

const any = (machines: readonly Machine[], { random }: Actor): Machine => machines[random.below(machines.length)]!

/** Uploads a document and finds the worker that converts it. */
async function convertingWorker({ workers, databases }: Cluster, actor: Actor) {
  const { worker, finished } = await convert(actor, databases)
  const machine = workers.find((each) => worker.startsWith(processTable(each.pidOf('worker') ?? 0)))
  if (!machine) throw new Error(`no worker is ${worker}`)
  return { machine, finished }
}

const CUT_MS = 4000
/** The store exists once, and its servers take seconds to start. */
const STORE = 30

export const FAULTS: readonly ClusterFault[] = [
  { name: 'loss of a service', within: NODE, strike: ({ services }, actor) => powerOff(any(services, actor)) },
  {
    name: 'loss of a worker in mid-conversion',
    within: NODE,
    async strike(cluster, actor) {
      const { machine, finished } = await convertingWorker(cluster, actor)
      return { ...(await powerOff(machine)), finished }
    },
  },
  {
    name: "kill -9 of the primary's PostgreSQL",
    within: PRIMARY,
    strike: async ({ databases, folder }) => kill(postmasterOf(folder, await databases.primary())),
  },
  {
    name: 'kill -9 of the etcd leader',
    within: NODE,
    strike: async ({ databases }) => (await databases.etcdLeader()).kill('etcd'),
  },
  { name: 'kill -9 of the pooler', within: SINGLE, strike: async ({ pooler }) => pooler.kill('pgbouncer') },
  { name: 'kill -9 of HAProxy', within: SINGLE, strike: async ({ balancer }) => balancer.kill('haproxy') },
  {
    name: 'SIGSTOP of the primary',
    within: PRIMARY,
    strike: async ({ databases }) => freeze(await databases.primary()),
  },
  { name: 'loss of a proxy', within: NODE, strike: ({ proxies }, actor) => powerOff(any(proxies, actor)) },
  {
    name: 'network cut of the primary',
    within: PRIMARY,
    strike: async ({ databases }) => cut(await databases.primary()),
  },
  { name: 'network cut of a service', within: NODE, strike: async ({ services }, actor) => cut(any(services, actor)) },
  {
    name: 'network cut of a worker in mid-conversion',
    within: NODE,
    async strike(cluster, actor) {
      const { machine, finished } = await convertingWorker(cluster, actor)
      return { ...cut(machine), finished }
    },
  },
  {
    name: 'loss of the machine of the primary',
    within: PRIMARY,
    strike: async ({ databases }) => powerOff(await databases.primary()),
  },
  { name: 'SIGSTOP of a service', within: NODE, strike: async ({ services }, actor) => freeze(any(services, actor)) },
  {
    name: 'network cut of the synchronous standby',
    within: PRIMARY,
    strike: async ({ databases }) => cut(await standbyOf(await databases.primary(), databases.machines)),
  },
  {
    name: 'switchover of the primary',
    within: PRIMARY,
    strike: async ({ databases }) => switchOver(await databases.primary()),
  },
  { name: 'network cut of a proxy', within: NODE, strike: async ({ proxies }, actor) => cut(any(proxies, actor)) },
  {
    name: 'network cut of the pooler for 4 s',
    within: SINGLE,
    isBrief: true,
    async strike({ pooler }) {
      pooler.cut()
      await sleep(CUT_MS)
      pooler.rejoin()
    },
  },
  {
    name: 'kill -9 of the store',
    within: STORE,
    async strike({ store }) {
      await store.powerOff()
      store.powerOn()
    },
  },
  {
    name: 'network cut of the store for 4 s',
    within: SINGLE,
    isBrief: true,
    async strike({ store }) {
      store.cut()
      await sleep(CUT_MS)
      store.rejoin()
    },
  },
  {
    name: 'SIGTERM of a service',
    within: NODE,
    strike: async ({ services }, actor) => any(services, actor).kill('service', 'SIGTERM'),
  },
]

function kill(pid: number): void {
  process.kill(pid, 'SIGKILL')
}
