import type { SharedFolder } from '../blob-store.ts'
import type { Bucket } from './bucket.ts'
import { openObject, readBytes } from './read-object.ts'

/** A page image of a dense page has about 2 MB. */
const MAX_BYTES = 64 * 1024 ** 2
const AT_ONCE = 8

/** Small files that every node sees. */
export function createSharedFolder(bucket: Bucket, prefix: string): SharedFolder {
  return {
    async read(name) {
      const file = await openObject(bucket, prefix + name, { start: 0, end: MAX_BYTES })
      return file && readBytes(file, Math.min(file.size, MAX_BYTES))
    },
    write: (name, content) => bucket.put(prefix + name, content),
    remove: (name) => bucket.remove(prefix + name),
    removeBelow: (name) => removeAll(bucket, `${prefix}${name}/`),
    async *list() {
      for await (const { key, ...rest } of bucket.list(prefix)) yield { name: key.slice(prefix.length), ...rest }
    },
  }
}

/** Removes all objects with this prefix, one by one: not every store can remove several at once. */
export async function removeAll(bucket: Bucket, prefix: string): Promise<void> {
  let batch: Promise<void>[] = []
  for await (const { key } of bucket.list(prefix)) {
    batch.push(bucket.remove(key))
    if (batch.length < AT_ONCE) continue
    await Promise.all(batch)
    batch = []
  }
  await Promise.all(batch)
}
