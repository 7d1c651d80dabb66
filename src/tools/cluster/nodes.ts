import { randomBytes } from 'node:crypto'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../sources.ts'
import { PORTS } from './balancers.ts'
import type { Machine, Program } from './machines.ts'

const READY_WITHIN = 120_000
const METRICS_PORT = 9464
const STREAK = 10
const hex = (bytes: number) => randomBytes(bytes).toString('hex')

export type Credentials = ReturnType<typeof createCredentials>
export const createCredentials = () => ({
  apiKey: hex(20),
  apiSecret: hex(32),
  adminToken: hex(20),
  masterKey: hex(32),
})

interface Facts {
  folder: string
  publicUrl: string
  apiUrl: string
  range: string
  credentials: Credentials
  /** DATABASE_URL, BLOB_URL and what else leads to the database and the content. */
  storage: NodeJS.ProcessEnv
}

export interface Nodes {
  services: Machine[]
  workers: Machine[]
  proxies: Machine[]
}

/** Starts our programs, each on a machine and in a data folder of its own; only the folder of outgoing mails is shared. */
export async function startNodes({ services, workers, proxies }: Nodes, facts: Facts): Promise<void> {
  await mkdir(join(facts.folder, 'outbox'))
  const dist = join(facts.folder, 'dist')
  await mkdir(dist)
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>Strongroom</title>')
  const service = serviceEnvironment(facts)
  const proxy = proxyEnvironment(facts, services)
  for (const machine of services) machine.start(await program('service', 'service/main.ts', machine, facts, service))
  for (const machine of workers) {
    const worker = { ...service, METRICS_PORT: String(METRICS_PORT), METRICS_HOST: machine.address }
    machine.start(await program('worker', 'service/worker.ts', machine, facts, worker))
  }
  for (const machine of proxies) machine.start(await program('proxy', 'proxy/main.ts', machine, facts, proxy))
  // The balancer may know the proxies before it knows the services.
  await untilReady(`${facts.publicUrl}/readyz`)
  await untilReady(`${facts.apiUrl}/readyz`)
}

/** Where each node says that it works. */
export const probesOf = ({ services, workers, proxies }: Nodes): string[] => [
  ...services.map(({ address }) => `http://${address}:${PORTS.api}/readyz`),
  ...workers.map(({ address }) => `http://${address}:${METRICS_PORT}/healthz`),
  ...proxies.map(({ address }) => `http://${address}:${PORTS.web}/readyz`),
]

async function program(
  name: string,
  file: string,
  machine: Machine,
  { folder, range, publicUrl, credentials }: Facts,
  own: NodeJS.ProcessEnv,
): Promise<Program> {
  const dataDir = join(folder, machine.name)
  await mkdir(dataDir, { mode: 0o700 })
  await symlink(join(folder, 'outbox'), join(dataDir, 'outbox'))
  const env = {
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
    HOST: machine.address,
    DATA_DIR: dataDir,
    MASTER_KEY: credentials.masterKey,
    PUBLIC_URL: publicUrl,
    TRUSTED_PROXIES: range,
    ...own,
  }
  const command = [process.execPath, '--disable-proto=delete', join(ROOT, 'src', file)]
  return { name, command, env, contained: true }
}

const serviceEnvironment = ({ credentials, storage }: Facts) => ({
  ...storage,
  API_PORT: String(PORTS.api),
  RATE_LIMIT: 'off',
  AUTH_FAILURE_LIMIT: 'off',
  BOOTSTRAP_API_KEY: credentials.apiKey,
  BOOTSTRAP_API_SECRET: credentials.apiSecret,
  BOOTSTRAP_ADMIN_TOKEN: credentials.adminToken,
})

const proxyEnvironment = ({ credentials, folder }: Facts, services: readonly Machine[]) => ({
  PORT: String(PORTS.web),
  API_URL: services.map(({ address }) => `http://${address}:${PORTS.api}`).join(','),
  API_KEY: credentials.apiKey,
  API_SECRET: credentials.apiSecret,
  ADMIN_TOKEN: credentials.adminToken,
  DIST_DIR: join(folder, 'dist'),
})

/** Waits for several good answers in a row: the balancer asks each node at other moments. */
async function untilReady(url: string): Promise<void> {
  let streak = 0
  for (const end = Date.now() + READY_WITHIN; Date.now() < end; await sleep(200)) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    streak = response?.ok ? streak + 1 : 0
    if (streak === STREAK) return
  }
  throw new Error(`${url} was not ready within ${READY_WITHIN / 1000} s`)
}
