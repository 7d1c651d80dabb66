import { html } from '../../../wire/html.ts'
import { buttonTo, pageOf } from './mail-page.ts'
import { look, type MailLook } from './mail-styles.ts'

interface Notice {
  what: string
  /** Named one below the other. */
  named: readonly string[]
  remedy: string
  url: string
}

/** The page of a mail to admins about what is wrong in their workspace. */
export const noticePageOf = ({ what, named, remedy, url }: Notice, looks: MailLook | undefined): string =>
  pageOf({
    language: 'en',
    look: looks,
    body: (accents) => html`
      <p>${what}</p>
      <ul ${look('list')}>
        ${named.map((each) => html`<li ${look('item')}>${each}</li>`)}
      </ul>
      <p>${remedy}</p>
      ${buttonTo(url, 'Open Strongroom', accents)}
    `,
  })
