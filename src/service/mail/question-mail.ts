import type { Language } from '../../contract/endpoints/deal/notifications.ts'
import type { Mail } from '../../mail/transport.ts'
import { html } from '../../wire/html.ts'
import { buttonTo, linkTo, pageOf } from './look/mail-page.ts'
import { type Accents, look, type MailLook } from './look/mail-styles.ts'

interface QuestionMail {
  to: string
  language: Language
  look: MailLook | undefined
  subject: string
  /** Names in these are neither links nor markup. */
  greeting: string
  intro: string
  items: readonly { title: string; state: string; url: string }[]
  open: string
  /** The page of all of these questions. */
  url: string
  why: string
}

/** A mail that lists questions, as text and HTML. */
export function writeQuestions(mail: QuestionMail): Mail {
  const { to, language, look: looks, subject, greeting, intro, items, open, url, why } = mail
  const list = items.map(({ title, state }) => [`- ${title}`, state].filter(Boolean).join('\n  '))
  const text = [`${greeting}\n\n${intro}`, list.join('\n'), `${open}: ${url}`, why]
  const body = (accents: Accents) => html`
    <p>${greeting}</p>
    <p>${intro}</p>
    ${
      items.length > 0 &&
      html`<ul ${look('list')}>
        ${items.map(
          (item) =>
            html`<li ${look('item')}>
              ${linkTo(item.url, item.title, accents)}<br /><span ${look('soft')}>${item.state}</span>
            </li>`,
        )}
      </ul>`
    }
    ${buttonTo(url, open, accents)}
  `
  return {
    to,
    subject: subject.replace(/\s+/g, ' '),
    text: `${text.filter(Boolean).join('\n\n')}\n`,
    html: pageOf({ language, look: looks, body, notes: [why] }),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
