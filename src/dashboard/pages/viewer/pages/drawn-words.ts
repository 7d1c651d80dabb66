import type { CSSProperties } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { api } from '../../../../contract/index.ts'
import type { Size } from './page-layout.ts'

type PageText = Reply<typeof api.files.text>
type Word = PageText['words'][number]

interface DrawnWord {
  /** With the space behind it, so that copied words stay apart. */
  text: string
  endsLine: boolean
  isRtl: boolean
  style: CSSProperties
}

/** A page of small print has fewer words; more would make scrolling slow. */
const MOST_WORDS = 5000
/** Share of the height of a line that the font has. */
const FONT = 0.8
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Returns the words of a page as they are laid over its image, in its pixels. */
export function drawnWords({ text, words }: PageText, image: Size): DrawnWord[] {
  const widthOf = measuring()
  return words.slice(0, MOST_WORDS).map((word, at) => {
    const shown = text.slice(word.start, word.end).replaceAll('\u00ad', '')
    const gap = text.slice(word.end, words[at + 1]?.start ?? word.end)
    const isRtl = RTL.test(shown)
    const endsLine = gap.includes('\n')
    const style = styleOf(word, { width: widthOf(shown), isRtl, isLong: shown.length > 1, image })
    return { text: gap !== '' && !endsLine ? `${shown} ` : shown, endsLine, isRtl, style }
  })
}

interface Drawing {
  /** The width of the word at a font size of one pixel. */
  width: number
  isRtl: boolean
  isLong: boolean
  image: Size
}

function styleOf(word: Word, { width, isRtl, isLong, image }: Drawing): CSSProperties {
  const { x, y } = word
  const isUpright = isLong && word.height > 1.5 * word.width
  const [length, height] = isUpright ? [word.height, word.width] : [word.width, word.height]
  const stretch = width > 0 ? length / (width * height * FONT) : 1
  const font = { fontSize: height * FONT, lineHeight: `${height}px` }
  if (isUpright) {
    const transform = `rotate(90deg) scaleX(${stretch.toFixed(3)})`
    return { ...font, left: x + word.width, top: y, transform, transformOrigin: '0 0' }
  }
  const transform = `scaleX(${stretch.toFixed(3)})`
  if (isRtl) return { ...font, right: image.width - x - word.width, top: y, transform, transformOrigin: '100% 0' }
  return { ...font, left: x, top: y, transform, transformOrigin: '0 0' }
}

const MEASURED_AT = 100

/** Returns a function that measures words; 0 where the browser cannot measure. */
function measuring(): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return () => 0
  context.font = '100px sans-serif'
  const known = new Map<string, number>()
  return (text) => {
    const width = known.get(text) ?? context.measureText(text).width / MEASURED_AT
    known.set(text, width)
    return width
  }
}
