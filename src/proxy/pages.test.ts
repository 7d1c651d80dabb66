import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestProxy, type TestProxy } from './testing/start-proxy.ts'

let proxy: TestProxy
beforeAll(async () => {
  proxy = await startTestProxy()
})
afterAll(() => proxy.close())

const PAGE = '<!doctype html><title>Strongroom</title>'

describe('the dashboard', () => {
  it.each(['/', '/workspaces/5/files', '/workspaces/5/files?folder=7', '/sign-in'])(
    'has its page at %s',
    async (path) => {
      const { status, headers, text } = await proxy.send('GET', path)
      expect({ status, text }).toEqual({ status: 200, text: PAGE })
      expect(headers).toMatchObject({ 'content-type': 'text/html;charset=utf-8', 'cache-control': 'no-cache' })
    },
  )

  it('has hashed files that browsers may keep for good', async () => {
    const { headers, text } = await proxy.send('GET', '/assets/main-1a2b3c4d.js')
    expect(text).toBe('console.log("plain")')
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript',
      vary: 'Accept-Encoding',
    })
  })

  it('sends what was compressed at build', async () => {
    const { headers, text } = await proxy.send('GET', '/assets/main-1a2b3c4d.js', {
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect({ encoding: headers['content-encoding'], text }).toEqual({ encoding: 'br', text: 'brotli bytes' })
  })

  it('is not sent again when unchanged', async () => {
    const { headers } = await proxy.send('GET', '/')
    const again = await proxy.send('GET', '/', { headers: { 'if-none-match': String(headers['etag']) } })
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(again.headers['content-security-policy']).toBeDefined()
  })

  it('ignores ranges, whole or absurd', async () => {
    for (const range of ['bytes=0-3', 'bytes=9-2', 'bytes=999-', 'bytes=a-b']) {
      expect(await proxy.send('GET', '/', { headers: { range } })).toMatchObject({ status: 200, text: PAGE })
    }
  })

  it('has no other files', async () => {
    for (const path of ['/assets/gone.js', '/.vite/manifest.json', '/.env', '/package.json', '/assets/.hidden']) {
      expect(await proxy.send('GET', path)).toMatchObject({ status: 404, json: { error: { code: 404 } } })
    }
  })

  it('takes no other methods', async () => {
    expect((await proxy.send('POST', '/')).status).toBe(405)
    expect(await proxy.send('HEAD', '/')).toMatchObject({ status: 200, text: '' })
  })

  it('may be opened from anywhere', async () => {
    expect((await proxy.send('GET', '/workspaces/5', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200)
  })

  it('built anew while the proxy runs is served as it is', async () => {
    const path = join(proxy.folder, 'dist', 'index.html')
    await writeFile(path, '<!doctype html>longer than before, by far')
    expect((await proxy.send('GET', '/')).text).toBe('<!doctype html>longer than before, by far')
    await writeFile(path, PAGE)
  })

  it('not built yet is said in words', async () => {
    const path = join(proxy.folder, 'dist', 'index.html')
    await rm(path)
    expect(await proxy.send('GET', '/')).toMatchObject({ status: 503, json: { error: { code: 503 } } })
    await writeFile(path, PAGE)
  })
})

describe('what every page says to the browser', () => {
  it('nothing inline, nothing foreign, no frames, trusted types', async () => {
    const { headers } = await proxy.send('GET', '/')
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' blob: data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(headers['permissions-policy']).toContain('camera=()')
  })

  it.each([
    '/',
    '/assets/main-1a2b3c4d.js',
    '/auth/session',
    '/api/v1/teams',
    '/content/x',
    '/healthz',
    '/nowhere.txt',
  ])('%s is never sniffed, framed, embedded elsewhere or referred to', async (path) => {
    const { headers } = await proxy.send('GET', path)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['x-powered-by'] ?? headers['server'] ?? headers['access-control-allow-origin']).toBeUndefined()
  })
})
