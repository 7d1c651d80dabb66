import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestProxy, type TestProxy } from './testing/start-proxy.ts'

const EVENTS = '/api/v1/workspaces/5/events'

let proxy: TestProxy
let headers: { cookie: string }
let isClosed = false
beforeEach(async () => {
  proxy = await startTestProxy()
  headers = await proxy.signIn()
  isClosed = false
})
afterEach(() => (isClosed ? undefined : proxy.close()))

/** Opens a stream through the proxy. @returns the service's end and the reader's end */
async function follow() {
  const there = new Promise<{ request: IncomingMessage; reply: ServerResponse }>((done) =>
    proxy.api.on(`GET ${EVENTS}`, (request, reply) => {
      reply.writeHead(200, { 'Content-Type': 'text/event-stream; charset=UTF-8' }).write('retry: 2000\n\n')
      done({ request, reply })
    }),
  )
  const answer = await proxy.open('GET', EVENTS, { headers })
  const body = answer.body.setEncoding('utf8')
  body.on('error', () => {})
  return { ...(await there), answer, body }
}

describe('events', () => {
  it('are passed on one by one, each before the next is sent', async () => {
    const { reply, answer, body } = await follow()
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=UTF-8')
    const read = body[Symbol.asyncIterator]()
    expect((await read.next()).value).toBe('retry: 2000\n\n')
    for (const data of ['data: {"kinds":["files"],"own":false}\n\n', ':\n\n', 'data: {}\n\n']) {
      reply.write(data)
      expect((await read.next()).value).toBe(data)
    }
  })

  it('are requested as the user and the session, and the service may end them', async () => {
    const { request, reply, body } = await follow()
    expect(request.headers['x-api-session']).toBe('1')
    expect(request.headers.cookie).toBeUndefined()
    body.resume()
    reply.end()
    await once(body, 'end')
  })

  it('end at the service when the reader disconnects', async () => {
    const { reply, body } = await follow()
    body.destroy()
    expect(await once(reply, 'close')).toEqual([])
  })

  it('are only for signed-in users, on our own pages', async () => {
    expect((await proxy.send('GET', EVENTS)).status).toBe(401)
    const foreign = { ...headers, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    expect((await proxy.send('GET', EVENTS, { headers: foreign })).status).toBe(403)
    expect((await proxy.send('HEAD', EVENTS, { headers })).status).toBe(404)
  })

  it('do not delay the shutdown of the proxy', async () => {
    const { reply, body } = await follow()
    body.resume()
    isClosed = true
    const closing = proxy.close()
    expect(await once(reply, 'close')).toEqual([])
    await closing
  })
})
