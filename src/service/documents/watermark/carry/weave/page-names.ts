import type { MarkFont } from './mark-fonts.ts'
import type { Piece } from './pieces.ts'
import type { PieceNames, Random } from './write-piece.ts'

/** Names of the resources that the pieces on one page need, in the style of the page's own names. */
export interface PageNames {
  of(piece: Piece, index: number): PieceNames
  /** Opacities by name. */
  states: ReadonlyMap<string, number>
  /** References by name. */
  fonts: ReadonlyMap<string, string>
  /** Set if `DeviceRGB` is unreliable on the page. */
  rgbSpace: string | undefined
}

/** Number of pieces that share a graphics state. */
const PIECES_OF_A_STATE = 6
const IMAGE_OPACITY = 1.6
const STATE_STYLES = ['/GS0', '/gs1', '/G3', '/R7', '/E1', '/Gs1', '/a0']
const SPACE_STYLES = ['/CS0', '/Cs1', '/C0']
const FONT_STYLES = ['/F1', '/TT0', '/T1_0', '/f-0-0', '/R9', '/Font2', '/C2_0']

/** `textState` are the operators of the text state that the page uses. */
export function namePieces(
  pieces: readonly Piece[],
  used: { states: readonly string[]; fonts: readonly string[]; all: ReadonlySet<string>; redefinesRgb: boolean },
  fonts: readonly MarkFont[],
  textState: string,
  random: Random,
): PageNames {
  const nextState = counter(used.states, STATE_STYLES, used.all, random)
  const nextFont = counter(used.fonts, FONT_STYLES, used.all, random)
  const states = new Map<string, number>()
  const stateOf: string[] = []
  const current = new Map<number, { name: string; left: number }>()
  for (const piece of pieces) {
    const opacity = opacityOf(piece)
    const known = current.get(opacity)
    const state = known && known.left > 0 ? known : { name: nextState(), left: PIECES_OF_A_STATE }
    if (state !== known) states.set(state.name, Number(Math.min(1, opacity + random() * 0.012).toFixed(4)))
    state.left--
    current.set(opacity, state)
    stateOf.push(state.name)
  }
  const chosen = fonts[Math.floor(random() * fonts.length)]
  const font = nextFont()
  const rgbSpace = used.redefinesRgb ? counter([], SPACE_STYLES, used.all, random)() : undefined
  return {
    of: ({ line, part }, index) => ({
      state: stateOf[index] ?? '',
      rgbSpace,
      font,
      drawn: chosen?.lines[line]?.[part],
      textState,
    }),
    states,
    rgbSpace,
    fonts: new Map(chosen ? [[font, chosen.reference]] : []),
  }
}

/** PDFium applies the opacity of rotated image masks twice; other renderers do not. */
const opacityOf = ({ kind, layer }: Piece): number =>
  kind === 'image' ? Math.min(1, layer.opacity * IMAGE_OPACITY) : layer.opacity

/** Continues the numbering of one of the page's own names. */
function counter(
  own: readonly string[],
  styles: readonly string[],
  used: ReadonlySet<string>,
  random: Random,
): () => string {
  const counted = own.filter((name) => /^\/[A-Za-z_-]+[\w-]*\d+$/.test(name))
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const prefix = (pick(counted) ?? pick(styles) ?? '/R0').replace(/\d+$/, '')
  let next = Math.floor(random() * 20)
  return () => {
    while (used.has(`${prefix}${next}`)) next++
    return `${prefix}${next++}`
  }
}
