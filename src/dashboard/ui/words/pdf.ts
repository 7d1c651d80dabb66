import { serviceLanguage } from './service-language.ts'
import { timeZone } from './time-zone.ts'

/** In which language and time zone the service prints for the reader. */
export const printedFor = () => ({
  language: serviceLanguage(),
  time_zone: timeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
})

/** Joins the pieces in base64 that the service sends. */
export const pdfOf = (pieces: readonly string[]): Blob => new Blob(pieces.map(bytesOf), { type: 'application/pdf' })

const bytesOf = (piece: string) => Uint8Array.from(atob(piece), (character) => character.charCodeAt(0))
