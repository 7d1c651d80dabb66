import type { Mail } from '../../mail/transport.ts'
import type { MemberNews } from '../store/notifications/member-news.ts'
import { type Html, html } from '../../wire/html.ts'
import { buttonTo, linkTo, pageOf } from './look/mail-page.ts'
import { type Accents, look, type MailLook } from './look/mail-styles.ts'
import { endedBy, type Links } from './mail-members.ts'
import { NEWS_WORDS, type Told } from './news-words.ts'
import { withoutLinks } from './without-links.ts'

const LOCALES = { en: 'en-GB', de: 'de-DE' }

/** A mail of what is new for a member, as text and HTML; names are never links or markup. */
export function writeNews(news: MemberNews, links: Links, looks?: MailLook): Mail {
  const words = NEWS_WORDS[news.language]
  const { files_count: count, email: to } = news
  const parts = {
    greeting: words.greeting(withoutLinks(news.first_name.trim())),
    intro: introOf(news),
    access: accessLines(news),
    files: news.files.map((file) => ({
      title: withoutLinks(file.title),
      place: words.place(withoutLinks(file.folder_name), file.version),
      url: `${links.workspace}/files/${file.id}/view`,
    })),
    more: count > news.files.length ? words.more(count - news.files.length) : '',
    questions: questionsOf(news, links),
    why: news.frequency === 'off' ? '' : words.why[news.frequency],
  }
  return {
    to,
    subject: subjectOf(news).replace(/\s+/g, ' '),
    ...bodies(news, parts, links, looks),
    headers: endedBy(links.unsubscribe),
  }
}

function subjectOf(news: MemberNews): string {
  const { counted, ...words } = NEWS_WORDS[news.language]
  const parts = [
    ...(news.files_count > 0 ? [counted.documents(news.files_count)] : []),
    ...(news.questions_count > 0 ? [counted[toldIn(news)](news.questions_count)] : []),
  ]
  if (parts.length === 0) return words.subjectOfAccess(news.workspace_name)
  const subject = words.subject(parts, news.workspace_name)
  return subject.charAt(0).toUpperCase() + subject.slice(1)
}

function introOf(news: MemberNews): string {
  const words = NEWS_WORDS[news.language]
  const room = withoutLinks(news.workspace_name)
  if (news.files_count > 0) return words.intro(news.files_count, room)
  if (news.questions_count > 0) return words.introOf[toldIn(news)](news.questions_count, room)
  return words.introOfAccess(room)
}

/** Admins are told of questions, all others of answers. */
const toldIn = ({ questions }: MemberNews): Told =>
  questions.some(({ number }) => number !== null) ? 'questions' : 'answers'

function questionsOf(news: MemberNews, links: Links): Parts['questions'] {
  const words = NEWS_WORDS[news.language]
  const left = news.questions_count - news.questions.length
  return {
    heading: news.files_count > 0 ? words.heading[toldIn(news)] : '',
    items: news.questions.map(({ id, subject, number, group_name, ...question }) => ({
      title: withoutLinks(number === null ? subject : `${number}. ${subject}`),
      place: words.question(question.news, withoutLinks(group_name ?? '')),
      url: `${links.workspace}/questions?question=${id}`,
    })),
    more: left > 0 ? words.moreQuestions(left) : '',
  }
}

interface Item {
  title: string
  place: string
  url: string
}

interface Parts {
  greeting: string
  intro: string
  access: string[]
  files: Item[]
  more: string
  questions: { heading: string; items: Item[]; more: string }
  why: string
}

function bodies(
  news: MemberNews,
  parts: Parts,
  links: Links,
  looks: MailLook | undefined,
): Pick<Mail, 'text' | 'html'> {
  const words = NEWS_WORDS[news.language]
  const { greeting, intro, files, more, questions, access, why } = parts
  const text = [
    `${greeting}\n\n${intro}`,
    listed(files, more),
    questions.items.length > 0 &&
      [questions.heading, listed(questions.items, questions.more)].filter(Boolean).join('\n'),
    access.join('\n'),
    `${words.open}: ${links.workspace}/welcome`,
    why,
    `${words.settings}: ${links.settings}\n${words.stop}: ${links.unsubscribe}`,
  ]
  const body = (accents: Accents) => html`
    <p>${greeting}</p>
    <p>${intro}</p>
    ${files.length > 0 && itemList(files, more, accents)}
    ${questions.items.length > 0 && questions.heading !== '' && html`<p>${questions.heading}</p>`}
    ${questions.items.length > 0 && itemList(questions.items, questions.more, accents)}
    ${access.map((line) => html`<p>${line}</p>`)} ${buttonTo(`${links.workspace}/welcome`, words.open, accents)}
  `
  const markup = pageOf({
    language: news.language,
    look: looks,
    body,
    notes: [why].filter(Boolean),
    ways: [
      { text: words.settings, url: links.settings },
      { text: words.stop, url: links.unsubscribe },
    ],
  })
  return { text: `${text.filter(Boolean).join('\n\n')}\n`, html: markup }
}

const listed = (items: readonly Item[], more: string): string =>
  [...items.map(({ title, place }) => `- ${title}\n  ${place}`), more].filter(Boolean).join('\n')

const itemList = (items: readonly Item[], more: string, accents: Accents): Html =>
  html`<ul ${look('list')}>
    ${items.map((item) => itemOf(item, accents))}${more !== '' && html`<li ${look('item')}>${more}</li>`}
  </ul>`

const itemOf = ({ title, place, url }: Item, accents: Accents): Html =>
  html`<li ${look('item')}>${linkTo(url, title, accents)}<br /><span ${look('soft')}>${place}</span></li>`

function accessLines({ access, access_ends_at, language }: MemberNews): string[] {
  const words = NEWS_WORDS[language]
  return access.map((change) => {
    if (change !== 'end') return words.access[change]
    if (access_ends_at === null) return words.accessHasNoEnd
    const day = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' })
    return words.accessEnds(day.format(new Date(access_ends_at)))
  })
}
