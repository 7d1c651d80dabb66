import type { DemoFile } from '../files.ts'
import { assemble } from '../pdf/assemble.ts'
import { Canvas, INK, LINE, PALE } from '../pdf/canvas.ts'

const A3 = { width: 1191, height: 842 }

/** A plan on A3: water, wall, piles, anchor and fill, with levels and a title block. */
export const quayWallSection = (title: string): DemoFile => ({
  name: `${title}.pdf`,
  content: () => {
    const page = new Canvas(A3.width, A3.height)
    drawFrame(page, title)
    drawGround(page)
    drawWall(page)
    for (const [level, y] of [
      ['+3.20 quay', 560],
      ['0.00 datum', 500],
      ['-14.20 bed', 250],
    ] as const) {
      page.line(
        [
          [90, y],
          [470, y],
        ],
        PALE,
        0.8,
      )
      page.text(94, y + 5, level, { size: 11, colour: PALE })
    }
    page.text(180, 400, 'Waalhaven', { size: 16, colour: PALE })
    page.text(760, 610, 'Crane rail', { size: 11 })
    page.text(760, 505, 'Tie rod, 34 m', { size: 11 })
    page.text(505, 300, 'Sheet piles', { size: 11 })
    return assemble(title, [page])
  },
})

function drawFrame(page: Canvas, title: string): void {
  page.line(
    [
      [40, 40],
      [1151, 40],
      [1151, 802],
      [40, 802],
      [40, 40],
    ],
    INK,
    1.5,
  )
  page.line(
    [
      [811, 40],
      [811, 150],
      [1151, 150],
    ],
    INK,
    1,
  )
  page.text(825, 120, title, { size: 16, weight: 'bold' })
  page.text(825, 98, 'Harbour Terminals B.V., Rotterdam', { size: 11 })
  page.text(825, 80, 'Delta Engineers   30 June 2025   1 : 200', { size: 11 })
  page.text(825, 58, 'Drawing HT-QW-04, revision B', { size: 11, colour: PALE })
}

function drawGround(page: Canvas): void {
  page.fill(60, 250, 420, 250, [0.8, 0.89, 0.92])
  page.shape(
    [
      [60, 170],
      [480, 170],
      [480, 250],
      [60, 262],
    ],
    [0.82, 0.76, 0.64],
  )
  page.fill(500, 170, 620, 390, [0.9, 0.86, 0.76])
  page.fill(500, 548, 620, 12, [0.6, 0.6, 0.58])
  for (let x = 520; x < 1100; x += 58)
    page.line(
      [
        [x, 190],
        [x + 24, 214],
      ],
      LINE,
      1,
    )
}

function drawWall(page: Canvas): void {
  page.fill(480, 120, 20, 440, [0.35, 0.4, 0.43])
  page.fill(470, 500, 70, 60, [0.55, 0.57, 0.58])
  page.line(
    [
      [540, 520],
      [1000, 450],
    ],
    INK,
    3,
  )
  page.fill(1000, 420, 26, 60, [0.35, 0.4, 0.43])
  for (const x of [640, 900]) page.fill(x, 200, 16, 348, [0.68, 0.66, 0.6])
  page.line(
    [
      [640, 560],
      [640, 600],
      [740, 600],
    ],
    INK,
    1,
  )
}
