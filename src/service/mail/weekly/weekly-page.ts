import { type Html, html } from '../../../wire/html.ts'
import { buttonTo, linkTo, pageOf } from '../look/mail-page.ts'
import { accented, type Accents, look, type MailLook } from '../look/mail-styles.ts'
import type { Letter } from './weekly-mail.ts'
import type { Line, Section } from './weekly-sections.ts'

/** The page of a mail. Everything in the letter is text. */
export const weeklyPageOf = (letter: Letter, looks: MailLook | undefined): string =>
  pageOf({
    language: letter.language,
    look: looks,
    body: (accents) => bodyOf(letter, accents),
    notes: letter.notes,
    ways: letter.ways,
  })

const bodyOf = ({ room, kind, days, figures, unused, sections, open }: Letter, accents: Accents): Html => html`
  <h1 ${look('room')}>${room}</h1>
  <p ${look('soft')}>${kind} · ${days}</p>
  ${figures.length > 0 && figureTable(figures)} ${unused !== '' && html`<p>${unused}</p>`}
  ${sections.map((section) => sectionOf(section, accents))} ${buttonTo(open.url, open.text, accents)}
`

const figureTable = (figures: Letter['figures']): Html => html`
  <table role="presentation" ${look('table', '; margin-top: 20px')}>
    <tr>
      ${figures.map(
        ({ label, value }) =>
          html`<td ${look('figure')}>
            <div ${look('value')}>${value}</div>
            <div ${look('soft')}>${label}</div>
          </td>`,
      )}
    </tr>
  </table>
`

const sectionOf = ({ title, lines, more }: Section, accents: Accents): Html => html`
  <h2 ${look('title')}>${title}</h2>
  <table role="presentation" ${look('table')}>
    ${lines.map((line) => lineOf(line, accents))}
  </table>
  ${more !== undefined && html`<p ${look('soft')}>${more}</p>`}
`

const lineOf = ({ text, detail, aside, share, url }: Line, accents: Accents): Html => html`
  <tr>
    <td ${look('line')} colspan="${aside === undefined ? 2 : 1}">
      ${url === undefined ? text : linkTo(url, text, accents)}
      ${detail !== '' && html`<div ${look('soft')}>${detail}</div>`} ${share !== undefined && barOf(share, accents)}
    </td>
    ${aside !== undefined && html`<td ${look('aside')}>${aside}</td>`}
  </tr>
`

const barOf = (share: number, accents: Accents): Html =>
  html`<div ${look('track')}><div ${accented('bar', accents, `; width: ${Math.round(share * 100)}%`)}></div></div>`
