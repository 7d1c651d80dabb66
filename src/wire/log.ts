import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'

export type Log = Logger

/** A file of the log is put aside beyond this, and only so many are kept. */
const MAX_BYTES = 10 * 1024 ** 2
const KEPT = 4
const MAX_LINE = 16 * 1024

export interface LogOptions {
  /** `service`, `worker`, `proxy` or `supervisor`: named in each line, and the file's name. */
  process: string
  /** Below which `logs` is. */
  dataDir: string
  level?: 'silent' | 'debug' | 'info' | 'warn'
  /** Warnings and worse go to standard output as well. */
  echo?: boolean
}

/**
 * A line of JSON for each event: time, level, process, request id where there is one. What happens in it must never give
 * a secret away: errors are reduced to their words and places, requests to method and route, and what looks like a
 * credential is left out of any text.
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

/** Each line is written at once, so that the last words of a process that dies are there. */
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
    // A full disk is no reason to stop; nor is a log that was removed.
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
    // It is the log that cannot be written: there is nowhere to say so.
  }
}

/** Neither the fields that libraries add to errors, which may hold rows, requests and addresses, nor their causes' own. */
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
  [/\b(Signature=)[^\s"&,]+/gi, '$1…'],
  [/\b(__Host-)?strongroom(-[a-z]+)?=[^\s;"]+/g, 'cookie=…'],
  [/\b([a-z]+:\/\/)[^\s/@"]*@/g, '$1…@'],
  // Keys, secrets, tokens and master keys are hexadecimal; so are hashes, which nobody misses here.
  [/\b[0-9a-f]{40,}\b/gi, '…'],
  [/\?[^\s"\\]+/g, '?…'],
]

/** What of a text may be kept. */
export function withoutSecrets(text: string): string {
  return SECRETS.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text)
}

/** Writes down why a process dies, and that it said something went wrong without anybody waiting for it. */
export function logDeath(log: Log): void {
  process.on('uncaughtExceptionMonitor', (err) => log.fatal({ err }, 'the process ends'))
}
