import { type Cover, followPage, LATEST_COVERS, type PageResources, type Spot } from './follow-page.ts'
import { areaOf, type Box, contains, IDENTITY, intersect } from './matrix.ts'
import type { Piece } from './pieces.ts'
import { AmbiguousContent } from './scan-content.ts'
import type { PageNames } from './page-names.ts'
import { number, type Random, writePiece } from './write-piece.ts'

/** A page's content with the mark in it. */
export interface Woven {
  content: Buffer
  /** Names of graphics state parameters that the content uses, each with its opacity. */
  states: ReadonlyMap<string, number>
  /** Names of fonts that it uses, each with its reference. */
  fonts: ReadonlyMap<string, string>
}

/** Of what is strewn, every third piece is drawn after the page, whatever the page does. */
const STREWN_AFTER = 3
/** A piece is hidden where the page paints over more than this part of it. */
const HIDDEN = 0.15
/** Content that is not followed: it takes seconds. */
const MAX_FOLLOWED = 32 * 1024 * 1024

/**
 * Puts the pieces between the page's own operators, each at a place from which on nothing hides it, or after the page.
 * @returns undefined for content that is not followed with certainty: it needs a form of its own
 */
export function weavePage(
  content: Buffer,
  pieces: readonly Piece[],
  page: { box: Box; resources: PageResources },
  names: PageNames,
  random: Random,
): Woven | undefined {
  if (content.length > MAX_FOLLOWED) return undefined
  try {
    const followed = followPage(content, page.box, page.resources)
    const insertions: Insertion[] = followed.surplus.map(({ from, to }) => ({ at: from, upTo: to, bytes: BLANK }))
    const after: Buffer[] = []
    for (const [index, piece] of pieces.entries()) {
      const spot = piece.isStrewn && index % STREWN_AFTER === 0 ? undefined : spotFor(piece, followed, page.box, random)
      const written = writePiece(piece, spot?.inverse ?? IDENTITY, names.of(piece, index), random)
      if (spot) insertions.push({ at: spot.at, upTo: spot.at, bytes: atSpot(written, spot) })
      else after.push(written)
    }
    const end = Buffer.from(`\n${followed.closing}\nQ\n`)
    return { content: insert(content, insertions, [end, ...after]), states: names.states, fonts: names.fonts }
  } catch (error) {
    if (error instanceof AmbiguousContent) return undefined
    throw error
  }
}

/** The content of a page that is drawn as one form, with the mark after it. */
export function drawAfterForm(form: string, pieces: readonly Piece[], names: PageNames, random: Random): Woven {
  const written = pieces.map((piece, index) => writePiece(piece, IDENTITY, names.of(piece, index), random))
  return {
    content: Buffer.concat([Buffer.from(`q\n${form} Do\nQ\n`), ...written]),
    states: names.states,
    fonts: names.fonts,
  }
}

interface Insertion {
  at: number
  upTo: number
  bytes: Buffer
}

const BLANK = Buffer.from(' ')

function insert(content: Buffer, insertions: readonly Insertion[], end: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('q\n')]
  let at = 0
  for (const { at: from, upTo, bytes } of insertions.toSorted((a, b) => a.at - b.at)) {
    parts.push(content.subarray(at, Math.max(at, from)), bytes)
    at = Math.max(at, upTo)
  }
  return Buffer.concat([...parts, content.subarray(at), ...end])
}

/** Paths are not allowed within text: the text object ends before, and another one goes on where it was. */
function atSpot(written: Buffer, { text: line }: Spot): Buffer {
  const [before, after] = line ? ['\nET\n', `BT\n${line.map(number).join(' ')} Tm\n`] : ['\n', '']
  return Buffer.concat([Buffer.from(before), written, Buffer.from(after)])
}

function spotFor(
  { box }: Piece,
  { spots, covers }: { spots: readonly Spot[]; covers: readonly Cover[] },
  page: Box,
  random: Random,
): Spot | undefined {
  const seen = intersect(box, page)
  const first = lastHiding(seen, covers)
  const from = firstSpot(spots, first)
  for (let attempt = 0; attempt < 8 && from < spots.length; attempt++) {
    const spot = spots[from + Math.floor(random() * (spots.length - from))]
    if (spot && contains(spot.clip, seen)) return spot
  }
  return undefined
}

/** The index of the operation after which what is drawn in the box stays visible. */
function lastHiding(box: Box, covers: readonly Cover[]): number {
  const hidden = areaOf(box) * HIDDEN
  let sum = 0
  for (let at = covers.length - 1; at >= 0; at--) {
    const cover = covers[at]
    if (!cover) break
    sum += Math.min(cover.area, areaOf(intersect(cover.box, box)))
    if (sum > hidden || at < covers.length - LATEST_COVERS) return cover.index
  }
  return 0
}

/** Spots come in the order of the content. */
function firstSpot(spots: readonly Spot[], index: number): number {
  let [low, high] = [0, spots.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spots[middle]?.index ?? 0) < index) low = middle + 1
    else high = middle
  }
  return low
}
