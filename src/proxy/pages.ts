import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sirv from 'sirv'
import type { Exchange } from './exchange.ts'
import { notFound, Refusal, wrongMethod } from './refusal.ts'

/**
 * Scripts, styles and fonts only from this origin, nothing inline; text never becomes code (trusted types without a
 * policy).
 */
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

/** For replies that must never act as a page: JSON, refusals and uploaded files. */
const NO_PAGE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

const UNUSED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
}

/** The window that a sealed document opens hands a code back to it; all other pages have no opener. */
const SEALED_OPEN = '/sealed/open'
const KEEPS_OPENER = { 'cross-origin-opener-policy': 'unsafe-none' }

/** Headers of every reply, in lower case; they replace those of the service. */
export function safetyHeaders(publicUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': NO_PAGE_POLICY,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/** The built dashboard: its files, and its single page for every other path. */
export function createPages(distDir: string): (exchange: Exchange) => void {
  const serve = sirv(distDir, {
    // Checks the files at every request, because cached sizes would be wrong after a rebuild.
    dev: true,
    etag: true,
    brotli: true,
    gzip: true,
    single: true,
    setHeaders: (reply, pathname) => reply.setHeader('Cache-Control', cacheControl(pathname)),
  })
  return ({ request, reply, method, path, headers }) => {
    if (method !== 'GET' && method !== 'HEAD') throw wrongMethod('GET, HEAD')
    if (path.includes('/.')) throw notFound()
    if (!existsSync(join(distDir, 'index.html'))) throw new Refusal(503, 'The dashboard has not been built yet.')
    // Pages and scripts are small, and sirv would accept a range beyond the end.
    delete request.headers.range
    const opener = path === SEALED_OPEN ? KEEPS_OPENER : {}
    reply.setHeaders(new Map(Object.entries({ ...headers, ...PAGE_HEADERS, ...opener })))
    serve(request, reply, () => {
      throw notFound()
    })
  }
}

/** File names in `assets/` contain a hash of the content. */
function cacheControl(pathname: string): string {
  return pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}
