import { naturally } from '../../../ui/words/format.ts'
import { foldersAbove, type ChosenFile } from '../upload.ts'

/** Longest work without a pause for other events, in milliseconds. */
const AT_A_TIME = 20

/** Files that the operating system added, which no user means to upload. */
const UNMEANT = new Set(['.DS_Store', 'Thumbs.db'])

/** Orders files by folder and name, because files are numbered in a folder in the order in which they arrive. */
export async function inReadingOrder(files: readonly ChosenFile[]): Promise<ChosenFile[]> {
  const folders = Map.groupBy(files, (file) => foldersAbove(file).join('/'))
  const ordered: ChosenFile[] = []
  let rested = performance.now()
  for (const key of [...folders.keys()].toSorted(naturally)) {
    const inFolder = folders.get(key)?.filter(({ name }) => !UNMEANT.has(name)) ?? []
    for (const file of inFolder.toSorted((one, other) => naturally(one.name, other.name))) ordered.push(file)
    if (performance.now() - rested < AT_A_TIME) continue
    await new Promise((resolve) => setTimeout(resolve))
    rested = performance.now()
  }
  return ordered
}
