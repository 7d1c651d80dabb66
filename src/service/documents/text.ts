import { formatOf, type OwnText } from './formats.ts'
import { type OfficeContainer, withOfficeContainer } from './text/office-container.ts'
import { readOdf } from './text/odf.ts'
import { readDocument, readSheets, readSlides } from './text/ooxml.ts'
import { keepable, MAX_TEXT_LENGTH } from './text/keepable.ts'
import { type PlainText, readPlainText } from './text/plain.ts'

/** In bytes: room for twice the kept text in any encoding, because of HTML markup and mail attachments. */
const MAX_PLAIN_BYTES = 16 * 1024 ** 2

/** Readers of the formats that are zips. */
const CONTAINERS: Record<
  Exclude<OwnText, PlainText>,
  (container: OfficeContainer, maxLength: number) => Promise<string>
> = { document: readDocument, sheets: readSheets, slides: readSlides, odf: readOdf }

const isContainer = (way: string): way is keyof typeof CONTAINERS => way in CONTAINERS

/**
 * Returns the text of a file for the search index, as much of it as can be read. Returns undefined for types whose text
 * comes only from their PDF (PDF itself, older office formats) and for types without text. The text of damaged or
 * encrypted content is "".
 */
export async function extractText(path: string, contentType: string): Promise<string | undefined> {
  const way = formatOf(contentType)?.text ?? 'none'
  if (way === 'pages' || way === 'none') return undefined
  const reading = isContainer(way)
    ? withOfficeContainer(path, (container) => CONTAINERS[way](container, MAX_TEXT_LENGTH))
    : readPlainText(path, contentType, MAX_PLAIN_BYTES)
  return keepable(await reading)
}
