import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '../faults/stack.ts'
import { PORTS, startBalancer, startPooler } from './balancers.ts'
import { type Databases, startDatabases } from './databases.ts'
import { createNetwork, type Machine, type Network } from './machines.ts'
import { createCredentials, type Nodes, probesOf, startNodes } from './nodes.ts'
import { startStore } from './store.ts'

export interface Cluster extends Nodes {
  folder: string
  product: Product
  databases: Databases
  balancer: Machine
  pooler: Machine
  store: Machine
  /** Waits until every node and every database is back. */
  untilWhole(): Promise<void>
}

const WHOLE_WITHIN = 90_000

/** A place for a cluster of network namespaces on this machine. `remove` works while `start` still runs. */
export async function openCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-cluster-'))
  // PostgreSQL runs as another user.
  await chmod(folder, 0o711)
  await mkdir(join(folder, 'logs'))
  const network = createNetwork(join(folder, 'logs'))
  const remove = async (keepsFolder: boolean) => {
    try {
      await network.remove()
    } finally {
      if (!keepsFolder) await rm(folder, { recursive: true, force: true })
    }
  }
  let removal: Promise<void> | undefined
  return {
    folder,
    start: (log: (line: string) => void): Promise<Cluster> => start(network, folder, log),
    /** @param keepsFolder leaves the logs and the data */
    remove: (keepsFolder = false): Promise<void> => (removal ??= remove(keepsFolder)),
  }
}

async function start(network: Network, folder: string, log: (line: string) => void): Promise<Cluster> {
  const machines = (...names: string[]) => names.map((name) => network.machine(name))
  const [balancer, pooler, store] = machines('balancer', 'pooler', 'store') as [Machine, Machine, Machine]
  const nodes = {
    services: machines('service1', 'service2', 'service3'),
    workers: machines('worker1', 'worker2'),
    proxies: machines('proxy1', 'proxy2'),
  }
  log('Starting three PostgreSQL under Patroni, with etcd, and OpenStack Swift.')
  const databases = await startDatabases(network, folder)
  await startBalancer(balancer, folder, { ...nodes, databases: databases.machines })
  const storage = {
    DATABASE_URL: await startPooler(pooler, folder, balancer),
    DATABASE_DIRECT_URL: `postgresql://strongroom@${balancer.address}:${PORTS.primary}/strongroom`,
    DATABASE_REPLICA_URL: `postgresql://strongroom@${balancer.address}:${PORTS.replicas}/strongroom`,
    ...(await startStore(store, folder)),
  }
  log('Starting three services, two workers and two proxies.')
  const credentials = createCredentials()
  const product: Product = {
    url: `http://${balancer.address}:${PORTS.web}`,
    apiUrl: `http://${balancer.address}:${PORTS.api}`,
    dataDir: folder,
    credentials,
  }
  const { url: publicUrl, apiUrl } = product
  await startNodes(nodes, { folder, publicUrl, apiUrl, range: network.range, credentials, storage })
  return {
    ...nodes,
    folder,
    product,
    databases,
    balancer,
    pooler,
    store,
    untilWhole: () => untilWhole(nodes, databases),
  }
}

async function untilWhole(nodes: Nodes, databases: Databases): Promise<void> {
  await databases.untilWhole()
  const isReady = (url: string) =>
    fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const end = Date.now() + WHOLE_WITHIN; Date.now() < end; await sleep(250))
    if ((await Promise.all(probesOf(nodes).map(isReady))).every(Boolean)) return
  throw new Error(`a node did not return within ${WHOLE_WITHIN / 1000} s`)
}
