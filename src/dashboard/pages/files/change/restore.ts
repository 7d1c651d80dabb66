import { t } from '@lingui/core/macro'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { ApiFailure } from '../../../api/failures.ts'
import type { Entry, EntryKey } from '../../../shared/listing/entries.ts'

const PER_PAGE = 100
/** Pages that are searched. The trash lists the newest deletions first, so recent ones are on the first pages. */
const PAGES = 20

/** Restores entries that were just deleted. */
export async function restoreEntries(workspaceId: number, entries: readonly Entry[]): Promise<void> {
  const wanted = new Set(entries.map(({ key }) => key))
  for (const deletionId of await findDeletions(workspaceId, wanted)) {
    const body = { workspace_id: workspaceId, undo: true }
    await call(api.trash.restore, { params: { deletion_id: deletionId }, body })
  }
  if (wanted.size > 0) throw new ApiFailure(404, t`Not everything was found among what was deleted.`)
}

/** Returns the deletions of the wanted entries, and removes each entry it finds from `wanted`. */
async function findDeletions(workspaceId: number, wanted: Set<EntryKey>): Promise<string[]> {
  const found: string[] = []
  for (let page = 1; page <= PAGES && wanted.size > 0; page += 1) {
    const query = { workspace_id: workspaceId, page, per_page: PER_PAGE } as const
    const items = await call(api.trash.list, { query })
    for (const { type, id, deletion_id } of items) if (wanted.delete(`${type}-${id}`)) found.push(deletion_id)
    if (items.length < PER_PAGE) break
  }
  return found
}
