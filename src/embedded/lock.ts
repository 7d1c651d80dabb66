import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SYSTEM_ENVIRONMENT } from '../service/base/child-environment.ts'

export interface Lock {
  release(): void
}

/**
 * Locks the data folder for this process. It takes over the lock of a killed process: a lock names its process by id
 * and start time, so a reused id does not keep it.
 * @param heldBy the sentence that says which process holds the lock
 * @throws Error when a living process holds the lock
 */
export async function lockDataDir(dataDir: string, heldBy = alreadyRunning(dataDir)): Promise<Lock> {
  await mkdir(dataDir, { recursive: true })
  const file = join(dataDir, 'strongroom.lock')
  const mine = `${process.pid} ${startOf(process.pid)}\n`
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, mine, { mode: 0o600 })
  try {
    while (!(await placed(draft, file))) await removeStale(file, heldBy)
  } finally {
    await rm(draft, { force: true })
  }
  return { release: () => releaseIfMine(file, mine) }
}

/** Links the draft into place. A hard link appears complete, and only where no file exists. */
async function placed(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function removeStale(file: string, heldBy: (pid: string) => string): Promise<void> {
  const seen = await readFile(file, 'utf8').catch(() => '')
  if (isHeld(seen)) throw new Error(heldBy(seen.split(' ')[0] ?? ''))
  const aside = `${file}.${randomBytes(6).toString('hex')}`
  await rename(file, aside).catch(() => {})
  // Another process may have replaced the stale lock between the read and the rename.
  const moved = await readFile(aside, 'utf8').catch(() => '')
  if (isHeld(moved)) await link(aside, file).catch(() => {})
  await rm(aside, { force: true })
}

function isHeld(content: string): boolean {
  const [pid = '', start = ''] = content.trim().split(' ')
  return /^\d+$/.test(pid) && start !== '' && startOf(Number(pid)) === start
}

const alreadyRunning = (dataDir: string) => (pid: string) =>
  `Strongroom already runs on ${dataDir} (process ${pid}). Stop it, or choose another DATA_DIR.`

function releaseIfMine(file: string, mine: string): void {
  try {
    if (readFileSync(file, 'utf8') === mine) rmSync(file)
  } catch {}
}

/** Returns an opaque start time of a process, or undefined when the process does not exist or is a zombie. */
export function startOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name in brackets may contain anything. After it, the state is the first field and the start time the 20th.
      const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' ? undefined : fields[18]
    }
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: SYSTEM_ENVIRONMENT,
      encoding: 'utf8',
    })
    return started.trim().replaceAll(/\s+/g, '-') || undefined
  } catch {
    return undefined
  }
}
