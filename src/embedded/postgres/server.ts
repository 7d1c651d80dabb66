import { spawn } from 'node:child_process'
import { copyFile, open, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type Account, identity } from './account.ts'
import { ENVIRONMENT } from './binaries.ts'
import { forgetDeadPostmaster, isAlive } from './postmaster.ts'
import { argumentsFor, connectionString, DATABASE } from './settings.ts'

/** Milliseconds. Crash recovery after a power cut may take long. */
const READY_WITHIN = 120_000
const STOP_WITHIN = 20_000
const LOG_KEPT = 10 * 1024 ** 2

/** A running server that we started or adopted. */
export interface Server {
  pid: number
  socketDir: string
}

export interface Launch {
  native: string
  clusterDir: string
  socketDir: string
  logFile: string
  account: Account
  durable: boolean
  /** The major version of the programs, if it is not that of this release. */
  major?: string
}

/** Starts a server and waits until it answers. @throws Error with the last lines of its log */
export async function launch(options: Launch): Promise<Server> {
  // After the first process of a server is killed, its other processes need a moment to end.
  for (let attempt = 0; ; attempt++) {
    const server = await attemptLaunch(options)
    if (server) return server
    const reason = await lastLines(options.logFile)
    if (attempt === 20 || !/shared memory block|still in use/.test(reason)) {
      throw new Error(`PostgreSQL did not start. The end of ${options.logFile}:\n${reason}`)
    }
    await sleep(500)
  }
}

async function attemptLaunch({ native, clusterDir, socketDir, logFile, account, durable, major }: Launch) {
  await forgetDeadPostmaster(clusterDir, socketDir)
  const log = await openLog(logFile)
  const child = spawn(join(native, 'bin/postgres'), argumentsFor(clusterDir, socketDir, durable, major), {
    ...identity(account),
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['ignore', log.fd, log.fd],
    // A session of its own: Ctrl-C in the terminal must not stop the server before its clients.
    detached: true,
  })
  const failed = new Promise<false>((resolve) => {
    child.once('exit', () => resolve(false))
    child.once('error', () => resolve(false))
  })
  child.unref()
  await log.close()
  const { pid } = child
  if (pid === undefined || !(await Promise.race([failed, untilReady(socketDir, () => child.exitCode === null)])))
    return undefined
  return { pid, socketDir }
}

/** Opens the log for the server, which may outlive us. */
async function openLog(file: string) {
  await trimLog(file)
  return open(file, 'a', 0o600)
}

/** Truncates a large log and keeps one old copy. The server keeps its open file, because it only appends. */
export async function trimLog(file: string): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size <= LOG_KEPT) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}

const lastLines = async (file: string) => (await readFile(file, 'utf8')).trim().split('\n').slice(-5).join('\n')

/** Waits until the server answers, ends, or 120 seconds pass. Creates our database the first time. */
export async function untilReady(socketDir: string, runs: () => boolean): Promise<boolean> {
  for (const end = Date.now() + READY_WITHIN; Date.now() < end && runs(); await sleep(25)) {
    if (await answers(socketDir)) return true
  }
  return false
}

async function answers(socketDir: string): Promise<boolean> {
  const client = new Client({ connectionString: connectionString(socketDir, 'postgres') })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

const ANSWER_WITHIN = 5000

/** Whether connecting or a query gets no answer for 5 seconds. */
export async function isSilent(socketDir: string): Promise<boolean> {
  const client = new Client({
    connectionString: connectionString(socketDir, 'postgres'),
    connectionTimeoutMillis: ANSWER_WITHIN,
    query_timeout: ANSWER_WITHIN,
  })
  client.on('error', () => {})
  const begun = performance.now()
  try {
    await client.connect()
    await client.query('select')
    return false
  } catch {
    return performance.now() - begun >= ANSWER_WITHIN
  } finally {
    client.end().catch(() => {})
  }
}

const CANNOT_CONNECT_NOW = '57P03'

/** Whether the server reports that it is starting or recovering. */
export async function isStarting(socketDir: string): Promise<boolean> {
  const client = new Client({
    connectionString: connectionString(socketDir, 'postgres'),
    connectionTimeoutMillis: ANSWER_WITHIN,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return false
  } catch (error) {
    return (error as { code?: unknown }).code === CANNOT_CONNECT_NOW
  } finally {
    client.end().catch(() => {})
  }
}

/** Fast shutdown: rolls back open transactions and loses nothing committed. If it hangs, the next start recovers. */
export async function stop({ pid }: Server): Promise<void> {
  if (await ends(pid, 'SIGINT', STOP_WITHIN)) return
  if (await ends(pid, 'SIGQUIT', 5000)) return
  await ends(pid, 'SIGKILL', 5000)
}

async function ends(pid: number, signal: NodeJS.Signals, within: number): Promise<boolean> {
  try {
    process.kill(pid, signal)
  } catch {
    return true
  }
  for (const end = Date.now() + within; Date.now() < end; await sleep(20)) {
    if (!isAlive(pid)) return true
  }
  return false
}
