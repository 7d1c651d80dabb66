import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import type { Transfer } from '../../../shared/listing/bulk-words.ts'
import type { Entry } from '../../../shared/listing/entries.ts'
import type { Workspace } from '../../../shared/listing/folder-query.ts'
import type { ForeseenRights } from '../../../shared/who/foreseen-words.ts'

export interface Foreseen {
  /** The changes of rights. Undefined while they are loading and where they cannot be read. */
  rights: ForeseenRights | undefined
  loading: boolean
}

/** Reads who will gain and lose which rights. Only admins may read this; a failure does not affect the move. */
export function useForeseenRights(
  workspace: Workspace,
  verb: Transfer,
  entries: readonly Entry[],
  to: number | undefined,
): Foreseen {
  const idsOf = (kind: Entry['kind']) => entries.filter((entry) => entry.kind === kind).map(({ id }) => id)
  const body = {
    workspace_id: workspace.id,
    verb,
    folder_ids: idsOf('folder'),
    file_ids: idsOf('file'),
    destination_folder_id: to ?? 0,
  }
  const { data, isLoading } = useReading({
    ...read(api.permissions.foresee, { body }),
    // Asked once per folder: a second answer must not replace the answer that the user is reading and about to confirm.
    enabled: ({ state }) => workspace.admin && to !== undefined && state.status === 'pending',
    retry: false,
    gcTime: 0,
  })
  return { rights: data, loading: isLoading }
}
