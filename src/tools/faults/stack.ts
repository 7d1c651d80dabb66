import { freePort } from '../../service/testing/free-port.ts'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ensureInstalled } from '../../service/testing/system-packages.ts'
import { ROOT } from '../sources.ts'

export type Part = 'service' | 'worker' | 'proxy' | 'database' | 'supervisor'

/** A running product that people use, on one machine or many. */
export interface Product {
  url: string
  apiUrl: string
  /** Its folder `outbox` has the mails. */
  dataDir: string
  credentials: { apiKey: string; apiSecret: string; adminToken: string }
  /** Called with the milliseconds of each call. */
  observe?: (ms: number) => void
  /** Called with the reason of each failed call. */
  noteFailure?: (error: unknown) => void
}

export interface FaultyStack extends Product {
  /** Bytes of the file system mounted for the data folder; undefined where it could not be mounted. */
  capacity: number | undefined
  databaseUrl(): string
  /** Offsets the clocks of service, worker and proxy by some seconds; undefined where faketime is not available. */
  stepClock: ((seconds: number) => void) | undefined
  pidOf(part: Part): number | undefined
  /** Starts the product again after its supervisor was killed. */
  startAgain(): Promise<void>
  /** Stops everything. @returns the processes that still run */
  stop(): Promise<string[]>
  remove(): Promise<void>
}

export async function queryOf<Row extends pg.QueryResultRow>(
  { databaseUrl }: FaultyStack,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  // An earlier fault may end the connection.
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

const START_WITHIN = 180_000

/** A path in the command line that identifies each part. */
const PROGRAMS: Record<Exclude<Part, 'database' | 'supervisor'>, string> = {
  service: '/src/service/main.ts',
  worker: '/src/service/worker.ts',
  proxy: '/src/proxy/main.ts',
}

/**
 * Starts the product as `npm start` does, in a data folder of its own.
 * @param hasClock gives service, worker and proxy a settable clock, where the machine allows it
 * @param diskBytes gives the data folder a file system of this size, where the machine allows it
 */
export async function startStack(
  env: NodeJS.ProcessEnv = {},
  { hasClock = false, diskBytes }: { hasClock?: boolean; diskBytes?: number } = {},
): Promise<FaultyStack> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'strongroom-faults-')))
  const mount = ['-t', 'tmpfs', '-o', `size=${diskBytes},mode=0711`, 'tmpfs', folder]
  const isMounted = diskBytes !== undefined && process.getuid?.() === 0 && spawnSync('mount', mount).status === 0
  const dataDir = join(folder, 'data')
  const [port, apiPort] = [await freePort(), await freePort()]
  let supervisor: ChildProcess

  const clock = hasClock ? await prepareClock(folder) : undefined

  const start = async () => {
    supervisor = spawn(process.execPath, [...(clock?.args ?? []), join(ROOT, 'src/embedded/start.ts')], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        // The same cache as the bootstrap sets.
        NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
        HOME: process.env['HOME'],
        PORT: String(port),
        API_PORT: String(apiPort),
        DATA_DIR: dataDir,
        DEMO: 'off',
        RATE_LIMIT: 'off',
        AUTH_FAILURE_LIMIT: 'off',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    await untilReady(supervisor)
  }
  await start()
  const pidOf = (part: Part): number | undefined => {
    if (part === 'supervisor') return supervisor.pid
    if (part === 'database') return postmasterOf(dataDir)
    return processesWith(dataDir).find(({ command }) => command.includes(PROGRAMS[part]))?.pid
  }
  return {
    url: `http://localhost:${port}`,
    apiUrl: `http://127.0.0.1:${apiPort}`,
    dataDir,
    capacity: isMounted ? diskBytes : undefined,
    credentials: JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')),
    databaseUrl: () => databaseUrlOf(pidOf('service')),
    pidOf,
    stepClock: clock?.step,
    startAgain: start,
    async stop() {
      if (supervisor.exitCode === null && supervisor.signalCode === null) {
        supervisor.kill('SIGTERM')
        await once(supervisor, 'exit')
      }
      const left = () => processesWith(dataDir).map(({ pid, command }) => `${pid} ${command}`)
      for (let waited = 0; waited < 8000 && left().length > 0; waited += 200) await sleep(200)
      return left()
    },
    async remove() {
      for (const { pid } of processesWith(dataDir)) process.kill(pid, 'SIGKILL')
      if (isMounted) spawnSync('umount', ['-l', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(supervisor: ChildProcess): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Strongroom did not start in time:\n${said}`)), START_WITHIN)
    supervisor.once('exit', () => reject(new Error(`Strongroom ended:\n${said}`)))
    for (const output of [supervisor.stdout, supervisor.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-10_000)
        if (!said.includes('Strongroom is ready')) return
        clearTimeout(timer)
        resolve()
      })
    }
  })
}

/** Finds the processes of this stack: their environment or command line names the data folder. */
function processesWith(dataDir: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => ({ pid: Number(name), command: read(name, 'cmdline'), environment: read(name, 'environ') }))
    .filter(({ command, environment }) => `${command} ${environment} `.includes(dataDir))
    .filter(({ pid }) => !isZombie(pid))
}

const isZombie = (pid: number) => / Z /.test(read(String(pid), 'stat').replace(/\(.*\)/s, ''))

function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function postmasterOf(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres/postmaster.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  return read(String(pid), 'cmdline').includes(dataDir) ? pid : undefined
}

function databaseUrlOf(servicePid: number | undefined): string {
  const environment = readFileSync(`/proc/${servicePid}/environ`, 'utf8').split('\0')
  return environment.find((entry) => entry.startsWith('DATABASE_URL='))?.slice('DATABASE_URL='.length) ?? ''
}

/**
 * Makes the supervisor start its children through a launcher that loads libfaketime: their environment has only
 * permitted variables, so it cannot pass the library. Timers still use the true, monotonic clock.
 */
async function prepareClock(folder: string) {
  if (!(await ensureInstalled('faketime'))) return undefined
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (!library) return undefined
  const [launcher, offset] = [join(folder, 'node'), join(folder, 'clock-offset')]
  const variables = [`FAKETIME_TIMESTAMP_FILE=${offset}`, 'FAKETIME_CACHE_DURATION=1', 'FAKETIME_DONT_FAKE_MONOTONIC=1']
  const command = `env LD_PRELOAD=${library} ${variables.join(' ')} ${process.execPath} "$@"`
  await writeFile(launcher, `#!/bin/sh\nexec ${command}\n`, { mode: 0o755 })
  const step = (seconds: number) => writeFileSync(offset, `${seconds < 0 ? '' : '+'}${seconds}`)
  step(0)
  const hook = `data:text/javascript,process.execPath=${encodeURIComponent(JSON.stringify(launcher))}`
  return { args: ['--import', hook], step }
}
