import { hash } from 'node:crypto'
import type { Reply } from '../contract/endpoint.ts'
import { type Mails, notifications } from '../contract/endpoints/deal/notifications.ts'
import { html } from '../wire/html.ts'
import { createRateLimit, type RateLimit } from '../wire/rates/rate-limit.ts'
import { placeOf } from '../wire/place-of.ts'
import type { Exchange } from './exchange.ts'
import { tooMany, wrongMethod } from './refusal.ts'
import { endAfterBody, isSending } from './reply.ts'
import type { ServiceCalls } from './service-calls.ts'

export const UNSUBSCRIBE = '/unsubscribe/'

const STYLE = `
:root { color-scheme: light dark; --back: #f4f6f7; --card: #ffffff; --ink: #101a1c; --soft: #4b5a5e; --act: #0b5d66; --on: #ffffff }
@media (prefers-color-scheme: dark) { :root { --back: #0e1618; --card: #172123; --ink: #e6eef0; --soft: #a3b3b6; --act: #5fc4ce; --on: #06282c } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { box-sizing: border-box; width: min(440px, calc(100vw - 32px)); padding: 32px; border-radius: 16px; background: var(--card); overflow-wrap: anywhere }
h1 { margin: 0 0 12px; font-size: 22px; line-height: 1.3 }
p { margin: 0 0 24px; color: var(--soft) }
p:last-child { margin: 0 }
button { padding: 12px 20px; border: 0; border-radius: 8px; background: var(--act); color: var(--on); font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible { outline: 3px solid var(--act); outline-offset: 3px }
`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Words {
  title: string
  asked: Record<Mails, (room: string) => string>
  consequence: Record<Mails, string>
  button: Record<Mails, string>
  done: Record<Mails, (room: string) => string>
  again: string
  unknown: string
  unknownWhy: string
}

const WORDS: Record<'en' | 'de', Words> = {
  en: {
    title: 'Mails about a data room',
    asked: {
      news: (room) => `No more mails about what is new in ${room}?`,
      weekly_report: (room) => `No more weekly reports of ${room}?`,
    },
    consequence: {
      news: 'You keep your access. Invitations and codes for signing in still reach you.',
      weekly_report: 'You keep your access. Other mails about the data room still reach you.',
    },
    button: { news: 'No more mails', weekly_report: 'No more weekly reports' },
    done: {
      news: (room) => `You get no more mails about what is new in ${room}`,
      weekly_report: (room) => `You get no more weekly reports of ${room}`,
    },
    again: 'You can turn them on again on your account page.',
    unknown: 'This link ends no mails',
    unknownWhy: 'It is incomplete, or you are no longer a member of the data room.',
  },
  de: {
    title: 'E-Mails über einen Datenraum',
    asked: {
      news: (room) => `Keine E-Mails mehr über Neues in ${room}?`,
      weekly_report: (room) => `Keine Wochenberichte über ${room} mehr?`,
    },
    consequence: {
      news: 'Ihr Zugriff bleibt. Einladungen und Codes zum Anmelden erreichen Sie weiterhin.',
      weekly_report: 'Ihr Zugriff bleibt. Andere E-Mails über den Datenraum erreichen Sie weiterhin.',
    },
    button: { news: 'Keine E-Mails mehr', weekly_report: 'Keine Wochenberichte mehr' },
    done: {
      news: (room) => `Sie erhalten keine E-Mails mehr über Neues in ${room}`,
      weekly_report: (room) => `Sie erhalten keine Wochenberichte über ${room} mehr`,
    },
    again: 'Auf Ihrer Kontoseite können Sie sie wieder einschalten.',
    unknown: 'Dieser Link beendet keine E-Mails',
    unknownWhy: 'Er ist unvollständig, oder Sie sind nicht mehr Mitglied des Datenraums.',
  },
}

/** Of all clients behind one address: mail providers unsubscribe for many people. */
const ATTEMPTS = { count: 600, periodMs: 15 * 60_000, burst: 600 }

/**
 * The link in mails of news and weekly reports (RFC 8058): GET shows what it would end, and POST ends it, for a mail program too, which sends
 * neither a cookie nor an origin.
 */
export function createUnsubscribe(service: ServiceCalls, clock: () => Date): (exchange: Exchange) => Promise<void> {
  const limit = createRateLimit(ATTEMPTS, clock)
  return async (exchange) => {
    const { method, path } = exchange
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw wrongMethod('GET, HEAD, POST')
    spend(limit, exchange.ip)
    const token = path.slice(UNSUBSCRIBE.length)
    const acts = method === 'POST'
    const endpoint = acts ? notifications.unsubscribe : notifications.showUnsubscribe
    const isToken = /^[\w.-]{1,200}$/.test(token)
    const found = isToken
      ? (await service.callAsAdmin(endpoint, { body: { token } }, { ip: exchange.ip })).unsubscribing
      : null
    const language = found?.language ?? spoken(exchange)
    const page = pageOf(language, found)
    sendPage(exchange, found || !acts ? 200 : 404, page)
  }
}

function spend(limit: RateLimit, ip: string): void {
  const { waitMs } = limit.take(placeOf(ip))
  if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000))
}

const spoken = ({ request }: Exchange) => (/^\s*de\b/i.test(request.headers['accept-language'] ?? '') ? 'de' : 'en')

type Found = Reply<typeof notifications.showUnsubscribe>['unsubscribing']

function pageOf(language: 'en' | 'de', found: Found): string {
  const words = WORDS[language]
  const said = !found
    ? html`<h1>${words.unknown}</h1>
        <p>${words.unknownWhy}</p>`
    : found.frequency === 'off'
      ? html`<h1>${words.done[found.mails](found.workspace_name)}</h1>
          <p>${words.again}</p>`
      : html`<h1>${words.asked[found.mails](found.workspace_name)}</h1>
          <p>${words.consequence[found.mails]}</p>
          <form method="post"><button>${words.button[found.mails]}</button></form>`
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${words.title}</title><style>`.markup.concat(
    STYLE,
    html`</style></head>
<body><main>${said}</main></body>
</html>
`.markup,
  )
}

function sendPage({ request, reply, id, method, headers }: Exchange, status: number, page: string): void {
  const bytes = Buffer.from(page)
  reply.writeHead(status, {
    ...headers,
    'content-security-policy': POLICY,
    'Cache-Control': 'private, no-store',
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Length': bytes.length,
    'X-Request-Id': id,
    ...(isSending(request) && { Connection: 'close' }),
  })
  if (method !== 'HEAD') reply.write(bytes)
  endAfterBody(request, reply)
}
