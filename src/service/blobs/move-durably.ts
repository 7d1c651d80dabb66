import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Renames a file and makes the new name survive a power cut, with the names of the folders made for it. */
export async function moveDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to)
  const changed = await makeFolder(folder)
  await rename(from, to)
  // In parallel: the disk's journal takes them all at once.
  await Promise.all([folder, ...changed].map(syncFolder))
}

/** Makes a folder with its parents. @returns the folders that got a new name, to be flushed to the disk */
export async function makeFolder(folder: string): Promise<string[]> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  return made === undefined ? [] : upTo(dirname(made), dirname(folder))
}

/** The folder and its ancestors, up to and including `top`: each holds the name of the one below. */
function upTo(top: string, folder: string): string[] {
  return folder === top ? [top] : [folder, ...upTo(top, dirname(folder))]
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
