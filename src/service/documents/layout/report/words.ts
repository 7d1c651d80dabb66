import { shortDuration } from '../../../../contract/engagement/short-duration.ts'
import { inOneLine, timesIn } from '../times.ts'

export type Language = 'en' | 'de'

const EN = {
  kind: 'Engagement report',
  period: 'Period',
  days: (count: string, isOne: boolean) => (isOne ? `${count} day, in UTC` : `${count} days, in UTC`),
  times: 'Times',
  madeBy: 'Made by',
  shows: 'Shows',
  everything: (groups: string, documents: string) => `All groups (${groups}), all documents (${documents})`,
  reading: 'Reading time',
  readers: 'People who read',
  opened: 'Documents opened',
  views: 'Views',
  downloads: 'Downloads',
  of: 'of',
  perDay: 'Reading time per day',
  perWeek: 'Reading time per week',
  noReading: 'No reading time in these days.',
  groups: 'Groups',
  group: 'Group',
  openedOf: 'Opened of visible',
  active: 'Active people',
  before: (time: string) => `before: ${time}`,
  groupsNote:
    'Visible: what the group may view today. Before: in as many days before the period. Only members of groups count; in the figures above, each person once.',
  lastAt: (time: string) => `last ${time}`,
  nothing: 'nothing in these days',
  documents: 'Most read documents',
  document: 'Document',
  legend:
    'Pages of the current version, several in a field of a long document. Darker: longer per reader. Upright: where most stop.',
  readersColumn: 'Readers',
  pages: (count: string, isOne: boolean) => (isOne ? `${count} page` : `${count} pages`),
  longest: (page: string, time: string) => `Longest on page ${page} (${time} min)`,
  stops: (left: string, of: string, page: string) => `${left} of ${of} stop at page ${page}`,
  reachEnd: 'everybody reaches the last page',
  people: 'People',
  person: 'Person',
  first: 'First',
  last: 'Last',
  unread: 'Unread documents',
  unreadText: 'Visible to a group, and neither viewed nor downloaded by a member of a group in these days.',
  noneUnread: 'Every document that a group may see was opened.',
  more: {
    groups: (count: string, isOne: boolean) => `and ${count} more ${isOne ? 'group' : 'groups'}, in the Excel file`,
    files: (count: string, isOne: boolean) =>
      `and ${count} more ${isOne ? 'document' : 'documents'}, in the Excel file`,
    people: (count: string, isOne: boolean) => `and ${count} more ${isOne ? 'person' : 'people'}, in the Excel file`,
    named: (count: string) => `${count} more`,
  },
  page: (page: string, of: string) => `Page ${page} of ${of}`,
}

const DE: typeof EN = {
  kind: 'Bericht über Lesezeiten',
  period: 'Zeitraum',
  days: (count, isOne) => (isOne ? `${count} Tag, in UTC` : `${count} Tage, in UTC`),
  times: 'Uhrzeiten',
  madeBy: 'Erstellt von',
  shows: 'Zeigt',
  everything: (groups, documents) => `Alle Gruppen (${groups}), alle Dokumente (${documents})`,
  reading: 'Lesezeit',
  readers: 'Personen mit Lesezeit',
  opened: 'Dokumente geöffnet',
  views: 'Ansichten',
  downloads: 'Downloads',
  of: 'von',
  perDay: 'Lesezeit pro Tag',
  perWeek: 'Lesezeit pro Woche',
  noReading: 'Keine Lesezeit an diesen Tagen.',
  groups: 'Gruppen',
  group: 'Gruppe',
  openedOf: 'Geöffnet von sichtbaren',
  active: 'Aktive Personen',
  before: (time) => `davor: ${time}`,
  groupsNote:
    'Sichtbar: was die Gruppe heute sehen darf. Davor: an ebenso vielen Tagen vor dem Zeitraum. Es zählen nur Mitglieder von Gruppen, in den Zahlen oben jede Person einmal.',
  lastAt: (time) => `zuletzt ${time}`,
  nothing: 'nichts an diesen Tagen',
  documents: 'Meistgelesene Dokumente',
  document: 'Dokument',
  legend:
    'Seiten der aktuellen Version, bei langen Dokumenten mehrere je Feld. Dunkler: länger je Leser. Strich: wo die meisten aufhören.',
  readersColumn: 'Leser',
  pages: (count, isOne) => (isOne ? `${count} Seite` : `${count} Seiten`),
  longest: (page, time) => `Am längsten auf Seite ${page} (${time} min)`,
  stops: (left, of, page) => `${left} von ${of} hören auf Seite ${page} auf`,
  reachEnd: 'alle erreichen die letzte Seite',
  people: 'Personen',
  person: 'Person',
  first: 'Zuerst',
  last: 'Zuletzt',
  unread: 'Ungelesene Dokumente',
  unreadText:
    'Für eine Gruppe sichtbar und an diesen Tagen von keinem Mitglied einer Gruppe angesehen oder heruntergeladen.',
  noneUnread: 'Jedes Dokument, das eine Gruppe sehen darf, wurde geöffnet.',
  more: {
    groups: (count, isOne) => `und ${count} weitere ${isOne ? 'Gruppe' : 'Gruppen'}, in der Excel-Datei`,
    files: (count, isOne) => `und ${count} ${isOne ? 'weiteres Dokument' : 'weitere Dokumente'}, in der Excel-Datei`,
    people: (count, isOne) => `und ${count} weitere ${isOne ? 'Person' : 'Personen'}, in der Excel-Datei`,
    named: (count) => `${count} weitere`,
  },
  page: (page, of) => `Seite ${page} von ${of}`,
}

export type Words = ReturnType<typeof wordsIn>

/** What a report says, and how it writes numbers and times. */
export function wordsIn(language: Language, timeZone: string) {
  const locale = language === 'de' ? 'de-DE' : 'en-GB'
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const shortDates = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const numbers = new Intl.NumberFormat(locale)
  const number = (value: number) => numbers.format(value)
  return {
    ...(language === 'de' ? DE : EN),
    number,
    /** A count as the words around it need it. */
    counted: (count: number): [string, boolean] => [number(count), count === 1],
    time: timesIn(language, timeZone),
    date: (day: string) => inOneLine(dates.format(new Date(day))),
    shortDate: (day: string) => inOneLine(shortDates.format(new Date(day))),
    duration: shortDuration,
    minutes,
  }
}

/** Returns "8:10" for minutes and seconds. */
function minutes(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
