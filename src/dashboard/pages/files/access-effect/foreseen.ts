import { outlineAt, placeIn } from '../../../../contract/outline/outline.ts'
import { fileKey, folderEntry, type EntryKey, type FolderContent } from '../../../shared/listing/entries.ts'

export interface Change {
  name?: string | undefined
  index?: number | undefined
}

/** Returns the folder with a new name or place for one of its subfolders. */
export function withFolder(content: FolderContent, id: number, { name, index }: Change): FolderContent {
  const folders = placed(content.immediate_subfolders, id, index)
  return {
    ...content,
    immediate_subfolders: folders.map((each) => (each.id === id && name ? { ...each, name, number_length: 0 } : each)),
  }
}

/** Does the same for one of its files, whose name in lists is its title. */
export function withFile(content: FolderContent, id: number, { name, index }: Change): FolderContent {
  const files = placed(content.immediate_subfiles, id, index)
  return {
    ...content,
    immediate_subfiles: files.map((each) =>
      each.id === id && name ? { ...each, title: name, number_length: 0 } : each,
    ),
  }
}

export function without(content: FolderContent, gone: ReadonlySet<EntryKey>): FolderContent {
  return {
    ...content,
    immediate_subfolders: content.immediate_subfolders.filter((folder) => !gone.has(folderEntry(folder).key)),
    immediate_subfiles: content.immediate_subfiles.filter((file) => !gone.has(fileKey(file.id))),
  }
}

/** Keeps the numbers 1…n: the moved sibling takes its place and those between shift (decisions, section 6). */
function placed<T extends { id: number; index: number; outline: string }>(
  siblings: T[],
  id: number,
  index: number | undefined,
): T[] {
  const moved = siblings.find((each) => each.id === id)
  if (!moved || index === undefined) return siblings
  const others = siblings.filter((each) => each !== moved)
  return others
    .toSpliced(index - 1, 0, moved)
    .map((each, at) => (each.index === at + 1 ? each : withIndex(each, at + 1)))
}

function withIndex<T extends { index: number; outline: string }>(each: T, index: number): T {
  const { outline } = each
  const above = outline.slice(0, Math.max(outline.lastIndexOf('.'), 0))
  return { ...each, index, outline: outlineAt(above, placeIn(outline) + index - each.index) }
}
