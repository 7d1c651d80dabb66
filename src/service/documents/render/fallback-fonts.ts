import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { memoryOf, type Pdfium } from './pdfium-memory.ts'

/**
 * Fonts for PDFs that name a font without embedding it. PDFium has its own substitutes for Latin fonts. Without the
 * fonts here, Chinese, Japanese, Korean, Arabic and Hebrew would be blank. The keys are Windows charsets.
 */
const FONTS: Record<number, [regular: string, bold: string]> = {
  128: ['jp/NotoSansJP-Regular.otf', 'jp/NotoSansJP-Bold.otf'],
  129: ['kr/NotoSansKR-Regular.otf', 'kr/NotoSansKR-Bold.otf'],
  134: ['sc/NotoSansHans-Regular.otf', 'sc/NotoSansHans-Bold.otf'],
  136: ['sc/NotoSansHans-Regular.otf', 'sc/NotoSansHans-Bold.otf'],
  177: ['hebrew/NotoSansHebrew-Regular.ttf', 'hebrew/NotoSansHebrew-Bold.ttf'],
  178: ['arabic/NotoNaskhArabic-Regular.ttf', 'arabic/NotoNaskhArabic-Bold.ttf'],
}
const BOLD = 600

interface Loaded {
  charset: number
  data: Buffer
}

/** A handle is a position in this list, counted from 1; 0 means none. */
const loaded: Loaded[] = []
const handles = new Map<string, number>()

function load(charset: number, weight: number): number {
  const file = FONTS[charset]?.[weight >= BOLD ? 1 : 0]
  if (file === undefined) return 0
  const known = handles.get(file)
  if (known !== undefined) return known
  const handle = loaded.push({ charset, data: readFileSync(pathOf(file)) })
  handles.set(file, handle)
  return handle
}

/** The packages do not export their fonts by name. Their main module lies in a folder beside the fonts. */
function pathOf(file: string): string {
  const [script = '', name = ''] = file.split('/')
  const main = createRequire(import.meta.url).resolve(`@embedpdf/fonts-${script}`)
  return join(dirname(main), '..', 'fonts', name)
}

/** Registers the fonts with PDFium. FPDF_SYSFONTINFO is a version and eight functions, 32 bits each. */
export function installFallbackFonts(pdfium: Pdfium): void {
  const { addFunction, setValue, wasmExports } = pdfium.pdfium
  const nothing = addFunction(() => {}, 'vi')
  const enumerate = addFunction(() => {}, 'vii')
  const map = addFunction(
    (_this: number, weight: number, _italic: number, charset: number) => load(charset, weight),
    'iiiiiiii',
  )
  const get = addFunction(() => 0, 'iii')
  const getData = addFunction(
    (_this: number, handle: number, table: number, buffer: number, size: number) =>
      copyData(pdfium, handle, table, buffer, size),
    'iiiiii',
  )
  const getName = addFunction(() => 0, 'iiiii')
  const getCharset = addFunction((_this: number, handle: number) => loaded[handle - 1]?.charset ?? 0, 'iii')
  const release = addFunction(() => {}, 'vii')
  const info = wasmExports.malloc(9 * 4)
  const fields = [1, nothing, enumerate, map, get, getData, getName, getCharset, release]
  fields.forEach((value, index) => setValue(info + index * 4, value, 'i32'))
  pdfium.FPDF_SetSystemFontInfo(info)
}

/**
 * Copies a whole font file, which is table 0, if the buffer is large enough. There are no other tables. @returns the
 * size of the file, or 0
 */
function copyData(pdfium: Pdfium, handle: number, table: number, buffer: number, size: number): number {
  const data = loaded[handle - 1]?.data
  if (!data || table !== 0) return 0
  if (buffer !== 0 && size >= data.length) memoryOf(pdfium).set(data, buffer)
  return data.length
}
