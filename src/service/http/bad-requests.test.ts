import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULTS, withHost } from '../../wire/testing/faults.ts'
import { readAnswer, readRefusal, sendRaw } from '../../wire/testing/raw.ts'
import { createServer, STILL_MS } from './server.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

describe('E9: the service refuses in JSON and closes the connection:', () => {
  it.each(FAULTS)('%s', async (_, pieces, status) => {
    const text = await sendRaw(service.url, ...withHost('api.test', pieces))
    expect(readRefusal(text, status)).toMatch(/\.$/)
  })
})

it('an idle connection is closed eventually', async () => {
  const app = createServer(service.services)
  expect(app.server.timeout).toBe(STILL_MS)
  await app.close()
})

describe('a method that no path accepts', () => {
  it.each(['OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'M-SEARCH', 'MKCOL'])(
    'such as %s is refused in JSON',
    async (method) => {
      const text = await sendRaw(
        service.url,
        `${method} /api/v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      )
      expect(readRefusal(text, 405)).toBe('This path takes GET, PUT.')
      expect(readAnswer(text).headers.get('allow')).toBe('GET, PUT')
    },
  )
})

it('an HTTP/1.0 client needs no Host', async () => {
  expect(readAnswer(await sendRaw(service.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
})

it('a client that expects 100 Continue gets it', async () => {
  const head =
    'POST /healthz HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n'
  const [interim, ...rest] = (await sendRaw(service.url, head, '{}')).split('\r\n\r\n')
  expect(interim).toBe('HTTP/1.1 100 Continue')
  expect(readAnswer(rest.join('\r\n\r\n')).status).toBe(404)
})
