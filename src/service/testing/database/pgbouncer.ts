import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureInstalled } from '../system-packages.ts'
import { freePort } from '../free-port.ts'
import { account, ownFolder } from './debian-postgres.ts'

export interface PgBouncer {
  /** The database of the server, through the pooler. */
  url: string
  dispose(): Promise<void>
}

/** Starts Debian's PgBouncer in transaction mode in front of a PostgreSQL. @param size connections to each database */
export async function startPgBouncer(databaseUrl: string, size = 8): Promise<PgBouncer> {
  if (!(await ensureInstalled('pgbouncer'))) throw new Error('PgBouncer is not installed')
  const folder = await ownFolder('pgbouncer-')
  const port = await freePort()
  const { searchParams } = new URL(databaseUrl.replace('@/', '@localhost/'))
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    // With `auth_type = any`, PgBouncer needs a name to connect with.
    `* = host=${searchParams.get('host')} port=${searchParams.get('port')} user=postgres`,
    '[pgbouncer]',
    `listen_port = ${port}`,
    `unix_socket_dir = ${folder}`,
    'auth_type = any',
    'pool_mode = transaction',
    'max_client_conn = 1000',
    `default_pool_size = ${size}`,
    'server_idle_timeout = 5',
    // Otherwise statements wait for a lost server, for two minutes and with 15 seconds between two attempts.
    'query_wait_timeout = 3',
    'server_login_retry = 1',
    ...(process.getuid?.() === 0 ? ['user = postgres'] : []),
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  const { uid, gid } = account()
  await chown(file, uid, gid)
  const child = spawn('/usr/sbin/pgbouncer', ['-q', file], { cwd: '/', stdio: 'ignore' })
  await untilListening(join(folder, `.s.PGSQL.${port}`))
  return {
    url: `postgresql://postgres@/postgres?host=${folder}&port=${port}&pgbouncer=true`,
    async dispose() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilListening(path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const socket = connect(path)
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      if (attempt === 100) throw error
      await sleep(100)
    } finally {
      socket.destroy()
    }
  }
}
