import { type Config, readConfig } from '../../service/base/config.ts'
import { serveTogether } from '../../wire/metrics/aggregate.ts'
import { wholeEnvironment } from '../config.ts'
import { urlOf } from '../environments.ts'
import { awaitTurn, requireFree } from '../ports.ts'
import { processesFor, type Range, startServiceProcesses } from './processes.ts'

// `npm run service` runs the service alone: in this process, or in several that this one supervises.

try {
  const { processes, port, host, metricsAt } = readConfig()
  const range = processesFor(processes)
  // Processes that share no port cannot share one that the system chooses.
  if (range.most === 1 || port === 0) await import('../../service/main.ts')
  else await supervise(range, { port, host, metricsAt })
} catch (error) {
  console.error(`service: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

async function supervise(range: Range, { port, host, metricsAt }: Pick<Config, 'port' | 'host' | 'metricsAt'>) {
  const log = (line: string) => console.log(`service: ${line}`)
  const interrupted = new AbortController()
  const turn = await awaitTurn([port], log)
  await requireFree(port, host, log)
  const env = { ...wholeEnvironment(), ...(metricsAt && { METRICS_PORT: 'parent' }) }
  const service = startServiceProcesses({ range, env, log })
  if (metricsAt && metricsAt !== 'parent') await serveTogether(metricsAt, service.metrics)
  const end = () => {
    interrupted.abort()
    void service.stop().then(() => process.exit(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end)
  if (process.send) process.on('disconnect', end)
  const url = urlOf(host, port)
  await service.untilReady(`${url}/readyz`, interrupted.signal)
  turn.end()
  log(url)
}
