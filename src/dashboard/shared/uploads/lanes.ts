import { CHUNKED_FROM, type Upload } from './upload.ts'

/**
 * What waits for its turn. Small files of one folder go one after the other, since they get their places in the order in
 * which they arrive; large ones and other folders go beside them.
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

  /** Before all others of its folder. */
  addFirst(upload: Upload) {
    const key = keyOf(upload)
    const others = this.waiting.get(key) ?? []
    this.waiting = new Map([[key, [upload.id, ...others]], ...[...this.waiting].filter(([each]) => each !== key)])
  }

  /** The next one that may go, whose lane is taken then. */
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
