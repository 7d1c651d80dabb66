// All texts of the reader. A test compares them with those of the dashboard that say the same.

export const WORDS = {
  en: {
    sealed_document: 'Sealed document',
    opens_for: 'It opens for the person it was made for, once they have signed in at {host}.',
    recorded: 'Each opening is recorded, and access may be withdrawn at any time.',
    open: 'Open document',
    use_code: 'Open with a code instead',
    enter_code: 'Enter this code',
    enter_code_at: 'On this or another device, sign in at {address} and enter:',
    code_care: 'Enter it nowhere else. This page goes on by itself; the code ends after ten minutes.',
    cancel: 'Cancel',
    go_on_in_window: 'Go on in the window that has opened.',
    window_closed: 'The window was closed, and the document was not opened.',
    not_opened: 'The document was not opened.',
    try_again: 'The document was not opened. Try again.',
    unreachable: '{host} cannot be reached. Look whether you are online, then try again.',
    changed: 'This file was changed or is damaged. Ask for a new copy.',
    made_for: 'Made for {reader} on {day}. Each opening is recorded; access may be withdrawn.',
    document: 'Document',
    pages: 'Pages',
    view: 'View',
    previous_page: 'Previous page',
    next_page: 'Next page',
    smaller: 'Smaller',
    larger: 'Larger',
    light_or_dark: 'Light or dark',
    page_of: 'Page {number} of {total}',
    go_to_page: 'Go to page {number}',
    image_of_page: 'Page {number}, an image without text',
    page_changed: 'This page was changed or is missing. Ask for a new copy.',
  },
  de: {
    sealed_document: 'Versiegeltes Dokument',
    opens_for: 'Es öffnet sich für die Person, für die es gemacht wurde, sobald sie sich bei {host} angemeldet hat.',
    recorded: 'Jedes Öffnen wird festgehalten, und der Zugriff kann jederzeit entzogen werden.',
    open: 'Dokument öffnen',
    use_code: 'Stattdessen mit einem Code öffnen',
    enter_code: 'Geben Sie diesen Code ein',
    enter_code_at: 'Melden Sie sich auf diesem oder einem anderen Gerät unter {address} an und geben Sie ein:',
    code_care:
      'Geben Sie ihn nirgendwo anders ein. Auf dieser Seite geht es von selbst weiter; der Code endet nach zehn Minuten.',
    cancel: 'Abbrechen',
    go_on_in_window: 'Fahren Sie in dem Fenster fort, das sich geöffnet hat.',
    window_closed: 'Das Fenster wurde geschlossen und das Dokument nicht geöffnet.',
    not_opened: 'Das Dokument wurde nicht geöffnet.',
    try_again: 'Das Dokument wurde nicht geöffnet. Versuchen Sie es erneut.',
    unreachable: '{host} ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    changed: 'Diese Datei wurde verändert oder ist beschädigt. Fordern Sie eine neue Kopie an.',
    made_for: 'Am {day} für {reader} gemacht. Jedes Öffnen wird festgehalten; der Zugriff kann entzogen werden.',
    document: 'Dokument',
    pages: 'Seiten',
    view: 'Ansicht',
    previous_page: 'Vorige Seite',
    next_page: 'Nächste Seite',
    smaller: 'Verkleinern',
    larger: 'Vergrößern',
    light_or_dark: 'Hell oder dunkel',
    page_of: 'Seite {number} von {total}',
    go_to_page: 'Zu Seite {number}',
    image_of_page: 'Seite {number}, ein Bild ohne Text',
    page_changed: 'Diese Seite wurde verändert oder fehlt. Fordern Sie eine neue Kopie an.',
  },
} as const

/** The refusals of `/sealed/key` that a person may meet, by `error.reason`. The service says them in English itself. */
export const REFUSALS_IN_GERMAN: Record<string, string> = {
  nothing_here: 'Hier ist nichts, das Sie sehen können.',
  opening_over: 'Dieses Dokument darf nicht mehr geöffnet werden.',
  release_code_wrong: 'Der Code ist falsch, benutzt oder zu alt. Öffnen Sie das Dokument noch einmal.',
  too_many_attempts: 'Zu viele Versuche. Versuchen Sie es später erneut.',
  service_away: 'Der Dienst ist nicht erreichbar. Versuchen Sie es gleich noch einmal.',
  service_busy: 'Der Dienst ist im Moment nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  service_slow: 'Der Dienst hat nicht rechtzeitig geantwortet.',
  database_away: 'Der Dienst erreicht seine Datenbank im Moment nicht. Versuchen Sie es gleich noch einmal.',
  internal_failure: 'Bei uns ist etwas schiefgegangen.',
}

export type Word = keyof typeof WORDS.en
type Values = Readonly<Record<string, string | number>>

/** Returns the first supported language, or else English, as the dashboard does. */
export const languageOf = (tags: readonly string[]) =>
  tags.map((tag) => tag.toLowerCase().split('-')[0]).find((tag) => tag === 'en' || tag === 'de') ?? 'en'

export const language = languageOf((navigator.languages as readonly string[] | undefined) ?? [])

/** Divides a text into words and the values that it names, by turns. */
export const partsOf = (word: Word, values: Values): string[] =>
  WORDS[language][word].split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : String(values[part])))

export const textOf = (word: Word, values: Values = {}): string => partsOf(word, values).join('')

/** Returns the refusal in words of the reader, or else in those of the service. */
export function refusalOf({ reason = '', message }: { reason?: string; message?: string }): string {
  const german = Object.hasOwn(REFUSALS_IN_GERMAN, reason) ? REFUSALS_IN_GERMAN[reason] : undefined
  return (language === 'de' && german) || message || textOf('try_again')
}

/** Formats a day as the dashboard does. */
export const dayOf = (time: string): string =>
  new Date(time).toLocaleDateString(language === 'de' ? 'de-DE' : 'en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
