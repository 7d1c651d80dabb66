import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import type { EntryKey } from '../../shared/listing/entries.ts'

type Deletion = Reply<typeof api.trash.list>[number]

/** One deletion, under the name of its file or topmost folder. */
export interface TrashItem extends Omit<Deletion, 'kind'> {
  key: EntryKey
  kind: Deletion['type']
  file_kind: Deletion['kind']
}

export interface Trash {
  items: readonly TrashItem[]
  /** Whether there are older deletions that are not listed. */
  more: boolean
}

const PER_CALL = 100
/** Maximum number of calls for the list. Older deletions are not listed. */
const CALLS = 20
export const MOST_LISTED = PER_CALL * CALLS

/** Reads the whole list, so that filter and order apply to all of it. */
export const trashQuery = (workspaceId: number) => ({
  queryKey: ['trash', workspaceId] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => readTrash(workspaceId, signal),
})

async function readTrash(workspaceId: number, signal: AbortSignal): Promise<Trash> {
  const items = new Map<string, TrashItem>()
  for (let page = 1; page <= CALLS; page += 1) {
    const query = { workspace_id: workspaceId, page, per_page: PER_CALL } as const
    const found = await call(api.trash.list, { query }, signal)
    // A deletion made during the reading moves others to the next page; the map drops the repeats.
    for (const each of found) items.set(each.deletion_id, itemOf(each))
    if (found.length < PER_CALL) return { items: [...items.values()], more: false }
  }
  return { items: [...items.values()], more: true }
}

const itemOf = (deletion: Deletion): TrashItem => ({
  ...deletion,
  key: `${deletion.type}-${deletion.id}`,
  kind: deletion.type,
  file_kind: deletion.kind,
})
