import { type ChildProcess, fork } from 'node:child_process'
import { once as event } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { timed } from '../../../wire/metrics/record.ts'
import { childEnvironment } from '../../base/child-environment.ts'
import { DocumentFault, ProcessEnded } from './fault.ts'
import { RenderFault, type Fault } from './faults.ts'
import { MAX_OUTPUT_BYTES, MAX_RESIDENT_BYTES, MAX_WASM_BYTES } from './limits.ts'
import { usageOf } from './process-usage.ts'
import { type Claim, createSlots } from './slots.ts'

/**
 * Runs work on hostile input in child processes: each can be killed, whatever it does, without affecting anything else.
 * Processes start on demand, know no secrets, give way to everything else on the machine and end when idle.
 */
export interface ChildPool {
  /** @throws DocumentFault for a faulty document or an exceeded limit; ProcessEnded */
  run<Result>(task: string, input: unknown, limits: TaskLimits): Promise<Result>
  close(): Promise<void>
}

export interface TaskLimits {
  /** CPU time, because a busy machine is not the document's fault. */
  cpuMs: number
  /** Wall-clock once the work has begun; else 30 times the CPU time, for work that waits forever. */
  wallMs?: number
  signal?: AbortSignal | undefined
  /** Work with the same affinity goes to the process that did such work last, if that process is free. */
  affinity?: string
  /** The user against whose share of the processes the work counts. */
  user?: number | string | undefined
  /** Files between which the process reads and writes, without access to either. Only for processes that work once. */
  files?: { source: string; target: string }
}

export interface Task {
  task: string
  input: unknown
}
/** `crashed`: the process can no longer be used. */
export type Outcome = { result: unknown } | { fault: Fault; crashed?: true } | { reason: string } | { error: string }

interface Child {
  process: ChildProcess
  affinity: string | undefined
  idleTimer: NodeJS.Timeout | undefined
  /** Settles once the process can be given work. */
  started: Promise<unknown>
}

const WATCH_MS = 100
const WALL_PER_CPU = 30
/** The unit in which the use of different users is compared, if `quickMs` is not set. */
const TURN_MS = 3000

interface Options {
  size: number
  /** Value for `nice`: 0 is normal, 19 is the lowest priority. */
  niceness: number
  idleMs?: number
  /** Work that exceeds this CPU time restarts with its full limit, behind the quick work of others. */
  quickMs?: number
  /** A process does one piece of work and ends. The next one starts at once, with this task, and waits for work. */
  once?: { task: Task; cpuMs: number; wallMs: number }
  wasmBytes?: number
  residentBytes?: number
  /** More arguments for Node. */
  nodeArguments?: readonly string[]
}

export function createChildPool(entry: URL, options: Options): ChildPool {
  const { size, niceness, idleMs = 20_000, quickMs, once, residentBytes = MAX_RESIDENT_BYTES } = options
  const idle: Child[] = []
  const busy = new Set<Child>()
  const slots = createSlots(size, quickMs ?? TURN_MS)
  let closed = false

  function start(): Child {
    const process = spawnChild(entry, niceness, options)
    const started = begin(process)
    // A task that waits for the process gets the error as well, but there may be no such task.
    started.catch(() => void kill(process))
    const child = { process, affinity: undefined, idleTimer: undefined, started }
    process.once('exit', () => void forget(child))
    process.on('error', () => process.pid === undefined && forget(child))
    return child
  }

  async function begin(process: ChildProcess): Promise<void> {
    await event(process, 'spawn')
    if (!once) return
    const { task, ...limits } = once
    // No document is at fault here.
    await perform(process, task, { ...limits, residentBytes }).catch((cause: unknown) => {
      throw new Error('The process did not start.', { cause })
    })
  }

  /** Without a process ahead, the next work starts one, and fails with the reason if it cannot. */
  function startAhead(): void {
    try {
      keep(start())
    } catch {}
  }

  function forget(child: Child): void {
    const at = idle.indexOf(child)
    if (at !== -1) idle.splice(at, 1)
  }

  function take(affinity: string | undefined, signal: AbortSignal | undefined): Child {
    if (closed || signal?.aborted) throw new Error('the work was given up')
    const known = affinity === undefined ? -1 : idle.findIndex((each) => each.affinity === affinity)
    const child = (known === -1 ? idle.shift() : idle.splice(known, 1)[0]) ?? start()
    clearTimeout(child.idleTimer)
    hold(child.process)
    child.affinity = affinity
    busy.add(child)
    return child
  }

  function giveBack(child: Child): void {
    busy.delete(child)
    if (once) {
      void kill(child.process)
      const hadProcess = child.process.pid !== undefined
      if (hadProcess && !closed && idle.length + busy.size < size) startAhead()
    } else if (isUsable(child.process) && !closed) keep(child)
  }

  function keep(child: Child): void {
    child.idleTimer = setTimeout(() => void kill(child.process), idleMs).unref()
    letGo(child.process)
    idle.push(child)
  }

  async function runIn(claim: Claim, work: Task, limits: TaskLimits): Promise<unknown> {
    const waiting = slots.enter(claim)
    if (waiting) await waiting
    const begun = performance.now()
    try {
      const child = take(limits.affinity, limits.signal)
      try {
        await child.started
        const working = () => perform(child.process, work, { ...limits, residentBytes })
        return await (limits.files ? between(limits.files, child.process, working) : working())
      } finally {
        giveBack(child)
      }
    } finally {
      slots.leave(claim, performance.now() - begun)
    }
  }

  async function runShared(work: Task, limits: TaskLimits): Promise<unknown> {
    const { cpuMs, user } = limits
    if (quickMs === undefined || cpuMs <= quickMs) return runIn({ user, heavy: false }, work, limits)
    try {
      return await runIn({ user, heavy: false }, work, { ...limits, cpuMs: quickMs })
    } catch (error) {
      if (!(error instanceof RenderFault && error.late)) throw error
      return runIn({ user, heavy: true }, work, limits)
    }
  }

  return {
    async run<Result>(task: string, input: unknown, limits: TaskLimits): Promise<Result> {
      return (await timed(task, () => runShared({ task, input }, limits))) as Result
    },
    async close() {
      closed = true
      slots.close()
      await Promise.all([...idle, ...busy].map((child) => kill(child.process)))
    },
  }
}

