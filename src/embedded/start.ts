import { type Log, logDeath, openLog } from '../wire/log.ts'
import { readConfig } from './config.ts'
import { freeMemory } from './free-memory.ts'
import { makePrivate } from './private-folder.ts'
import { type Stack, startStack } from './stack.ts'

// `npm start` and, with --dev, `npm run dev` run everything on this machine until Ctrl-C.

// Files created from here on belong to this user alone.
process.umask(0o077)
let file: Log | undefined
const log = (line: string) => {
  console.log(line)
  file?.info(line)
}
const interrupted = new AbortController()
let starting: Promise<Stack> | undefined

/** Stops everything once: the terminal and our parent process may both ask. */
async function end(): Promise<void> {
  if (interrupted.signal.aborted) return
  interrupted.abort()
  const stack = await starting?.catch(() => undefined)
  await stack?.stop()
  process.exit(0)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
// The channel closes when our parent process is killed.
if (process.send) process.on('disconnect', () => void end())

try {
  const config = readConfig()
  await makePrivate(config.dataDir)
  file = openLog({ process: 'supervisor', dataDir: config.dataDir })
  logDeath(file)
  starting = startStack(config, { dev: process.argv.includes('--dev'), log, signal: interrupted.signal })
  for (const line of (await starting).greeting) log(line)
  // This also writes the cache of compiled code: a killed process would not, and the next start would take twice as long.
  freeMemory()
} catch (error) {
  if (!interrupted.signal.aborted) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}
