import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sirv from 'sirv'
import type { Exchange } from './exchange.ts'
import { notFound, Refusal, wrongMethod } from './refusal.ts'

/** Scripts, styles and fonts from here only, nothing inline; text never becomes code (trusted types, no policy at all). */
const CONTENT_SECURITY_POLICY = [
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

const UNUSED_FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']

/** Headers of every reply. */
export function safetyHeaders(publicUrl: string): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
}

/** The built dashboard: its files, and its one page for every other path a person may open. */
export function createPages(distDir: string): (exchange: Exchange) => void {
  const serve = sirv(distDir, {
    // Looks at the files with every request: a dashboard built anew must not meet sizes of the old one.
    dev: true,
    etag: true,
    brotli: true,
    gzip: true,
    single: true,
    setHeaders: (reply, pathname) => reply.setHeader('Cache-Control', cacheControl(pathname)),
  })
  return ({ request, reply, method, path }) => {
    if (method !== 'GET' && method !== 'HEAD') throw wrongMethod('GET, HEAD')
    if (path.includes('/.')) throw notFound()
    if (!existsSync(join(distDir, 'index.html'))) throw new Refusal(503, 'The dashboard has not been built yet.')
    // Pages and scripts are small; sirv would trust a range beyond the end.
    delete request.headers.range
    reply.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    reply.setHeader('Permissions-Policy', UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '))
    serve(request, reply, () => {
      throw notFound()
    })
  }
}

/** The names in `assets/` carry a hash of the content. */
function cacheControl(pathname: string): string {
  return pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}
