import { inflateSync } from 'node:zlib'
import {
  afterComment,
  afterHexString,
  afterRegular,
  afterString,
  afterWhite,
  AmbiguousContent,
  CLOSE_ARRAY,
  GREATER,
  KINDS,
  LESS,
  nameOf,
  OPEN,
  OPEN_ARRAY,
  PERCENT,
  SLASH,
  WHITE,
} from './tokens.ts'

/** Returns the number of components of a colour space that the resources name; undefined if unknown. */
export type ComponentsOf = (colourSpace: string) => number | undefined

/** Limit on the inflated bytes of all inline images of one page. */
const MAX_INFLATED = 64 * 1024 * 1024
const MAX_SIDE = 65_535
const MAX_GAP = 32

const FULL_NAMES: Readonly<Record<string, string>> = {
  '/BPC': '/BitsPerComponent',
  '/CS': '/ColorSpace',
  '/D': '/Decode',
  '/DP': '/DecodeParms',
  '/F': '/Filter',
  '/H': '/Height',
  '/IM': '/ImageMask',
  '/I': '/Interpolate',
  '/L': '/Length',
  '/W': '/Width',
}
const COMPONENTS: Readonly<Record<string, number>> = {
  '/G': 1,
  '/DeviceGray': 1,
  '/CalGray': 1,
  '/I': 1,
  '/Indexed': 1,
  '/Separation': 1,
  '/RGB': 3,
  '/DeviceRGB': 3,
  '/CalRGB': 3,
  '/Lab': 3,
  '/CMYK': 4,
  '/DeviceCMYK': 4,
}

/** Full names of keys with their values; a value is a list of names and numbers, arrays included. */
type ImageDictionary = ReadonlyMap<string, readonly string[]>

/**
 * Creates a function that reads one inline image, from the end of `BI` to the end of `EI`. The filter or the dimensions
 * say where the data end. `EI` must follow the data and must not occur before, so that every reader finds the same end.
 */
export function createInlineImageReader(componentsOf: ComponentsOf): (content: Buffer, from: number) => number {
  let inflatable = MAX_INFLATED

  function inflatedEnd(content: Buffer, start: number): number {
    try {
      const options = { info: true, maxOutputLength: inflatable } as const
      const { buffer, engine } = inflateSync(content.subarray(start), options) as unknown as {
        buffer: Buffer
        engine: { bytesWritten: number }
      }
      inflatable = Math.max(1, inflatable - buffer.length)
      return start + engine.bytesWritten
    } catch {
      throw new AmbiguousContent('an inline image that cannot be inflated')
    }
  }

  function dataEnd(content: Buffer, start: number, dictionary: ImageDictionary): number {
    const [filter] = dictionary.get('/Filter') ?? []
    if (filter === undefined) return start + rawLength(dictionary, componentsOf)
    if (filter === '/Fl' || filter === '/FlateDecode') return inflatedEnd(content, start)
    const find = ENDS[filter]
    if (!find) throw new AmbiguousContent('an inline image whose end is not known')
    return find(content, start)
  }

  return (content, from) => {
    const { dictionary, to } = readDictionary(content, from)
    if (KINDS[content[to] ?? 0] !== WHITE) throw new AmbiguousContent('ID without white space')
    // Exactly one character of white space belongs to ID. Some writers put a line break of two characters there.
    const isBreak = content[to] === 0x0d && content[to + 1] === 0x0a
    const start = to + 1
    const end = afterEnd(content, dataEnd(content, start, dictionary))
    const found = end ?? (isBreak ? afterEnd(content, dataEnd(content, start + 1, dictionary)) : undefined)
    if (found === undefined) throw new AmbiguousContent('an inline image without an end')
    requireOneEnd(content, to, found)
    return found
  }
}

/** Returns the end of the `EI` after the data, with or without white space in between; undefined if there is none. */
function afterEnd(content: Buffer, dataTo: number): number | undefined {
  const at = afterWhite(content, dataTo)
  if (at - dataTo > MAX_GAP || content.toString('latin1', at, at + 2) !== 'EI') return undefined
  return at + 2 === content.length || KINDS[content[at + 2] ?? 0] !== 0 ? at + 2 : undefined
}

/** Rejects an `EI` between white space before the end, because readers that search for the end would stop there. */
function requireOneEnd(content: Buffer, from: number, to: number): void {
  for (let at = content.indexOf('EI', from); at !== -1 && at < to - 2; at = content.indexOf('EI', at + 1)) {
    if (KINDS[content[at - 1] ?? 0] === WHITE && KINDS[content[at + 2] ?? 0] === WHITE)
      throw new AmbiguousContent('an inline image with two ends')
  }
}

