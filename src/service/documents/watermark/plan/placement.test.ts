import { describe, expect, it, test } from 'vitest'
import { DEFAULT_LOOK } from '../../../../contract/endpoints/looks/default-look.ts'
import type { WatermarkLook } from '../../../store/workspaces/watermarks.ts'
import { SAMPLE_READER } from '../../../testing/documents/sample-reader.ts'
import { type Layer, type Mark, type PageSize, placementsOf, planMark } from './placement.ts'

const A4 = { width: 595, height: 842 }
const look = (change: Partial<WatermarkLook>): WatermarkLook => ({ ...DEFAULT_LOOK, ...change })
const plan = (page: PageSize, ...looks: WatermarkLook[]): Mark => planMark(looks, SAMPLE_READER, page)

/** Returns the points of a layer in page coordinates. */
function pointsOf({ steps, places }: Layer): [x: number, y: number][] {
  return places.flatMap(([a, b, c, d, e, f]) =>
    steps.flatMap(([, ...values]) => {
      const [x, y] = values.slice(-2)
      return x === undefined || y === undefined ? [] : [[a * x + c * y + e, b * x + d * y + f] as [number, number]]
    }),
  )
}
const rangeOf = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)]
const strewnOf = ({ layers }: Mark): Layer[] => layers.filter(({ haloIs }) => haloIs === 'shadow')
const placedOf = ({ layers }: Mark): Layer | undefined => layers.find(({ haloIs }) => haloIs === 'around')
const sizeOf = ({ places: [first] }: Layer): number => Math.hypot(first?.[0] ?? 0, first?.[1] ?? 0)

test('the newest of several placements at one vposition is drawn, and none means the default', () => {
  const old = look({ vposition: 'top', custom_text: 'old' })
  const [top, bottom] = [look({ vposition: 'top', custom_text: 'new' }), look({ vposition: 'bottom' })]
  expect(placementsOf([old, bottom, top])).toEqual([top, bottom])
  expect(placementsOf([])).toEqual([DEFAULT_LOOK])
})

const PAGES: [string, PageSize][] = [
  ['A4', A4],
  ['landscape', { width: 842, height: 595 }],
  ['tiny', { width: 20, height: 20 }],
  ['huge', { width: 14_400, height: 14_400 }],
  ['a strip', { width: 2000, height: 60 }],
]

describe.each(PAGES)('on %s', (_, page) => {
  it.each([
    ['left', 'top', 0],
    ['center', 'center', 45],
    ['right', 'bottom', -90],
    ['left', 'bottom', 90],
  ] as const)('a mark at the %s %s, turned by %i degrees, stays on the page', (hposition, vposition, rotation) => {
    const layer = placedOf(plan(page, look({ hposition, vposition, rotation, font_size: 144 })))
    if (!layer) throw new Error('nothing is placed')
    const points = pointsOf(layer)
    const [left, right] = rangeOf(points.map(([x]) => x))
    const [bottom, top] = rangeOf(points.map(([, y]) => y))
    expect(left).toBeGreaterThanOrEqual(-1e-6)
    expect(bottom).toBeGreaterThanOrEqual(-1e-6)
    expect(right).toBeLessThanOrEqual(page.width + 1e-6)
    expect(top).toBeLessThanOrEqual(page.height + 1e-6)
  })

  it('every part of the page has some strewn text', () => {
    const cells = new Set(
      strewnOf(plan(page))
        .flatMap(pointsOf)
        .filter(([x, y]) => x >= 0 && y >= 0 && x < page.width && y < page.height)
        .map(([x, y]) => `${Math.floor((x / page.width) * 3)} ${Math.floor((y / page.height) * 3)}`),
    )
    expect(cells.size).toBe(9)
  })
})

test('a mark takes the same fraction of pages of the same shape', () => {
  const small = placedOf(plan(A4))
  const large = placedOf(plan({ width: 1190, height: 1684 }))
  if (!small || !large) throw new Error('nothing is placed')
  expect(sizeOf(large)).toBeCloseTo(2 * sizeOf(small))
  expect(sizeOf(small)).toBeCloseTo(18, 1)
})

test('positions are where they are set, and rotation is counter-clockwise', () => {
  const middle = (change: Partial<WatermarkLook>) => placedOf(plan(A4, look(change)))?.places[0]?.slice(4) ?? []
  const [centerX = 0, centerY = 0] = middle({})
  expect([centerX, centerY]).toEqual([297.5, 421])
  expect(middle({ hposition: 'left' })[0]).toBeLessThan(centerX)
  expect(middle({ hposition: 'right' })[0]).toBeGreaterThan(centerX)
  expect(middle({ vposition: 'top' })[1]).toBeGreaterThan(centerY)
  expect(middle({ vposition: 'bottom' })[1]).toBeLessThan(centerY)
  expect(placedOf(plan(A4, look({ rotation: 30 })))?.places[0]?.[1]).toBeGreaterThan(0)
})

test('D3: no setting makes the mark invisible', () => {
  const mark = plan(A4, look({ opacity: 0, color: '#ffffff' }))
  const placed = placedOf(mark)
  for (const { opacity } of mark.layers) expect(opacity).toBeGreaterThan(0.1)
  expect([placed?.color, placed?.halo]).toEqual(['#ffffff', '#000000'])
})
