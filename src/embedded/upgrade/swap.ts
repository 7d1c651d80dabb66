import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../service/blobs/move-durably.ts'

/** Holds the new cluster while it is made. */
export const UPGRADE = 'upgrade'
/** Says that the new cluster is complete and sound. */
const MARK = 'postgres-is-upgraded'

/**
 * Puts the new cluster in place of the old one, which it keeps. Between the two renames there is no cluster under its
 * name: whatever opens the data folder next does the second one.
 */
export async function swap(dataDir: string, kept: string): Promise<void> {
  const mark = await open(join(dataDir, MARK), 'wx', 0o600)
  await mark.sync()
  await mark.close()
  await syncFolder(dataDir)
  await rename(join(dataDir, 'postgres'), join(dataDir, kept))
  await finishSwap(dataDir)
}

/**
 * Finishes a swap that was interrupted, if any. If the old cluster still has its name, it may have been used since, and
 * stays. The caller holds the lock of the data folder. @throws Error if there is neither
 */
export async function finishSwap(dataDir: string): Promise<void> {
  const mark = join(dataDir, MARK)
  if (!existsSync(mark)) return
  const [cluster, made] = [join(dataDir, 'postgres'), join(dataDir, UPGRADE, 'postgres')]
  if (existsSync(made) && !existsSync(cluster)) {
    await rename(made, cluster)
    await Promise.all([syncFolder(dataDir), syncFolder(join(dataDir, UPGRADE))])
  }
  if (!existsSync(cluster)) throw new Error(`${cluster} is gone. Give the newest old-postgres-… its name again.`)
  await rm(join(dataDir, UPGRADE), { recursive: true, force: true })
  await rm(mark)
}
