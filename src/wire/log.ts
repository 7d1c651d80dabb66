import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'

export type Log = Logger

/** Bytes after which a log file is rotated, and the number of rotated files kept. */
const MAX_BYTES = 10 * 1024 ** 2
const KEPT = 4
const MAX_LINE = 16 * 1024

export interface LogOptions {
  /** `service`, `worker`, `proxy` or `supervisor`: named in each line and in the file's name. */
  process: string
  /** The folder that contains `logs`. */
  dataDir: string
  level?: 'silent' | 'debug' | 'info' | 'warn'
  /** Also prints warnings and worse to standard output. */
  echo?: boolean
}

/**
 * A log with one JSON line per event: time, level, process, request id if there is one. A line must never reveal a
 * secret: errors are reduced to their messages and stacks, requests to method and route, and anything that looks like a
 * credential is removed from all text.
 */
export function openLog({ process: name, dataDir, level = 'info', echo = false }: LogOptions): Log {
  const write = createWriter(join(dataDir, 'logs'), name)
  const print = (line: string) => void process.stdout.write(withoutSecrets(line))
  return pino(
    {
      level,
      base: { process: name, pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describe, error: describe, req: () => undefined, res: () => undefined },
    },
    pino.multistream([
      { level: 'debug', stream: { write } },
      ...(echo ? [{ level: 'warn' as const, stream: { write: print } }] : []),
    ]),
  )
}

/** Writes each line at once, so that the last words of a dying process are kept. */
function createWriter(folder: string, name: string): (line: string) => void {
  const path = join(folder, `${name}.log`)
  let file: number | undefined
  let size = 0

  function open(): number {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const opened = openSync(path, 'a', 0o600)
    size = statSync(path).size
    return opened
  }

  function rotate(): void {
    if (file !== undefined) closeSync(file)
    file = undefined
    for (let each = KEPT - 1; each >= 1; each--) tryTo(() => renameSync(`${path}.${each}`, `${path}.${each + 1}`))
    renameSync(path, `${path}.1`)
  }

  return (line) => {
    const bytes = Buffer.from(withoutSecrets(line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…\n` : line))
    // Neither a full disk nor a removed log stops the process.
    tryTo(() => {
      file ??= open()
      size += writeSync(file, bytes)
      if (size > MAX_BYTES) rotate()
    })
  }
}

function tryTo(step: () => void): void {
  try {
    step()
  } catch {
    // The log itself cannot be written, so there is nowhere to report it.
  }
}

/** Leaves out the fields that libraries add to errors, which may hold rows, requests and addresses; also for causes. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const { code } = error as NodeJS.ErrnoException
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    stack,
    ...(cause !== undefined && { cause: describe(cause) }),
  }
}

const SECRETS: readonly [RegExp, string][] = [
  // Expiring URLs: the token is the credential.
  [/\/content\/[\w-]+/g, '/content/…'],
  [/\/unsubscribe\/[\w-]+/g, '/unsubscribe/…'],
  [/\b(Signature=)[^\s"&,]+/gi, '$1…'],
  [/\b(__Host-)?strongroom(-[a-z]+)?=[^\s;"]+/g, 'cookie=…'],
  [/\b([a-z]+:\/\/)[^\s/@"]*@/g, '$1…@'],
  // Keys, secrets, tokens and master keys are hexadecimal; so are hashes, which the log does not need.
  [/\b[0-9a-f]{40,}\b/gi, '…'],
  [/\?[^\s"\\]+/g, '?…'],
]

export function withoutSecrets(text: string): string {
  return SECRETS.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text)
}

export function logDeath(log: Log): void {
  process.on('uncaughtExceptionMonitor', (err) => log.fatal({ err }, 'the process ends'))
}
