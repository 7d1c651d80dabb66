import { copyFile, mkdir, readdir, realpath, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { migrate, MIGRATIONS } from '../../service/db/migrate.ts'
import { bytes } from '../../service/doctor/finding.ts'
import { lockDataDir } from '../lock.ts'
import { type Account, accountFor, makePrivate, openParents } from '../postgres/account.ts'
import { binariesFor, MAJOR } from '../postgres/binaries.ts'
import { createCluster, majorIn, writeAccess } from '../postgres/cluster.ts'
import { findPostmaster } from '../postgres/postmaster.ts'
import { launch, type Server, stop } from '../postgres/server.ts'
import { connectionString, DATABASE } from '../postgres/settings.ts'
import { socketFolder } from '../postgres/socket-folder.ts'
import { copyTables, requireSameRows } from './copy-tables.ts'
import { oldBinaries } from './old-binaries.ts'
import { finishSwap, swap, UPGRADE } from './swap.ts'

interface Options {
  dataDir: string
  /** The folder with the programs of the old major version, if they are not found. */
  from?: string | undefined
  log: (line: string) => void
  signal: AbortSignal
  /** Examines the new database before it takes the place of the old one. @throws Error if it is not sound */
  verify(databaseUrl: string): Promise<void>
  now?: Date
}

export interface Upgraded {
  from: string
  /** The folder that keeps the old cluster. */
  kept: string
  rows: number
}

/**
 * Copies the database of a data folder into a cluster of this release's PostgreSQL, verifies the copy, and puts it in
 * place of the old one, which it keeps. Until then the old installation is as it was, whatever happens.
 * @returns undefined if there is nothing to do
 * @throws Error in one sentence
 */
export async function upgradeCluster(options: Options): Promise<Upgraded | undefined> {
  const dataDir = await realpath(options.dataDir).catch(() => options.dataDir)
  if ((await majorIn(join(dataDir, 'postgres'))) === undefined) await requireCluster(dataDir)
  const lock = await lockDataDir(dataDir)
  try {
    await finishSwap(dataDir)
    const major = await majorIn(join(dataDir, 'postgres'))
    if (major === MAJOR) return undefined
    if (major === undefined || Number(major) > Number(MAJOR)) {
      throw new Error(
        `The data is of PostgreSQL ${major}, and this release has PostgreSQL ${MAJOR}: a downgrade is not possible. ` +
          'Run the release that made the data, or a newer one.',
      )
    }
    return await upgradeFrom(major, { ...options, dataDir })
  } finally {
    lock.release()
  }
}

async function requireCluster(dataDir: string): Promise<void> {
  const isSwapping = await stat(join(dataDir, UPGRADE)).catch(() => undefined)
  if (!isSwapping) throw new Error(`There is no database in ${dataDir}. Name the data folder in DATA_DIR.`)
}

async function upgradeFrom(major: string, options: Options): Promise<Upgraded> {
  const { dataDir, now = new Date() } = options
  const rows = await makeUpgraded(major, options)
  const kept = `old-postgres-${major}-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  await swap(dataDir, kept)
  return { from: major, kept: join(dataDir, kept), rows }
}

/** Makes the new cluster, or leaves nothing. @returns rows */
async function makeUpgraded(major: string, options: Options): Promise<number> {
  const { dataDir, log, signal } = options
  const account = await accountFor(join(dataDir, 'postgres'))
  await openParents(dataDir, account, log)
  const native = {
    old: await oldBinaries(major, dataDir, account, options.from),
    new: await binariesFor(account, dataDir),
  }
  const folder = join(dataDir, UPGRADE)
  await clear(folder)
  await requireRoom(dataDir)
  const running: Server[] = []
  // Ends whatever the servers do, such as the copy of a large table.
  signal.addEventListener('abort', () => running.forEach((server) => void stop(server)), { once: true })
  try {
    const start = async (server: Parameters<typeof startServer>[0]) => {
      signal.throwIfAborted()
      running.push(await startServer(server))
      return connect(running.at(-1))
    }
    await makePrivate(folder, account)
    log(`Copying the database from PostgreSQL ${major} to PostgreSQL ${MAJOR}.`)
    const clusterDir = join(folder, 'postgres')
    await createCluster(clusterDir, native.new, account, true)
    const from = await start({
      clusterDir: join(dataDir, 'postgres'),
      socketAt: dataDir,
      native: native.old,
      account,
      major,
    })
    const to = await start({ clusterDir, socketAt: folder, native: native.new, account, major: MAJOR })
    const rows = await copyAll(from, to, { folder, account, log })
    const url = connectionString(running.at(-1)?.socketDir ?? '', DATABASE)
    signal.throwIfAborted()
    await migrate(url, { log })
    await options.verify(url)
    await Promise.all([from.end(), to.end()])
    for (const server of running.splice(0)) await stop(server)
    signal.throwIfAborted()
    return rows
  } catch (error) {
    for (const server of running) await stop(server)
    await clear(folder)
    signal.throwIfAborted()
    throw error
  }
}

interface CopyOptions {
  folder: string
  account: Account
  log: (line: string) => void
}

async function copyAll(from: pg.Client, to: pg.Client, { folder, account, log }: CopyOptions): Promise<number> {
  await from.query('begin isolation level repeatable read read only')
  await makeSameSchema(from, to, join(folder, 'migrations'))
  const files = join(folder, 'copy')
  await makePrivate(files, account)
  const rows = await copyTables(from, to, files, log)
  await requireSameRows(from, to)
  return rows
}

/** Applies the migrations that the old database has, and no others. */
async function makeSameSchema(from: pg.Client, to: pg.Client, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { rows } = await from.query<{ name: string }>('select name from migrations order by name')
  for (const { name } of rows) {
    await copyFile(join(MIGRATIONS, name), join(folder, name)).catch(() => {
      throw new Error(`The schema is newer than this release: it has ${name}. Run the release that made it.`)
    })
  }
  await migrate(connectionString(to.host, DATABASE), { folder })
}

/** Ends servers that an interrupted upgrade left, and removes what it had made. */
async function clear(folder: string): Promise<void> {
  const left = await findPostmaster(join(folder, 'postgres'))
  if (left) await stop(left)
  await rm(folder, { recursive: true, force: true })
}

const ROOM_FACTOR = 2.5

export async function requireRoom(dataDir: string, factor = ROOM_FACTOR): Promise<void> {
  const size = await sizeOf(join(dataDir, 'postgres'))
  const { bavail, bsize } = await statfs(dataDir)
  const [free, needed] = [bavail * bsize, size * factor]
  if (free >= needed) return
  throw new Error(
    `There is too little room: the upgrade needs ${bytes(needed)} beside the data, and ${bytes(free)} are free.`,
  )
}

async function sizeOf(folder: string): Promise<number> {
  let size = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) size += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0
  }
  return size
}

interface ServerOptions {
  clusterDir: string
  /** The folder that gets the socket. */
  socketAt: string
  native: string
  account: Account
  major: string
}

async function startServer({ clusterDir, socketAt, native, account, major }: ServerOptions): Promise<Server> {
  const left = await findPostmaster(clusterDir)
  if (left) await stop(left)
  await writeAccess(clusterDir, account)
  const socketDir = await socketFolder(socketAt, account)
  const logFile = join(socketAt, 'logs', 'postgres.log')
  await mkdir(join(socketAt, 'logs'), { recursive: true, mode: 0o700 })
  return launch({ native, clusterDir, socketDir, logFile, account, durable: true, major })
}

async function connect(server: Server | undefined): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: connectionString(server?.socketDir ?? '', DATABASE) })
  client.on('error', () => {})
  await client.connect()
  return client
}
