import { extname } from 'node:path'

const MAX_LENGTH = 255

/** A title keeps its file's extension: what drops it gets it back (decisions, section 6). */
export function keepExtension(title: string, fileName: string): string {
  const extension = extname(fileName)
  return extname(title).toLowerCase() === extension.toLowerCase() ? title : title + extension
}

/** The name itself, or with " (2)", " (3)" … before the extension: the first that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  for (let number = 1; ; number++) {
    const ending = (number === 1 ? '' : ` (${number})`) + extension
    const candidate = stem.slice(0, MAX_LENGTH - ending.length) + ending
    if (!taken.has(candidate)) return candidate
  }
}
