import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { foldersAbove, storedName, type ChosenFile, type NamedFile, type StoredFile } from '../upload.ts'

export type Choice = 'version' | 'both' | 'skip'

export interface Facts {
  /** Bytes. */
  size: number | string
  /** A timestamp; undefined where it is unknown. */
  changed: string | undefined
}

/** A file or folder whose name is taken in its destination folder. */
export interface Conflict {
  name: string
  /** Names of the folders that lead to the destination folder. */
  folders: readonly string[]
  /** The files of both sides; undefined for folders, which are never versions. */
  sides: { arriving: Facts; there: Facts & { version: number } } | undefined
  /** The arriving file is on the user's device. */
  isUpload: boolean
  /** Number of further files, or folders, to ask about. */
  others: number
}

/** What is known of a file that may be in the trash. */
export type KnownFile = Pick<StoredFile, 'file_size'> & { updated_at?: string }

export const factsOf = ({ file_size, updated_at }: KnownFile): Facts => ({
  size: file_size,
  changed: updated_at,
})

const factsOfBoth = (file: ChosenFile, there: StoredFile) => ({
  arriving: { size: file.size, changed: new Date(file.lastModified).toISOString() },
  there: { ...factsOf(there), version: there.version },
})

export interface Answer {
  choice: Choice
  forAll: boolean
}

type Files = ReadonlyMap<string, StoredFile>

/** Returns the files of a folder by name; `path` leads there from the target of the drop. A missing folder has none. */
export type FilesIn = (path: readonly string[]) => Promise<Files>

interface Place {
  there: Files
  /** Names given to files of this drop. */
  given: Set<string>
}

/** Asks about each file whose name is taken. @returns the files to send, with the names to store */
export async function settle(
  files: readonly ChosenFile[],
  filesIn: FilesIn,
  ask: (conflict: Conflict) => Promise<Answer>,
): Promise<NamedFile[]> {
  const placed = await withPlaces(files, filesIn)
  let left = placed.filter(({ name, place }) => place.there.has(name)).length
  let forAll: Choice | undefined
  const settled: NamedFile[] = []
  for (const { file, name, place } of placed) {
    const there = place.there.get(name)
    let choice: Choice | undefined
    if (there) {
      left -= 1
      const sides = factsOfBoth(file, there)
      const conflict = { name: file.name, folders: foldersAbove(file), sides, isUpload: true, others: left }
      const answer: Answer = forAll ? { choice: forAll, forAll: true } : await ask(conflict)
      choice = answer.choice
      if (answer.forAll) forAll = choice
    }
    if (choice === 'skip') continue
    // Two files of one drop may have the same name in two Unicode forms.
    const isFree = !place.given.has(name) && (!there || choice === 'version')
    const given = isFree ? name : freeName(name, place)
    place.given.add(given)
    settled.push({ file, name: given })
  }
  return settled
}

async function withPlaces(files: readonly ChosenFile[], filesIn: FilesIn) {
  const places = new Map<string, Place>()
  const placed: { file: ChosenFile; name: string; place: Place }[] = []
  for (const file of files) {
    const path = foldersAbove(file)
    const key = path.join('/')
    const place = places.get(key) ?? { there: await filesIn(path), given: new Set() }
    places.set(key, place)
    placed.push({ file, name: storedName(file.name), place })
  }
  return placed
}

/** Returns "plan (2).pdf", or the name with the next free number. */
function freeName(name: string, { there, given }: Place): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; ; number += 1) {
    const free = `${stem} (${number})${extension}`
    if (!there.has(free) && !given.has(free)) return free
  }
}

type Content = Reply<typeof api.folders.get>

/**
 * Reads the files in the folders of a workspace, each folder once. A folder that cannot be read counts as empty, so
 * that nothing is asked: the upload itself will report the reason.
 */
export function filesBelow(workspaceId: number, folderId: number): FilesIn {
  const known = new Map<string, Promise<Content | undefined>>()
  const contentAt = (path: readonly string[]): Promise<Content | undefined> => {
    const key = path.join('/')
    const content = known.get(key) ?? read(path)
    known.set(key, content)
    return content
  }
  const read = async (path: readonly string[]) => {
    if (path.length === 0) return contentOf(workspaceId, folderId)
    const above = await contentAt(path.slice(0, -1))
    const name = storedName(path.at(-1) ?? '')
    const folder = above?.immediate_subfolders.find((folder) => folder.name === name)
    return folder && contentOf(workspaceId, folder.id)
  }
  return async (path) => {
    const content = await contentAt(path)
    return new Map(content?.immediate_subfiles.map((file) => [file.file_name, file]))
  }
}

/** Folder 0 is for admins only; the workspace's home shows everyone the top. */
export async function contentOf(workspaceId: number, id: number): Promise<Content | undefined> {
  try {
    if (id === 0) return await call(api.workspaces.home, { params: { id: workspaceId } })
    return await call(api.folders.get, { params: { id }, query: { workspace_id: workspaceId } })
  } catch {
    return undefined
  }
}
