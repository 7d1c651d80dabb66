import { diffArrays } from 'diff'

export interface Piece {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Changes with some words around them, each begun by the words before. */
export type Passage = Piece[]

/** Undefined if the texts are too different to compare within the limits. */
export type Comparison = Passage[] | undefined

interface Word {
  word: string
  /** With what follows it: nothing, a space or the end of a paragraph. */
  text: string
}

interface Block {
  /** The same words in both texts, or the words of each text. */
  same?: Word[]
  removed: Word[]
  added: Word[]
}

/** The work grows with the square of the edits. */
const MAX_EDITS = 3000
const PATIENCE_MS = 20
/** Words shown on each side of a change. */
const AROUND = 12
/** So few same words between two changes are told as changed: single words in common are mostly chance. */
const FEW = 2
/** Characters read at a time, so that typing and scrolling go on meanwhile. */
const AT_ONCE = 50_000

/** Scripts without spaces between their words are compared character by character. */
const WORD =
  /(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]{1,200})\s*/gu

/** What begins a paragraph although no empty line is before it, as in the text of a PDF. */
const BEGINS = /^(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\d{1,3}(?:\.\d{1,3})+\.?|§|[•–-])$/i

/** Compares the words of two texts: line breaks, which a PDF has anywhere, do not count. Takes turns with other work. */
export async function compare(former: string, present: string): Promise<Comparison> {
  const [from, to] = [await wordsOf(former), await wordsOf(present)]
  const comparator = (one: Word, other: Word) => one.word === other.word
  const changes = diffArrays(from, to, { comparator, maxEditLength: MAX_EDITS, timeout: PATIENCE_MS })
  await nextTurn()
  return changes && passagesOf(joined(blocksOf(changes)))
}

async function wordsOf(text: string): Promise<Word[]> {
  const words: Word[] = []
  for (let at = 0; at < text.length;) {
    const end = at + AT_ONCE >= text.length ? text.length : endOfWord(text, at + AT_ONCE)
    let gap = ''
    for (const [found] of text.slice(at, end).matchAll(WORD)) {
      const word = found.trimEnd()
      const last = words.at(-1)
      if (last) last.text += gapBefore(word, gap)
      gap = found.slice(word.length)
      words.push({ word, text: word })
    }
    const last = words.at(-1)
    if (last) last.text += gap
    at = end
    await nextTurn()
  }
  return words
}

function gapBefore(word: string, gap: string): string {
  if (!gap.includes('\n')) return gap && ' '
  return /\n\s*\n/.test(gap) || BEGINS.test(word) ? '\n' : ' '
}

function endOfWord(text: string, near: number): number {
  const space = text.slice(near, near + 1000).search(/\s/)
  return space === -1 ? near : near + space + 1
}

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve))

function blocksOf(changes: readonly { value: Word[]; added: boolean; removed: boolean }[]): Block[] {
  const blocks: Block[] = []
  for (const { value, added, removed } of changes) {
    if (!added && !removed) blocks.push({ same: value, removed: [], added: [] })
    else {
      const last = blocks.at(-1)
      const block = last && !last.same ? last : { removed: [], added: [] }
      if (block !== last) blocks.push(block)
      for (const each of value) (removed ? block.removed : block.added).push(each)
    }
  }
  return blocks
}

/** Joins changes with only few words between them. */
function joined(blocks: readonly Block[]): Block[] {
  const joint: Block[] = []
  for (const [index, block] of blocks.entries()) {
    const before = joint.at(-1)
    const isBetween = block.same && before && !before.same && index + 1 < blocks.length
    if (isBetween && block.same && block.same.length <= FEW) {
      before.removed.push(...block.same)
      before.added.push(...block.same)
    } else if (!block.same && before && !before.same) {
      for (const each of block.removed) before.removed.push(each)
      for (const each of block.added) before.added.push(each)
    } else joint.push(block)
  }
  return joint
}

function passagesOf(blocks: readonly Block[]): Passage[] {
  const passages: Passage[] = []
  let open: Passage | undefined
  for (const [index, { same, removed, added }] of blocks.entries()) {
    if (!same) {
      if (!open) passages.push((open = []))
      open.push(...pieceOf('removed', removed), ...pieceOf('added', added))
    } else if (open && index + 1 < blocks.length && same.length <= 2 * AROUND) open.push(...pieceOf('same', same))
    else {
      open?.push(...pieceOf('same', same.slice(0, AROUND)))
      open = index + 1 < blocks.length ? pieceOf('same', same.slice(-AROUND)) : undefined
      if (open) passages.push(open)
    }
  }
  return passages
}

const pieceOf = (kind: Piece['kind'], words: readonly Word[]): Piece[] =>
  words.length === 0 ? [] : [{ kind, text: words.map(({ text }) => text).join('') }]
