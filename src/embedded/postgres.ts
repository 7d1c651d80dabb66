import { existsSync } from 'node:fs'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockDataDir } from './lock.ts'
import { accountFor, openParents } from './postgres/account.ts'
import { binariesFor } from './postgres/binaries.ts'
import { prepareCluster } from './postgres/cluster.ts'
import { findPostmaster, isAlive } from './postgres/postmaster.ts'
import { isSilent, isStarting, launch, type Launch, type Server, stop, trimLog, untilReady } from './postgres/server.ts'
import { connectionString, DATABASE } from './postgres/settings.ts'
import { finishSwap } from './upgrade/swap.ts'
import { socketFolder, socketName } from './postgres/socket-folder.ts'

export interface PostgresOptions {
  dataDir: string
  /** Tests only: `false` trades safety on power cuts for speed. */
  durable?: boolean
  log?: (line: string) => void
}

export interface Postgres {
  databaseUrl: string
  stop(): Promise<void>
}

const WATCH_EVERY = 500
const PAUSE_AFTER_FAILURE = 1000
/**
 * Milliseconds between two health queries, and how many in a row may time out. Together about 30 seconds, so that a
 * busy disk or machine does not cause a crash recovery. Each query costs a new process of PostgreSQL.
 */
const ASK_EVERY = 10_000
const UNANSWERED = 2
const TRIM_EVERY = 60_000

/**
 * Runs the bundled PostgreSQL on `dataDir/postgres`, reachable only over a Unix socket, and restarts it when it dies.
 * Adopts a server left by a killed process.
 * @throws Error in one sentence: data folder in use, of another version, of another user; no binaries for this machine
 */
export async function startPostgres({ dataDir, durable = true, log = () => {} }: PostgresOptions): Promise<Postgres> {
  await mkdir(dataDir, { recursive: true })
  const folder = await realpath(dataDir)
  const lock = await lockDataDir(folder)
  try {
    await finishSwap(folder)
    await requireRestored(folder)
    const { server, options } = await start(folder, durable, log)
    const watch = keepRunning(server, options, log)
    return {
      databaseUrl: connectionString(server.socketDir, DATABASE),
      async stop() {
        await watch.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Marks a data folder into which a backup is being restored; its database gets its name near the end. */
export const RESTORING = 'restoring'

async function requireRestored(folder: string): Promise<void> {
  if (!existsSync(join(folder, RESTORING))) return
  if (!existsSync(join(folder, 'postgres')))
    throw new Error(`The restore into ${folder} was interrupted. Run it again, or choose another DATA_DIR.`)
  await rm(join(folder, RESTORING))
}

async function start(folder: string, durable: boolean, log: (line: string) => void) {
  const clusterDir = join(folder, 'postgres')
  const logs = join(folder, 'logs')
  await mkdir(logs, { recursive: true, mode: 0o700 })
  const account = await accountFor(clusterDir)
  await openParents(folder, account, log)
  const native = await binariesFor(account, folder)
  await prepareCluster(clusterDir, native, account, durable)
  const socketDir = await socketFolder(folder, account)
  const options: Launch = { native, clusterDir, socketDir, logFile: join(logs, 'postgres.log'), account, durable }
  const server = (await adopt(clusterDir, log)) ?? (await launch(options))
  return { server, options: { ...options, socketDir: server.socketDir } }
}

/** @param isWanted ends the wait for a recovering server once it returns false; the server is then stopped */
async function adopt(
  clusterDir: string,
  log: (line: string) => void,
  isWanted = () => true,
): Promise<Server | undefined> {
  const found = await findPostmaster(clusterDir)
  if (!found) return undefined
  // The server rereads who may connect: we may be another system user than its starter.
  process.kill(found.pid, 'SIGHUP')
  const runs = () => isAlive(found.pid) && isWanted()
  const isReachable = () => existsSync(join(found.socketDir, socketName))
  const silence = endSilent(() => found, log)
  try {
    do {
      if (isReachable() && (await untilReady(found.socketDir, runs))) {
        log(`Continuing with the PostgreSQL that is already running (process ${found.pid}).`)
        return found
      }
    } while (isReachable() && runs() && (await isStarting(found.socketDir)))
  } finally {
    silence.stop()
  }
  await stop(found)
  return undefined
}

/**
 * Kills the current server if it is stopped or starved: it accepts connections but never answers. A recovering server
 * answers.
 */
function endSilent(current: () => Server | undefined, log: (line: string) => void) {
  let asked: Server | undefined
  let unanswered = 0
  let stopped = false
  let asking: Promise<void> | undefined
  const timer = setInterval(() => (asking ??= ask().finally(() => (asking = undefined))), ASK_EVERY)
  timer.unref()

  async function ask() {
    const server = current()
    if (server !== asked) unanswered = 0
    asked = server
    if (!server) return
    unanswered = (await isSilent(server.socketDir)) ? unanswered + 1 : 0
    if (unanswered < UNANSWERED || stopped || server !== current() || !isAlive(server.pid)) return
    log('PostgreSQL hangs; ending it.')
    process.kill(server.pid, 'SIGKILL')
  }

  return {
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}

function keepRunning(first: Server, options: Launch, log: (line: string) => void) {
  let server = first
  let stopped = false
  let restarting: Promise<void> | undefined
  const timer = setInterval(() => {
    if (!restarting && !isAlive(server.pid)) restarting = restart().finally(() => (restarting = undefined))
  }, WATCH_EVERY)
  const trimming = setInterval(() => void trimLog(options.logFile), TRIM_EVERY)
  const silence = endSilent(() => (restarting || stopped ? undefined : server), log)
  timer.unref()
  trimming.unref()

  async function restart() {
    if (stopped) return
    log('PostgreSQL ended unexpectedly; starting it again.')
    try {
      // A server whose recovery outlasts a launch still runs.
      const adopted = await adopt(options.clusterDir, log, () => !stopped)
      if (stopped) {
        if (adopted) server = adopted
        return
      }
      server = adopted ?? (await launch(options))
    } catch (error) {
      log((error as Error).message)
      await sleep(PAUSE_AFTER_FAILURE)
    }
  }

  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      silence.stop()
      clearInterval(trimming)
      await restarting
      await stop(server)
    },
  }
}
