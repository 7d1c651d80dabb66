import { t } from '@lingui/core/macro'

/** A folder of the room. */
interface Place {
  folder_id: number
  /** "/Finance/Tax"; "/" for All Folders. */
  path: string
  /** "2.1"; "" for All Folders. */
  outline: string
}

/** How a line of a file names a folder; "" where it does not. */
export interface Named {
  id: string
  path: string
  number: string
}

/** Returns the folder, or the end of a sentence that says why there is none. */
export type FindFolder<P extends Place> = (named: Named) => P | string

/**
 * Finds folders by their ids; without one by their paths or numbers, which have to agree if both are given.
 * @param numbers all numbers that the file names
 */
export function folderFinder<P extends Place>(matrix: readonly P[], numbers: ReadonlySet<string>): FindFolder<P> {
  const byId = new Map(matrix.map((each) => [String(each.folder_id), each]))
  const byPath = Map.groupBy(matrix, ({ path }) => keyOf(path))
  const byNumber = Map.groupBy(matrix, ({ outline }) => outline)
  /** A spreadsheet shortens 2.10 to 2.1, unless it takes the column for text. */
  const isShortened = (number: string) => byNumber.has(`${number}0`) && !numbers.has(`${number}0`)

  const found = (all: readonly P[], name: string) => {
    const [first] = all
    if (!first) return t`no folder ${name}`
    return all.length === 1 ? first : t`several folders are called ${name}`
  }
  const findByPath = (path: string) => {
    const alike = byPath.get(keyOf(path)) ?? []
    const same = alike.filter((each) => each.path === path)
    return found(same.length > 0 ? same : alike, path)
  }
  const findByNumber = (number: string) =>
    isShortened(number)
      ? t`${number} may stand for ${number}0. Name the folder by its path`
      : found(byNumber.get(number) ?? [], number)

  return ({ id, path, number }) => {
    if (id !== '') return byId.get(id) ?? t`no folder ${id}`
    if (path === '') return number === '' ? t`names no folder` : findByNumber(number)
    const folder = findByPath(path)
    if (typeof folder === 'string' || number === '' || folder.outline === number) return folder
    return t`${path} is not folder ${number}`
  }
}

/** Paths that differ in case, spaces beside a slash, or the slash at the ends are alike. */
const keyOf = (path: string): string => {
  const names = path.split('/').map((name) => name.trim())
  return names
    .filter((name) => name !== '')
    .join('/')
    .normalize('NFC')
    .toLowerCase()
}
