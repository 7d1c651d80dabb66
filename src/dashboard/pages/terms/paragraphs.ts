/** A paragraph of terms; a heading is a short first line with a number, such as "3 Advisers and lenders". */
export interface Paragraph {
  heading: string | undefined
  text: string
  /** Not in the version that the reader accepted before. */
  isNew: boolean
}

const MOST_OF_HEADING = 100
const NUMBERED = /^(?:§ ?)?\d{1,3}(?:\.\d{1,3}){0,3}[.)]? +\S/

const blocksOf = (text: string): string[] =>
  text
    .split(/\n[ \t]*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')

export function paragraphsOf(text: string, former?: string): Paragraph[] {
  const known = former === undefined ? undefined : new Set(blocksOf(former))
  return blocksOf(text).map((block) => ({ ...partsOf(block), isNew: known !== undefined && !known.has(block) }))
}

/** How many paragraphs of the former version are gone or have changed. */
export function goneFrom(text: string, former: string): number {
  const present = new Set(blocksOf(text))
  return blocksOf(former).filter((block) => !present.has(block)).length
}

function partsOf(block: string): Pick<Paragraph, 'heading' | 'text'> {
  const end = block.indexOf('\n')
  const first = end === -1 ? block : block.slice(0, end)
  const isHeading = first.length <= MOST_OF_HEADING && NUMBERED.test(first) && !first.endsWith('.')
  if (!isHeading) return { heading: undefined, text: block }
  return { heading: first.trim(), text: end === -1 ? '' : block.slice(end + 1) }
}
