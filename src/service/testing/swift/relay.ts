import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the relay does to the next requests. */
export type RelayMode = 'pass' | 'html' | 'cut' | 'refuse' | 'break'

export interface Relay {
  url: string
  mode: RelayMode
  /** How often to misbehave before passing again. */
  times: number
  close(): Promise<void>
}

/** Stands between the service and the store, and misbehaves on demand. The store checks signatures of the outer host. */
export async function startRelay(target: string): Promise<Relay> {
  const server = createServer((incoming, outgoing) => {
    const mode = relay.mode === 'pass' || relay.times <= 0 ? 'pass' : relay.mode
    if (mode !== 'pass') relay.times--
    if (mode === 'break') return void incoming.socket.destroy()
    if (mode === 'html') return void outgoing.end('<html><body>Welcome to nginx!</body></html>')
    if (mode === 'refuse') return void outgoing.writeHead(403).end(DENIED)
    forward(target, incoming, outgoing, mode === 'cut')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const relay: Relay = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'pass',
    times: Infinity,
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
  return relay
}

const DENIED = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>'

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, isCut: boolean): void {
  const { method, headers, url = '' } = incoming
  let isAnswered = false
  const sent = request(new URL(target), { path: url, method, headers }, (reply) => {
    isAnswered = true
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
    if (!isCut) return void reply.pipe(outgoing)
    reply.once('data', (bytes: Buffer) => {
      outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy())
    })
    reply.once('end', () => outgoing.end())
  })
  // Swift sends more bytes than it announces with some answers of 404.
  sent.on('error', () => isAnswered || outgoing.destroy())
  incoming.pipe(sent)
}
