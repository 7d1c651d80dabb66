import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestProxy, type TestProxy } from './testing/start-proxy.ts'

let proxy: TestProxy
beforeAll(async () => {
  proxy = await startTestProxy()
})
afterAll(() => proxy.close())

const HTML = '<!doctype html><title>Strongroom</title>'

describe('the dashboard', () => {
  it.each(['/', '/workspaces/5/files', '/workspaces/5/files?folder=7', '/sign-in'])(
    'has its page at %s',
    async (path) => {
      const { status, headers, text } = await proxy.send('GET', path)
      expect({ status, text }).toEqual({ status: 200, text: HTML })
      expect(headers).toMatchObject({ 'content-type': 'text/html;charset=utf-8', 'cache-control': 'no-cache' })
    },
  )

  it('has hashed files that browsers may cache forever', async () => {
    const { headers, text } = await proxy.send('GET', '/assets/main-1a2b3c4d.js')
    expect(text).toBe('console.log("plain")')
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript',
      vary: 'Accept-Encoding',
    })
  })

  it('sends the files compressed at build time', async () => {
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

  it('ignores ranges, valid or not', async () => {
    for (const range of ['bytes=0-3', 'bytes=9-2', 'bytes=999-', 'bytes=a-b']) {
      expect(await proxy.send('GET', '/', { headers: { range } })).toMatchObject({ status: 200, text: HTML })
    }
  })

  it('has no other files', async () => {
    for (const path of ['/assets/gone.js', '/.vite/manifest.json', '/.env', '/package.json', '/assets/.hidden']) {
      expect(await proxy.send('GET', path)).toMatchObject({ status: 404, json: { error: { code: 404 } } })
    }
  })

  it('refuses other methods', async () => {
    expect((await proxy.send('POST', '/')).status).toBe(405)
    expect(await proxy.send('HEAD', '/')).toMatchObject({ status: 200, text: '' })
  })

  it('may be opened from any site', async () => {
    expect((await proxy.send('GET', '/workspaces/5', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200)
  })

  it('rebuilt while the proxy runs is served in its new form', async () => {
    const path = join(proxy.folder, 'dist', 'index.html')
    await writeFile(path, '<!doctype html>longer than before, by far')
    expect((await proxy.send('GET', '/')).text).toBe('<!doctype html>longer than before, by far')
    await writeFile(path, HTML)
  })

  it('not built yet gives a clear message', async () => {
    const path = join(proxy.folder, 'dist', 'index.html')
    await rm(path)
    expect(await proxy.send('GET', '/')).toMatchObject({ status: 503, json: { error: { code: 503 } } })
    await writeFile(path, HTML)
  })
})

const PAGE_POLICY = [
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
].join('; ')
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
const FEATURES =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), ' +
  'microphone=(), midi=(), payment=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), ' +
  'xr-spatial-tracking=()'

const EVERYWHERE = {
  'content-security-policy': NO_PAGE,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
const ON_PAGES = {
  ...EVERYWHERE,
  'content-security-policy': PAGE_POLICY,
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': FEATURES,
}
/** The window of a sealed document keeps its opener, even through the identity provider. */
const KEEPS_OPENER = { 'cross-origin-opener-policy': 'unsafe-none' }

const ROUTES: [method: string, path: string, status: number, cache: string | undefined, headers: object][] = [
  ['GET', '/', 200, 'no-cache', ON_PAGES],
  ['HEAD', '/', 200, 'no-cache', ON_PAGES],
  ['GET', '/sign-in?to=/account', 200, 'no-cache', ON_PAGES],
  ['GET', '/workspaces/5/files/7/view', 200, 'no-cache', ON_PAGES],
  ['GET', '/nowhere', 200, 'no-cache', ON_PAGES],
  ['GET', '/sealed/open?workspace=1', 200, 'no-cache', { ...ON_PAGES, ...KEEPS_OPENER }],
  ['GET', '/assets/main-1a2b3c4d.js', 200, 'public, max-age=31536000, immutable', ON_PAGES],
  ['GET', '/nowhere.txt', 404, 'private, no-store', { ...ON_PAGES, 'content-security-policy': NO_PAGE }],
  ['POST', '/', 405, 'private, no-store', EVERYWHERE],
  ['GET', '/auth/session', 200, 'private, no-store', EVERYWHERE],
  ['POST', '/auth/sign-out', 204, 'private, no-store', EVERYWHERE],
  ['GET', '/auth/nowhere', 404, 'private, no-store', EVERYWHERE],
  ['GET', '/api/v1/teams', 401, 'private, no-store', EVERYWHERE],
  ['GET', '/api/v1/docs', 404, 'private, no-store', EVERYWHERE],
  ['POST', '/sealed/key', 403, 'private, no-store', EVERYWHERE],
  ['GET', '/healthz', 200, 'private, no-store', EVERYWHERE],
  ['GET', '/..%2f', 400, 'private, no-store', EVERYWHERE],
]

/** Headers that restrict what a browser may do with a reply. */
const SAFETY =
  /^(content-security-policy|cross-origin-.*|permissions-policy|referrer-policy|strict-transport-security|x-content-type-options|x-frame-options|x-powered-by|server|access-control-.*|set-cookie|x-xss-protection)/

const safetyOf = (headers: object) => Object.fromEntries(Object.entries(headers).filter(([name]) => SAFETY.test(name)))

describe('the security headers of every reply', () => {
  it.each(ROUTES)('G2: %s %s', async (method, path, status, cache, headers) => {
    const answer = await proxy.send(method, path)
    expect(answer.status).toBe(status)
    expect(answer.headers['cache-control']).toBe(cache)
    // Signing out removes the cookie, whether there was one or not.
    const { 'set-cookie': _, ...safety } = safetyOf(answer.headers)
    expect(safety).toEqual(headers)
  })

  it('G2: an uploaded file, whatever headers the service sends', async () => {
    proxy.api.on('GET /content/page', (_request, reply) =>
      reply
        .writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': 'sandbox allow-scripts' })
        .end('<script>alert(1)</script>'),
    )
    expect(safetyOf((await proxy.send('GET', '/content/page')).headers)).toEqual(EVERYWHERE)
  })

  it('G2: no policy allows inline code, evaluated code, wildcards or foreign hosts', () => {
    expect(PAGE_POLICY + NO_PAGE).not.toMatch(/unsafe|\*|https?:|strict-dynamic/)
  })

  it('G2: over HTTPS, browsers are told to stay on HTTPS', async () => {
    const secure = await startTestProxy({ PUBLIC_URL: 'https://rooms.test' })
    for (const path of ['/', '/auth/session', '/api/v1/teams', '/content/x', '/nowhere.txt']) {
      const { headers } = await secure.send('GET', path)
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    }
    await secure.close()
    expect((await proxy.send('GET', '/')).headers['strict-transport-security']).toBeUndefined()
  })
})
