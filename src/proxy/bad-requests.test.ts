import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULTS, withHost } from '../wire/testing/faults.ts'
import { readAnswer, readRefusal, sendRaw } from '../wire/testing/raw.ts'
import { startTestProxy, type TestProxy } from './testing/start-proxy.ts'

let proxy: TestProxy
beforeAll(async () => {
  proxy = await startTestProxy()
})
afterAll(() => proxy.close())

describe('A13, E9: the proxy refuses in JSON, closes the connection and forwards nothing:', () => {
  it.each(FAULTS)('%s', async (_, pieces, status) => {
    const before = proxy.api.seen.length
    const text = await sendRaw(proxy.url, ...withHost(proxy.host, pieces))
    expect(readRefusal(text, status)).toMatch(/\.$/)
    expect(proxy.api.seen.length).toBe(before)
  })
})

describe('a method that no path accepts', () => {
  it.each(['OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'M-SEARCH', 'MKCOL'])(
    'such as %s is refused in JSON',
    async (method) => {
      const head = `${method} /api/v1/users/me HTTP/1.1\r\nHost: ${proxy.host}\r\nConnection: close\r\n\r\n`
      expect(readRefusal(await sendRaw(proxy.url, head), 405)).toMatch(/^This path takes /)
    },
  )
})

it('an HTTP/1.0 client needs no Host for a probe', async () => {
  expect(readAnswer(await sendRaw(proxy.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
})
