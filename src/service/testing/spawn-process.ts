import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Config } from '../base/config.ts'

export interface ServiceProcess {
  child: ChildProcess
  /** The next matching line of output. */
  line(pattern: RegExp): Promise<string>
  /** Sends the signal and waits for the exit. @returns the exit code, or the signal's name */
  end(signal: NodeJS.Signals): Promise<number | string>
}

/** Lets a process load its modules as an installation does, without compiling them again. */
export const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' }

/** The variables that lead another process to the same content. */
function storeVariables({ blobPlace }: Config): Record<string, string> {
  if (!blobPlace) return {}
  if ('folder' in blobPlace) return { BLOB_URL: pathToFileURL(blobPlace.folder).href }
  const { bucket, prefix, endpoint = '', region = '' } = blobPlace
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  const BLOB_URL = `s3://${bucket}/${prefix}?${new URLSearchParams({ endpoint, region }).toString()}`
  return { BLOB_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }
}

/** Starts the service or the worker as a separate process, on the database and data folder of a service under test. */
export function spawnProcess(
  entry: 'main' | 'worker' | '../embedded/service/main',
  config: Config,
  more: Record<string, string> = {},
): ServiceProcess {
  const path = fileURLToPath(new URL(`../${entry}.ts`, import.meta.url))
  const env = {
    ...COMPILED,
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: config.databaseUrl,
    DATA_DIR: config.dataDir,
    MASTER_KEY: config.masterKey,
    PUBLIC_URL: config.publicUrl,
    API_PORT: '0',
    STOP_GRACE: '0',
    ...storeVariables(config),
    ...more,
  }
  const child = spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  return {
    child,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        lines.on('line', (text) => pattern.test(text) && resolve(text))
        child.once('exit', (code) => reject(new Error(`${entry} ended with ${code}`)))
      }),
    async end(signal) {
      const ended = once(child, 'exit') as Promise<[number | null, string]>
      child.kill(signal)
      const [code, by] = await ended
      return code ?? by
    },
  }
}
