import { diffArrays } from 'diff'
import { type Stretch, stretchesOf, type Word } from './stretches.ts'
import { TookTooLong } from './took-too-long.ts'

export interface Piece {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Changes with some words around them, each begun by the words before. */
export type Passage = Piece[]

/** Undefined if long texts have next to nothing in common. */
export type Comparison = Passage[] | undefined

interface Block {
  /** The same words in both texts, or the words of each text. */
  same?: Word[]
  removed: Word[]
  added: Word[]
}

/** Of a stretch, whose work grows with the square of the edits; one with more is told as replaced. */
const MAX_EDITS = 1000
const PATIENCE_MS = 15_000
/** Milliseconds of work between which typing and scrolling go on. */
const TURN_MS = 20
/** Texts of fewer words are compared whatever they have in common. */
const LONG = 2000
/** The part of the words of long texts that they have in common at least. */
const LEAST_SAME = 0.1
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

/**
 * Compares the words of two texts: line breaks, which a PDF has anywhere, do not count. Takes turns with other work.
 * @throws TookTooLong after some seconds
 */
export async function compare(former: string, present: string): Promise<Comparison> {
  const end = performance.now() + PATIENCE_MS
  const [from, to] = [await wordsOf(former), await wordsOf(present)]
  const blocks: Block[] = []
  let turn = performance.now()
  for (const stretch of stretchesOf(from, to)) {
    for (const block of stretch ? blocksOf(stretch) : []) append(blocks, block)
    if (performance.now() < turn + TURN_MS) continue
    if (performance.now() > end) throw new TookTooLong()
    await nextTurn()
    turn = performance.now()
  }
  const same = blocks.reduce((sum, block) => sum + (block.same?.length ?? 0), 0)
  const longer = Math.max(from.length, to.length)
  const areOther = from.length > LONG && to.length > LONG && same < longer * LEAST_SAME
  return areOther ? undefined : passagesOf(joined(blocks))
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

function blocksOf({ same, from, to }: Stretch): Block[] {
  if (same) return [{ same: to, removed: [], added: [] }]
  const comparator = (one: Word, other: Word) => one.word === other.word
  const changes = diffArrays(from, to, { comparator, maxEditLength: MAX_EDITS })
  if (!changes) return [{ removed: from, added: to }]
  return changes.map(({ value, added, removed }) => {
    if (added) return { removed: [], added: value }
    return removed ? { removed: value, added: [] } : { same: value, removed: [], added: [] }
  })
}

/** Adds a block, which becomes one with the last if both are the same words or both are changes. */
function append(blocks: Block[], { same, removed, added }: Block): void {
  let last = blocks.at(-1)
  if (!last || Boolean(last.same) !== Boolean(same))
    blocks.push((last = { removed: [], added: [], ...(same && { same: [] }) }))
  for (const each of same ?? []) last.same?.push(each)
  for (const each of removed) last.removed.push(each)
  for (const each of added) last.added.push(each)
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
