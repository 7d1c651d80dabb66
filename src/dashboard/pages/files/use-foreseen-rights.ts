import { useQuery } from '@tanstack/react-query'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import type { Transfer } from './change-calls.ts'
import type { Entry } from './entries.ts'
import type { Workspace } from './folder-query.ts'

export type ForeseenRights = Reply<typeof api.permissions.foresee>

export interface Foreseen {
  /** What will change for whom; undefined while it is asked for, and where nobody tells. */
  rights: ForeseenRights | undefined
  loading: boolean
}

/** Who gains and loses what once the entries are in the folder. Only admins are told; a failure is none of the move's. */
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
  const { data, isLoading } = useQuery({
    ...read(api.permissions.foresee, { body }),
    // Asked once for each folder: another answer must not come under the eyes, and hands, of who reads the first.
    enabled: ({ state }) => workspace.admin && to !== undefined && state.status === 'pending',
    retry: false,
    gcTime: 0,
  })
  return { rights: data, loading: isLoading }
}

export const changesNothing = ({ groups, people, is_partial }: ForeseenRights): boolean =>
  groups.total === 0 && people.total === 0 && !is_partial
