import { patternsOf, parseQuestion } from '../../store/search/search-question.ts'
import { type Mark, placesOf } from '../../store/search/snippet.ts'
import type { DrawnWord, PageText } from '../render.ts'

/** In pixels of the page image. */
export interface TextBox {
  x: number
  y: number
  width: number
  height: number
}

export interface FindQuestion {
  q: string
  each_word: boolean
  match_case: boolean
  whole_words: boolean
}

/** More hits of one page are not listed. */
export const MAX_PAGE_HITS = 500

/** Prepares a search of pages. Returns the boxes of each hit on a page. */
export function finderOf({ q, each_word, match_case, whole_words }: FindQuestion): (page: PageText) => TextBox[][] {
  const find = each_word ? findWords(q) : findPhrase(q, match_case, whole_words)
  return (page) => find(page.text).map((mark) => boxesOf(page, mark))
}

function findWords(q: string): (text: string) => Mark[] {
  const patterns = patternsOf(parseQuestion(q))
  return (text) => (patterns.length === 0 ? [] : placesOf(text, patterns).slice(0, MAX_PAGE_HITS))
}

function findPhrase(q: string, matchCase: boolean, wholeWords: boolean): (text: string) => Mark[] {
  const fold = folding(matchCase)
  const wanted = fold(q).folded.trim()
  return (text) => {
    const { folded, startOf, endOf } = fold(text)
    const marks: Mark[] = []
    if (wanted === '') return marks
    for (let at = folded.indexOf(wanted); at !== -1 && marks.length < MAX_PAGE_HITS; at = folded.indexOf(wanted, at)) {
      const behind = at + wanted.length
      if (!wholeWords || !(isLetter(folded[at - 1]) || isLetter(folded[behind]))) {
        marks.push({ start: startOf(at), end: endOf(behind - 1) })
      }
      at = behind
    }
    return marks
  }
}

const isLetter = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character)

interface Folded {
  folded: string
  /** Where the character of a unit of `folded` begins in the text, and where it ends. */
  startOf(unit: number): number
  endOf(unit: number): number
}

const ASCII = /^[\x20-\x7e\n]*$/
const ODD_SPACE = /\s\s/

const SAME: Record<string, string> = { '’': "'", '‘': "'", '“': '"', '”': '"', '‐': '-', '‑': '-', '–': '-', '—': '-' }

/** Returns a function that makes texts comparable: compatibility forms, accents, hyphens and spaces do not matter. */
function folding(matchCase: boolean): (text: string) => Folded {
  const known = new Map<string, string>()
  const foldOne = (character: string): string => {
    if (SAME[character] !== undefined) return SAME[character]
    const plain = character.normalize('NFKD').replaceAll(/[\p{M}\u00ad\u2060]/gu, '')
    return (matchCase ? plain : plain.toLowerCase()).replaceAll(/\s+/g, ' ')
  }
  return (text) => {
    // Most pages are like this, and folding their characters one by one would take twenty times as long.
    if (ASCII.test(text) && !ODD_SPACE.test(text)) {
      const spaced = text.replaceAll('\n', ' ')
      return { folded: matchCase ? spaced : spaced.toLowerCase(), startOf: (unit) => unit, endOf: (unit) => unit + 1 }
    }
    const starts: number[] = []
    const ends: number[] = []
    let folded = ''
    let at = 0
    for (const character of text) {
      let plain = known.get(character)
      if (plain === undefined) known.set(character, (plain = foldOne(character)))
      if (!(plain === ' ' && folded.endsWith(' '))) {
        for (let unit = 0; unit < plain.length; unit++) {
          starts.push(at)
          ends.push(at + character.length)
        }
        folded += plain
      }
      at += character.length
    }
    return { folded, startOf: (unit) => starts[unit] ?? 0, endOf: (unit) => ends[unit] ?? text.length }
  }
}

/** Returns the boxes of a passage: one for each line that it touches. */
function boxesOf({ words }: PageText, { start, end }: Mark): TextBox[] {
  const boxes: TextBox[] = []
  for (let at = firstBehind(words, start); at < words.length; at++) {
    const word = words[at]
    if (!word || word[0] >= end) break
    const box = partOf(word, start, end)
    const before = boxes.at(-1)
    if (before && isInLine(before, box)) boxes[boxes.length - 1] = around(before, box)
    else boxes.push(box)
  }
  return boxes
}

/** Returns the index of the first word that ends behind a place. */
function firstBehind(words: readonly DrawnWord[], place: number): number {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle]?.[1] ?? 0) > place) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the box of a part of a word; of the whole word where the places of its characters are not known. */
function partOf([from, to, x, y, width, height, ...edges]: DrawnWord, start: number, end: number): TextBox {
  if (edges.length === 0) return { x, y, width, height }
  const left = start <= from ? 0 : (edges[start - from - 1] ?? 0)
  const right = end >= to ? width : (edges[end - from - 1] ?? width)
  return { x: x + left, y, width: Math.max(1, right - left), height }
}

function isInLine(a: TextBox, b: TextBox): boolean {
  const overlap = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return overlap > Math.min(a.height, b.height) / 2 && b.x >= a.x && b.x - (a.x + a.width) < 2 * a.height
}

function around(a: TextBox, b: TextBox): TextBox {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)]
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)]
  return { x, y, width: right - x, height: bottom - y }
}
