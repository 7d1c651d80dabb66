import { t } from '@lingui/core/macro'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { ApiFailure } from '../../../api/failures.ts'
import type { Entry, EntryKey } from '../../../shared/listing/entries.ts'
import type { Restored } from '../../../shared/listing/restored-words.ts'
import { runEach } from '../../../shared/listing/run-each.ts'

const PER_PAGE = 100
/** Pages that are searched. The trash lists the newest deletions first, so recent ones are on the first pages. */
const PAGES = 20

interface Result {
  /** The restored entries as they are now. */
  restored: ReadonlyMap<Entry, Restored>
  /** Why the first of the others was not restored. */
  error: unknown
}

/** Restores entries that were just deleted. A name that was taken meanwhile is kept, and the entry gets another. */
export async function restoreEntries(workspaceId: number, entries: readonly Entry[]): Promise<Result> {
  const deletions = await findDeletions(workspaceId, new Set(entries.map(({ key }) => key)))
  const restored = new Map<Entry, Restored>()
  const restore = async (entry: Entry) => {
    const deletion_id = deletions.get(entry.key)
    if (!deletion_id) throw new ApiFailure(404, t`Not everything was found among what was deleted.`)
    const body = { workspace_id: workspaceId, conflict: 'rename' as const, undo: true }
    restored.set(entry, await call(api.trash.restore, { params: { deletion_id }, body }))
  }
  const { failed } = await runEach(entries, restore, { atOnce: 1 })
  return { restored, error: failed[0]?.error }
}

async function findDeletions(workspaceId: number, wanted: ReadonlySet<EntryKey>): Promise<Map<EntryKey, string>> {
  const found = new Map<EntryKey, string>()
  for (let page = 1; page <= PAGES && found.size < wanted.size; page += 1) {
    const query = { workspace_id: workspaceId, page, per_page: PER_PAGE } as const
    const items = await call(api.trash.list, { query })
    for (const { type, id, deletion_id } of items) {
      const key: EntryKey = `${type}-${id}`
      if (wanted.has(key) && !found.has(key)) found.set(key, deletion_id)
    }
    if (items.length < PER_PAGE) break
  }
  return found
}
