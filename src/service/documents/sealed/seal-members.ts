import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Config } from '../../base/config.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { ApiError } from '../../base/errors.ts'
import type { Vault } from '../../base/secrets.ts'
import { leaveOut, setCopy } from '../../store/downloads/download-copies.ts'
import { listUnsealed, type UnsealedMember } from '../../store/downloads/download-seals.ts'
import { type DownloadKey, findDownloadReader } from '../../store/downloads/downloads.ts'
import { findMarkingOf, type Marking } from '../../store/downloads/marks.ts'
import { insertSealedCopy } from '../../store/downloads/sealed-copies.ts'
import type { Turn } from '../../jobs/turn.ts'
import type { PageImages } from '../pages/page-images.ts'
import { DocumentFault } from '../render.ts'
import type { Overlays } from '../watermark/plan/overlay.ts'
import { findSealable, type Sealable } from './find-sealable.ts'
import { makeCopy } from './make-copy.ts'

export interface SealingMeans {
  db: Db
  blobs: BlobStore
  vault: Vault
  pages: PageImages
  overlays: Overlays
  config: Pick<Config, 'publicUrl'>
  clock: () => Date
}

/** How long a download waits for files that are still being read. */
const PATIENCE_MS = 10 * 60_000

/**
 * Makes the sealed copies that a download needs, one after the other. Each copy is stored at once, so that a repeated
 * job continues where it stopped. A file that cannot be sealed is left out, with the reason.
 * @throws Error if a file is not ready yet; the job is retried later
 */
export async function sealMembers(means: SealingMeans, key: DownloadKey, turn: Turn): Promise<void> {
  const { db } = means
  const asked = await findDownloadReader(db, key)
  if (!asked) return
  const marking = await findMarkingOf(db, { workspace_id: key.workspace_id, ...asked })
  const isPatient = Date.now() - asked.at.getTime() < PATIENCE_MS
  let waiting = 0
  let done = 0
  for await (const member of listUnsealed(db, key)) {
    turn.check(done > 0)
    const sealable = await findSealable(means, member, asked)
    if (sealable === 'not yet' && isPatient) {
      waiting++
      continue
    }
    done++
    if (sealable === 'not yet') await leaveOut(db, key, member.position, 'drm', 'The file was not read in time.')
    else if ('unsealable' in sealable) await leaveOut(db, key, member.position, 'drm', sealable.unsealable)
    else await sealMember({ ...means, turn }, key, { member, sealable, marking })
  }
  if (waiting > 0) throw new Error(`${waiting} files of the download are still being read`)
}

interface Sealing {
  member: UnsealedMember
  sealable: Sealable
  marking: Marking
}

async function sealMember(
  means: SealingMeans & { turn: Turn },
  key: DownloadKey,
  { member, sealable, marking }: Sealing,
): Promise<void> {
  const { db, blobs } = means
  const { position, version } = member
  try {
    const { copy, content } = await makeCopy(means, member, marking)
    const name = `${member.name}.sealed.html`
    const isWanted = await transaction(db, async (tx) => {
      const isThere = await setCopy(tx, key, { ...content, position, name }, { sealed: true })
      if (isThere) await insertSealedCopy(tx, sealable.file, { ...copy, version, group_ids: sealable.group_ids })
      return isThere
    })
    if (!isWanted) await blobs.remove(content.blob_id)
  } catch (error) {
    if (error instanceof DocumentFault) await leaveOut(db, key, position, 'drm', error.message)
    else if (error instanceof ApiError && error.status === 413)
      await leaveOut(db, key, position, 'drm', 'It is too large to be sealed.')
    else throw error
  }
}
