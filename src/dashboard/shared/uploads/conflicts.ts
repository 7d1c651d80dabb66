import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { foldersAbove, type ChosenFile, type NamedFile } from './upload.ts'

export type Choice = 'version' | 'both' | 'skip'

/** A file whose name is taken where it shall go. */
export interface Conflict {
  file: ChosenFile
  /** How many more are to be asked about. */
  others: number
}

export interface Answer {
  choice: Choice
  forAll: boolean
}

/** Names of the files in a folder by the names that lead to it from where it was dropped; a folder to come has none. */
export type NamesIn = (path: readonly string[]) => Promise<ReadonlySet<string>>

/** Asks about each file whose name is taken. @returns what is to be sent, and as what */
export async function settle(
  files: readonly ChosenFile[],
  namesIn: NamesIn,
  ask: (conflict: Conflict) => Promise<Answer>,
): Promise<NamedFile[]> {
  const taken = new Map<string, Set<string>>()
  for (const file of files) {
    const path = foldersAbove(file)
    const key = path.join('/')
    if (!taken.has(key)) taken.set(key, new Set(await namesIn(path)))
  }
  const namesFor = (file: ChosenFile) => taken.get(foldersAbove(file).join('/')) ?? new Set<string>()
  let left = files.filter((file) => namesFor(file).has(nameOf(file))).length
  let forAll: Choice | undefined
  const settled: NamedFile[] = []
  for (const file of files) {
    const names = namesFor(file)
    const name = nameOf(file)
    if (!names.has(name)) {
      settled.push({ file, name })
      continue
    }
    left -= 1
    const answer: Answer = forAll ? { choice: forAll, forAll: true } : await ask({ file, others: left })
    if (answer.forAll) forAll = answer.choice
    if (answer.choice === 'version') settled.push({ file, name })
    if (answer.choice === 'both') settled.push({ file, name: freeName(name, names) })
  }
  return settled
}

const nameOf = (file: ChosenFile) => file.name.normalize('NFC')

/** "plan (2).pdf", or the next number that is free; from then on it is taken. */
export function freeName(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; ; number += 1) {
    const free = `${stem} (${number})${extension}`
    if (taken.has(free)) continue
    taken.add(free)
    return free
  }
}

/** What is in the folders of a workspace now. Where it cannot be read nothing is asked: the upload itself will tell. */
export function namesBelow(workspaceId: number, folderId: number): NamesIn {
  return async (path) => {
    try {
      let content = await contentOf(workspaceId, folderId)
      for (const name of path) {
        const child = content.immediate_subfolders.find((folder) => folder.name === name.normalize('NFC'))
        if (!child) return new Set()
        content = await contentOf(workspaceId, child.id)
      }
      return new Set(content.immediate_subfiles.map((file) => file.file_name))
    } catch {
      return new Set()
    }
  }
}

/** Folder 0 is for admins only; the workspace's home shows everyone the top. */
function contentOf(workspaceId: number, id: number) {
  if (id === 0) return call(api.workspaces.home, { params: { id: workspaceId } })
  return call(api.folders.get, { params: { id }, query: { workspace_id: workspaceId } })
}
