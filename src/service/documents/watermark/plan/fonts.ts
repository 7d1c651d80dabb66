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

interface FontFile {
  package: string
  file: string
  /** Restricts the font to these characters; undefined: it draws every character that it has. */
  script?: RegExp
}

const scriptFile = (name: string, script: RegExp): FontFile => ({
  package: `@fontsource/noto-sans-${name}`,
  file: `files/noto-sans-${name}-${name}-500-normal.woff`,
  script,
})

const NOTO_SANS = { package: '@embedpdf/fonts-latin', file: 'fonts/NotoSans-Medium.ttf' }

/** The first font that has a character draws it. Each script has its own entry and is shaped by its own rules. */
const FILES: readonly FontFile[] = [
  { ...NOTO_SANS, script: /[^\p{Script=Devanagari}]/u },
  { ...NOTO_SANS, script: /\p{Script=Devanagari}/u },
  { package: '@embedpdf/fonts-hebrew', file: 'fonts/NotoSansHebrew-Bold.ttf', script: /\p{Script=Hebrew}/u },
  {
    package: '@embedpdf/fonts-arabic',
    file: 'fonts/NotoNaskhArabic-Bold.ttf',
    script: /\p{Script_Extensions=Arabic}/u,
  },
  scriptFile('thai', /\p{Script=Thai}/u),
  scriptFile('armenian', /\p{Script=Armenian}/u),
  scriptFile('georgian', /\p{Script=Georgian}/u),
  scriptFile('bengali', /\p{Script=Bengali}/u),
  scriptFile('tamil', /\p{Script=Tamil}/u),
  {
    package: '@fontsource/noto-emoji',
    file: 'files/noto-emoji-emoji-500-normal.woff',
    script: /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u,
  },
  { package: '@embedpdf/fonts-sc', file: 'fonts/NotoSansHans-Medium.otf' },
  { package: '@embedpdf/fonts-kr', file: 'fonts/NotoSansKR-Medium.otf' },
  { package: '@embedpdf/fonts-jp', file: 'fonts/NotoSansJP-Medium.otf' },
]

const require = createRequire(import.meta.url)
const loaded = new Map<number, LoadedFont>()

export function fontNumberFor(character: string): number | undefined {
  const at = FILES.findIndex(({ script }, number) => (script?.test(character) ?? true) && hasGlyph(number, character))
  return at === -1 ? undefined : at
}

export function hasGlyph(number: number, character: string): boolean {
  return loadFont(number).font.nominalGlyph(character.codePointAt(0) ?? 0) !== undefined
}

export function loadFont(number: number): LoadedFont {
  const known = loaded.get(number)
  if (known) return known
  const file = FILES[number]
  if (!file) throw new Error(`there is no font ${number}`)
  const bytes = readFileSync(pathOf(file))
  const face = new Face(new Blob(file.file.endsWith('.woff') ? unpackWoff(bytes) : bytes))
  const font = { font: new Font(face), upem: face.upem }
  loaded.set(number, font)
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
