import { freePort } from '../free-port.ts'
import { execFile, execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureInstalled } from '../system-packages.ts'

const run = promisify(execFile)
const BIN = '/usr/lib/postgresql/15/bin'

/** PostgreSQL refuses to run as root. Its package makes the account. */
export function account(): { uid: number; gid: number } {
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : userInfo()
}

export interface DebianPostgres {
  /** Over its Unix socket. */
  url: string
  folder: string
  port: number
  start(): Promise<void>
  /** Ends it as if the machine had lost power. */
  kill(): Promise<void>
  /** Starts a streaming replica of this server. */
  replicate(): Promise<DebianPostgres>
  /** Makes a replica the primary. */
  promote(): Promise<void>
  dispose(): Promise<void>
}

/** Starts Debian's PostgreSQL 15 in a temporary folder, on a Unix socket and on loopback. */
export async function startDebianPostgres(settings: Record<string, string> = {}): Promise<DebianPostgres> {
  if (!(await ensureInstalled('postgres15'))) throw new Error('PostgreSQL 15 is not installed')
  const folder = await ownFolder('postgres15-')
  await asPostgres(
    'initdb',
    '-D',
    join(folder, 'data'),
    '-A',
    'trust',
    '-U',
    'postgres',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  )
  return startIn(folder, settings)
}

async function startIn(folder: string, settings: Record<string, string>): Promise<DebianPostgres> {
  const data = join(folder, 'data')
  const port = await freePort()
  const all = {
    port: String(port),
    unix_socket_directories: `'${folder}'`,
    listen_addresses: `'127.0.0.1'`,
    max_connections: '300',
    fsync: 'off',
    // Unlike what the service needs, so that a test fails where it relies on the server's own.
    timezone: `'America/New_York'`,
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`)
  await writeFile(join(data, 'postgresql.auto.conf'), lines.join(''), { flag: 'a' })
  const start = () => asPostgres('pg_ctl', '-D', data, '-w', '-t', '120', '-l', join(folder, 'log'), 'start')
  await start()
  const url = `postgresql://postgres@/postgres?host=${folder}&port=${port}`
  return {
    url,
    folder,
    port,
    start,
    kill: () => asPostgres('pg_ctl', '-D', data, '-m', 'immediate', 'stop'),
    async replicate() {
      const standby = await ownFolder('replica15-')
      const at = ['-h', folder, '-p', String(port), '-U', 'postgres']
      await asPostgres('pg_basebackup', ...at, '-D', join(standby, 'data'), '-R', '-c', 'fast', '-X', 'stream')
      return startIn(standby, settings)
    },
    promote: () => asPostgres('pg_ctl', '-D', data, '-w', 'promote'),
    async dispose() {
      await asPostgres('pg_ctl', '-D', data, '-m', 'immediate', 'stop').catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A folder that only root and PostgreSQL's account can enter. */
export async function ownFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  await mkdir(join(folder, 'data'), { mode: 0o700 })
  await chmod(folder, 0o700)
  const { uid, gid } = account()
  for (const each of [folder, join(folder, 'data')]) await chown(each, uid, gid)
  return folder
}

async function asPostgres(program: string, ...args: string[]): Promise<void> {
  const { uid, gid } = account()
  await run(join(BIN, program), args, { uid, gid, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } })
}
