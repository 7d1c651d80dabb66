import { CHUNKED_FROM, type Upload } from '../upload.ts'

/**
 * The waiting uploads. Small files of one folder are sent one after the other, since they are numbered in the order in
 * which they arrive; large files and files of other folders are sent in parallel.
 */
export class Lanes {
  private waiting = new Map<string, number[]>()
  private taken = new Set<string>()

  get isEmpty() {
    return this.waiting.size === 0
  }

  add(upload: Upload) {
    const key = keyOf(upload)
    const ids = this.waiting.get(key)
    if (ids) ids.push(upload.id)
    else this.waiting.set(key, [upload.id])
  }

  /** Adds an upload before all others of its folder. */
  addFirst(upload: Upload) {
    const key = keyOf(upload)
    const others = this.waiting.get(key) ?? []
    this.waiting = new Map([[key, [upload.id, ...others]], ...[...this.waiting].filter(([each]) => each !== key)])
  }

  /** Returns the next upload in a free lane, and takes the lane. */
  take(): { id: number; lane: string } | undefined {
    for (const [key, ids] of this.waiting) {
      if (this.taken.has(key)) continue
      const id = ids.shift() ?? 0
      if (ids.length === 0) this.waiting.delete(key)
      this.taken.add(key)
      return { id, lane: key }
    }
    return undefined
  }

  release(lane: string) {
    this.taken.delete(lane)
  }

  clear() {
    this.waiting.clear()
  }
}

function keyOf({ id, size, workspaceId, folderId, path }: Upload): string {
  return size > CHUNKED_FROM ? `file ${id}` : [workspaceId, folderId, ...path].join('/')
}
