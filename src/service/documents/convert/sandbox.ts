import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { childEnvironment } from '../../base/child-environment.ts'
import { FAULTS } from './convert-faults.ts'
import { lacksResources } from '../../jobs/lacks-resources.ts'
import { outOfMemory } from '../../jobs/turn.ts'
import { DocumentFault } from '../render/fault.ts'

/** `off`: tools see the network and all files of the service's user. An explicit choice, never a fallback. */
export type Sandboxing = 'bubblewrap' | 'off'

export interface ToolRun {
  /** Returns the command line, given the path at which the tool sees the folder. */
  command(folder: string): string[]
  /** The tool's working directory. In the sandbox, the tool sees nothing else except installed software. */
  folder: string
  /** CPU time, because a busy machine is not the document's fault. */
  cpuSeconds: number
  /** Wall-clock limit: the tool is killed after this time even if it only waits. */
  timeLimitMs: number
  signal: AbortSignal | undefined
}

const GIB = 1024 ** 3
export const MAX_MEMORY = 4 * GIB
const MAX_FILE = GIB / 2
const MAX_PROCESSES = 256
/** Files in memory. */
export const MAX_TEMPORARY = GIB / 4
/** Characters of output that are kept as the reason of a failure. */
const MAX_OUTPUT = 4096

const INSIDE = '/work'
/** The parts of the system that a tool needs: programs, libraries and fonts, but no user's files. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/lib',
  '/lib64',
  '/opt/libreoffice',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/libreoffice',
  '/var/cache/fontconfig',
]

/**
 * Runs a converter on one untrusted document. @returns the tool's output
 * @throws DocumentFault if the tool fails or exceeds a limit; PutBack if the machine ran out of memory; the signal's
 * reason when aborted
 */
export async function runTool(sandboxing: Sandboxing, run: ToolRun): Promise<string> {
  const seen = sandboxing === 'off' ? run.folder : INSIDE
  const command = run.command(seen)
  const [program = '', ...args] = sandboxing === 'off' ? unguarded(command, run.cpuSeconds) : sandboxed(run, command)
  run.signal?.throwIfAborted()
  const child = spawn(program, args, {
    cwd: run.folder,
    env: childEnvironment({ HOME: seen, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', SAL_USE_VCLPLUGIN: 'svp' }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that the tool and all its children can be killed.
    detached: true,
  })
  return ended(child, run)
}

/**
 * Whether bubblewrap can build a sandbox here; containers often forbid the namespaces that it needs.
 * @throws Error if the machine cannot start a process at the moment
 */
export async function isSandboxUsable(): Promise<boolean> {
  const [program = '', ...args] = sandboxed({ folder: '/usr', cpuSeconds: 10 }, ['true'])
  const child = spawn(program, args, { stdio: 'ignore', env: childEnvironment({ PATH: '/usr/bin:/bin' }) })
  return new Promise((resolve, reject) => {
    child.on('error', (error) => (lacksResources(error) ? reject(error) : resolve(false)))
    child.on('exit', (code) => resolve(code === 0))
  })
}

function sandboxed({ folder, cpuSeconds }: Pick<ToolRun, 'folder' | 'cpuSeconds'>, command: string[]): string[] {
  const system = SYSTEM.flatMap((path) => ['--ro-bind-try', path, path])
  const own = '--unshare-all --die-with-parent --new-session --hostname converter --uid 65534 --gid 65534'.split(' ')
  const memory = ['--proc', '/proc', '--dev', '/dev', '--size', String(MAX_TEMPORARY), '--tmpfs', '/tmp']
  const work = ['--bind', folder, INSIDE, '--chdir', INSIDE]
  return [
    'bwrap',
    ...own,
    ...system,
    ...memory,
    ...work,
    '--',
    ...limited(command, cpuSeconds, { nproc: MAX_PROCESSES }),
  ]
}

/** Only Linux has prlimit. */
function unguarded(command: string[], cpuSeconds: number): string[] {
  return process.platform === 'linux' ? limited(command, cpuSeconds) : command
}

function limited(command: string[], cpuSeconds: number, more: Record<string, number | string> = {}): string[] {
  // Soft and hard limit: at the soft limit, a signal tells why the tool ends.
  const cpu = `${cpuSeconds}:${cpuSeconds + 2}`
  const limits = { as: MAX_MEMORY, cpu, fsize: MAX_FILE, core: 0, ...more }
  return ['prlimit', ...Object.entries(limits).map(([name, value]) => `--${name}=${value}`), '--', ...command]
}

function ended(child: ChildProcess, { timeLimitMs, signal }: ToolRun): Promise<string> {
  let output = ''
  const listen = (text: Buffer) => void (output = (output + text.toString()).slice(-MAX_OUTPUT))
  child.stdout?.on('data', listen)
  child.stderr?.on('data', listen)
  const kill = () => killGroup(child)
  return new Promise<string>((resolve, reject) => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      kill()
    }, timeLimitMs)
    signal?.addEventListener('abort', kill)
    child.on('error', reject)
    child.on('close', (code, killedBy) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
      if (signal?.aborted) reject(signal.reason)
      else if (late) reject(new DocumentFault(FAULTS.time, { late: true }))
      else if (code !== 0) reject(failureOf(code ?? 0, killedBy, `${code ?? killedBy}: ${output}`))
      else resolve(output)
    })
  })
}

/** The sandbox reports a signal as exit code 128 plus the signal's number. */
function failureOf(code: number, killedBy: NodeJS.Signals | null, cause: string): Error {
  const by = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? killedBy
  if (by === 'SIGXCPU') return new DocumentFault(FAULTS.time, { cause, late: true })
  // A tool beyond its own limit is refused memory. Only the kernel kills it, when the machine has none left.
  if (by === 'SIGKILL') return outOfMemory()
  return new DocumentFault(FAULTS.damaged, { cause })
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
