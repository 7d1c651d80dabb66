import { expect, test } from 'vitest'
import type { Layer } from '../../plan/placement.ts'
import { drawBitmap } from './bitmap.ts'
import type { Piece, PieceKind } from './pieces.ts'
import { writePiece } from './write-piece.ts'

const CONTOURS = [[0, 0, 1, 0, 1, 1]]
const LAYER = { halo: '#ffffff', color: '#303030', haloIs: 'shadow' } as Layer

const pieceOf = (kind: PieceKind, place: number): Piece => ({
  kind,
  layer: LAYER,
  contours: CONTOURS,
  coarse: CONTOURS,
  matrix: [10, 0, 0, 10, place, 50],
  box: [0, 0, 1, 1],
  isStrewn: true,
  line: 0,
  part: 0,
  bitmaps: [15, 16, 17, 18].map((units) => ({ ...drawBitmap(CONTOURS, [0, 0, 1, 1], units), box: [0, 0, 1, 1] })),
})

const glyph = { back: -500, code: '0001' }
const COORDINATES = /^-?\d+ -?\d+ [ml]$/

// A tool can remove what recurs on a page. Five operators in a row must have one that no other piece has.
test.each(
  (['path', 'text', 'image'] as const).flatMap((kind) => [undefined, '/C1'].map((space) => [kind, space] as const)),
)('K5: no five operators of equal pieces recur: %s, colour space %s', (kind, rgbSpace) => {
  const names = {
    state: '/G1',
    rgbSpace,
    font: '/F1',
    drawn: { y: 0, halo: [glyph, glyph], letters: [glyph, glyph] },
    textState: '0 Tr 0 Tc\n',
  }
  const written = Array.from({ length: 200 }, (_, place) =>
    writePiece(pieceOf(kind, place), [1, 0, 0, 1, 0, 0], names, Math.random).toString('latin1'),
  )
  const lines = written.join('').trimEnd().split('\n')
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  const isOwn = (line: string) => (counts.get(line) ?? 0) <= 3 || COORDINATES.test(line)
  const recurring = lines.map((_, at) => lines.slice(at, at + 5)).filter((run) => run.length === 5 && !run.some(isOwn))
  expect(recurring.slice(0, 3)).toEqual([])
})
