import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Host and process in the name tell who works in it: what a process leaves that was killed can be removed at once. */
const owner = (): string => `${hostname()}~${process.pid}~`

/** Has a folder of its own within `folder` for as long as `use` takes. */
export async function withWorkFolder<Result>(folder: string, use: (own: string) => Promise<Result>): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const own = await mkdtemp(join(folder, owner()))
  try {
    return await use(own)
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/** Whether a work folder belongs to a process of this host that has ended. */
export function isAbandoned(name: string): boolean {
  const [host, pid] = name.split('~')
  return host === hostname() && /^\d{1,10}$/.test(pid ?? '') && !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
