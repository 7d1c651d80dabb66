import { join } from 'node:path'
import type { BlobStore, SharedFolder } from '../../blobs/blob-store.ts'
import type { Config } from '../../base/config.ts'
import { checked, createPageCache, type PageCache, TRIMMED } from './page-cache.ts'

const AT_ONCE = 8

/** The cache of page images of all nodes, or of this machine if the nodes share no folder. */
export const openPageCache = (
  { dataDir, pageCacheBytes }: Pick<Config, 'dataDir' | 'pageCacheBytes'>,
  { shared }: Pick<BlobStore, 'shared'>,
): PageCache =>
  shared
    ? createSharedPageCache(shared, pageCacheBytes)
    : createPageCache(join(dataDir, 'cache', 'pages'), pageCacheBytes)

/** If it grows too large, the oldest files are removed: a store does not tell when a file was used. */
export function createSharedPageCache(folder: SharedFolder, maxBytes: number): PageCache {
  const folderOf = (blobId: string) => `${checked(blobId).slice(0, 2)}/${blobId}`
  let written = 0

  async function trim(): Promise<void> {
    written = 0
    const files: { name: string; size: number; modified: number }[] = []
    for await (const file of folder.list()) files.push(file)
    let total = files.reduce((sum, file) => sum + file.size, 0)
    if (total <= maxBytes) return
    for (const file of files.toSorted((a, b) => a.modified - b.modified)) {
      if (total <= maxBytes * TRIMMED) return
      await folder.remove(file.name)
      total -= file.size
    }
  }

  return {
    trim,
    read: async (blobId, name) => folder.read(`${folderOf(blobId)}/${name}`),
    async write(blobId, name, content) {
      await folder.write(`${folderOf(blobId)}/${name}`, content)
      written += content.length
      if (written > maxBytes / 10) await trim()
    },
    async removeAll(blobIds) {
      for (let at = 0; at < blobIds.length; at += AT_ONCE)
        await Promise.all(blobIds.slice(at, at + AT_ONCE).map((blobId) => folder.removeBelow(folderOf(blobId))))
    },
  }
}
