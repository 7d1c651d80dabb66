import type { Mail } from '../../mail/transport.ts'
import type { MemberNews } from '../store/notifications/member-news.ts'
import { Html, html } from '../../wire/html.ts'
import { endedBy, type Links } from './mail-members.ts'
import { NEWS_WORDS } from './news-words.ts'
import { withoutLinks } from './without-links.ts'

const LOCALES = { en: 'en-GB', de: 'de-DE' }

/** A mail of what is new for a member, as text and HTML; names are never links or markup. */
export function writeNews(news: MemberNews, links: Links): Mail {
  const words = NEWS_WORDS[news.language]
  const { files_count: count, workspace_name, email: to } = news
  const room = withoutLinks(workspace_name)
  const subject = count > 0 ? words.subject(count, workspace_name) : words.subjectOfAccess(workspace_name)
  const intro = count > 0 ? words.intro(count, room) : words.introOfAccess(room)
  const parts = {
    greeting: words.greeting(withoutLinks(news.first_name.trim())),
    intro,
    access: accessLines(news),
    files: news.files.map((file) => ({
      title: withoutLinks(file.title),
      place: words.place(withoutLinks(file.folder_name), file.version),
      url: `${links.workspace}/files/${file.id}/view`,
    })),
    more: count > news.files.length ? words.more(count - news.files.length) : '',
    why: news.frequency === 'off' ? '' : words.why[news.frequency],
  }
  return {
    to,
    subject: subject.replace(/\s+/g, ' '),
    ...bodies(news, parts, links),
    headers: endedBy(links.unsubscribe),
  }
}

interface Parts {
  greeting: string
  intro: string
  access: string[]
  files: { title: string; place: string; url: string }[]
  more: string
  why: string
}

function bodies(news: MemberNews, parts: Parts, links: Links): Pick<Mail, 'text' | 'html'> {
  const words = NEWS_WORDS[news.language]
  const { greeting, intro, files, more, access, why } = parts
  const list = files.map(({ title, place }) => `- ${title}\n  ${place}`)
  const text = [
    `${greeting}\n\n${intro}`,
    [...list, more].filter(Boolean).join('\n'),
    access.join('\n'),
    `${words.open}: ${links.workspace}/welcome`,
    why,
    `${words.settings}: ${links.settings}\n${words.stop}: ${links.unsubscribe}`,
  ]
  const markup = html`<!doctype html>
    <html lang="${news.language}">
      <body style="font-family: system-ui, sans-serif; color: #101a1c; line-height: 1.5">
        <p>${greeting}</p>
        <p>${intro}</p>
        ${
          files.length > 0 &&
          html`<ul style="padding-left: 20px">
            ${files.map(fileItem)}${more !== '' && html`<li>${more}</li>`}
          </ul>`
        }
        ${access.map((line) => html`<p>${line}</p>`)}
        <p>
          <a
            href="${links.workspace}/welcome"
            style="display: inline-block; padding: 10px 18px; border-radius: 8px; background: #0b5d66; color: #ffffff; text-decoration: none"
            >${words.open}</a
          >
        </p>
        <p style="font-size: 13px; color: #4b5a5e">
          ${why}<br />
          <a href="${links.settings}" style="color: #4b5a5e">${words.settings}</a> ·
          <a href="${links.unsubscribe}" style="color: #4b5a5e">${words.stop}</a>
        </p>
      </body>
    </html> `
  return { text: `${text.filter(Boolean).join('\n\n')}\n`, html: markup.markup }
}

const fileItem = ({ title, place, url }: Parts['files'][number]): Html =>
  html`<li style="margin: 6px 0">
    <a href="${url}" style="color: #0b5d66">${title}</a><br /><span style="font-size: 13px; color: #4b5a5e"
      >${place}</span
    >
  </li>`

function accessLines({ access, access_ends_at, language }: MemberNews): string[] {
  const words = NEWS_WORDS[language]
  return access.map((change) => {
    if (change !== 'end') return words.access[change]
    if (access_ends_at === null) return words.accessHasNoEnd
    const day = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' })
    return words.accessEnds(day.format(new Date(access_ends_at)))
  })
}
