import { extname } from 'node:path'

const MAX_BYTES = 240
/** UTF-16 units of a path. Windows refuses 260, which include the folder into which the zip is extracted. */
const MAX_PATH = 200
/** Enough for an outline number and a word. */
const MIN_NAME = 32
/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i
/** Invisible characters that reorder or hide text. */
const HIDDEN = /[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** Returns a name that is valid on every system and cannot lead elsewhere: no separators, devices or trailing dots. */
export function safeName(name: string, maxLength = Infinity): string {
  const plain = name
    .normalize('NFC')
    .replace(HIDDEN, '')
    .replace(/[\p{Cc}\\/:*?"<>|]/gu, '_')
  const short = shorten(withoutEnd(plain).trimStart(), maxLength)
  return short === '' || DEVICE.test(short) ? `_${short}` : short
}

/** Removes trailing dots and spaces. */
function withoutEnd(name: string): string {
  let end = name.length
  while (name[end - 1] === '.' || name[end - 1] === ' ') end--
  return name.slice(0, end)
}

/** Truncates before the extension, never within a character. */
function shorten(name: string, maxLength: number): string {
  if (Buffer.byteLength(name) <= MAX_BYTES && name.length <= maxLength) return name
  const extension = Buffer.byteLength(extname(name)) < 20 ? extname(name) : ''
  const maxBytes = MAX_BYTES - Buffer.byteLength(extension)
  const maxEnd = maxLength - extension.length
  let bytes = 0
  let end = 0
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes || end + character.length > maxEnd) break
    end += character.length
  }
  return withoutEnd(name.slice(0, end)) + extension
}

interface Named {
  file_id: number | null
  directories: readonly string[]
  name: string
}

interface Folder {
  /** As it stands in `directories`. */
  title: string
  /** Ends with "/", except at the top level, where it is "". */
  path: string
  claim: (name: string) => string
}

/**
 * Names entries one after the other, in the order of the tree: a folder is not entered again after it was left. No two
 * entries of a folder have the same name in any case. Paths stay within what Windows can extract, unless the tree is so
 * deep that its names would become meaningless.
 */
export function createEntryNamer(reserved: string): (member: Named) => string {
  const top: Folder = { title: '', path: '', claim: createClaims() }
  top.claim(reserved)
  const open = [top]
  const enter = (directories: readonly string[]): Folder => {
    let depth = 0
    while (depth < directories.length && open[depth + 1]?.title === directories[depth]) depth++
    open.length = depth + 1
    for (const title of directories.slice(depth)) open.push(folderIn(open.at(-1) ?? top, title))
    return open.at(-1) ?? top
  }
  return ({ file_id, directories, name }) => {
    if (file_id === null) return enter([...directories, name]).path
    const { path, claim } = enter(directories)
    return path + claim(safeName(name, Math.max(MIN_NAME, MAX_PATH - path.length)))
  }
}

function folderIn({ path, claim }: Folder, title: string): Folder {
  // Half of what remains, because files and further folders follow.
  const name = claim(safeName(title, Math.max(MIN_NAME, Math.floor((MAX_PATH - path.length) / 2))))
  return { title, path: `${path}${name}/`, claim: createClaims() }
}

/** Returns a function that adds " (2)" to a name that it returned before; the comparison ignores case. */
function createClaims(): (name: string) => string {
  const taken = new Set<string>()
  /** The number to try next, by name. Without it, thousands of equal names would take quadratic time. */
  const numbers = new Map<string, number>()
  return (name) => {
    const extension = extname(name)
    const stem = name.slice(0, name.length - extension.length)
    let free = name
    let number = numbers.get(keyOf(name)) ?? 2
    for (; taken.has(keyOf(free)); number++) free = `${stem} (${number})${extension}`
    taken.add(keyOf(free))
    if (number > 2) numbers.set(keyOf(name), number)
    return free
  }
}

const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()
