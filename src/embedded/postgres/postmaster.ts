import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SYSTEM_ENVIRONMENT } from '../../service/child-environment.ts'
import { startOf } from '../lock.ts'
import { socketName } from './socket-folder.ts'

export interface Postmaster {
  pid: number
  socketDir: string
}

/** The server that runs on this cluster though nobody here started it: its starter was killed. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const [pid = '', , , , socketDir = ''] = (await readPidFile(clusterDir)).split('\n')
  if (!/^\d+$/.test(pid) || !isPostmasterOf(Number(pid), clusterDir)) return undefined
  return { pid: Number(pid), socketDir }
}

const pidFile = (clusterDir: string) => join(clusterDir, 'postmaster.pid')
const readPidFile = (clusterDir: string) => readFile(pidFile(clusterDir), 'utf8').catch(() => '')

export const isAlive = (pid: number): boolean => startOf(pid) !== undefined

/** The first process of a server keeps its command line, which begins as we start it. */
function isPostmasterOf(pid: number, clusterDir: string): boolean {
  const command = commandOf(pid)
  return /postgres /.test(command) && command.includes(` -D ${clusterDir} `)
}

function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], {
      env: SYSTEM_ENVIRONMENT,
      encoding: 'utf8',
    })
  } catch {
    return ''
  }
}

/**
 * Clears the way for a start where no server runs: PostgreSQL would take any process that has the old pid by now, even
 * a dead one nobody has waited for, for the server. The file stays except for the pid, which becomes that of its own
 * parent, which it ignores: by the shared memory named there it sees whether parts of the old server still work.
 */
export async function forgetDeadPostmaster(clusterDir: string, socketDir: string): Promise<void> {
  const [pid, ...rest] = (await readPidFile(clusterDir)).split('\n')
  if (pid) await writeFile(pidFile(clusterDir), [process.pid, ...rest].join('\n'))
  await rm(join(socketDir, `${socketName}.lock`), { force: true })
}
