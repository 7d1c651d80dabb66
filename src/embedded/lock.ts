import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SYSTEM_ENVIRONMENT } from '../service/child-environment.ts'

export interface Lock {
  release(): void
}

/**
 * Takes the data folder for this process. A lock left by a killed process is taken over: it names the process by id
 * and start time, so a reused id does not keep it.
 * @throws Error when a living process holds it
 */
export async function lockDataDir(dataDir: string): Promise<Lock> {
  await mkdir(dataDir, { recursive: true })
  const file = join(dataDir, 'strongroom.lock')
  const mine = `${process.pid} ${startOf(process.pid)}\n`
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, mine, { mode: 0o600 })
  try {
    while (!(await placed(draft, file))) await removeStale(file, dataDir)
  } finally {
    await rm(draft, { force: true })
  }
  return { release: () => releaseIfMine(file, mine) }
}

/** A hard link appears with its content, and only where no file is. */
async function placed(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function removeStale(file: string, dataDir: string): Promise<void> {
  const seen = await readFile(file, 'utf8').catch(() => '')
  if (isHeld(seen)) throw alreadyRunning(seen, dataDir)
  const aside = `${file}.${randomBytes(6).toString('hex')}`
  await rename(file, aside).catch(() => {})
  // Between reading and renaming, another starter may have taken the place of the dead one.
  const moved = await readFile(aside, 'utf8').catch(() => '')
  if (isHeld(moved)) await link(aside, file).catch(() => {})
  await rm(aside, { force: true })
}

function isHeld(content: string): boolean {
  const [pid = '', start = ''] = content.trim().split(' ')
  return /^\d+$/.test(pid) && start !== '' && startOf(Number(pid)) === start
}

const alreadyRunning = (content: string, dataDir: string) =>
  new Error(
    `Strongroom already runs on ${dataDir} (process ${content.split(' ')[0]}). Stop it, or choose another DATA_DIR.`,
  )

function releaseIfMine(file: string, mine: string): void {
  try {
    if (readFileSync(file, 'utf8') === mine) rmSync(file)
  } catch {
    // Gone already, with its folder: nothing to release.
  }
}

/** When a process started, as a word without meaning; undefined when there is no such process. */
export function startOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name in brackets may hold anything; the start time is the 20th field behind it, the state the first.
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
