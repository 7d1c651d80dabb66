import { expect, test } from 'vitest'
import { followPage, type PageResources } from './follow-page.ts'

const RESOURCES: PageResources = {
  paintedBy: () => ({ boxes: [[0, 0, 1, 1]], isImage: true }),
  isType3: () => false,
  lineWidthOf: () => undefined,
  componentsOf: () => undefined,
}
const followed = (content: string) => followPage(Buffer.from(content), [0, 0, 595, 842], RESOURCES)

const LINES = `BT /F 11 Tf ${Array.from({ length: 40 }, (_, line) => `1 0 0 1 50 ${790 - line * 18} Tm (text) Tj`).join('\n')} ET`
const STROKES = Array.from({ length: 50 }, (_, at) => `${at} 0 m ${at} 800 l S`).join('\n')
const image = (width: number, height: number) => `q ${width} 0 0 ${height} 0 0 cm /X Do Q`

// A tool removes from a page whatever the page can be without.
test.each([
  ['lines', LINES, true],
  ['lines with a logo', `${image(100, 50)} ${LINES}`, true],
  ['lines with a few rules', `0 0 m 500 0 l S ${LINES}`, true],
  ['a scan', image(595, 842), false],
  ['a scan in strips', Array.from({ length: 20 }, () => image(595, 42)).join('\n'), false],
  ['a scan with the text that was recognised, not drawn', `3 Tr ${LINES} ${image(595, 842)}`, false],
  ['a scan over text', `${LINES} ${image(595, 842)}`, false],
  ['text that is not drawn', `3 Tr ${LINES}`, false],
  ['a drawing with labels', `${STROKES} ${LINES}`, false],
  ['nothing', '', false],
])('K5: a page needs its text or not: %s', (_, content, isText) => {
  expect(followed(content).isText).toBe(isText)
})

test('the text state that a page leaves is known', () => {
  expect([...followed('BT /F 9 Tf 1 Tr 2 Tc 90 Tz (a) Tj ET').textState]).toEqual(['Tr', 'Tc', 'Tz'])
  expect([...followed('BT 1 2 (a) " ET').textState]).toEqual(['Tw', 'Tc'])
  expect(followed(LINES).textState.size).toBe(0)
})
