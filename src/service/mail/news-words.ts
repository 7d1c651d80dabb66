import type { Frequency, Language } from '../../contract/endpoints/deal/notifications.ts'
import type { AccessChange } from '../store/notifications/member-news.ts'

interface Words {
  subject(count: number, workspace: string): string
  subjectOfAccess(workspace: string): string
  greeting(name: string): string
  intro(count: number, workspace: string): string
  introOfAccess(workspace: string): string
  place(folder: string, version: number): string
  more(count: number): string
  access: Record<Exclude<AccessChange, 'end'>, string>
  accessEnds(day: string): string
  accessHasNoEnd: string
  open: string
  why: Record<Exclude<Frequency, 'off'>, string>
  settings: string
  stop: string
}

const ENGLISH: Words = {
  subject: (count, workspace) =>
    count === 1 ? `A new document in ${workspace}` : `${count} new documents in ${workspace}`,
  subjectOfAccess: (workspace) => `Your access to ${workspace} has changed`,
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  intro: (count, workspace) =>
    count === 1
      ? `a document in ${workspace} is new or has changed:`
      : `${count} documents in ${workspace} are new or have changed:`,
  introOfAccess: (workspace) => `your access to ${workspace} has changed.`,
  place: (folder, version) => (version === 1 ? `in ${folder}` : `version ${version}, in ${folder}`),
  more: (count) => (count === 1 ? 'and one more' : `and ${count} more`),
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
  subject: (count, workspace) =>
    count === 1 ? `Ein neues Dokument in ${workspace}` : `${count} neue Dokumente in ${workspace}`,
  subjectOfAccess: (workspace) => `Ihr Zugriff auf ${workspace} hat sich geändert`,
  greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
  intro: (count, workspace) =>
    count === 1
      ? `ein Dokument in ${workspace} ist neu oder geändert:`
      : `${count} Dokumente in ${workspace} sind neu oder geändert:`,
  introOfAccess: (workspace) => `Ihr Zugriff auf ${workspace} hat sich geändert.`,
  place: (folder, version) => (version === 1 ? `in ${folder}` : `Version ${version}, in ${folder}`),
  more: (count) => (count === 1 ? 'und ein weiteres' : `und ${count} weitere`),
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
