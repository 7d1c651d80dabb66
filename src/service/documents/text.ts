import { withOfficeContainer } from './text/office-container.ts'
import { readOdf } from './text/odf.ts'
import { readDocument, readSheets, readSlides } from './text/ooxml.ts'
import { tidy } from './text/markup.ts'
import { isPlain, readPlainText } from './text/plain.ts'

/** Characters of a document's text that are kept; nobody looks for a word behind a thousand pages. */
export const MAX_TEXT_LENGTH = 2_000_000
/** In one encoding or another, twice as much as is kept, and room for the markup of HTML and the attachments of mail. */
const MAX_PLAIN_BYTES = 16 * 1024 ** 2

const OFFICE = [
  { type: /^application\/vnd\.(openxmlformats-officedocument\.wordprocessingml|ms-word\.)/, read: readDocument },
  { type: /^application\/vnd\.(openxmlformats-officedocument\.spreadsheetml|ms-excel\.)/, read: readSheets },
  { type: /^application\/vnd\.(openxmlformats-officedocument\.presentationml|ms-powerpoint\.)/, read: readSlides },
  { type: /^application\/vnd\.oasis\.opendocument\./, read: readOdf },
]

/**
 * The text of a file for the search index, as much as can be read of it; undefined for types that only their PDF gives
 * (PDF itself, older office formats) and those that have none. Damaged or encrypted content has the text "".
 */
export async function extractText(path: string, contentType: string): Promise<string | undefined> {
  const office = OFFICE.find(({ type }) => type.test(contentType))
  if (!office && !isPlain(contentType)) return undefined
  const reading = office
    ? withOfficeContainer(path, (container) => office.read(container, MAX_TEXT_LENGTH))
    : readPlainText(path, contentType, MAX_PLAIN_BYTES)
  return keepable(await reading)
}

/** As the database can hold it: no NUL, no half characters, not too long. */
export function keepable(text: string): string {
  return tidy(text.slice(0, MAX_TEXT_LENGTH).replaceAll('\0', ' ').toWellFormed())
}
