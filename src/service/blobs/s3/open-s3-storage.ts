import { randomBytes } from 'node:crypto'
import type { Log } from '../../../wire/log.ts'
import { nameOf, type S3Place } from '../../base/blob-place.ts'
import { storageAway } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { claimStorage } from '../../store/documents/content-storage.ts'
import { readStorageId } from '../../store/health/content-health.ts'
import type { BlobStore } from '../blob-store.ts'
import { holdsContentOf } from '../open-storage.ts'
import { createS3Store, type S3Store } from './s3-store.ts'

interface Options {
  folder: string
  log?: Pick<Log, 'error'> | undefined
  isNew?: boolean
}

/** Writes do not look again for this long whether the bucket is still the storage. */
const TRUSTED_MS = 60_000

/** Mistakes that waiting does not mend. Anything else, such as a store that does not answer, may end by itself. */
const WRONG: [problem: RegExp, sentence: string][] = [
  [/^NoSuchBucket|^InvalidBucketName/, 'names a bucket that does not exist'],
  [/^InvalidAccessKeyId|^SignatureDoesNotMatch/, 'is refused: the AWS credentials are wrong'],
  [/^CredentialsProviderError/, 'needs credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile or a role'],
  [/^AuthorizationHeaderMalformed|^PermanentRedirect|^IllegalLocationConstraint/, 'names the wrong region'],
]

/**
 * Opens the content in a bucket. The prefix has an id like the folder of a disk store: a prefix of another database, or
 * one without the content of this database, counts as away, so that nothing in it is written or swept.
 * @throws Error with one sentence if the store refuses for good
 */
export async function openS3Storage(
  db: Db,
  place: S3Place,
  { folder, log, isNew = false }: Options,
): Promise<BlobStore> {
  const store = await createS3Store(place, { folder, log, requirePresent: createPresence(db, place, { log, isNew }) })
  await store.requirePresent().catch(stopIfWrong)
  return store
}

function stopIfWrong(error: Error): void {
  const problem = error.cause instanceof Error ? error.cause.message : ''
  const [, sentence] = WRONG.find(([pattern]) => pattern.test(problem)) ?? []
  if (sentence) throw new Error(`BLOB_URL ${sentence} (${problem}).`)
}

function createPresence(db: Db, place: S3Place, { log, isNew }: Omit<Options, 'folder'>) {
  let knownAt = -Infinity
  return async (store: S3Store, fresh: boolean): Promise<void> => {
    if (!fresh && performance.now() - knownAt < TRUSTED_MS) return
    knownAt = -Infinity
    const found = await store.readId()
    const id = await ownId(db, found)
    if (found === undefined && (isNew || (await holdsContentOf(db, store)))) await store.writeId(id)
    else if (found !== id) {
      log?.error({ place: nameOf(place), id }, 'the content here is not that of this database')
      throw storageAway()
    }
    knownAt = performance.now()
  }
}

/** A new database gets an id of its own: it must not sweep the content of another one that has the same BLOB_URL. */
async function ownId(db: Db, found: string | undefined): Promise<string> {
  // In this order: whoever wrote an id into the bucket has it in the database.
  if (found === undefined || (await readStorageId(db)) === undefined)
    return claimStorage(db, randomBytes(16).toString('hex'))
  return (await readStorageId(db)) ?? ''
}
