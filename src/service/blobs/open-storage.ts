import { randomBytes } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../wire/log.ts'
import { type BlobPlace, contentPlace } from '../base/blob-place.ts'
import type { Config } from '../base/config.ts'
import type { Db } from '../db/pool.ts'
import { lacksResources } from '../jobs/lacks-resources.ts'
import { claimStorage, sampleContent } from '../store/documents/content-storage.ts'
import type { BlobStore } from './blob-store.ts'
import { createDiskStore } from './disk.ts'
import { joinStores } from './migrate/join-stores.ts'
import { moveDurably } from './move-durably.ts'

/** Holds the id of the storage. The file is in the root folder, so that it comes and goes with the mounted volume. */
export const ID_FILE = 'storage-id'

/**
 * Opens the content where the configuration says, in one store or two.
 * @throws Error with one sentence if a store refuses for good
 */
export async function openStorage(
  db: Db,
  config: Pick<Config, 'dataDir' | 'blobPlace' | 'blobAlsoPlace'>,
  log?: Pick<Log, 'error'>,
): Promise<BlobStore> {
  const first = await openPlace(db, contentPlace(config), config, { log })
  const { blobAlsoPlace: also } = config
  return also ? joinStores(first, await openPlace(db, also, config, { log })) : first
}

interface PlaceOptions {
  log?: Pick<Log, 'error'> | undefined
  /** Makes an empty place the storage of this database, although its content is elsewhere. */
  isNew?: boolean
}

export async function openPlace(
  db: Db,
  place: BlobPlace,
  { dataDir }: Pick<Config, 'dataDir'>,
  { log, isNew = false }: PlaceOptions = {},
): Promise<BlobStore> {
  if ('folder' in place) return openFolder(db, place.folder, { log, isNew })
  // Costs tens of megabytes, so it is loaded only here.
  const { openS3Storage } = await import('./s3/open-s3-storage.ts')
  return openS3Storage(db, place, { folder: join(dataDir, 'cache', 's3'), log, isNew })
}

/**
 * Opens the content in this folder. While the folder lacks the id that the database knows, for example an empty mount
 * point, the storage is away: nothing is written, nothing counts as damaged, and every use fails with 503.
 */
async function openFolder(db: Db, folder: string, { log, isNew }: PlaceOptions): Promise<BlobStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await readId(folder)
  const id = await claimStorage(db, found ?? randomBytes(16).toString('hex'))
  const store = await createDiskStore(folder, createPresence(folder, id))
  if (found === undefined && (isNew || (await holdsContentOf(db, store)))) await writeId(folder, id)
  const isAway = (await readId(folder)) !== id
  if (isAway) log?.error({ folder, id }, `the content is not here: mount its volume, or write this id to ${ID_FILE}`)
  return store
}

/** Returns a function that checks whether the folder has the id. Reads the file again only if it is another or changed. */
function createPresence(folder: string, id: string): () => Promise<boolean> {
  let known: string | undefined
  return async () => {
    const state = await stateOf(join(folder, ID_FILE))
    if (state !== undefined && state === known) return true
    const isPresent = (await readId(folder)) === id
    known = isPresent ? state : undefined
    return isPresent
  }
}

/** Two files, or a file before and after a change, have different states. */
async function stateOf(path: string): Promise<string | undefined> {
  const facts = await stat(path).catch(unlessExhausted)
  return facts && [facts.dev, facts.ino, facts.size, facts.ctimeMs].join()
}

async function readId(folder: string): Promise<string | undefined> {
  return (await readFile(join(folder, ID_FILE), 'utf8').catch(unlessExhausted))?.trim()
}

/** The storage does not count as away while the machine lacks the resources to look. */
function unlessExhausted(error: unknown): undefined {
  if (lacksResources(error)) throw error
}

/** A process that starts at the same time writes the same id. */
async function writeId(folder: string, id: string): Promise<void> {
  const draft = join(folder, 'tmp', `${ID_FILE}-${randomBytes(8).toString('hex')}`)
  await writeFile(draft, `${id}\n`, { mode: 0o600 })
  await moveDurably(draft, join(folder, ID_FILE))
}

/** Whether the storage holds content without an id, from before there were ids or restored. True if there is none. */
export async function holdsContentOf(db: Db, store: BlobStore): Promise<boolean> {
  const sample = await sampleContent(db)
  if (sample.length === 0) return true
  const sizes = await Promise.all(sample.map((blobId) => store.sizeOf(blobId)))
  return sizes.some((size) => size !== undefined)
}
