import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address } from './address.ts'

/**
 * Serves `GET /metrics`, and `GET /healthz` for those who restart a process that hangs.
 * @throws Error in one sentence if the port is taken
 */
export async function serveMetrics({ host, port }: Address, read: () => Promise<string>): Promise<Server> {
  const server = createServer({ maxHeaderSize: 4096, requestTimeout: 10_000 }, (request, reply) => {
    const send = (status: number, text: string) =>
      reply.writeHead(status, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
    const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined
    if (path === '/healthz') return void send(200, 'ok\n')
    if (path !== '/metrics') return void reply.writeHead(404).end()
    read().then(
      (text) => send(200, text),
      () => send(500, 'The metrics could not be read.\n'),
    )
  })
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => fail(sayWhy(error, host, port)))
    server.listen(port, host, done)
  })
  // Neither the socket nor its connections keep a process that has nothing else to do.
  server.unref()
  console.log(
    `metrics: http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/metrics`,
  )
  return server
}

const sayWhy = ({ code, message }: NodeJS.ErrnoException, host: string, port: number) =>
  new Error(
    code === 'EADDRINUSE'
      ? `METRICS_PORT ${port} is already in use. Each program needs a port of its own.`
      : `Cannot serve metrics on METRICS_HOST ${host}, port ${port}: ${message}.`,
  )
