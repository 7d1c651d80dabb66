import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import type { Transfer } from '../../../shared/listing/bulk-words.ts'
import type { Entry } from '../../../shared/listing/entries.ts'

/** A change of many lines makes one of these calls per line. */

export function removeEntry(workspaceId: number, { kind, id }: Entry) {
  const input = { params: { id }, query: { workspace_id: workspaceId } }
  return kind === 'folder' ? call(api.folders.remove, input) : call(api.files.remove, input)
}

export function transferEntry(verb: Transfer, workspaceId: number, { kind, id }: Entry, to: number, conflict: Taken) {
  const body = { workspace_id: workspaceId, destination_folder_id: to }
  if (kind === 'file') return call(api.files[verb], { params: { id }, body: { ...body, conflict } })
  return call(api.folders[verb], { params: { id }, body: { ...body, conflict: 'rename' } })
}

/** About a folder it is only asked whether to keep both, so it is never replaced. */
type Taken = 'rename' | 'replace'

/** One by one: an entry is numbered when it arrives, so this keeps the order of the lines. */
export const TRANSFERS_AT_ONCE = 1
export const REMOVALS_AT_ONCE = 4
