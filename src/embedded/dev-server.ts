import { once } from 'node:events'
import { watch } from 'node:fs'
import { createServer } from 'node:http'
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

/** Debounce in milliseconds: an editor saves several files at once. */
const SETTLE = 150
const SRC = join(import.meta.dirname, '..')

/** Serves the dashboard from its sources on the public port, and restarts programs whose sources change. */
export async function startDevServer({ port, host, proxyUrl, service, worker, proxy }: DevOptions) {
  const { createServer: createVite } = await import('vite')
  // Uses our own HTTP server: Vite's would end the process on SIGTERM before the programs have stopped.
  const server = createServer()
  const vite = await createVite({
    root: join(SRC, '..'),
    logLevel: 'warn',
    server: {
      middlewareMode: { server },
      hmr: { server },
      // Keeps the Host header: the proxy checks it against the public address.
      proxy: Object.fromEntries(
        ['/api/', '/auth/', '/content/', '/sealed/key', '/readyz'].map((path) => [path, { target: proxyUrl }]),
      ),
    },
  })
  server.on('request', vite.middlewares).listen(port, host)
  await once(server, 'listening')
  const watchers = [
    watchSources(['service', 'reader'], () => [service, worker]),
    watchSources(['proxy'], () => [proxy]),
    watchSources(['contract', 'signing', 'mail'], () => [service, worker, proxy]),
  ].flat()
  return {
    async close() {
      for (const each of watchers) each.close()
      await vite.close()
      server.close()
      server.closeAllConnections()
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
