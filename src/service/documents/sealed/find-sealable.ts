import { openFileForDownload } from '../../access/enter/file.ts'
import { enterWorkspace } from '../../access/enter/workspace.ts'
import { listSealingGroups } from '../../access/judge-opening.ts'
import type { DownloadableFile } from '../../access/scopes.ts'
import { recallActor } from '../../auth/recall-actor.ts'
import type { Db } from '../../db/pool.ts'
import { ApiError } from '../../base/errors.ts'
import type { UnsealedMember } from '../../store/downloads/download-seals.ts'
import { isShown, reasonOf } from '../pages/pages-of.ts'

export interface Sealable {
  file: DownloadableFile
  group_ids: number[]
}

interface Means {
  db: Db
  clock: () => Date
}

/** A browser holds the whole sealed file in memory. */
export const MAX_PAGES = 3000

/** Returns the file if its reader may have it sealed at this moment, the reason why not, or "not yet". */
export async function findSealable(
  means: Means,
  member: UnsealedMember,
  reader: { user_id: number; ip: string },
): Promise<Sealable | { unsealable: string } | 'not yet'> {
  const { page_widths } = member
  if (hasNoPages(member)) return { unsealable: reasonOf(member) }
  if (!isShown(member)) return 'not yet'
  if (page_widths.length > MAX_PAGES) return { unsealable: `It has more than ${MAX_PAGES} pages.` }
  const file = await openAgain(means, member, reader)
  if (!file) return { unsealable: 'It may not be downloaded any more.' }
  const group_ids = await listSealingGroups(means.db, file)
  if (group_ids.length === 0) return { unsealable: 'The protection has changed meanwhile. Ask for it again.' }
  return { file, group_ids }
}

/** Whether it will never have pages to seal. */
export const hasNoPages = ({ status, infected }: Pick<UnsealedMember, 'status' | 'infected'>): boolean =>
  infected === true || status === 'Failed' || status === 'Unsupported'

async function openAgain(
  { db, clock }: Means,
  { workspace_id, organization_id, file_id }: UnsealedMember,
  { user_id: id, ip }: { user_id: number; ip: string },
): Promise<DownloadableFile | undefined> {
  try {
    const actor = await recallActor(db, { id, organization_id, personal_key_id: null }, { ip, now: clock() })
    return actor && (await openFileForDownload(db, await enterWorkspace(db, actor, workspace_id), file_id))
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
