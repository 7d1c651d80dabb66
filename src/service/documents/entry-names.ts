import { extname } from 'node:path'

const MAX_BYTES = 240
/** What Windows gives to devices, with whatever extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i
/** Invisible characters that reorder or hide text. */
const HIDDEN = /[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** One name that every system can write and that leads nowhere else: no separators, devices, or dots at the end. */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(HIDDEN, '')
    .replace(/[\p{Cc}\\/:*?"<>|]/gu, '_')
  const short = shorten(withoutEnd(plain).trimStart())
  return short === '' || DEVICE.test(short) ? `_${short}` : short
}

/** Without dots and spaces at the end. */
function withoutEnd(name: string): string {
  let end = name.length
  while (name[end - 1] === '.' || name[end - 1] === ' ') end--
  return name.slice(0, end)
}

/** Cuts before the extension, never within a character. */
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
 * Names entries one after the other. Inside the tree the outline in front of each name keeps them apart; at the top a name
 * that is taken, in whatever case, gets " (2)".
 */
export function createEntryNamer(reserved: string): (member: Named) => string {
  const taken = new Set([keyOf(reserved)])
  const folders = new Map<string, string>()
  const claim = (name: string): string => {
    const extension = extname(name)
    const stem = name.slice(0, name.length - extension.length)
    let free = name
    for (let number = 2; taken.has(keyOf(free)); number++) free = `${stem} (${number})${extension}`
    taken.add(keyOf(free))
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
