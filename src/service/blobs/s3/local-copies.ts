import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { removeOrphans, temporaryName } from '../temporary-names.ts'

/** A copy that nothing uses is kept this long: the pages of a document are drawn one after the other. */
const KEPT_MS = 60_000
/** Unused copies are removed at once beyond this many bytes. */
const KEPT_BYTES = 1024 ** 3

interface Copy {
  path: string
  size: Promise<number>
  users: number
  timer?: NodeJS.Timeout
}

export interface LocalCopies {
  /** Runs `use` with a file that has the content, which programs must not change. */
  use<Result>(blobId: string, use: (path: string) => Promise<Result>): Promise<Result>
}

/** Keeps copies of content as files for programs with random access. @param fetch writes a new file, and returns its size */
export async function createLocalCopies(
  folder: string,
  fetch: (blobId: string, path: string) => Promise<number>,
  keptMs = KEPT_MS,
): Promise<LocalCopies> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeOrphans(folder)
  const copies = new Map<string, Copy>()
  let unusedBytes = 0

  function begin(blobId: string): Copy {
    const path = join(folder, temporaryName())
    const copy: Copy = { path, size: fetch(blobId, path), users: 0 }
    copies.set(blobId, copy)
    copy.size.catch(() => drop(blobId, copy))
    return copy
  }

  async function drop(blobId: string, copy: Copy): Promise<void> {
    if (copies.get(blobId) === copy) copies.delete(blobId)
    await rm(copy.path, { force: true }).catch(() => {})
  }

  async function release(blobId: string, copy: Copy): Promise<void> {
    copy.users--
    const size = await copy.size.catch(() => undefined)
    if (size === undefined || copy.users > 0 || copies.get(blobId) !== copy) return
    if (unusedBytes + size > KEPT_BYTES) return drop(blobId, copy)
    unusedBytes += size
    copy.timer = setTimeout(() => {
      unusedBytes -= size
      void drop(blobId, copy)
    }, keptMs).unref()
  }

  async function retain(copy: Copy): Promise<void> {
    copy.users++
    if (!copy.timer) return
    clearTimeout(copy.timer)
    delete copy.timer
    const size = await copy.size
    unusedBytes -= size
  }

  return {
    async use(blobId, use) {
      const copy = copies.get(blobId) ?? begin(blobId)
      await retain(copy)
      try {
        await copy.size
        return await use(copy.path)
      } finally {
        await release(blobId, copy)
      }
    },
  }
}
