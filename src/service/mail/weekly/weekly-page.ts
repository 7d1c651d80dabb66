import { Html, html } from '../../../wire/html.ts'
import type { Letter } from './weekly-mail.ts'
import type { Line, Section } from './weekly-sections.ts'

/** Mail programs that drop style sheets keep these, which are for a light background. */
const LOOKS = {
  back: 'margin: 0; padding: 24px 12px; background: #f4f6f7; color: #101a1c; font: 15px/1.5 system-ui, sans-serif',
  card: 'width: 100%; max-width: 600px; margin: 0 auto; background: #ffffff; border-radius: 12px; border-spacing: 0',
  inside: 'padding: 28px 24px',
  soft: 'margin: 0; font-size: 13px; color: #4b5a5e',
  room: 'margin: 0 0 2px; font-size: 22px; line-height: 1.3; overflow-wrap: anywhere',
  title: 'margin: 28px 0 4px; font-size: 15px; font-weight: 650',
  table: 'width: 100%; border-collapse: collapse',
  figure: 'padding: 0 8px 0 0; vertical-align: top; width: 25%',
  value: 'font-size: 20px; font-weight: 650; letter-spacing: -0.01em; white-space: nowrap',
  line: 'padding: 8px 0; border-top: 1px solid #dfe5e7; vertical-align: top; overflow-wrap: anywhere',
  aside:
    'padding: 8px 0 8px 12px; border-top: 1px solid #dfe5e7; vertical-align: top; text-align: right; white-space: nowrap; font-weight: 600',
  link: 'color: #0b5d66; text-decoration: none; font-weight: 500',
  track: 'height: 5px; margin-top: 6px; border-radius: 3px; background: #e4eaec',
  bar: 'height: 5px; border-radius: 3px; background: #0b5d66',
  button:
    'display: inline-block; margin: 28px 0 0; padding: 10px 18px; border-radius: 8px; background: #0b5d66; color: #ffffff; text-decoration: none; font-weight: 600',
  foot: 'width: 100%; max-width: 600px; margin: 0 auto; padding: 16px 24px; box-sizing: border-box',
  way: 'color: #4b5a5e',
}

const DARK = `@media (prefers-color-scheme: dark) {
.back { background: #0e1618 !important; color: #e6eef0 !important }
.card { background: #172123 !important }
.soft, .way { color: #a3b3b6 !important }
.line, .aside { border-color: #2b393c !important }
.link { color: #5fc4ce !important }
.track { background: #2b393c !important }
.bar { background: #5fc4ce !important }
.button { background: #5fc4ce !important; color: #06282c !important }
}`

const look = (name: keyof typeof LOOKS, more = '') => new Html(`class="${name}" style="${LOOKS[name]}${more}"`)

/** The page of a mail. Everything in the letter is text. */
export function pageOf({ language, room, kind, days, figures, unused, sections, open, notes, ways }: Letter): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <style>
          ${new Html(DARK)}
        </style>
      </head>
      <body ${look('back')}>
        <table role="presentation" ${look('card')}>
          <tr>
            <td ${look('inside')}>
              <h1 ${look('room')}>${room}</h1>
              <p ${look('soft')}>${kind} · ${days}</p>
              ${figures.length > 0 && figureTable(figures)} ${unused !== '' && html`<p>${unused}</p>`}
              ${sections.map(sectionOf)}
              <a href="${open.url}" ${look('button')}>${open.text}</a>
            </td>
          </tr>
        </table>
        <div ${look('foot')}>
          ${notes.map((note) => html`<p ${look('soft', '; margin: 0 0 8px')}>${note}</p>`)}
          <p ${look('soft')}>
            ${ways.map(({ text, url }, at) => html`${at > 0 && ' · '}<a href="${url}" ${look('way')}>${text}</a>`)}
          </p>
        </div>
      </body>
    </html> `.markup
}

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

const sectionOf = ({ title, lines, more }: Section): Html => html`
  <h2 ${look('title')}>${title}</h2>
  <table role="presentation" ${look('table')}>
    ${lines.map(lineOf)}
  </table>
  ${more !== undefined && html`<p ${look('soft')}>${more}</p>`}
`

const lineOf = ({ text, detail, aside, share, url }: Line): Html => html`
  <tr>
    <td ${look('line')} colspan="${aside === undefined ? 2 : 1}">
      ${url === undefined ? text : html`<a href="${url}" ${look('link')}>${text}</a>`}
      ${detail !== '' && html`<div ${look('soft')}>${detail}</div>`} ${share !== undefined && barOf(share)}
    </td>
    ${aside !== undefined && html`<td ${look('aside')}>${aside}</td>`}
  </tr>
`

const barOf = (share: number): Html =>
  html`<div ${look('track')}><div ${look('bar', `; width: ${(share * 100).toFixed(1)}%`)}></div></div>`
