import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { noteReply, refuseBadBytes } from './bad-bytes.ts'
import { readRefusal, sendRaw } from './testing/raw.ts'

let server: Server
afterEach(() => new Promise((done) => server.close(done)))

async function listen(options: ServerOptions, listener: RequestListener): Promise<string> {
  server = createServer(options, listener).on('clientError', refuseBadBytes)
  server.prependListener('request', (_request, reply) => noteReply(reply))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('headers that never end time out', async () => {
  const url = await listen({ headersTimeout: 50, connectionsCheckingInterval: 20 }, () => {})
  expect(readRefusal(await sendRaw(url, 'GET / HTTP/1.1\r\nHost: x\r\nX-'), 408)).toBe(
    'The request took too long to arrive.',
  )
})

it('a body that becomes invalid is refused if no reply has begun', async () => {
  const url = await listen({}, (request) => void request.resume().on('error', () => {}))
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(readRefusal(await sendRaw(url, head, '5\r\nhello\r\nno length\r\n'), 400)).toBe('The request is malformed.')
})

it('a reply that has begun is broken off, never followed by another', async () => {
  const url = await listen({}, (request, reply) => {
    request.resume().on('error', () => {})
    reply.writeHead(200, { 'Content-Length': 100 }).write('half of ')
  })
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  const answer = await sendRaw(url, head, '5\r\nhello\r\nno length\r\n')
  expect(answer).not.toContain('malformed')
})

it('a client that keeps sending can still read the refusal and is then cut off', async () => {
  const url = await listen({}, () => {})
  const pieces = Array.from({ length: 10 }, () => 'x'.repeat(10_000))
  expect(readRefusal(await sendRaw(url, 'hello\r\n\r\n', ...pieces), 400)).toBe('The request is malformed.')
})
