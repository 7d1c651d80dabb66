import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestProxy, type TestProxy } from './testing/start-proxy.ts'

const MB = 1024 * 1024
const SIZE = 200 * MB
/** Bytes that two sockets, of which Linux buffers up to 36 MB each, and streams may hold of a stalled transfer. */
const HELD = 96 * MB
const UPLOAD = '/api/v1/files/upload?workspace_id=1&folder_id=0&file_name=a.bin'
const chunk = randomBytes(MB)

let proxy: TestProxy
let headers: { cookie: string }
beforeAll(async () => {
  proxy = await startTestProxy()
  headers = await proxy.signIn()
})
afterAll(() => proxy.close())

function* bytes(size = SIZE): Generator<Buffer> {
  for (let sent = 0; sent < size; sent += MB) yield chunk
}
function digest() {
  const hash = createHash('sha256')
  for (const each of bytes()) hash.update(each)
  return hash.digest('hex')
}
/** Settles with the next exchange for this target at the service. */
function nextAt(target: string): Promise<{ request: IncomingMessage; reply: ServerResponse }> {
  return new Promise((done) => proxy.api.on(target, (request, reply) => done({ request, reply })))
}
/** Writes until the other end has taken nothing for half a second. @returns the bytes taken */
async function writeUntilStuck(stream: Writable): Promise<number> {
  let written = 0
  for (;;) {
    if (!stream.write(chunk)) {
      const isStuck = await Promise.race([
        once(stream, 'drain').then(() => false),
        new Promise((done) => setTimeout(() => done(true), 500)),
      ])
      if (isStuck) return written
    }
    written += MB
    if (written > SIZE) return written
  }
}

describe('bodies of 200 MB', () => {
  it('are uploaded whole', async () => {
    proxy.api.on('PUT /api/v1/files/upload', async (request, reply) => {
      const hash = createHash('sha256')
      for await (const each of request) hash.update(each)
      reply.end(JSON.stringify({ sha256: hash.digest('hex'), length: request.headers['content-length'] }))
    })
    const body = Readable.from(bytes())
    const answer = await proxy.open('PUT', UPLOAD, { headers: { ...headers, 'content-length': String(SIZE) }, body })
    expect(await answer.body.json()).toEqual({ sha256: digest(), length: String(SIZE) })
  })

  it('are downloaded whole', async () => {
    proxy.api.on('GET /content/large', (_request, reply) => {
      reply.writeHead(200, { 'Content-Length': SIZE })
      Readable.from(bytes()).pipe(reply)
    })
    const { body } = await proxy.open('GET', '/content/large')
    const hash = createHash('sha256')
    for await (const each of body) hash.update(each as Buffer)
    expect(hash.digest('hex')).toBe(digest())
  })
})

describe('different speeds', () => {
  it('a stalled reader holds the service back', async () => {
    const there = nextAt('GET /content/slow')
    const socket = proxy.connect()
    socket.write(`GET /content/slow HTTP/1.1\r\nHost: ${proxy.host}\r\n\r\n`)
    socket.pause()
    const { reply } = await there
    expect(await writeUntilStuck(reply)).toBeLessThan(HELD)
    socket.destroy()
    await once(reply, 'close')
  })

  it('a stalled service holds the sender back', async () => {
    const there = nextAt('PUT /api/v1/files/upload')
    const socket = proxy.connect()
    socket.on('error', () => {})
    socket.write(uploadHead(SIZE))
    socket.write(chunk)
    const { request } = await there
    expect(await writeUntilStuck(socket)).toBeLessThan(HELD)
    socket.destroy()
    await expect(buffer(request)).rejects.toThrow('aborted')
  })
})

const uploadHead = (length: number, more = '') =>
  `PUT ${UPLOAD} HTTP/1.1\r\nHost: ${proxy.host}\r\nOrigin: http://${proxy.host}\r\nCookie: ${headers.cookie}\r\n` +
  `Content-Length: ${length}\r\n${more}\r\n`

