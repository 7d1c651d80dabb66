import type { Language } from '../../../contract/endpoints/deal/notifications.ts'
import { type Html, html } from '../../../wire/html.ts'
import { withoutLinks } from '../without-links.ts'
import { LOGO_HERE } from './logo.ts'
import { accented, type Accents, accentsOf, look, type MailLook, styleSheet } from './mail-styles.ts'

interface Page {
  language: Language
  look: MailLook | undefined
  /** With the accents of the room. */
  body: (accents: Accents) => Html
  /** Below the card: why the mail comes. */
  notes?: readonly string[]
  /** Links below the card. */
  ways?: readonly { text: string; url: string }[]
}

/** The page of a mail of a room: its logo and name, the body on a card, and the foot. All texts are text. */
export function pageOf({ language, look: looks, body, notes = [], ways = [] }: Page): string {
  const accents = accentsOf(looks)
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>
          ${styleSheet(accents)}
        </style>
      </head>
      <body ${look('back')}>
        <table role="presentation" ${look('card')}>
          <tr>
            <td ${look('inside')}>${headOf(looks)} ${body(accents)}</td>
          </tr>
        </table>
        ${notes.length + ways.length > 0 && footOf(notes, ways)}
      </body>
    </html> `.markup
}

const headOf = (looks: MailLook | undefined): Html => html`
  ${LOGO_HERE} ${looks?.display_name ? html`<p ${look('brand')}>${withoutLinks(looks.display_name)}</p>` : ''}
`

const footOf = (notes: readonly string[], ways: NonNullable<Page['ways']>): Html => html`
  <div ${look('foot')}>
    ${notes.map((note) => html`<p ${look('soft', '; margin: 0 0 8px')}>${note}</p>`)}
    ${
      ways.length > 0 &&
      html`<p ${look('soft')}>
        ${ways.map(({ text, url }, at) => html`${at > 0 && ' · '}<a href="${url}" ${look('way')}>${text}</a>`)}
      </p>`
    }
  </div>
`

/** A table, since some mail programs give no link the size of a button. */
export const buttonTo = (url: string, text: string, accents: Accents): Html =>
  html`<table role="presentation" style="margin: 20px 0 12px; border-spacing: 0">
    <tr>
      <td ${accented('button', accents)}><a href="${url}" ${accented('press', accents)}>${text}</a></td>
    </tr>
  </table>`

export const linkTo = (url: string, text: string, accents: Accents): Html =>
  html`<a href="${url}" ${accented('link', accents)}>${text}</a>`
