import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Reply } from '../../contract/endpoint.ts'
import type { notifications } from '../../contract/endpoints/deal/notifications.ts'
import { startTestProxy, type TestProxy } from '../testing/start-proxy.ts'

const PATH = '/unsubscribe/1.2.3.abc'

let proxy: TestProxy
let state: Reply<typeof notifications.showUnsubscribe>['unsubscribing']
beforeEach(async () => {
  proxy = await startTestProxy()
  state = { workspace_name: 'Harbour <b>', mails: 'news', language: 'en', frequency: 'daily' }
  const reply = (found: typeof state) => JSON.stringify({ unsubscribing: found })
  proxy.api.on('POST /api/v1/notifications/unsubscribe/show', (_request, answer) => void answer.end(reply(state)))
  proxy.api.on('POST /api/v1/notifications/unsubscribe', (_request, answer) => {
    if (state) state = { ...state, frequency: 'off' }
    answer.end(reply(state))
  })
})
afterEach(() => proxy.close())

const calls = () =>
  proxy.api.seen.map(({ method, url }) => `${method} ${url}`).filter((each) => each.includes('unsubscribe'))

describe('the link of a mail', () => {
  it('shows a page with a button that acts, and names are text there', async () => {
    const { status, text, headers } = await proxy.send('GET', PATH)
    expect(status).toBe(200)
    expect(text).toContain('Harbour &lt;b&gt;')
    expect(text).toContain('<form method="post">')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(calls()).toEqual(['POST /api/v1/notifications/unsubscribe/show'])
    expect(state?.frequency).toBe('daily')
  })

  it('acts at a POST of a mail program, which sends neither cookie nor origin', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, text } = await proxy.send('POST', PATH, { body: 'List-Unsubscribe=One-Click', headers })
    expect(status).toBe(200)
    expect(text).toContain('You get no more mails about what is new in Harbour')
    expect(text).not.toContain('<form')
    expect(state?.frequency).toBe('off')
  })

  it('ends weekly reports alone where it is in one', async () => {
    state = state && { ...state, mails: 'weekly_report', frequency: 'weekly' }
    expect((await proxy.send('GET', PATH)).text).toContain('No more weekly reports of Harbour &lt;b&gt;?')
    const { text } = await proxy.send('POST', PATH)
    expect(text).toContain('You get no more weekly reports of Harbour')
  })

  it('speaks the language of the person, or of the browser for an unknown link', async () => {
    state = state && { ...state, language: 'de' }
    expect((await proxy.send('GET', PATH)).text).toContain('lang="de"')
    state = null
    expect((await proxy.send('GET', PATH, { headers: { 'accept-language': 'de-AT,de;q=0.9' } })).text).toContain(
      'lang="de"',
    )
    expect((await proxy.send('POST', PATH)).status).toBe(404)
  })

  it('asks the service for nothing that is no token', async () => {
    for (const odd of ['', 'a%20b', 'a/b', 'x'.repeat(201)])
      expect((await proxy.send('GET', `/unsubscribe/${odd}`)).text).toContain('This link ends no mails')
    expect(calls()).toEqual([])
    expect((await proxy.send('DELETE', PATH)).status).toBe(405)
  })

  it('is the only way of a browser to these endpoints', async () => {
    const headers = await proxy.signIn('alice@rooms.test')
    for (const path of ['/api/v1/notifications/unsubscribe', '/api/v1/notifications/unsubscribe/show'])
      expect((await proxy.send('POST', path, { json: { token: 'x' }, headers })).status).toBe(404)
  })
})
