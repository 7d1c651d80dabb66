import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the relay does to the next requests. */
export type RelayMode = 'pass' | 'html' | 'refuse' | 'break' | AnswerMode
/** What becomes of the store's answer. */
type AnswerMode = 'cut' | 'late' | 'lose'

export interface Relay {
  url: string
  mode: RelayMode
  /** How often to misbehave before passing again. */
  times: number
  /** Matches `METHOD /path?query` of the requests to misbehave with. */
  only: RegExp
  /** How late an answer is in the mode `late`. */
  lateMs: number
  close(): Promise<void>
}

/**
 * Stands between the service and the store, and misbehaves on demand. The store checks signatures of the outer host.
 * @param port a fixed port
 */
export async function startRelay(target: string, port = 0): Promise<Relay> {
  const completed = new Set<string>()
  function relayOn(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const name = `${incoming.method} ${incoming.url}`
    // S3 forgets an upload that it has completed. Swift remembers it, so the relay answers instead.
    if (completed.has(name)) return void outgoing.writeHead(404).end(errorOf('NoSuchUpload'))
    const mode = relay.times > 0 && relay.only.test(name) ? relay.mode : 'pass'
    if (mode !== 'pass') relay.times--
    if (mode === 'break') return void incoming.socket.destroy()
    if (mode === 'html') return void outgoing.end('<html><body>Welcome to nginx!</body></html>')
    if (mode === 'refuse') return void outgoing.writeHead(403).end(errorOf('AccessDenied'))
    if (mode === 'lose') completed.add(name)
    forward(target, incoming, outgoing, async (reply) => {
      if (mode === 'late') await sleep(relay.lateMs)
      if (mode === 'lose') return void reply.resume().once('end', () => outgoing.destroy())
      answer(reply, outgoing, mode === 'cut')
    })
  }
  const server = createServer(relayOn).on('checkContinue', relayOn).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const relay: Relay = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'pass',
    times: Infinity,
    only: /^/,
    lateMs: 0,
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
  return relay
}

const errorOf = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}.</Message></Error>`

function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onReply: (reply: IncomingMessage) => Promise<void>,
): void {
  const { method, headers, url = '' } = incoming
  let isAnswered = false
  const sent = request(new URL(target), { path: url, method, headers }, (reply) => {
    isAnswered = true
    void onReply(reply)
  })
  // Swift sends more bytes than it announces with some answers of 404.
  sent.on('error', () => isAnswered || outgoing.destroy())
  if (headers.expect === undefined) return void incoming.pipe(sent)
  // A full store answers before the body, and then closes the connection.
  sent.flushHeaders()
  sent.once('continue', () => {
    outgoing.writeContinue()
    incoming.pipe(sent)
  })
}

function answer(reply: IncomingMessage, outgoing: ServerResponse, isCut: boolean): void {
  outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
  if (!isCut) return void reply.pipe(outgoing)
  reply.once('data', (bytes: Buffer) => {
    outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy())
  })
  reply.once('end', () => outgoing.end())
}
