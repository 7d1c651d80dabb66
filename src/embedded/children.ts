import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { childEnvironment } from '../service/base/child-environment.ts'

const FIRST_PAUSE = 100
const LONGEST_PAUSE = 10_000
/** A child that ran this long is restarted after the first pause again. Milliseconds. */
const SETTLED = 10_000
/** A child reports every two seconds that it is alive. It hangs when it is silent for SILENT_LOOKS looks. */
const LOOK_EVERY = 2000
const SILENT_LOOKS = 5
/** Looks until the first sign of life, which a child sends once its modules are loaded. */
const FIRST_LOOKS = 45
/** A child exits by itself after the time that it was given. Milliseconds. */
const MORE_THAN_GIVEN = 10_000
const STOP_SECONDS = 25
const SCRAPE_WITHIN = 3000

/**
 * Without these, glibc gives each thread an arena and raises its thresholds with each large buffer freed; memory that
 * large transfers used then stays with the process.
 */
const MALLOC_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** MiB. With 8, a seventh of the CPU of a list of 1,000 files goes into collecting its rows while they are in use. */
export const SERVICE_SEMI_SPACE = 32
/** MiB, as V8 has it by default. */
const V8_SEMI_SPACE = 16

/**
 * The old generation grows by half of what is alive before it is collected again, instead of up to three times. Compiled
 * code is kept for programs with the same setting: bootstrap.mjs names it too.
 */
export function nodeFlags(semiSpace = V8_SEMI_SPACE): string[] {
  const lean = pathToFileURL(join(import.meta.dirname, 'lean.ts')).href
  return [
    '--disable-proto=delete',
    `--max-semi-space-size=${semiSpace}`,
    '--heap-growing-percent=50',
    `--import=${lean}`,
  ]
}

export interface ChildOptions {
  name: string
  file: string
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  firstLooks?: number
  /** MiB. A small young generation is collected sooner, and with it the buffers of large transfers. */
  semiSpace?: number
  onMessage?(message: unknown): void
  onEnd?(): void
}

export interface Child {
  restart(): void
  /** Rejects when the child ends before this resolves. */
  untilReady(url: string, signal: AbortSignal): Promise<void>
  stop(): Promise<void>
  tell(message: object): void
  /** The metrics of its processes; none of those that do not answer in time. */
  metrics(): Promise<unknown[]>
}

/**
 * Keeps a program running: restarts it when it ends, with backoff. The channel tells the program to end when we are
 * gone. The program has a session of its own, so that Ctrl-C reaches it through us, in order.
 */
export function startChild(options: ChildOptions): Child {
  const { name, file, env, log, firstLooks = FIRST_LOOKS, semiSpace = 8 } = options
  let pause = FIRST_PAUSE
  let stopping = false
  let renewing = false
  let began = 0
  let child = spawn()

  function spawn(): ChildProcess {
    began = Date.now()
    const spawned = fork(join(import.meta.dirname, '..', file), {
      env: childEnvironment({ ...MALLOC_SETTINGS, ...env }),
      execArgv: nodeFlags(semiSpace),
      // The terminal shows a child's errors, but its output only with LOG=debug.
      stdio: ['ignore', env['LOG'] === 'debug' ? 'inherit' : 'ignore', 'inherit', 'ipc'],
      detached: true,
    })
    const watch = watchPulse(spawned, firstLooks, () => {
      log(`The ${name} hangs; ending it.`)
      spawned.kill('SIGKILL')
    })
    if (options.onMessage) spawned.on('message', options.onMessage)
    const ended = (reason: number | string | null) => {
      clearInterval(watch)
      options.onEnd?.()
      void again(reason)
    }
    spawned.once('exit', (code, signal) => ended(code ?? signal))
    // The machine may lack a free process or file. A running child may also emit 'error', such as for a signal.
    spawned.on('error', (error: NodeJS.ErrnoException) => {
      if (!hasBegun(spawned)) ended(error.code ?? error.message)
    })
    return spawned
  }

  async function again(reason: number | string | null): Promise<void> {
    if (stopping) return
    if (renewing) {
      renewing = false
      tryAgain()
      return
    }
    if (Date.now() - began > SETTLED) pause = FIRST_PAUSE
    log(`The ${name} ended (${reason}); starting it again in ${pause / 1000} s.`)
    await sleep(pause, undefined, { ref: false })
    pause = Math.min(pause * 2, LONGEST_PAUSE)
    if (!stopping) tryAgain()
  }

  function tryAgain(): void {
    try {
      child = spawn()
    } catch (error) {
      // fork() throws without a free file descriptor for the channel.
      void again((error as NodeJS.ErrnoException).code ?? (error as Error).message)
    }
  }

  return {
    restart() {
      renewing = true
      log(`Starting the ${name} again.`)
      child.kill('SIGTERM')
    },
    async untilReady(url, signal) {
      const first = child
      while (!(await isReady(url))) {
        if (hasEnded(first)) throw new Error(`The ${name} did not start.`)
        await sleep(50, undefined, { signal })
      }
    },
    async stop() {
      stopping = true
      await end(child, Number(env['STOP_WITHIN'] ?? STOP_SECONDS) * 1000 + MORE_THAN_GIVEN)
    },
    tell(message) {
      if (child.connected) child.send(message, () => {})
    },
    metrics: () => scrape(child),
  }
}

/** Counts looks instead of seconds: while this machine or process slept, no child could report. */
function watchPulse(child: ChildProcess, firstLooks: number, onSilence: () => void): NodeJS.Timeout {
  let looksLeft = firstLooks
  child.on('message', () => (looksLeft = SILENT_LOOKS))
  return setInterval(() => {
    if (--looksLeft === 0) onSilence()
  }, LOOK_EVERY).unref()
}

async function scrape(child: ChildProcess): Promise<unknown[]> {
  if (!child.connected) return []
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), SCRAPE_WITHIN)
  child.send({ scrape: true }, () => {})
  try {
    for await (const [message] of on(child, 'message', { signal: over.signal, close: ['exit'] })) {
      if ('metrics' in (message as object)) return [(message as { metrics: unknown }).metrics]
    }
  } catch {
    // It is starting, or too busy to answer.
  } finally {
    clearTimeout(timer)
  }
  return []
}

const hasBegun = (child: ChildProcess) => child.pid !== undefined
const hasEnded = (child: ChildProcess) => !hasBegun(child) || child.exitCode !== null || child.signalCode !== null

function isReady(url: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  get(url, { agent: false, signal: AbortSignal.timeout(2000) }, (reply) => {
    resolve(reply.statusCode === 200)
    reply.destroy()
  }).once('error', () => resolve(false))
  return promise
}

async function end(child: ChildProcess, withinMs: number): Promise<void> {
  if (hasEnded(child)) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs)
  await ended
  clearTimeout(timer)
}
