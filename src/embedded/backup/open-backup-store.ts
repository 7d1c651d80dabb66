import type { BlobPlace } from '../../service/base/blob-place.ts'
import type { BackupStore } from './backup-store.ts'
import { openFolderStore } from './folder-store.ts'

/** @param dataDir holds the lock of a backup to a bucket */
export async function openBackupStore(place: BlobPlace, dataDir: string): Promise<BackupStore> {
  if ('folder' in place) return openFolderStore(place.folder)
  const { openBucketStore } = await import('./bucket-store.ts')
  return openBucketStore(place, dataDir)
}
