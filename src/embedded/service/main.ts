import { readConfig } from '../../service/base/config.ts'
import { wholeEnvironment } from '../config.ts'
import { urlOf } from '../environments.ts'
import { requireFree } from '../ports.ts'
import { processesFor, startServiceProcesses } from './processes.ts'

// `npm run service` runs the service alone: in this process, or in several that this one supervises.

try {
  const { processes, port, host } = readConfig()
  const range = processesFor(processes)
  // Processes that share no port cannot share one that the system chooses.
  if (range.most === 1 || port === 0) await import('../../service/main.ts')
  else await supervise(range, port, host)
} catch (error) {
  console.error(`service: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

async function supervise(range: { least: number; most: number }, port: number, host: string): Promise<void> {
  const log = (line: string) => console.log(`service: ${line}`)
  const interrupted = new AbortController()
  await requireFree(port, host, log)
  const service = startServiceProcesses({ range, env: wholeEnvironment(), log })
  const end = () => {
    interrupted.abort()
    void service.stop().then(() => process.exit(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end)
  if (process.send) process.on('disconnect', end)
  const url = urlOf(host, port)
  await service.untilReady(`${url}/readyz`, interrupted.signal)
  log(url)
}
