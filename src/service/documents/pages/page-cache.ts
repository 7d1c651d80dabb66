import { randomBytes } from 'node:crypto'
import { mkdir, opendir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * A cached result for a page: its image, its thumbnail, or the sentence why it cannot be drawn. Or the text of some pages,
 * beginning with this one.
 */
export type PageFile = `${number}.jpg` | `${number}.webp` | `${number}.fault` | `${number}.text`

/**
 * Unmarked page images and text of pages on disk; nothing outside of the service ever sees this folder. It can be deleted at any time. If
 * it grows too large, the least recently used files are removed.
 */
export interface PageCache {
  read(blobId: string, name: PageFile): Promise<Buffer | undefined>
  write(blobId: string, name: PageFile, content: Buffer | string): Promise<void>
  removeAll(blobIds: readonly string[]): Promise<void>
  /** Removes the least recently used files if the cache exceeds its limit. */
  trim(): Promise<void>
}

/** Reading a page updates its time of use, at most once in this period. */
const TOUCH_MS = 60 * 60 * 1000
/** Trims to this part of the limit, so that the next write does not trim again. */
export const TRIMMED = 0.8

export function createPageCache(folder: string, maxBytes: number): PageCache {
  const folderOf = (blobId: string) => join(folder, checked(blobId).slice(0, 2), blobId)
  let written = 0

  async function trim(): Promise<void> {
    written = 0
    const files = await listFiles(folder)
    let total = files.reduce((sum, file) => sum + file.size, 0)
    if (total <= maxBytes) return
    for (const file of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (total <= maxBytes * TRIMMED) return
      await rm(file.path, { force: true })
      total -= file.size
    }
  }

  return {
    trim,
    async read(blobId, name) {
      const path = join(folderOf(blobId), name)
      try {
        const [content, { mtimeMs }] = await Promise.all([readFile(path), stat(path)])
        if (mtimeMs < Date.now() - TOUCH_MS) await utimes(path, new Date(), new Date())
        return content
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async write(blobId, name, content) {
      const path = join(folderOf(blobId), name)
      const unfinished = `${path}.${randomBytes(6).toString('hex')}.tmp`
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFile(unfinished, content, { mode: 0o600 })
      await rename(unfinished, path)
      written += content.length
      if (written > maxBytes / 10) await trim()
    },
    async removeAll(blobIds) {
      await Promise.all(blobIds.map((blobId) => rm(folderOf(blobId), { recursive: true, force: true })))
    },
  }
}

/** Ids come from the database. Even so, check that none can lead out of the folder. */
export function checked(blobId: string): string {
  if (!/^[0-9a-f]{32}$/.test(blobId)) throw new Error('not the id of a blob')
  return blobId
}

interface CachedFile {
  path: string
  size: number
  usedAt: number
}

async function listFiles(folder: string): Promise<CachedFile[]> {
  const entries = await opendir(folder, { recursive: true }).catch(() => undefined)
  const files: CachedFile[] = []
  for await (const entry of entries ?? []) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    // Another process may have removed the file by now.
    const facts = await stat(path).catch(() => undefined)
    if (facts) files.push({ path, size: facts.size, usedAt: facts.mtimeMs })
  }
  return files
}
