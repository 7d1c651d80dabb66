import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from './processes.ts'

// Machines of the cluster are network namespaces on one bridge: each has an address, a host name and processes of its
// own, and its cable can be pulled, so that packets vanish as they do between real machines.

const RESTART_MS = 1000
const GONE_WITHIN = 10_000

export interface Program {
  name: string
  command: readonly string[]
  env?: NodeJS.ProcessEnv
  /** The system user that runs the program; ours if absent. */
  user?: string
  /** Gives the program a process table of its own, as a container has. */
  contained?: boolean
}

export interface Machine {
  name: string
  address: string
  /** Starts a program and starts it again one second after its death, as an init system does. */
  start(program: Program): void
  pidOf(program: string): number | undefined
  /** @throws Error unless the program runs */
  kill(program: string, signal?: NodeJS.Signals): void
  /** Ends every process at once and starts none again. */
  powerOff(): Promise<void>
  powerOn(): void
  freeze(): void
  thaw(): void
  cut(): void
  rejoin(): void
}

export interface Network {
  /** The address of this process on the bridge. */
  host: string
  /** The network of all machines, as `10.213.7.0/24`. */
  range: string
  machine(name: string): Machine
  remove(): Promise<void>
}

const ip = (...args: string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** @throws Error where this process may not create network namespaces */
export function createNetwork(logs: string): Network {
  removeLeftovers()
  const subnet = `10.213.${process.pid % 250}`
  const bridge = `srb${process.pid}`
  const machines: ReturnType<typeof createMachine>[] = []
  ip('link', 'add', bridge, 'type', 'bridge')
  ip('addr', 'add', `${subnet}.1/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  return {
    host: `${subnet}.1`,
    range: `${subnet}.0/24`,
    machine(name) {
      const made = createMachine({ name, number: machines.length, bridge, subnet, logs })
      machines.push(made)
      return made
    },
    async remove() {
      // Whatever cannot be removed must not keep the rest.
      await Promise.allSettled(machines.map(({ powerOff }) => powerOff()))
      for (const { remove } of machines) attempt(remove)
      ip('link', 'del', bridge)
    },
  }
}

/** Removes the namespaces and bridges of test runs that were killed and could not remove them. */
function removeLeftovers(): void {
  const hasEnded = (name: string, form: RegExp) => {
    const pid = form.exec(name)?.[1]
    return pid !== undefined && !existsSync(`/proc/${pid}`)
  }
  const names = (...args: string[]) =>
    ip(...args)
      .split('\n')
      .map((line) => line.split(/[\s@]/)[0] ?? '')
  for (const space of names('netns', 'list'))
    if (hasEnded(space, /^strongroom-(\d+)-/)) attempt(() => ip('netns', 'del', space))
  for (const bridge of names('-br', 'link', 'show', 'type', 'bridge'))
    if (hasEnded(bridge, /^srb(\d+)$/)) attempt(() => ip('link', 'del', bridge))
}

function attempt(act: () => unknown): void {
  try {
    act()
  } catch (error) {
    console.error(`The network of the cluster: ${(error as Error).message}`)
  }
}

interface Plan {
  name: string
  number: number
  bridge: string
  subnet: string
  logs: string
}

function createMachine({ name, number, bridge, subnet, logs }: Plan): Machine & { remove(): void } {
  const space = `strongroom-${process.pid}-${name}`
  const cable = `sr${process.pid}v${number}`
  const address = `${subnet}.${number + 10}`
  const programs = new Map<string, Program>()
  const running = new Map<string, ChildProcess>()
  let isOn = true
  plugIn(space, cable, bridge, address)

  function launch(program: Program): void {
    const output = openSync(join(logs, `${name}-${program.name}.log`), 'a')
    const args = ['netns', 'exec', space, ...DIE_WITH_US, ...inContainer(name, program)]
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...program.env }
    const child = spawn('ip', args, { env, cwd: '/', stdio: ['ignore', output, output], detached: true })
    closeSync(output)
    running.set(program.name, child)
    void once(child, 'exit').then(async () => {
      await sleep(RESTART_MS)
      if (isOn && running.get(program.name) === child) launch(program)
    })
  }

  const pidOf = (program: string) => {
    const child = running.get(program)
    if (child?.exitCode !== null || child.signalCode !== null) return undefined
    return programs.get(program)?.contained ? childrenOf(child.pid)[0] : child.pid
  }
  const pids = () => ip('netns', 'pids', space).split('\n').filter(Boolean).map(Number)
  const signalAll = (signal: NodeJS.Signals) => pids().forEach((pid) => send(pid, signal))

  return {
    name,
    address,
    start(program) {
      programs.set(program.name, program)
      launch(program)
    },
    pidOf,
    kill(program, signal = 'SIGKILL') {
      const pid = pidOf(program)
      if (pid === undefined) throw new Error(`${program} does not run on ${name}`)
      send(pid, signal)
    },
    async powerOff() {
      isOn = false
      const end = Date.now() + GONE_WITHIN
      do {
        signalAll('SIGKILL')
        await sleep(20)
      } while (pids().length > 0 && Date.now() < end)
    },
    powerOn() {
      isOn = true
      for (const program of programs.values()) launch(program)
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    cut: () => void ip('link', 'set', cable, 'nomaster'),
    rejoin: () => void ip('link', 'set', cable, 'master', bridge),
    remove: () => void ip('netns', 'del', space),
  }
}

const DIE_WITH_US = ['setpriv', '--pdeathsig', 'KILL']

function inContainer(host: string, { command, user, contained }: Program): string[] {
  const table = contained ? ['--pid', '--fork', '--kill-child', '--mount-proc'] : []
  const identity = user ? [...DIE_WITH_US, '--reuid', user, '--regid', user, '--init-groups'] : []
  return [
    'unshare',
    '--ipc',
    '--uts',
    ...table,
    'sh',
    '-c',
    `hostname ${host} && exec "$@"`,
    'sh',
    ...identity,
    ...command,
  ]
}

function plugIn(space: string, cable: string, bridge: string, address: string): void {
  ip('netns', 'add', space)
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
  ip('link', 'set', cable, 'master', bridge, 'up')
  ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
  ip('-n', space, 'link', 'set', 'eth0', 'up')
  ip('-n', space, 'link', 'set', 'lo', 'up')
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended meanwhile.
  }
}
