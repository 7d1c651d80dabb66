import { expect, test } from 'vitest'
import { readDrop } from './read-drop.ts'

type Tree = { [name: string]: Tree | string | null }

/** Entries as browsers give them, a hundred at a time; an entry whose content is null cannot be read. */
function entryOf(name: string, content: Tree | string | null, above = ''): FileSystemEntry {
  const fullPath = `${above}/${name}`
  const isFile = typeof content === 'string' || content === null
  const file = (found: (file: File) => void, failed: (error: Error) => void) =>
    content === null ? failed(new Error('NotReadableError')) : found({ name } as File)
  const createReader = () => {
    const left = Object.entries(content ?? {}).map(([below, inside]) => entryOf(below, inside, fullPath))
    return { readEntries: (read: (entries: FileSystemEntry[]) => void) => read(left.splice(0, 100)) }
  }
  return { name, fullPath, isFile, isDirectory: !isFile, file, createReader } as unknown as FileSystemEntry
}

function transferOf(dropped: Tree): DataTransfer {
  const items = Object.entries(dropped).map(([name, content]) => ({
    kind: 'file',
    webkitGetAsEntry: () => entryOf(name, content),
    getAsFile: () => (typeof content === 'string' ? new File([content], name) : null),
  }))
  return { items } as unknown as DataTransfer
}

const numbered = (amount: number): Tree =>
  Object.fromEntries(Array.from({ length: amount }, (_, at) => [`${at}.txt`, 'x']))

test('directories are read to the end, each file with the path to it', async () => {
  const { files, unreadable } = await readDrop(transferOf({ 'a.txt': 'x', Deal: { '2025': { 'b.txt': 'y' } } }))
  expect(files.map(({ path }) => path)).toEqual(['a.txt', '/Deal/2025/b.txt'])
  expect(unreadable).toEqual([])
})

test('a directory may hold any number of files', async () => {
  const { files } = await readDrop(transferOf({ Deal: numbered(150_000) }))
  expect(files).toHaveLength(150_000)
})

test('an unreadable file is named and does not block the others', async () => {
  const { files, unreadable } = await readDrop(transferOf({ Deal: { 'a.txt': 'x', 'secret.txt': null, 'b.txt': 'y' } }))
  expect(files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
  expect(unreadable).toEqual(['secret.txt'])
})
