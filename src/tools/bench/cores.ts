import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { freePort } from '../../embedded/ports.ts'
import { startPostgres } from '../../embedded/postgres.ts'
import { ROOT } from '../sources.ts'
import { type Caller, createCaller } from './caller.ts'
import { median, rate } from './measure.ts'
import { openPlaces, works } from './price/works.ts'
import { readBelow } from './processes.ts'

// `npm run bench:cores` compares the reads of one process on one core with those of two processes on two. PostgreSQL and
// the caller share the same cores. Linux only.

const READS = works.filter(({ name }) => /^users|activities|again|unchanged|grid/.test(name))
const ROUNDS = 5
/** Enough connections that the kernel spreads them evenly over the processes. */
const LANES = 64
/** Operations until V8 has compiled what they run, and PostgreSQL keeps its plans, in each process. */
const WARM_UP = 600

const hex = (bytes: number) => randomBytes(bytes).toString('hex')
const keys = { apiKey: hex(20), apiSecret: hex(32), adminToken: hex(20), masterKey: hex(32) }

await using ends = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'strongroom-cores-'))
ends.defer(() => rm(folder, { recursive: true, force: true }))
const postgres = await startPostgres({ dataDir: folder })
ends.defer(() => postgres.stop())
console.log('services …')
const one = await startService(1)
const two = await startService(2)
const places = await openPlaces(one, postgres.databaseUrl)
ends.defer(() => places.close())

const rows = []
for (const { name, times, run } of READS) {
  const measure = async (caller: Caller, cores: string) => {
    await keepOn(cores)
    return rate(times * 2, LANES, () => run(caller, places))
  }
  for (const caller of [one, two]) await rate(WARM_UP, LANES, () => run(caller, places))
  console.log(`${name} …`)
  const rounds: { one: number; alone: number; two: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ one: await measure(one, '0'), two: await measure(two, '0,1'), alone: await measure(one, '0,1') })
  }
  const middle = (value: (round: (typeof rounds)[number]) => number) => Number(median(rounds.map(value)).toPrecision(3))
  rows.push({
    work: name,
    'one process on one core, per s': middle(({ one: rateOfOne }) => rateOfOne),
    'one process on two cores, per s': middle(({ alone }) => alone),
    'two processes on two cores, per s': middle(({ two: rateOfTwo }) => rateOfTwo),
    'two on two : one on one': middle((round) => round.two / round.one),
    'two on two : one on two': middle((round) => round.two / round.alone),
  })
}
console.table(rows)

/** Starts a service of as many processes, all on the database of this run. */
async function startService(processes: number): Promise<Caller> {
  const [port, files] = [await freePort(), join(folder, `service-${processes}`)]
  await mkdir(files)
  const child = spawn(process.execPath, [join(ROOT, 'src/embedded/service/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: postgres.databaseUrl,
      DATA_DIR: files,
      MASTER_KEY: keys.masterKey,
      API_PORT: String(port),
      SERVICE_PROCESSES: String(processes),
      RATE_LIMIT: 'off',
      BOOTSTRAP_API_KEY: keys.apiKey,
      BOOTSTRAP_API_SECRET: keys.apiSecret,
      BOOTSTRAP_ADMIN_TOKEN: keys.adminToken,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  ends.defer(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('http://')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  const caller = createCaller(`http://127.0.0.1:${port}`, keys, { 'x-api-omit-user-tokens': 'true' }, LANES)
  ends.defer(() => caller.close())
  return caller
}

/** Keeps this process and all below it on some cores, a list such as "0,1". */
async function keepOn(cores: string): Promise<void> {
  for (const pid of [process.pid, ...readBelow().keys()]) {
    // A process may have ended since.
    await promisify(execFile)('taskset', ['-a', '-p', '-c', cores, String(pid)]).catch(() => {})
  }
}
