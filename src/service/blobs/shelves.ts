import { randomBytes, randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from './move-durably.ts'

/** Blobs that are put into one folder before another one is chosen. */
const BLOBS_PER_FOLDER = 256

interface Shelf {
  folder: string
  /** The first digits of the ids of all blobs in the folder. */
  prefix: string
}

/**
 * Stores small blobs durably, and returns their ids. Consecutive blobs share a folder, so that few of them make one. A
 * blob has its name before all of it is on the disk: after a crash it is in no file, and the sweep removes it.
 */
export function createShelves(root: string): (content: Buffer) => Promise<string> {
  let current: Promise<Shelf> | undefined
  let left = 0

  function nextShelf(): Promise<Shelf> {
    if (current && left-- > 0) return current
    left = BLOBS_PER_FOLDER - 1
    return (current = makeShelf(root))
  }

  async function put(content: Buffer): Promise<string> {
    const shelf = nextShelf()
    try {
      const { folder, prefix } = await shelf
      const id = prefix + randomDigits()
      await writeDurably(folder, id, content)
      return id
    } catch (error) {
      // The folder may not have been made, or be gone.
      if (current === shelf) current = undefined
      throw error
    }
  }

  return (content) =>
    put(content).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return put(content)
      throw error
    })
}

/** 28 hexadecimal digits with 106 random bits: a UUID, for many of which Node draws bytes at once, without its first four. */
const randomDigits = (): string => randomUUID().replaceAll('-', '').slice(4)

async function makeShelf(root: string): Promise<Shelf> {
  const prefix = randomBytes(2).toString('hex')
  const folder = join(root, prefix.slice(0, 2), prefix.slice(2))
  const changed = await makeFolder(folder)
  await Promise.all(changed.map(syncFolder))
  return { folder, prefix }
}

async function writeDurably(folder: string, name: string, content: Buffer): Promise<void> {
  const path = join(folder, name)
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    // In parallel: the disk's journal takes both at once.
    await Promise.all([file.sync(), syncFolder(folder)])
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}
