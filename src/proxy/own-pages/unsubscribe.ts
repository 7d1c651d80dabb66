import type { Reply } from '../../contract/endpoint.ts'
import { type Mails, notifications } from '../../contract/endpoints/deal/notifications.ts'
import { html } from '../../wire/html.ts'
import { createRateLimit, type RateLimit } from '../../wire/rates/rate-limit.ts'
import { placeOf } from '../../wire/place-of.ts'
import type { Exchange } from '../exchange.ts'
import { type Language, plainPage, spoken } from './plain-page.ts'
import { tooMany, wrongMethod } from '../refusal.ts'
import { sendPage } from '../reply.ts'
import type { ServiceCalls } from '../service-calls.ts'

export const UNSUBSCRIBE = '/unsubscribe/'

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

const WORDS: Record<Language, Words> = {
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
    const language = found?.language ?? spoken(exchange.request)
    const page = pageOf(language, found)
    sendPage(exchange, found || !acts ? 200 : 404, page)
  }
}

function spend(limit: RateLimit, ip: string): void {
  const { waitMs } = limit.take(placeOf(ip))
  if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000))
}

type Found = Reply<typeof notifications.showUnsubscribe>['unsubscribing']

function pageOf(language: Language, found: Found): string {
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
  return plainPage(language, words.title, said)
}
