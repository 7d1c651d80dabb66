import { mkdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { nameOf, type S3Place } from '../../service/base/blob-place.ts'
import { type Bucket, openBucket } from '../../service/blobs/s3/bucket.ts'
import { readStoreId } from '../../service/blobs/s3/keys.ts'
import { openObject, readWhole } from '../../service/blobs/s3/read-object.ts'
import { chunksOf } from '../../service/blobs/s3/s3-store.ts'
import { removeAll } from '../../service/blobs/s3/shared-folder.ts'
import { writeObject } from '../../service/blobs/s3/write-object.ts'
import { makeFolder } from '../../service/blobs/move-durably.ts'
import { BACKUP_NAME, type BackupStore, lockBackups } from './backup-store.ts'
import type { CopiedBlob } from './content-list.ts'
import { bytesOf, inLanes, listFolder, undefinedIfGone, writeDurably } from './copy-files.ts'
import { pack, requireInside, unpack } from './pack.ts'

const AT_ONCE = 8
/** Names the folders of a folder, of which some are empty. */
const FOLDERS = '.folders'
/** Holds the small files of a folder: a database has a thousand. */
const PACK = '.pack'
const SMALL_BYTES = 256 * 1024
const MANIFEST = 'backup.json'

/** A backup in a bucket is complete once it has its manifest. */
export async function openBucketStore(place: S3Place, dataDir: string): Promise<BackupStore> {
  const bucket = openBucket(place)
  if ((await readStoreId(bucket)) !== undefined) {
    throw new Error(`${nameOf(place)} has the content of an installation. Name another prefix for backups.`)
  }
  const sizes = lazily(() => sizesBelow(bucket, 'blobs/'))

  async function putStream(content: AsyncIterable<Buffer>, to: string): Promise<CopiedBlob> {
    const copied = await put(bucket, to, content)
    if (isBlob(to)) (await sizes()).set(to, copied.size)
    return copied
  }

  async function listNames(): Promise<Map<string, boolean>> {
    const names = new Map<string, boolean>()
    for await (const name of bucket.listFolders('')) {
      if (BACKUP_NAME.test(name)) names.set(name, (await bucket.sizeOf(`${name}/${MANIFEST}`)) !== undefined)
    }
    return names
  }

  return {
    name: nameOf(place),
    lock: () => lockBackups(join(dataDir, 'cache', 'backup'), nameOf(place)),
    listBackups: async () =>
      [...(await listNames())]
        .filter(([, done]) => done)
        .map(([name]) => name)
        .toSorted(),
    draftOf: (name) => name,
    complete: (name, manifest) => bucket.put(`${name}/${MANIFEST}`, manifest),
    async removeUnfinished() {
      for (const [name, done] of await listNames()) if (!done) await removeAll(bucket, `${name}/`)
      await bucket.abortUploads('', new Date())
    },
    async removeBackup(name) {
      await bucket.remove(`${name}/${MANIFEST}`)
      await removeAll(bucket, `${name}/`)
    },
    putFile: (from, to) => putStream(bytesOf(from), to),
    putStream,
    putFolder: (from, to, takes) => putFolder(bucket, { from, to }, takes),
    async getFile(from, to) {
      const found = await openObject(bucket, from)
      return found && writeDurably(chunksOf(found), to)
    },
    async getStream(from) {
      const found = await openObject(bucket, from)
      return found && chunksOf(found)
    },
    getFolder: (from, to) => getFolder(bucket, from, to),
    sizeOf: async (path) => (isBlob(path) ? (await sizes()).get(path) : bucket.sizeOf(path)),
    async *listBlobs() {
      for await (const { key, size } of bucket.list('blobs/')) yield { blob_id: basename(key), size }
    },
    remove: (path) => bucket.remove(path),
  }
}

const isBlob = (path: string) => path.startsWith('blobs/')

function lazily<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => (value ??= read())
}

async function sizesBelow(bucket: Bucket, prefix: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, size } of bucket.list(prefix)) sizes.set(key, size)
  return sizes
}

async function put(bucket: Bucket, to: string, content: AsyncIterable<Buffer>): Promise<CopiedBlob> {
  const { size, sha256 } = await writeObject(bucket, to, content, Infinity)
  return { size, sha256: sha256.toString('hex') }
}

async function putFolder(
  bucket: Bucket,
  { from, to }: { from: string; to: string },
  takes: (path: string) => boolean = () => true,
): Promise<number> {
  const { folders, small, large } = await listBySize(from, takes)
  await bucket.put(`${to}/${FOLDERS}`, folders.map((path) => `${path}\n`).join(''))
  let bytes = small.length === 0 ? 0 : (await put(bucket, `${to}/${PACK}`, pack(from, small, SMALL_BYTES))).size
  await inLanes(large.values(), AT_ONCE, async (path) => {
    const copied = await put(bucket, `${to}/${path}`, bytesOf(join(from, path))).catch(undefinedIfGone)
    bytes += copied?.size ?? 0
  })
  return bytes
}

async function listBySize(folder: string, takes: (path: string) => boolean) {
  const { folders, files } = await listFolder(folder, takes)
  const small: string[] = []
  const large: string[] = []
  for (const path of files) {
    const found = await stat(join(folder, path)).catch(undefinedIfGone)
    if (found) (found.size <= SMALL_BYTES ? small : large).push(path)
  }
  return { folders, small, large }
}

async function getFolder(bucket: Bucket, from: string, to: string): Promise<void> {
  const size = await bucket.sizeOf(`${from}/${FOLDERS}`)
  if (size === undefined) return
  const folders = size === 0 ? '' : (await readWhole(bucket, `${from}/${FOLDERS}`, size)).toString()
  for (const path of ['', ...folders.split('\n')])
    await mkdir(join(to, requireInside(path)), { recursive: true, mode: 0o700 })
  await inLanes(bucket.list(`${from}/`)[Symbol.asyncIterator](), AT_ONCE, async ({ key }) => {
    const path = requireInside(key.slice(from.length + 1))
    const found = path === FOLDERS ? undefined : await openObject(bucket, key)
    if (!found) return
    if (path === PACK) await inLanes(unpack(chunksOf(found)), 1, (file) => writeNew(join(to, file.path), file.bytes))
    else await writeDurably(chunksOf(found), join(to, path))
  })
}

async function writeNew(path: string, bytes: Buffer): Promise<void> {
  await makeFolder(dirname(path))
  await writeFile(path, bytes, { mode: 0o600, flag: 'wx', flush: true })
}
