import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestProxy, type TestProxy } from '../testing/start-proxy.ts'

let proxy: TestProxy
beforeEach(async () => {
  proxy = await startTestProxy()
})
afterEach(() => proxy.close())

const LINK = '/content/abc'

const answer = (status: number) =>
  proxy.api.on(`GET ${LINK}`, (_request, reply) => {
    reply.writeHead(status, { 'content-type': 'application/json' }).end('{"error":{"message":"From the service"}}')
  })

/** Opens an address as a browser does when a person clicks a link. */
const open = (path: string, languages = 'en-GB,en;q=0.9') =>
  proxy.send('GET', path, {
    headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'accept-language': languages },
  })

describe('a failure that a person meets', () => {
  it('is a page without a script, in the first language of the browser that it has', async () => {
    answer(403)
    const { status, text, headers } = await open(LINK)
    expect([status, headers['content-type']]).toEqual([403, 'text/html; charset=UTF-8'])
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(text).toContain('This URL has expired.')
    expect(text).toContain(headers['x-request-id'])
    for (const languages of ['de-DE', 'fr, DE;q=0.9, en;q=0.8']) {
      const page = (await open(LINK, languages)).text
      expect(page).toContain('<html lang="de">')
      expect(page).toContain('Diese Adresse ist abgelaufen.')
    }
    for (const languages of ['', 'fr', 'den, en', 'en, de'])
      expect((await open(LINK, languages)).text).toContain('<html lang="en">')
  })

  it.each([
    [404, 'Hier ist nichts, das Sie sehen können.'],
    [503, 'Der Dienst ist im Moment nicht verfügbar.'],
  ])('says %s of content', async (code, words) => {
    answer(code)
    const { status, text } = await open(LINK, 'de')
    expect(status).toBe(code)
    expect(text).toContain(words)
  })

  it('stays JSON for programs', async () => {
    answer(403)
    const { status, headers, text } = await proxy.send('GET', LINK)
    expect([status, headers['content-type'], text]).toEqual([
      403,
      'application/json',
      expect.stringContaining('service'),
    ])
    expect((await open('/api/v1/nothing')).headers['content-type']).toMatch(/json/)
  })

  it('does not touch content that is delivered', async () => {
    proxy.api.on(`GET ${LINK}`, (_request, reply) => void reply.end('the file'))
    expect((await open(LINK)).text).toBe('the file')
  })

  it('is the same for the proxy itself, with its headers, and says in English what has no German words', async () => {
    const { status, text, headers } = await proxy.send('PUT', '/unsubscribe/1', {
      headers: { 'sec-fetch-mode': 'navigate', 'accept-language': 'de' },
    })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    expect(text).toContain('<p lang="en">This path takes GET, HEAD, POST.</p>')
  })
})
