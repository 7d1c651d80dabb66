import type { Frequency, Language } from '../../contract/endpoints/deal/notifications.ts'
import type { AccessChange } from '../store/notifications/member-news.ts'
import type { QuestionNews } from '../store/notifications/question-news.ts'

/** Answers that an asker may read, or questions that await an admin. */
export type Told = 'answers' | 'questions'

interface Words {
  subject(parts: readonly string[], workspace: string): string
  counted: Record<'documents' | Told, (count: number) => string>
  subjectOfAccess(workspace: string): string
  greeting(name: string): string
  intro(count: number, workspace: string): string
  introOfAccess(workspace: string): string
  introOf: Record<Told, (count: number, workspace: string) => string>
  /** Above the questions where documents come first. */
  heading: Record<Told, string>
  question(news: QuestionNews, group: string): string
  place(folder: string, version: number): string
  more(count: number): string
  moreQuestions(count: number): string
  access: Record<Exclude<AccessChange, 'end'>, string>
  accessEnds(day: string): string
  accessHasNoEnd: string
  open: string
  why: Record<Exclude<Frequency, 'off'>, string>
  settings: string
  stop: string
}

type OtherNews = Exclude<QuestionNews, 'asked'>

const ENGLISH_NEWS: Record<OtherNews, string> = {
  to_approve: 'Awaits approval',
  assigned: 'Assigned to you, awaits an answer',
  replied: 'An expert has replied',
  answered: 'Asked by your group: a new or changed answer',
  published: 'Published to your group',
  faq: 'Among the FAQ',
}

const GERMAN_NEWS: Record<OtherNews, string> = {
  to_approve: 'Wartet auf Freigabe',
  assigned: 'Ihnen zugewiesen, wartet auf eine Antwort',
  replied: 'Ein Experte hat geantwortet',
  answered: 'Von Ihrer Gruppe gestellt: eine neue oder geänderte Antwort',
  published: 'Für Ihre Gruppe veröffentlicht',
  faq: 'Unter den häufigen Fragen',
}

const ENGLISH: Words = {
  subject: (parts, workspace) => `${parts.join(' and ')} in ${workspace}`,
  counted: {
    documents: (count) => (count === 1 ? 'a new document' : `${count} new documents`),
    answers: (count) => (count === 1 ? 'a new answer' : `${count} new answers`),
    questions: (count) => (count === 1 ? 'a question for you' : `${count} questions for you`),
  },
  subjectOfAccess: (workspace) => `Your access to ${workspace} has changed`,
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  intro: (count, workspace) =>
    count === 1
      ? `a document in ${workspace} is new or has changed:`
      : `${count} documents in ${workspace} are new or have changed:`,
  introOfAccess: (workspace) => `your access to ${workspace} has changed.`,
  introOf: {
    answers: (count, workspace) =>
      count === 1 ? `an answer in ${workspace} is new to you:` : `${count} answers in ${workspace} are new to you:`,
    questions: (count, workspace) =>
      count === 1 ? `a question in ${workspace} awaits you:` : `${count} questions in ${workspace} await you:`,
  },
  heading: { answers: 'New answers:', questions: 'Questions that await you:' },
  question: (news, group) => (news === 'asked' ? `Asked by ${group}, awaits an answer` : ENGLISH_NEWS[news]),
  place: (folder, version) => (version === 1 ? `in ${folder}` : `version ${version}, in ${folder}`),
  more: (count) => (count === 1 ? 'and one more' : `and ${count} more`),
  moreQuestions: (count) => (count === 1 ? 'and one more' : `and ${count} more`),
  access: {
    group: 'You were added to a group.',
    granted: 'Your group was given more rights.',
  },
  accessEnds: (day) => `Your access ends on ${day}, 00:00 UTC.`,
  accessHasNoEnd: 'Your access has no end date any more.',
  open: 'Open the data room',
  why: {
    at_once: 'You get such a mail whenever there is something new for you.',
    daily: 'You get such a mail at most once a day.',
    weekly: 'You get such a mail at most once a week.',
  },
  settings: 'Change how often',
  stop: 'No more mails of news of this data room',
}

const GERMAN: Words = {
  subject: (parts, workspace) => `${parts.join(' und ')} in ${workspace}`,
  counted: {
    documents: (count) => (count === 1 ? 'ein neues Dokument' : `${count} neue Dokumente`),
    answers: (count) => (count === 1 ? 'eine neue Antwort' : `${count} neue Antworten`),
    questions: (count) => (count === 1 ? 'eine Frage an Sie' : `${count} Fragen an Sie`),
  },
  subjectOfAccess: (workspace) => `Ihr Zugriff auf ${workspace} hat sich geändert`,
  greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
  intro: (count, workspace) =>
    count === 1
      ? `ein Dokument in ${workspace} ist neu oder geändert:`
      : `${count} Dokumente in ${workspace} sind neu oder geändert:`,
  introOfAccess: (workspace) => `Ihr Zugriff auf ${workspace} hat sich geändert.`,
  introOf: {
    answers: (count, workspace) =>
      count === 1
        ? `eine Antwort in ${workspace} ist neu für Sie:`
        : `${count} Antworten in ${workspace} sind neu für Sie:`,
    questions: (count, workspace) =>
      count === 1 ? `eine Frage in ${workspace} wartet auf Sie:` : `${count} Fragen in ${workspace} warten auf Sie:`,
  },
  heading: { answers: 'Neue Antworten:', questions: 'Fragen, die auf Sie warten:' },
  question: (news, group) => (news === 'asked' ? `Gestellt von ${group}, wartet auf eine Antwort` : GERMAN_NEWS[news]),
  place: (folder, version) => (version === 1 ? `in ${folder}` : `Version ${version}, in ${folder}`),
  more: (count) => (count === 1 ? 'und ein weiteres' : `und ${count} weitere`),
  moreQuestions: (count) => (count === 1 ? 'und eine weitere' : `und ${count} weitere`),
  access: {
    group: 'Sie wurden einer Gruppe hinzugefügt.',
    granted: 'Ihre Gruppe hat weitere Rechte erhalten.',
  },
  accessEnds: (day) => `Ihr Zugriff endet am ${day}, 00:00 UTC.`,
  accessHasNoEnd: 'Ihr Zugriff hat kein Enddatum mehr.',
  open: 'Datenraum öffnen',
  why: {
    at_once: 'Sie erhalten eine solche E-Mail, sobald es für Sie etwas Neues gibt.',
    daily: 'Sie erhalten eine solche E-Mail höchstens einmal am Tag.',
    weekly: 'Sie erhalten eine solche E-Mail höchstens einmal in der Woche.',
  },
  settings: 'Häufigkeit ändern',
  stop: 'Keine E-Mails mehr über Neues in diesem Datenraum',
}

export const NEWS_WORDS: Record<Language, Words> = { en: ENGLISH, de: GERMAN }