function rawLength(dictionary: ImageDictionary, componentsOf: ComponentsOf): number {
  const isMask = dictionary.get('/ImageMask')?.[0] === 'true'
  const [space = ''] = dictionary.get('/ColorSpace') ?? []
  const components = isMask ? 1 : (COMPONENTS[space] ?? componentsOf(space))
  const bits = isMask ? 1 : Number(dictionary.get('/BitsPerComponent')?.[0])
  const [width, height] = ['/Width', '/Height'].map((key) => Number(dictionary.get(key)?.[0]))
  const isSide = (side: number | undefined): side is number => Number.isInteger(side) && side! > 0 && side! <= MAX_SIDE
  if (!components || ![1, 2, 4, 8, 16].includes(bits) || !isSide(width) || !isSide(height))
    throw new AmbiguousContent('an inline image of unknown size')
  return Math.ceil((width * bits * components) / 8) * height
}

function readDictionary(content: Buffer, from: number): { dictionary: ImageDictionary; to: number } {
  const dictionary = new Map<string, string[]>()
  const tokens: string[] = []
  let [key, depth, at] = ['', 0, from]
  while (at < content.length) {
    const token = tokenAt(content, at)
    at = token.to
    if (token.text === 'ID' && depth === 0 && key === '') return { dictionary, to: at }
    if (token.text === '') continue
    if (key === '') {
      key = FULL_NAMES[token.text] ?? token.text
      if (!key.startsWith('/') || dictionary.has(key)) throw new AmbiguousContent('a malformed inline image')
      continue
    }
    if (token.text === '[' || token.text === '<<') depth++
    else if (token.text === ']' || token.text === '>>') depth--
    else tokens.push(token.text)
    if (depth < 0 || tokens.length > 1000) throw new AmbiguousContent('a malformed inline image')
    if (depth > 0) continue
    dictionary.set(key, tokens.splice(0))
    key = ''
  }
  throw new AmbiguousContent('an inline image without data')
}

/** One token; "" for white space and comments, "()" for a string. */
function tokenAt(content: Buffer, at: number): { text: string; to: number } {
  const byte = content[at] ?? 0
  if (KINDS[byte] === WHITE) return { text: '', to: at + 1 }
  if (byte === PERCENT) return { text: '', to: afterComment(content, at) }
  if (byte === OPEN) return { text: '()', to: afterString(content, at) }
  if (byte === OPEN_ARRAY || byte === CLOSE_ARRAY) return { text: String.fromCharCode(byte), to: at + 1 }
  const isDouble = content[at + 1] === byte
  if (byte === LESS) return isDouble ? { text: '<<', to: at + 2 } : { text: '()', to: afterHexString(content, at) }
  if (byte === GREATER && isDouble) return { text: '>>', to: at + 2 }
  const to = afterRegular(content, byte === SLASH ? at + 1 : at)
  if (to === at) throw new AmbiguousContent('a malformed inline image')
  return { text: nameOf(content, at, to), to }
}

/** Functions that find the end of the data, by filter. */
const ENDS: Readonly<Record<string, (content: Buffer, start: number) => number>> = {
  '/AHx': (content, start) => afterMarker(content, start, '>'),
  '/ASCIIHexDecode': (content, start) => afterMarker(content, start, '>'),
  '/A85': (content, start) => afterMarker(content, start, '~>'),
  '/ASCII85Decode': (content, start) => afterMarker(content, start, '~>'),
  '/RL': afterRunLengths,
  '/RunLengthDecode': afterRunLengths,
  '/DCT': afterJpeg,
  '/DCTDecode': afterJpeg,
}

function afterMarker(content: Buffer, start: number, marker: string): number {
  const at = content.indexOf(marker, start, 'latin1')
  if (at === -1) throw new AmbiguousContent('an inline image without an end')
  return at + marker.length
}

function afterRunLengths(content: Buffer, start: number): number {
  for (let at = start; at < content.length;) {
    const length = content[at] ?? 0
    if (length === 128) return at + 1
    at += length < 128 ? length + 2 : 2
  }
  throw new AmbiguousContent('an inline image without an end')
}

/** The end marker of a JPEG may also occur in an embedded preview, so it counts only where `EI` follows. */
function afterJpeg(content: Buffer, start: number): number {
  const MARKER = Buffer.from([0xff, 0xd9])
  for (let at = content.indexOf(MARKER, start); at !== -1; at = content.indexOf(MARKER, at + 2)) {
    if (afterEnd(content, at + 2) !== undefined) return at + 2
  }
  throw new AmbiguousContent('an inline image without an end')
}
