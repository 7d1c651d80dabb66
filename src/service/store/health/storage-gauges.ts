import type { Gauge } from '../../../wire/metrics/open-metrics.ts'
import { contentPlace } from '../../base/blob-place.ts'
import type { Config } from '../../base/config.ts'
import { type StorageView, viewFolder, viewStorage } from '../../blobs/view-storage.ts'
import type { Db } from '../../db/pool.ts'
import { readStorageId } from './content-health.ts'
import { inTime, remembered } from './gauges.ts'

/** Seconds for which one look at the store serves all who ask. */
const LOOK_SECONDS = 10

/** The content store and the file systems, as this node sees them. */
export function storageGauges(db: Db, config: Pick<Config, 'dataDir' | 'blobPlace'>): Record<string, Gauge> {
  const place = contentPlace(config)
  const folders = { data: config.dataDir, ...('folder' in place && { content: place.folder }) }
  let view: Promise<StorageView> | undefined
  const isThere = remembered(LOOK_SECONDS, () => holdsContent(db, (view ??= viewStorage(place))))
  const ofFolders = (help: string, amount: 'free' | 'total'): Gauge => ({
    help,
    labels: ['folder'],
    async read() {
      const spaces = Object.entries(folders).map(async ([folder, path]) => {
        const space = await viewFolder(path)
          .space()
          .catch(() => undefined)
        return { folder, space }
      })
      return (await Promise.all(spaces)).flatMap(({ folder, space }) => (space ? [[{ folder }, space[amount]]] : []))
    },
  })
  return {
    content_store_up: {
      help: 'Whether the content store answers with the content of this database: 1 or 0',
      read: async () => [[{}, (await isThere()) ? 1 : 0]],
    },
    disk_free_bytes: ofFolders(
      'Room of the file systems of DATA_DIR and, unless it is in a bucket, the content',
      'free',
    ),
    disk_size_bytes: ofFolders('Size of these file systems', 'total'),
  }
}

/** @throws Error if the database is away, which tells nothing of the store */
async function holdsContent(db: Db, view: Promise<StorageView>): Promise<boolean> {
  const wanted = await readStorageId(db)
  const found = view
    .then((storage) => storage.id())
    .then(
      (id) => id === wanted,
      () => false,
    )
  return inTime(found, false)
}
