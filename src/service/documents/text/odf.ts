import { attributeOf, readXml } from './markup.ts'
import type { OfficeContainer } from './office-container.ts'

/** Comments, tracked deletions, speaker notes and form definitions, none of which is printed. */
const UNSEEN = new Set(['office:annotation', 'text:tracked-changes', 'presentation:notes', 'office:forms'])
const MAX_SPACES = 100

/** Returns the text of OpenDocument texts, sheets and slides, in the order of the file. */
export async function readOdf(container: OfficeContainer, maxLength: number): Promise<string> {
  let text = ''
  let unseen = 0
  let paragraphs = 0
  for (const token of readXml(await container.read('content.xml'))) {
    if (text.length >= maxLength) break
    if (token.kind === 'text') {
      if (paragraphs > 0 && unseen === 0) text += token.text
      continue
    }
    const { kind, name } = token
    if (UNSEEN.has(name) && kind !== 'empty') unseen += kind === 'open' ? 1 : -1
    if (unseen > 0) continue
    if (name === 'text:p' || name === 'text:h') {
      if (kind !== 'empty') paragraphs += kind === 'open' ? 1 : -1
      if (kind !== 'open') text += '\n'
    } else if (name === 'text:s') text += ' '.repeat(Math.min(Number(attributeOf(token, 'c') ?? 1) || 1, MAX_SPACES))
    else if (name === 'text:tab' || (name === 'table:table-cell' && kind !== 'open')) text += '\t'
    else if (name === 'text:line-break') text += '\n'
  }
  return text
}
