import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Blob, Face, Font } from 'harfbuzzjs'
import { unpackWoff } from './woff.ts'

/** A shipped font, loaded when a text first needs it. Fonts of the system are never used. */
export interface LoadedFont {
  font: Font
  /** Units per em. */
  upem: number
}

/** Styles in which text is drawn. `mark` is that of watermarks. */
export type Look = 'mark' | 'regular' | 'bold' | 'italic' | 'boldItalic' | 'mono' | 'monoBold'

interface FontFile {
  package: string
  file: string
  /** Restricts the font to these characters; undefined: it draws every character that it has. */
  script?: RegExp
}

const latin = (name: string): FontFile => ({ package: '@embedpdf/fonts-latin', file: `fonts/NotoSans-${name}.ttf` })
const dejavu = (name: string): FontFile => ({ package: 'dejavu-fonts-ttf', file: `ttf/DejaVu${name}.ttf` })

const sans = (name: string): FontFile[] => [
  { ...latin(name), script: /[^\p{Script=Devanagari}]/u },
  { ...latin(name), script: /\p{Script=Devanagari}/u },
]
const mono = (name: string): FontFile[] => [{ ...dejavu(name), script: /[^\p{Script_Extensions=Arabic}]/u }]

interface Weight {
  /** Of Hebrew and Arabic, which come in two weights. */
  two: 'Regular' | 'Bold'
  cjk: 'Regular' | 'Medium' | 'Bold'
  number: 400 | 500 | 700
}
const REGULAR: Weight = { two: 'Regular', cjk: 'Regular', number: 400 }
const MEDIUM: Weight = { two: 'Bold', cjk: 'Medium', number: 500 }
const BOLD: Weight = { two: 'Bold', cjk: 'Bold', number: 700 }

/** Each script has its own entry and is shaped by its own rules. */
function scripts({ two, cjk, number }: Weight): FontFile[] {
  const scriptFile = (name: string, script: RegExp): FontFile => ({
    package: `@fontsource/noto-sans-${name}`,
    file: `files/noto-sans-${name}-${name}-${number}-normal.woff`,
    script,
  })
  return [
    { package: '@embedpdf/fonts-hebrew', file: `fonts/NotoSansHebrew-${two}.ttf`, script: /\p{Script=Hebrew}/u },
    {
      package: '@embedpdf/fonts-arabic',
      file: `fonts/NotoNaskhArabic-${two}.ttf`,
      script: /\p{Script_Extensions=Arabic}/u,
    },
    scriptFile('thai', /\p{Script=Thai}/u),
    scriptFile('armenian', /\p{Script=Armenian}/u),
    scriptFile('georgian', /\p{Script=Georgian}/u),
    scriptFile('bengali', /\p{Script=Bengali}/u),
    scriptFile('tamil', /\p{Script=Tamil}/u),
    {
      package: '@fontsource/noto-emoji',
      file: `files/noto-emoji-emoji-${number}-normal.woff`,
      script: /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u,
    },
    { package: '@embedpdf/fonts-sc', file: `fonts/NotoSansHans-${cjk}.otf` },
    { package: '@embedpdf/fonts-kr', file: `fonts/NotoSansKR-${cjk}.otf` },
    { package: '@embedpdf/fonts-jp', file: `fonts/NotoSansJP-${cjk}.otf` },
  ]
}

/** Arrows, mathematics, boxes and dingbats, which Asian fonts draw as wide as their letters. */
const symbols = (name: string): FontFile => ({ ...dejavu(name), script: /[\u2000-\u2bff]/ })

const text = (own: FontFile[], weight: Weight): FontFile[] => {
  const rest = weight === BOLD ? 'Sans-Bold' : 'Sans'
  return [...own, symbols(rest), ...scripts(weight), dejavu(rest)]
}

/** The first font that has a character draws it. */
const STACKS: Record<Look, FontFile[]> = {
  mark: [...sans('Medium'), ...scripts(MEDIUM)],
  regular: text(sans('Regular'), REGULAR),
  bold: text(sans('Bold'), BOLD),
  italic: text(sans('Italic'), REGULAR),
  boldItalic: text(sans('BoldItalic'), BOLD),
  mono: text(mono('SansMono'), REGULAR),
  monoBold: text(mono('SansMono-Bold'), BOLD),
}
const FILES = Object.values(STACKS).flat()

const require = createRequire(import.meta.url)
const loaded = new Map<string, LoadedFont>()

/** Returns a number of a font of this look that has the character; undefined if no shipped font has it. */
export function fontNumberFor(character: string, look: Look = 'mark'): number | undefined {
  const file = STACKS[look].find((each) => (each.script?.test(character) ?? true) && has(each, character))
  return file === undefined ? undefined : FILES.indexOf(file)
}

export const hasGlyph = (number: number, character: string): boolean => has(fileAt(number), character)

const has = (file: FontFile, character: string): boolean =>
  load(file).font.nominalGlyph(character.codePointAt(0) ?? 0) !== undefined

export const loadFont = (number: number): LoadedFont => load(fileAt(number))

function fileAt(number: number): FontFile {
  const file = FILES[number]
  if (!file) throw new Error(`there is no font ${number}`)
  return file
}

function load(file: FontFile): LoadedFont {
  const path = `${file.package}/${file.file}`
  const known = loaded.get(path)
  if (known) return known
  const bytes = readFileSync(pathOf(file))
  const face = new Face(new Blob(path.endsWith('.woff') ? unpackWoff(bytes) : bytes))
  const font = { font: new Font(face), upem: face.upem }
  loaded.set(path, font)
  return font
}

/** The packages do not export their files, so look for the package folder. */
function pathOf({ package: name, file }: FontFile): string {
  const folder = require.resolve
    .paths(name)
    ?.map((path) => join(path, name))
    .find(isFolder)
  if (folder === undefined) throw new Error(`the package ${name} is not installed`)
  return join(folder, file)
}

function isFolder(path: string): boolean {
  try {
    readFileSync(join(path, 'package.json'))
    return dirname(path) !== path
  } catch {
    return false
  }
}