function spawnChild(
  entry: URL,
  niceness: number,
  { once, wasmBytes = MAX_WASM_BYTES, ...options }: Options,
): ChildProcess {
  const piped = once ? 'pipe' : 'ignore'
  return fork(entry, [String(niceness)], {
    serialization: 'advanced',
    // No secrets. Fewer glibc arenas, which would otherwise retain half of the memory that threads free.
    env: childEnvironment({ MALLOC_ARENA_MAX: '2' }),
    execArgv: [
      '--disable-proto=delete',
      `--wasm-max-mem-pages=${wasmBytes / 65_536}`,
      '--max-old-space-size=512',
      ...(options.nodeArguments ?? []),
    ],
    stdio: [piped, piped, 'ignore', 'ipc'],
  })
}

/** The process reads the source as its input, and writes the target as its output, which ends with the process. */
async function between<Result>(
  { source, target }: { source: string; target: string },
  child: ChildProcess,
  work: () => Promise<Result>,
): Promise<Result> {
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error('the process has no pipes')
  const failures: unknown[] = []
  const note = (error: unknown) => {
    if (isClosed(error)) return
    failures.push(error)
    void kill(child)
  }
  const sent = pipeline(createReadStream(source), stdin).catch(note)
  const received = pipeline(stdout, limited, createWriteStream(target))
  received.catch(note)
  // What a process says of a part of a document is not true of the document.
  const result = await work().catch((error: unknown) => {
    throw failures[0] ?? error
  })
  await kill(child)
  await Promise.all([sent, received])
  if (failures.length > 0) throw failures[0]
  return result
}

/** A process that ends closes its pipes; its work fails then, with the reason. */
const isClosed = (error: unknown) =>
  ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '')

async function* limited(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of output) {
    bytes += chunk.length
    if (bytes > MAX_OUTPUT_BYTES) throw new RenderFault('crash')
    yield chunk
  }
}

/** An idle process must not keep its parent alive. */
function letGo(child: ChildProcess): void {
  for (const each of handlesOf(child)) each?.unref()
}

function hold(child: ChildProcess): void {
  for (const each of handlesOf(child)) each?.ref()
}

function handlesOf(child: ChildProcess) {
  return [child, child.channel, child.stdin as Socket | null, child.stdout as Socket | null]
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
const isUsable = (child: ChildProcess): boolean => child.connected && !hasEnded(child)

async function kill(child: ChildProcess): Promise<void> {
  hold(child)
  if (child.pid === undefined || hasEnded(child)) return
  const ended = event(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

type Limits = Pick<TaskLimits, 'cpuMs' | 'wallMs' | 'signal'> & { residentBytes: number }

async function perform(child: ChildProcess, task: Task, { signal, ...limits }: Limits): Promise<unknown> {
  const over = new AbortController()
  const stopWatching = await watch(child, limits, (fault) => over.abort(new RenderFault(fault)))
  const giveUp = () => over.abort(new Error('the work was given up'))
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted) giveUp()
  try {
    const outcome = await ask(child, task, over.signal)
    if ('result' in outcome) return outcome.result
    if ('fault' in outcome && outcome.crashed) over.abort()
    if ('reason' in outcome) throw new DocumentFault(outcome.reason)
    throw 'error' in outcome ? new Error(outcome.error) : new RenderFault(outcome.fault)
  } finally {
    stopWatching()
    signal?.removeEventListener('abort', giveUp)
    if (over.signal.aborted) await kill(child)
  }
}

function ask(child: ChildProcess, task: Task, over: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      child.off('message', onMessage).off('exit', onExit)
      over.removeEventListener('abort', onAbort)
      act()
    }
    const onAbort = () => settle(() => reject(over.reason as Error))
    const onExit = () => settle(() => reject(new ProcessEnded()))
    const onMessage = (outcome: Outcome) => settle(() => resolve(outcome))
    child.on('message', onMessage).on('exit', onExit)
    over.addEventListener('abort', onAbort)
    // A task that cannot be sent has no process to perform it any more.
    child.send(task, (error) => error && onExit())
    if (over.aborted) onAbort()
  })
}

/** Calls `tell` when the process exceeds a limit. @returns a function that ends the watch */
async function watch(
  child: ChildProcess,
  { cpuMs, wallMs = cpuMs * WALL_PER_CPU, residentBytes }: Limits,
  tell: (fault: Fault) => void,
): Promise<() => void> {
  const pid = child.pid ?? 0
  const start = (await usageOf(pid))?.cpuMs ?? 0
  const timer = setInterval(() => void look(), WATCH_MS)
  const wall = setTimeout(() => tell('time'), wallMs)
  async function look(): Promise<void> {
    const usage = await usageOf(pid)
    if (usage && usage.cpuMs - start > cpuMs) tell('time')
    if (usage && usage.residentBytes > residentBytes) tell('memory')
  }
  return () => {
    clearInterval(timer)
    clearTimeout(wall)
  }
}
