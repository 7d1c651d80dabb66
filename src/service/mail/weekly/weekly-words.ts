import type { Language } from '../../../contract/endpoints/deal/notifications.ts'

const plural = (count: number, one: string, other: string) => (count === 1 ? one : other)

const ENGLISH = {
  locale: 'en-GB',
  kind: 'Weekly report',
  subject: (room: string, days: string) => `Weekly report of ${room}, ${days}`,
  figures: { reading: 'Reading', readers: 'Readers', views: 'Views', downloads: 'Downloads' },
  unused: 'In these days, no member of a group viewed or downloaded a document.',
  arrived: (count: number) => `${count} ${plural(count, 'person', 'people')} came in for the first time`,
  byGroup: 'Reading time by group',
  groups: 'Groups',
  active: (active: number, of: number) => `${active} of ${of} ${plural(of, 'person', 'people')} active`,
  views: (count: number) => `${count} ${plural(count, 'view', 'views')}`,
  downloads: (count: number) => `${count} ${plural(count, 'download', 'downloads')}`,
  readers: (count: number) => `${count} ${plural(count, 'reader', 'readers')}`,
  documents: 'Most read documents',
  toDo: 'To do',
  questions: (count: number) => `${count} ${plural(count, 'question awaits', 'questions await')} an answer`,
  overdue: (count: number) => `${count} overdue`,
  ends: {
    access: (group: string, day: string) => `Access of ${group} ends on ${day}`,
    drm: (group: string, day: string) => `Sealed documents of ${group} open for the last time on ${day}`,
  },
  awaited: (count: number) =>
    `${count} ${plural(count, 'person was invited and has', 'people were invited and have')} not come in`,
  failed: (count: number) => `${count} ${plural(count, 'document', 'documents')} cannot be shown`,
  refused: (count: number) => `Mail to ${count} ${plural(count, 'person', 'people')} was refused`,
  more: (count: number) => `and ${count} more`,
  moreGroups: (count: number) => `and ${count} more ${plural(count, 'group', 'groups')}`,
  open: 'See it in the data room',
  counted: 'Figures count what members of groups did, by days in UTC, as in the data room. “To do” is as of today.',
  why: 'You chose this report as an admin of the data room. It comes on Mondays, unless there is nothing to tell.',
  settings: 'Change mails',
  stop: 'No more weekly reports of this data room',
}

const GERMAN: typeof ENGLISH = {
  locale: 'de-DE',
  kind: 'Wochenbericht',
  subject: (room, days) => `Wochenbericht über ${room}, ${days}`,
  figures: { reading: 'Lesezeit', readers: 'Leser', views: 'Ansichten', downloads: 'Downloads' },
  unused: 'In diesen Tagen hat kein Mitglied einer Gruppe ein Dokument angesehen oder heruntergeladen.',
  arrived: (count) => `${count} ${plural(count, 'Person war', 'Personen waren')} zum ersten Mal hier`,
  byGroup: 'Lesezeit nach Gruppe',
  groups: 'Gruppen',
  active: (active, of) => `${active} von ${of} ${plural(of, 'Person', 'Personen')} aktiv`,
  views: (count) => `${count} ${plural(count, 'Ansicht', 'Ansichten')}`,
  downloads: (count) => `${count} ${plural(count, 'Download', 'Downloads')}`,
  readers: (count) => `${count} Leser`,
  documents: 'Meistgelesene Dokumente',
  toDo: 'Zu tun',
  questions: (count) => `${count} ${plural(count, 'Frage wartet', 'Fragen warten')} auf eine Antwort`,
  overdue: (count) => `${count} überfällig`,
  ends: {
    access: (group, day) => `Der Zugriff von ${group} endet am ${day}`,
    drm: (group, day) => `Versiegelte Dokumente von ${group} öffnen sich am ${day} zum letzten Mal`,
  },
  awaited: (count) =>
    `${count} ${plural(count, 'Person ist eingeladen und war', 'Personen sind eingeladen und waren')} noch nicht hier`,
  failed: (count) =>
    `${count} ${plural(count, 'Dokument kann nicht angezeigt werden', 'Dokumente können nicht angezeigt werden')}`,
  refused: (count) => `E-Mails an ${count} ${plural(count, 'Person', 'Personen')} wurden abgewiesen`,
  more: (count) => `und ${count} weitere`,
  moreGroups: (count) => `und ${count} weitere ${plural(count, 'Gruppe', 'Gruppen')}`,
  open: 'Im Datenraum ansehen',
  counted:
    'Die Zahlen zählen, was Mitglieder von Gruppen getan haben, nach Tagen in UTC wie im Datenraum. „Zu tun“ ist der Stand von heute.',
  why: 'Sie haben diesen Bericht als Admin des Datenraums gewählt. Er kommt montags, außer wenn es nichts zu berichten gibt.',
  settings: 'E-Mails ändern',
  stop: 'Keine Wochenberichte über diesen Datenraum mehr',
}

export const WEEKLY_WORDS: Record<Language, typeof ENGLISH> = { en: ENGLISH, de: GERMAN }
