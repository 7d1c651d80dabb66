import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startDatabaseRelay } from '../../../service/testing/database/database-relay.ts'
import { databaseNamed, runAsAdmin } from '../../../service/testing/database/postgres.ts'
import { nodeFlags, SERVICE_SEMI_SPACE } from '../../../embedded/children.ts'
import { ROOT } from '../../sources.ts'
import { type Caller, createCaller } from '../caller.ts'
import { median, rate } from '../measure.ts'
import { timeOfBackends, timeOfProcess } from './processor-time.ts'
import { openPlaces, type Places, type Work, works } from './works.ts'

/** Short turns of both programs, so that a busy machine and its caches are the same for both. */
const ROUNDS = 15
const TURNS_PER_WORK = 5
/** Operations of a kind, as a multiple of a round, until V8 has compiled what they run and PostgreSQL keeps its plans. */
const WARM_UP = 15

/** What one operation costs. */
interface Cost {
  /** Milliseconds of processor time. */
  node: number
  postgres: number
  /** Operations per second, one after the other. */
  rate: number
}

export interface Price {
  work: string
  ours: Cost & { statements: number; roundTrips: number }
  reference: Cost
  /** Ours divided by the reference: processor time of both programs together, and rate. */
  ratio: { processor: number; node: number; postgres: number; rate: number }
}

/**
 * Measures the processor time and the statements of requests, beside a reference that does the same work with one
 * statement to enter and one to change (reference-service.ts). Neither has a worker beside it.
 */
export async function measurePrices(serverUrl: string, folder: string, only?: RegExp): Promise<Price[]> {
  await runAsAdmin(serverUrl, 'create database price')
  const databaseUrl = databaseNamed(serverUrl, 'price')
  const keys = { apiKey: hex(20), apiSecret: hex(32), adminToken: hex(20), masterKey: hex(32) }
  await using ends = new AsyncDisposableStack()
  ends.defer(() => runAsAdmin(serverUrl, 'drop database price with (force)'))
  const start = async (script: string, database: string) => {
    const started = await startServer(script, { database, folder, keys })
    ends.defer(started.stop)
    const caller = createCaller(started.url, keys, { 'x-api-omit-user-tokens': 'true' })
    ends.defer(() => caller.close())
    return { ...started, caller }
  }
  const service = await start('src/service/main.ts', databaseUrl)
  const reference = await start('src/tools/bench/price/reference-service.ts', databaseUrl)
  const relay = await startDatabaseRelay(databaseUrl)
  ends.defer(() => relay.dispose())
  const metered = await start('src/service/main.ts', relay.url)
  const places = await openPlaces(service.caller, databaseUrl)
  ends.defer(() => places.close())
  const postmaster = Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

  const costOf = async (
    work: Work,
    { pid, caller }: { pid: number; caller: Caller },
    times = work.times,
  ): Promise<Cost> => {
    const before = { node: await timeOfProcess(pid), postgres: await timeOfBackends(postmaster) }
    const perSecond = await rate(times, 1, () => work.run(caller, places))
    const node = (await timeOfProcess(pid)) - before.node
    const postgres = (await timeOfBackends(postmaster)) - before.postgres
    // `rate` warms up before it counts.
    const done = times * 1.2
    return { node: node / done, postgres: postgres / done, rate: perSecond }
  }
  const prices: Price[] = []
  for (const work of works.filter(({ name }) => only?.test(name) ?? true)) {
    const rounds: [Cost, Cost][] = []
    for (const server of [service, reference]) await costOf(work, server, work.times * WARM_UP)
    const turn = work.times / TURNS_PER_WORK
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push([await costOf(work, service, turn), await costOf(work, reference, turn)])
    }
    const traffic = await trafficOf(work, metered.caller, places, relay.meter)
    prices.push(priceOf(work.name, rounds, traffic))
  }
  return prices
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

async function trafficOf(
  work: Work,
  caller: Caller,
  places: Places,
  meter: () => { statements: number; roundTrips: number },
) {
  for (let at = 0; at < 10; at++) await work.run(caller, places)
  const counted = []
  for (let at = 0; at < 5; at++) {
    meter()
    await work.run(caller, places)
    counted.push(meter())
  }
  return {
    statements: median(counted.map(({ statements }) => statements)),
    roundTrips: median(counted.map(({ roundTrips }) => roundTrips)),
  }
}

/** Medians: a checkpoint, the upkeep of a table or another program in one round says nothing about the work. */
function priceOf(work: string, rounds: [Cost, Cost][], traffic: { statements: number; roundTrips: number }): Price {
  const of = (side: 0 | 1): Cost => {
    const middle = (value: (cost: Cost) => number) => median(rounds.map((pair) => value(pair[side])))
    return {
      node: middle(({ node }) => node),
      postgres: middle(({ postgres }) => postgres),
      rate: middle(({ rate: perSecond }) => perSecond),
    }
  }
  const [ours, reference] = [of(0), of(1)]
  return {
    work,
    ours: { ...ours, ...traffic },
    reference,
    ratio: {
      processor: (ours.node + ours.postgres) / (reference.node + reference.postgres),
      node: ours.node / reference.node,
      postgres: ours.postgres / reference.postgres,
      rate: median(rounds.map(([one, other]) => one.rate / other.rate)),
    },
  }
}

interface Setting {
  database: string
  folder: string
  keys: { apiKey: string; apiSecret: string; adminToken: string; masterKey: string }
}

async function startServer(script: string, { database, folder, keys }: Setting) {
  const files = join(folder, `price-${hex(4)}`)
  await mkdir(files)
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: database,
    DATA_DIR: files,
    MASTER_KEY: keys.masterKey,
    API_PORT: '0',
    RATE_LIMIT: 'off',
    BOOTSTRAP_API_KEY: keys.apiKey,
    BOOTSTRAP_API_SECRET: keys.apiSecret,
    BOOTSTRAP_ADMIN_TOKEN: keys.adminToken,
    API_KEY: keys.apiKey,
    API_SECRET: keys.apiSecret,
    FOLDER: files,
  }
  const profile = process.env['PRICE_PROFILE']
  const profiling = profile && script.includes('main') ? ['--cpu-prof', '--cpu-prof-dir', profile] : []
  const child = spawn(process.execPath, [...nodeFlags(SERVICE_SEMI_SPACE), ...profiling, join(ROOT, script)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('service: ')) resolve(line.slice('service: '.length))
    })
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
  })
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

export function printPrices(prices: readonly Price[]): void {
  const shown = (value: number) => Number(value.toPrecision(3))
  console.table(
    prices.map(({ work, ours, reference, ratio }) => ({
      work,
      'node ms': shown(ours.node),
      'postgres ms': shown(ours.postgres),
      'reference node': shown(reference.node),
      'reference postgres': shown(reference.postgres),
      'processor, ratio': shown(ratio.processor),
      'per s': shown(ours.rate),
      'reference per s': shown(reference.rate),
      'rate, ratio': shown(ratio.rate),
      statements: ours.statements,
      'round trips': ours.roundTrips,
    })),
  )
}
