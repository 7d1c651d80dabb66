import { extname } from 'node:path'
import { unprocessable } from '../../base/errors.ts'

const MAX_LENGTH = 255

/** A longer ending after the last dot is not an extension but part of the name. */
const MAX_EXTENSION = 100

/**
 * Keeps the file's extension in its title: a title without the extension gets it back (decisions, section 6).
 * @throws ApiError 422 if both together are too long
 */
export function keepExtension(title: string, fileName: string): string {
  const extension = extname(fileName)
  const kept = extname(title).toLowerCase() === extension.toLowerCase() ? title : title + extension
  if (kept.length > MAX_LENGTH) throw unprocessable('file.title', 'max_length_with_extension', { extension })
  return kept
}

/** Returns the name itself, or with " (2)", " (3)" … before the extension: the first that is free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const written = extname(name)
  const extension = written.length > MAX_EXTENSION ? '' : written
  return freeNumbered(name.slice(0, name.length - extension.length), extension, taken)
}

/** Does the same for a name in two parts. The name of a folder has no extension. */
export function freeNumbered(stem: string, extension: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const ending = (number === 1 ? '' : ` (${number})`) + extension
    const candidate = cutTo(stem, MAX_LENGTH - ending.length) + ending
    if (!taken.has(candidate)) return candidate
  }
}

/** Never cuts between the halves of a surrogate pair: half a character cannot be stored. */
function cutTo(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
