import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { Upstream } from './upstream.ts'

const servers: Server[] = []
let upstream: Upstream
afterEach(async () => {
  await upstream.destroy()
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server): Promise<string> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A node that answers with its name. */
const node = (name: string, answer: RequestListener = (_request, reply) => reply.end(name)) =>
  listen(createServer(answer))

/** The address of a node that is not running. */
async function goneNode(): Promise<string> {
  const server = createTcpServer()
  const url = await listen(server)
  server.close()
  await once(server, 'close')
  return url
}

/** A node that breaks each connection once a request has arrived. */
const breakingNode = (onRequest: () => void) =>
  node('breaks', (request) => {
    if (request.url !== '/readyz') onRequest()
    request.socket.destroy()
  })

/** A node behind a cut network: it takes connections and requests, and answers nothing. */
const silentNode = () => listen(createTcpServer((socket) => socket.resume().on('error', () => {})))

async function ask(method = 'GET', body: AsyncIterable<Buffer> | null = null): Promise<string> {
  const reply = await upstream.request({ method: method as 'GET', path: '/', body: body as never })
  return reply.body.text()
}

async function* bytes() {
  yield Buffer.from('some ')
  yield Buffer.from('bytes')
}

describe('several nodes', () => {
  it('take requests in turn', async () => {
    upstream = new Upstream([await node('a'), await node('b')])
    expect([await ask(), await ask(), await ask()]).toEqual(['a', 'b', 'a'])
  })

  it('replace one that is gone, with the body of the request intact', async () => {
    const echo = await node('echo', (request, reply) => void text(request).then((body) => reply.end(body)))
    upstream = new Upstream([await goneNode(), echo])
    expect(await ask('PUT', bytes())).toBe('some bytes')
    expect(await ask('POST')).toBe('')
  })

  it('replace one that breaks the connection of a GET', async () => {
    let seen = 0
    upstream = new Upstream([await breakingNode(() => seen++), await node('b')])
    expect(await ask()).toBe('b')
    expect(seen).toBe(1)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('never get a %s twice', async (method) => {
    let seen = 0
    const urls = [await breakingNode(() => seen++), await breakingNode(() => seen++)]
    upstream = new Upstream(urls)
    await expect(ask(method)).rejects.toThrow('other side closed')
    expect(seen).toBe(1)
  })

  it('get no requests while they are not ready', async () => {
    let status = 503
    const draining = await node('draining', (_request, reply) => reply.writeHead(status).end('draining'))
    upstream = new Upstream([draining, await node('b')])
    expect(await upstream.isReady()).toBe(true)
    expect([await ask(), await ask(), await ask()]).toEqual(['b', 'b', 'b'])
    status = 200
    await expect.poll(async () => [await ask(), await ask()], { timeout: 20_000 }).toContain('draining')
  })

  it('are ready as soon as one is, while another is silent', async () => {
    upstream = new Upstream([await silentNode(), await node('b')], 60_000)
    expect(await upstream.isReady()).toBe(true)
  })

  it('replace one that has fallen silent, for a GET that waits for it', async () => {
    upstream = new Upstream([await silentNode(), await node('b')], 200)
    expect(await ask()).toBe('b')
  })

  it('do not keep the caller of a silent one waiting, and never get its POST twice', async () => {
    let seen = 0
    const other = await node('b', (request, reply) => {
      if (request.method === 'POST') seen++
      reply.end()
    })
    upstream = new Upstream([await silentNode(), other], 200)
    await expect(ask('POST')).rejects.toThrow('The node is silent')
    expect(seen).toBe(0)
  })

  it('are not ready when none is', async () => {
    upstream = new Upstream([await goneNode(), await goneNode()])
    expect(await upstream.isReady()).toBe(false)
    await expect(ask()).rejects.toThrow('ECONNREFUSED')
  })
})

describe('one node', () => {
  it('gets a GET again whose connection it broke', async () => {
    let seen = 0
    const url = await node('a', (request, reply) => (seen++ === 0 ? request.socket.destroy() : reply.end('a')))
    upstream = new Upstream([url])
    expect(await ask()).toBe('a')
  })
})
