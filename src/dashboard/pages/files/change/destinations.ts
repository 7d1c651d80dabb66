import { t } from '@lingui/core/macro'
import { isFolder, nameOfFolder, type Entry, type FolderMeta } from '../../../shared/listing/entries.ts'
import { isWithin, type TreeRow } from '../tree/tree-rows.ts'
import { ROOT } from '../../../shared/listing/folder-query.ts'

/** The destination of entries: a folder, or the top of the workspace. */
export interface Destination {
  id: number
  name: string
  id_path: string
}

export function destinationOf(row: TreeRow, workspaceName: string): Destination {
  const { folder } = row
  return folder ? destinationIn(folder) : { id: ROOT, name: workspaceName, id_path: String(ROOT) }
}

export const destinationIn = (folder: FolderMeta): Destination => ({
  id: folder.id,
  name: nameOfFolder(folder),
  id_path: folder.id_path,
})

/** Returns why the entries cannot go there, as far as the tree can tell; undefined if they can. */
export function refusalOf(
  verb: 'move' | 'copy',
  entries: readonly Entry[],
  from: number,
  { id, id_path }: Pick<Destination, 'id' | 'id_path'>,
): string | undefined {
  if (entries.some((entry) => isFolder(entry) && isWithin({ id_path }, entry.source))) {
    return t`a folder cannot go into itself`
  }
  return verb === 'move' && id === from ? t`they are in this folder already` : undefined
}
