import type { Language } from '../../contract/endpoints/deal/notifications.ts'
import type { Mail } from '../../mail/transport.ts'
import { html } from '../../wire/html.ts'

interface QuestionMail {
  to: string
  language: Language
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
export function writeQuestions({ to, language, subject, greeting, intro, items, open, url, why }: QuestionMail): Mail {
  const list = items.map(({ title, state }) => [`- ${title}`, state].filter(Boolean).join('\n  '))
  const text = [`${greeting}\n\n${intro}`, list.join('\n'), `${open}: ${url}`, why]
  const markup = html`<!doctype html>
    <html lang="${language}">
      <body style="font-family: system-ui, sans-serif; color: #101a1c; line-height: 1.5">
        <p>${greeting}</p>
        <p>${intro}</p>
        ${
          items.length > 0
            ? html`<ul style="padding-left: 20px">
                ${items.map(
                  (item) =>
                    html`<li style="margin: 6px 0">
                      <a href="${item.url}" style="color: #0b5d66">${item.title}</a><br /><span
                        style="font-size: 13px; color: #4b5a5e"
                        >${item.state}</span
                      >
                    </li>`,
                )}
              </ul>`
            : html`<p><a href="${url}" style="color: #0b5d66">${open}</a></p>`
        }
        <p style="font-size: 13px; color: #4b5a5e">${why}</p>
      </body>
    </html> `
  return {
    to,
    subject: subject.replace(/\s+/g, ' '),
    text: `${text.filter(Boolean).join('\n\n')}\n`,
    html: markup.markup,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
