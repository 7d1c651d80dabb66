import { t } from '@lingui/core/macro'
import { nameOfFolder } from '../../listing/entries.ts'
import { folderQuery, type Workspace } from '../../listing/folder-query.ts'
import type { Folder } from './upload-dropzone.tsx'

/** Another user may have signed in since files were dropped on a page that took longer to appear, in milliseconds. */
const SOON = 60_000

/**
 * Returns why files that were dropped on a folder are not uploaded; undefined if they are. Reads the folder unless the
 * right is known. @throws ApiFailure if it cannot be read
 */
export async function refusalOfDrop(
  workspace: Workspace,
  { id, name }: Folder,
  mayUpload: boolean | undefined,
): Promise<string | undefined> {
  if (mayUpload === undefined) {
    const { abilities, folder } = await folderQuery(workspace, id).queryFn(new AbortController())
    return abilities.upload ? undefined : wordsFor(id === 0 ? workspace.name : nameOfFolder(folder))
  }
  return mayUpload ? undefined : wordsFor(name)
}

/** The same for files that were dropped before anything of the page was there; `isHere` if at the same address. */
export async function refusalOfEarlyDrop(
  workspace: Workspace,
  folder: Folder,
  isHere: boolean,
): Promise<string | undefined> {
  if (!isHere || performance.now() > SOON)
    return t`Your files were dropped before this page was ready. Drop them again.`
  return refusalOfDrop(workspace, folder, undefined)
}

const wordsFor = (name: string) => t`You may not upload to ${name}`
