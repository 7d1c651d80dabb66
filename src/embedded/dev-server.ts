import { watch } from 'node:fs'
import { join } from 'node:path'
import type { Child } from './children.ts'

interface DevOptions {
  port: number
  host: string
  proxyUrl: string
  service: Child
  worker: Child
  proxy: Child
}

/** An editor saves several files at once. */
const SETTLE = 150
const SRC = join(import.meta.dirname, '..')

/** Serves the dashboard from its sources on the public port, and starts the programs again whose sources change. */
export async function startDevServer({ port, host, proxyUrl, service, worker, proxy }: DevOptions) {
  const { createServer } = await import('vite')
  const server = await createServer({
    root: join(SRC, '..'),
    logLevel: 'warn',
    server: {
      port,
      host,
      strictPort: true,
      // The Host header stays as it is: the proxy checks it against the public address.
      proxy: Object.fromEntries(
        ['/api/', '/auth/', '/content/', '/readyz'].map((path) => [path, { target: proxyUrl }]),
      ),
    },
  })
  await server.listen()
  const watchers = [
    watchSources(['service'], () => [service, worker]),
    watchSources(['proxy'], () => [proxy]),
    watchSources(['contract', 'signing', 'mail'], () => [service, worker, proxy]),
  ].flat()
  return {
    async close() {
      for (const each of watchers) each.close()
      await server.close()
    },
  }
}

function watchSources(layers: string[], programs: () => Child[]) {
  let timer: NodeJS.Timeout | undefined
  return layers.map((layer) =>
    watch(join(SRC, layer), { recursive: true }, (_event, file) => {
      if (!file || !/\.(ts|sql)$/.test(file) || /\.test\.ts$|testing\//.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(() => programs().forEach((program) => program.restart()), SETTLE)
    }),
  )
}
