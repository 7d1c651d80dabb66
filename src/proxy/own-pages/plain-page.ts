import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { html, type Html } from '../../wire/html.ts'
import type { Refusal } from '../refusal.ts'

// Pages that the proxy makes itself, without a script: the link of mails, and failures that a person meets.

export type Language = 'en' | 'de'

const STYLE = `
:root { color-scheme: light dark; --back: #f4f6f7; --card: #ffffff; --ink: #101a1c; --soft: #4b5a5e; --act: #0b5d66; --on: #ffffff }
@media (prefers-color-scheme: dark) { :root { --back: #0e1618; --card: #172123; --ink: #e6eef0; --soft: #a3b3b6; --act: #5fc4ce; --on: #06282c } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { box-sizing: border-box; width: min(440px, calc(100vw - 32px)); padding: 32px; border-radius: 16px; background: var(--card); overflow-wrap: anywhere }
h1 { margin: 0 0 12px; font-size: 22px; line-height: 1.3 }
p { margin: 0 0 24px; color: var(--soft) }
p:last-child { margin: 0 }
a { color: var(--act) }
button { padding: 12px 20px; border: 0; border-radius: 8px; background: var(--act); color: var(--on); font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible, a:focus-visible { outline: 3px solid var(--act); outline-offset: 3px }
`

export const PLAIN_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Returns the first language of the browser that the pages have, or else English. */
export const spoken = ({ headers }: IncomingMessage): Language =>
  (headers['accept-language'] ?? '')
    .split(',')
    .map((tag) => tag.trim().toLowerCase().split(/[-;]/)[0])
    .find((tag) => tag === 'en' || tag === 'de') ?? 'en'

export function plainPage(language: Language, title: string, said: Html): string {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${title}</title><style>`.markup.concat(
    STYLE,
    html`</style></head>
<body><main>${said}</main></body>
</html>
`.markup,
  )
}

const FAILED = { en: 'This did not work', de: 'Das hat nicht geklappt' }

/** The refusals of addresses that a person opens, as the dashboard says them; those not listed stay English. */
export const REFUSALS_IN_GERMAN: Record<string, string> = {
  nothing_here: 'Hier ist nichts, das Sie sehen können.',
  url_expired: 'Diese Adresse ist abgelaufen.',
  too_many_attempts: 'Zu viele Versuche. Versuchen Sie es später erneut.',
  service_away: 'Der Dienst ist nicht erreichbar. Versuchen Sie es gleich noch einmal.',
  service_busy: 'Der Dienst ist im Moment nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  service_slow: 'Der Dienst hat nicht rechtzeitig geantwortet.',
  internal_failure: 'Bei uns ist etwas schiefgegangen.',
}

export function failurePage(language: Language, { reason, message }: Refusal, id: string): string {
  const german = language === 'de' && reason && REFUSALS_IN_GERMAN[reason]
  const said = html`<h1>${FAILED[language]}</h1>
    <p lang="${german ? 'de' : 'en'}">${german || message}</p>
    <p><a href="/">Strongroom</a> · <small>${id}</small></p>`
  return plainPage(language, FAILED[language], said)
}
