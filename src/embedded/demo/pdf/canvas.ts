import { type Weight, widthOf } from './metrics.ts'

export type Colour = readonly [red: number, green: number, blue: number]

export const INK: Colour = [0.13, 0.17, 0.2]
export const PALE: Colour = [0.45, 0.5, 0.53]
export const TEAL: Colour = [0.04, 0.36, 0.4]
export const TINT: Colour = [0.9, 0.94, 0.95]
export const LINE: Colour = [0.78, 0.82, 0.84]
export const WHITE: Colour = [1, 1, 1]

interface TextStyle {
  size?: number
  weight?: Weight
  colour?: Colour
  align?: 'left' | 'right' | 'center'
}

/** One page in PDF operators; lengths in points from the lower left corner. */
export class Canvas {
  readonly width: number
  readonly height: number
  private readonly operators: string[] = []

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
  }

  get content(): string {
    return this.operators.join('\n')
  }

  text(x: number, y: number, text: string, style: TextStyle = {}): void {
    const { size = 10, weight = 'regular', colour = INK, align = 'left' } = style
    const width = align === 'left' ? 0 : widthOf(text, size, weight)
    const start = align === 'center' ? x - width / 2 : x - width
    const font = weight === 'bold' ? '/F2' : '/F1'
    this.operators.push(
      `BT ${rgb(colour)} rg ${font} ${size} Tf ${number(start)} ${number(y)} Td (${written(text)}) Tj ET`,
    )
  }

  fill(x: number, y: number, width: number, height: number, colour: Colour): void {
    this.operators.push(`${rgb(colour)} rg ${[x, y, width, height].map(number).join(' ')} re f`)
  }

  line(points: readonly (readonly [number, number])[], colour: Colour = LINE, thickness = 0.6): void {
    this.operators.push(`${rgb(colour)} RG ${thickness} w ${pathOf(points)} S`)
  }

  shape(points: readonly (readonly [number, number])[], colour: Colour): void {
    this.operators.push(`${rgb(colour)} rg ${pathOf(points)} h f`)
  }

  /** Adds any other PDF operators. */
  raw(operators: string): void {
    this.operators.push(operators)
  }
}

const number = (value: number) => String(Math.round(value * 100) / 100)
const rgb = (colour: Colour) => colour.map(number).join(' ')
const pathOf = (points: readonly (readonly [number, number])[]) =>
  points.map(([x, y], at) => `${number(x)} ${number(y)} ${at === 0 ? 'm' : 'l'}`).join(' ')

/** Characters of WinAnsi that Latin-1 lacks. */
const WIN_ANSI: Record<string, number> = {
  '€': 128,
  '…': 133,
  '‘': 145,
  '’': 146,
  '“': 147,
  '”': 148,
  '•': 149,
  '–': 150,
  '—': 151,
  '„': 132,
}

function written(text: string): string {
  return [...text]
    .map((letter) => {
      const code = WIN_ANSI[letter]
      if (code !== undefined) return `\\${code.toString(8)}`
      if (letter > '\u00ff') return '?'
      return /[\\()]/.test(letter) ? `\\${letter}` : letter
    })
    .join('')
}
