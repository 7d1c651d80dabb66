import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { childEnvironment } from '../child-environment.ts'
import { FAULTS } from './convert-faults.ts'
import { lacksResources } from '../jobs/lacks-resources.ts'
import { outOfMemory } from '../jobs/turn.ts'
import { DocumentFault } from './render/fault.ts'

/** `off`: tools see the network and all files of the service's user; to be chosen knowingly, never fallen back to. */
export type Sandboxing = 'bubblewrap' | 'off'

export interface ToolRun {
  /** What to run, given the path at which the tool sees the folder. */
  command(folder: string): string[]
  /** The tool's current folder; besides what is installed it sees nothing else. */
  folder: string
  /** Processor time: a busy machine is no fault of the document. */
  cpuSeconds: number
  /** It is killed after this time even if it only waits. */
  timeLimitMs: number
  signal: AbortSignal | undefined
}

const GIB = 1024 ** 3
const MAX_MEMORY = 4 * GIB
const MAX_FILE = GIB / 2
const MAX_PROCESSES = 256
const MAX_TEMPORARY = GIB / 4
/** Enough of what a tool says for a reason. */
const MAX_OUTPUT = 4096

const INSIDE = '/work'
/** What a tool needs of the system: programs, libraries, fonts. Nothing that is anybody's. */
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
 * Runs a converter on one untrusted document. @returns what it said
 * @throws DocumentFault when it fails or exceeds a limit; the signal's reason when aborted
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
    // A group of its own, so that all of it can be killed.
    detached: true,
  })
  return ended(child, run)
}

/**
 * Whether bubblewrap can build a sandbox here: containers often forbid the namespaces that it needs.
 * @throws Error where the machine cannot start a process at the moment
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

/** Other systems than Linux know no prlimit. */
function unguarded(command: string[], cpuSeconds: number): string[] {
  return process.platform === 'linux' ? limited(command, cpuSeconds) : command
}

function limited(command: string[], cpuSeconds: number, more: Record<string, number | string> = {}): string[] {
  // Soft and hard: at the soft limit a signal tells why it ends.
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

/** A sandbox passes a signal on as 128 and its number. */
function failureOf(code: number, killedBy: NodeJS.Signals | null, cause: string): Error {
  const by = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? killedBy
  if (by === 'SIGXCPU') return new DocumentFault(FAULTS.time, { cause, late: true })
  // Beyond its own limit a tool is refused memory; only the kernel kills, when the machine has none left.
  if (by === 'SIGKILL') return outOfMemory()
  return new DocumentFault(FAULTS.damaged, { cause })
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