describe('a broken connection', () => {
  it('a client that disconnects mid-upload aborts the upload at the service', async () => {
    const there = nextAt('PUT /api/v1/files/upload')
    const socket = proxy.connect()
    socket.write(uploadHead(SIZE))
    socket.write(chunk)
    const { request } = await there
    socket.destroy()
    await expect(buffer(request)).rejects.toThrow('aborted')
    expect(request.complete).toBe(false)
  })

  it('a client that disconnects while waiting aborts the call at the service', async () => {
    const there = nextAt('GET /api/v1/teams')
    const socket = proxy.connect()
    socket.write(`GET /api/v1/teams HTTP/1.1\r\nHost: ${proxy.host}\r\nCookie: ${headers.cookie}\r\n\r\n`)
    const { reply } = await there
    socket.destroy()
    await once(reply, 'close')
    expect(reply.writableFinished).toBe(false)
  })

  it('a client that disconnects mid-download aborts the download at the service', async () => {
    const there = nextAt('GET /content/left')
    const socket = proxy.connect()
    socket.write(`GET /content/left HTTP/1.1\r\nHost: ${proxy.host}\r\n\r\n`)
    const { reply } = await there
    reply.write(chunk)
    await once(socket, 'data')
    socket.destroy()
    await once(reply, 'close')
    expect(reply.writableFinished).toBe(false)
  })

  it.each([{ 'Content-Length': String(10 * MB) }, {}])(
    'a service that breaks off mid-body (%j) never looks complete',
    async (framing) => {
      proxy.api.on('GET /content/torn', (request, reply) => {
        reply.writeHead(200, framing)
        reply.write(chunk, () => request.socket.destroy())
      })
      const { statusCode, body } = await proxy.open('GET', '/content/torn')
      expect(statusCode).toBe(200)
      await expect(body.arrayBuffer()).rejects.toThrow(/terminated|closed/)
      const raw = await proxy.raw(`GET /content/torn HTTP/1.1\r\nHost: ${proxy.host}\r\n\r\n`)
      expect(raw.length).toBeLessThan(2 * MB)
      expect(raw.endsWith('0\r\n\r\n')).toBe(false)
    },
  )

  it('a service that breaks off before its reply gives 502', async () => {
    proxy.api.on('GET /content/dead', (request) => request.socket.destroy())
    expect((await proxy.send('GET', '/content/dead')).json).toMatchObject({ error: { code: 502 } })
  })

  it('a service that sends an invalid reply gives 502', async () => {
    proxy.api.on('GET /content/nonsense', (request) => request.socket.end('SSH-2.0-nonsense\r\n'))
    expect((await proxy.send('GET', '/content/nonsense')).json).toMatchObject({ error: { code: 502 } })
  })

  it('the next request is not affected', async () => {
    expect((await proxy.send('GET', '/api/v1/groups?workspace_id=1', { headers })).status).toBe(200)
  })
})

describe('a reply before the end of the upload', () => {
  it('reaches the client, which may continue to send for a while', async () => {
    proxy.api.on('PUT /api/v1/files/upload', (request, reply) => {
      reply.writeHead(413, { 'Content-Type': 'application/json' })
      reply.end('{"error":{"code":413,"message":"Too large."}}')
      request.resume().on('error', () => {})
    })
    const answer = proxy.raw(uploadHead(30 * MB) + '\0'.repeat(30 * MB))
    expect(await answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*Too large\./i)
  })

  it('ends the connection even if the client never stops', async () => {
    const socket = proxy.connect()
    socket.on('error', () => {})
    socket.write(uploadHead(SIZE))
    socket.write(chunk)
    const [reply] = (await once(socket, 'data')) as [Buffer]
    expect(reply.toString()).toMatch(/^HTTP\/1\.1 413/)
    await once(socket, 'close')
  })

  it('works the same when it comes from the proxy', async () => {
    const answer = await proxy.raw(uploadHead(30 * MB).replace(/Cookie: .*\r\n/, '') + '\0'.repeat(30 * MB))
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*"code":401/)
  })
})

describe('Expect: 100-continue', () => {
  it('is answered once the upload is forwarded', async () => {
    proxy.api.on('PUT /api/v1/files/upload', async (request, reply) => reply.end(await buffer(request)))
    const socket = proxy.connect()
    socket.write(uploadHead(5, 'Expect: 100-continue\r\nConnection: close\r\n'))
    const [first] = (await once(socket, 'data')) as [Buffer]
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('hello')
    expect((await buffer(socket)).toString()).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello/)
  })
})
