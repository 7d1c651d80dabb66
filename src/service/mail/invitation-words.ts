import type { Language } from '../../contract/endpoints/deal/notifications.ts'

interface Words {
  subject(inviter: string, place: string): string
  intro(inviter: string, workspace: string | undefined): string
  expectation: string
  noEnd: string
  ends(day: string): string
  ended(day: string): string
  terms: string
  link: string
  open: string
  /** Name of a workspace in the preview of an organization. */
  sampleRoom: string
  test: string
}

const ENGLISH: Words = {
  subject: (inviter, place) => `${inviter} invites you to ${place}`,
  intro: (inviter, workspace) =>
    `${inviter} invites you to ${workspace ? `the workspace "${workspace}"` : 'Strongroom'}.`,
  expectation: 'What is expected of you:',
  noEnd: 'Your access has no end date.',
  ends: (day) => `Your access ends on ${day}, 00:00 UTC.`,
  ended: (day) => `Your access ended on ${day}, 00:00 UTC.`,
  terms: 'Terms await your answer: you read and accept them before anything is shown to you.',
  link: 'The link below is for you alone. When you open it, we send a code to this address; no password is needed.',
  open: 'Come in',
  sampleRoom: 'Name of the workspace',
  test: 'Test',
}

const GERMAN: Words = {
  subject: (inviter, place) => `${inviter} lädt Sie zu ${place} ein`,
  intro: (inviter, workspace) =>
    `${inviter} lädt Sie ${workspace ? `in den Datenraum „${workspace}“` : 'zu Strongroom'} ein.`,
  expectation: 'Was von Ihnen erwartet wird:',
  noEnd: 'Ihr Zugriff hat kein Enddatum.',
  ends: (day) => `Ihr Zugriff endet am ${day}, 00:00 UTC.`,
  ended: (day) => `Ihr Zugriff endete am ${day}, 00:00 UTC.`,
  terms: 'Bedingungen warten auf Ihre Antwort: Sie lesen und akzeptieren sie, bevor Ihnen etwas gezeigt wird.',
  link: 'Der Link unten ist nur für Sie. Wenn Sie ihn öffnen, senden wir einen Code an diese Adresse; Sie brauchen kein Passwort.',
  open: 'Eintreten',
  sampleRoom: 'Name des Datenraums',
  test: 'Test',
}

export const INVITATION_WORDS: Record<Language, Words> = { en: ENGLISH, de: GERMAN }
