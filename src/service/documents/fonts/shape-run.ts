import { Buffer as ShapingBuffer, Direction, shape } from 'harfbuzzjs'
import { loadFont } from './fonts.ts'

/** A glyph of a run, from left to right; in ems. */
export interface ShapedGlyph {
  glyph: number
  /** Index of the first UTF-16 code unit that the glyph stands for. */
  cluster: number
  advance: number
  dx: number
  dy: number
}

/** Reused, because the memory of a buffer is freed only some time after it was dropped. */
const buffer = new ShapingBuffer()

/** Shapes text of one font and direction. */
export function shapeRun(text: string, fontNumber: number, isRtl: boolean): ShapedGlyph[] {
  const { font, upem } = loadFont(fontNumber)
  buffer.clearContents()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  buffer.setDirection(isRtl ? Direction.RTL : Direction.LTR)
  shape(font, buffer)
  const positions = buffer.getGlyphPositions()
  return buffer.getGlyphInfos().map(({ codepoint: glyph, cluster }, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
    return { glyph, cluster, advance: xAdvance / upem, dx: xOffset / upem, dy: yOffset / upem }
  })
}
