import type { ChosenFile } from '../upload.ts'

/**
 * Only a drop of at most this many items gets handles, with which a later page finds the files, because handles are
 * expensive.
 */
const HANDLES = 100

/** Chromium has `getAsFileSystemHandle`; the types do not yet. */
type Item = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }

export interface Dropped {
  files: ChosenFile[]
  /** Names of files and directories that could not be read. */
  unreadable: string[]
}

/**
 * Returns all files of a drop, those in directories with the path that leads to them. Call it while the event is
 * handled: the browser forgets the items of the drop after that.
 */
export async function readDrop({ items }: { items: Iterable<DataTransferItem> }): Promise<Dropped> {
  const all = [...items].filter(({ kind }) => kind === 'file')
  const given = all.map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
    handle: all.length <= HANDLES ? handleOf(item) : undefined,
  }))
  const dropped: Dropped = { files: [], unreadable: [] }
  for (const { entry, file, handle } of given) {
    if (entry && isDirectory(entry)) await (await import('./read-directory.ts')).readDirectory(entry, dropped)
    else if (file) dropped.files.push(Object.assign(file, { path: file.name, handle: await handle }))
  }
  return dropped
}

async function handleOf(item: Item): Promise<FileSystemHandle | undefined> {
  // Without a handle the user chooses the file again.
  return (await item.getAsFileSystemHandle?.().catch(() => null)) ?? undefined
}

export const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
