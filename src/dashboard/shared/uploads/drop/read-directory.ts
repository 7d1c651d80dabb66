import { type Dropped, isDirectory } from './read-drop.ts'

/** Adds the files of a directory and of those in it. */
export async function readDirectory(directory: FileSystemDirectoryEntry, dropped: Dropped): Promise<void> {
  try {
    const reader = directory.createReader()
    for (;;) {
      // The browser returns a hundred entries at a time, until there are no more.
      const entries = await new Promise<FileSystemEntry[]>((...done) => reader.readEntries(...done))
      if (entries.length === 0) return
      await Promise.all(entries.filter(isFile).map((entry) => readFile(entry, dropped)))
      for (const below of entries.filter(isDirectory)) await readDirectory(below, dropped)
    }
  } catch {
    dropped.unreadable.push(directory.name)
  }
}

async function readFile(entry: FileSystemFileEntry, { files, unreadable }: Dropped): Promise<void> {
  try {
    const file = await new Promise<File>((...done) => entry.file(...done))
    files.push(Object.assign(file, { path: entry.fullPath }))
  } catch {
    unreadable.push(entry.name)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
