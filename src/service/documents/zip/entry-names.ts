import { extname } from 'node:path'

const MAX_BYTES = 240
/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i
/** Invisible characters that reorder or hide text. */
const HIDDEN = /[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** Returns a name that is valid on every system and cannot lead elsewhere: no separators, devices or trailing dots. */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(HIDDEN, '')
    .replace(/[\p{Cc}\\/:*?"<>|]/gu, '_')
  const short = shorten(withoutEnd(plain).trimStart())
  return short === '' || DEVICE.test(short) ? `_${short}` : short
}

/** Removes trailing dots and spaces. */
function withoutEnd(name: string): string {
  let end = name.length
  while (name[end - 1] === '.' || name[end - 1] === ' ') end--
  return name.slice(0, end)
}

/** Truncates to `MAX_BYTES` before the extension, never within a character. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  const extension = Buffer.byteLength(extname(name)) < 20 ? extname(name) : ''
  let bytes = Buffer.byteLength(extension)
  let end = 0
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character)
    if (bytes > MAX_BYTES) break
    end += character.length
  }
  return name.slice(0, end).trimEnd() + extension
}

interface Named {
  file_id: number | null
  directories: readonly string[]
  name: string
}

/**
 * Names entries one after the other. Inside the tree, the outline number in front of each name keeps names distinct. At
 * the top level, a name that is already taken gets " (2)"; the comparison ignores case.
 */
export function createEntryNamer(reserved: string): (member: Named) => string {
  const taken = new Set([keyOf(reserved)])
  /** The number to try next, by name. Without it, thousands of equal names would take quadratic time. */
  const numbers = new Map<string, number>()
  const folders = new Map<string, string>()
  const claim = (name: string): string => {
    const extension = extname(name)
    const stem = name.slice(0, name.length - extension.length)
    let free = name
    let number = numbers.get(keyOf(name)) ?? 2
    for (; taken.has(keyOf(free)); number++) free = `${stem} (${number})${extension}`
    taken.add(keyOf(free))
    numbers.set(keyOf(name), number)
    return free
  }
  const topFolder = (name: string): string => {
    const known = folders.get(name) ?? claim(safeName(name))
    folders.set(name, known)
    return known
  }
  return ({ file_id, directories, name }) => {
    const [top, ...below] = file_id === null ? [...directories, name] : directories
    if (top === undefined) return claim(safeName(name))
    const folder = [topFolder(top), ...below.map(safeName)].join('/')
    return file_id === null ? `${folder}/` : `${folder}/${safeName(name)}`
  }
}

const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()
