import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SYSTEM_ENVIRONMENT } from '../../service/base/child-environment.ts'
import { startOf } from '../lock.ts'
import { socketName } from './socket-folder.ts'

export interface Postmaster {
  pid: number
  socketDir: string
}

/** Finds the server that runs on this cluster after its starter was killed. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const [pid = '', , , , socketDir = ''] = (await readPidFile(clusterDir)).split('\n')
  if (!/^\d+$/.test(pid) || !isPostmasterOf(Number(pid), clusterDir)) return undefined
  return { pid: Number(pid), socketDir }
}

const pidFile = (clusterDir: string) => join(clusterDir, 'postmaster.pid')
const readPidFile = (clusterDir: string) => readFile(pidFile(clusterDir), 'utf8').catch(() => '')

export const isAlive = (pid: number): boolean => startOf(pid) !== undefined

/** Whether the process is the first process of our server: it keeps the command line that we start it with. */
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
 * Prepares a start where no server runs. PostgreSQL would mistake any process that reuses the old pid, even a zombie,
 * for the server. The file stays except for the pid, which becomes ours: PostgreSQL ignores the pid of its own parent.
 * From the shared memory named in the file, PostgreSQL sees whether processes of the old server are still running.
 */
export async function forgetDeadPostmaster(clusterDir: string, socketDir: string): Promise<void> {
  const [pid, ...rest] = (await readPidFile(clusterDir)).split('\n')
  if (pid) await writeFile(pidFile(clusterDir), [process.pid, ...rest].join('\n'))
  await rm(join(socketDir, `${socketName}.lock`), { force: true })
}
