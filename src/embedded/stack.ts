import { type Child, startChild } from './children.ts'
import type { Config } from './config.ts'
import { openCredentials } from './credentials.ts'
import { DIST, ensureDashboard } from './dashboard.ts'
import { startDevServer } from './dev-server.ts'
import { DEMO_PEOPLE, ensureDemo, isDemo, isFilled, prepareDemo } from './demo.ts'
import { COMPILED, environments } from './environments.ts'
import { lockDataDir } from './lock.ts'
import { startPostgres } from './postgres.ts'
import { awaitTurn, freePort, requireFree, type Turn } from './ports.ts'
import { serveTogether } from '../wire/metrics/aggregate.ts'
import { processesFor, startServiceProcesses } from './service/processes.ts'

export interface StackOptions {
  /** Serves the dashboard from its sources, and restarts programs when their sources change. */
  dev: boolean
  log: (line: string) => void
  /** Aborted by Ctrl-C during the start. */
  signal: AbortSignal
}

export interface Stack {
  url: string
  greeting: string[]
  /** Stops everything in reverse order of the start. */
  stop(): Promise<void>
}

/** Starts everything on this machine and makes the demo where wanted. After a failure, nothing is left running. */
export async function startStack(config: Config, options: StackOptions): Promise<Stack> {
  const undo: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const each of undo.splice(0).toReversed()) await each()
  }
  try {
    const { demo } = await startAll(config, options, undo)
    return { url: config.publicUrl, greeting: greetingOf(config, demo), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startAll(config: Config, { dev, log, signal }: StackOptions, undo: (() => Promise<void> | void)[]) {
  const ports = meanwhile(takePorts(config, log))
  undo.push(async () => (await ports.catch(() => undefined))?.end())
  const database = await openDatabase(config, log)
  undo.push(() => database.stop())
  const turn = await ports
  const credentials = await openCredentials(config.dataDir, config.given)
  const demo = await isDemo(config.dataDir, config.demo)
  signal.throwIfAborted()
  const dashboard = dev ? undefined : meanwhile(ensureDashboard(log, signal))
  undo.push(async () => dashboard?.catch(() => undefined))
  const filling =
    demo && !(await isFilled(config.dataDir))
      ? prepareDemo({ NODE_COMPILE_CACHE: COMPILED, ...config.inherited })
      : undefined
  undo.push(() => void filling?.kill())

  const proxyPort = dev ? await freePort() : config.port
  const env = environments(config, {
    ...credentials,
    databaseUrl: database.databaseUrl,
    proxyPort,
    distDir: DIST,
    demo,
  })
  const started = (start: () => Child) => {
    signal.throwIfAborted()
    const child = start()
    children.push(child)
    undo.push(() => child.stop())
    return child
  }
  const children: Child[] = []
  const range = processesFor(config.serviceProcesses)
  const service = started(() => startServiceProcesses({ range, env: env.service, log }))
  const proxy = started(() => startChild({ name: 'proxy', file: 'proxy/main.ts', env: env.proxy, log }))
  const startWorker = () =>
    started(() => startChild({ name: 'worker', file: 'service/worker.ts', env: env.service, log }))
  // The worker of a new demo starts last: drawing pages earlier would delay the first sign-in.
  const early = filling ? undefined : startWorker()
  await service.untilReady(`${env.apiUrl}/readyz`, signal)
  await proxy.untilReady(`${env.proxyUrl}/readyz`, signal)
  if (!dev) turn.end()
  if (filling) {
    const { databaseUrl } = database
    const { dataDir } = config
    await ensureDemo(filling, { apiUrl: env.apiUrl, databaseUrl, ...credentials, dataDir, log, signal }).catch(
      (error) => {
        signal.throwIfAborted()
        log(`${(error as Error).message} The next start tries again.`)
      },
    )
  }
  const worker = early ?? startWorker()
  if (config.metricsAt) await serveTogether(config.metricsAt, () => metricsOf(children))
  await dashboard
  if (dev) {
    const { port, host } = config
    const server = await startDevServer({ port, host, proxyUrl: env.proxyUrl, service, worker, proxy })
    undo.push(() => server.close())
    turn.end()
  }
  return { demo }
}

async function takePorts({ port, apiPort, host }: Config, log: (line: string) => void): Promise<Turn> {
  const ports = [port, apiPort]
  const turn = await awaitTurn(ports, log)
  try {
    await Promise.all(ports.map((each) => requireFree(each, host, log)))
    return turn
  } catch (error) {
    turn.end()
    throw error
  }
}

async function metricsOf(children: readonly Child[]): Promise<unknown[]> {
  return (await Promise.all(children.map((child) => child.metrics()))).flat()
}

function meanwhile<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

async function openDatabase({ databaseUrl, dataDir }: Config, log: (line: string) => void) {
  if (databaseUrl === undefined) return startPostgres({ dataDir, log })
  const lock = await lockDataDir(dataDir)
  return { databaseUrl, stop: async () => lock.release() }
}

function greetingOf({ publicUrl, adminEmail, smtpUrl, dataDir }: Config, demo: boolean): string[] {
  const people = DEMO_PEOPLE.map(
    ({ email, first_name, last_name, role }) => `  ${`${first_name} ${last_name}`.padEnd(16)} ${role}, ${email}`,
  )
  const codes = smtpUrl ? 'a code comes by e-mail' : `the mail with the code is put into ${dataDir}/outbox`
  return [
    '',
    `Strongroom is ready: ${publicUrl}`,
    ...(demo ? ['Sign in with one click as', ...people] : [`Sign in as ${adminEmail}; ${codes}.`]),
    'Stop it with Ctrl-C.',
  ]
}
