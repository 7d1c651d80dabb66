import { type Cover, type Followed, followPage, LATEST_COVERS, type PageResources, type Spot } from './follow-page.ts'
import { areaOf, type Box, contains, IDENTITY, intersect } from './matrix.ts'
import type { Piece } from './pieces.ts'
import type { PageNames } from './page-names.ts'
import { AmbiguousContent } from './tokens.ts'
import { number, type Random, writePiece } from './write-piece.ts'

/** Every third strewn piece is drawn after the page, whatever the page does. */
const STREWN_AFTER = 3
/** A piece counts as hidden if the page paints over more than this fraction of it. */
const HIDDEN = 0.15
/** Bytes of content beyond which it is not followed, because that takes seconds. */
export const MAX_FOLLOWED = 32 * 1024 * 1024

/**
 * Inserts the pieces between the page's own operators, each at a place after which nothing hides it, or after the page.
 * @returns the new content; undefined if the mark could be cut off in one piece, because whatever hides the page is drawn
 * last. A page that ends with an image is woven: an attacker who wants that image without the mark can extract it from
 * the file anyway.
 */
export function weavePage(
  content: Buffer,
  followed: Followed,
  pieces: readonly Piece[],
  box: Box,
  names: PageNames,
  random: Random,
): Buffer | undefined {
  const insertions: Insertion[] = followed.replacements.map(({ from, to, text }) => ({
    at: from,
    upTo: to,
    bytes: Buffer.from(text),
  }))
  const after: Buffer[] = []
  let isAmong = false
  for (const [index, piece] of pieces.entries()) {
    const spot = piece.isStrewn && index % STREWN_AFTER === 0 ? undefined : spotFor(piece, followed, box, random)
    const written = writePiece(piece, spot?.inverse ?? IDENTITY, names.of(piece, index), random)
    if (spot) insertions.push({ at: spot.at, upTo: spot.at, bytes: atSpot(written, spot) })
    else after.push(written)
    isAmong ||= spot !== undefined && spot.at < followed.lastPaint
  }
  if (!isAmong && followed.covers.at(-1)?.isImage === false) return undefined
  const end = Buffer.from(`\n${followed.closing}\nQ\n`)
  return insert(content, insertions, [end, ...after])
}

/** @returns undefined if the content cannot be followed with certainty */
export function follow(content: Buffer, page: { box: Box; resources: PageResources }): Followed | undefined {
  if (content.length > MAX_FOLLOWED) return undefined
  try {
    return followPage(content, page.box, page.resources)
  } catch (error) {
    if (error instanceof AmbiguousContent) return undefined
    throw error
  }
}

interface Insertion {
  at: number
  upTo: number
  bytes: Buffer
}

function insert(content: Buffer, insertions: readonly Insertion[], end: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('q\n')]
  let at = 0
  for (const { at: from, upTo, bytes } of insertions.toSorted((a, b) => a.at - b.at || a.upTo - b.upTo)) {
    parts.push(content.subarray(at, Math.max(at, from)), bytes)
    at = Math.max(at, upTo)
  }
  return Buffer.concat([...parts, content.subarray(at), ...end])
}

/** Paths are not allowed within text: the text object ends before the piece, and another continues where it stopped. */
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

/** Returns the index of the operation after which anything drawn in the box stays visible. */
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

/** Searches by bisection: spots are in the order of the content. */
function firstSpot(spots: readonly Spot[], index: number): number {
  let [low, high] = [0, spots.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spots[middle]?.index ?? 0) < index) low = middle + 1
    else high = middle
  }
  return low
}
