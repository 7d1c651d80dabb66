import { useMemo } from 'react'
import { FLAGS, type Flag } from '../../../../contract/endpoints/permissions.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'

type Staged = Reply<typeof api.stagedRights.list>
export type StagedChange = Staged['changes'][number]

/** Whether a change of a right of a group is staged on this very folder. */
export type IsStaged = (folderId: number, groupId: number, flag: Flag) => boolean

export const stagedQuery = (workspaceId: number) => read(api.stagedRights.list, { params: { id: workspaceId } })

/** The changes of rights that wait to be published. */
export function useStagedRights(workspaceId: number, isAdmin: boolean): readonly StagedChange[] {
  const { data } = useReading({ ...stagedQuery(workspaceId), enabled: isAdmin, refetchInterval: REREAD_MS })
  return data?.changes ?? NONE
}

/** Other admins may stage changes meanwhile. */
const REREAD_MS = 20_000
const NONE: readonly StagedChange[] = []

export function useIsStaged(changes: readonly StagedChange[]): IsStaged {
  return useMemo(() => {
    const keys = new Set(
      changes.flatMap((change) => flagsOf(change).map((flag) => keyOf(change.folder_id, change.group_id, flag))),
    )
    return (folderId, groupId, flag) => keys.has(keyOf(folderId, groupId, flag))
  }, [changes])
}

const keyOf = (folderId: number, groupId: number, flag: Flag) => `${folderId} ${groupId} ${flag}`

/** Flags that come with others are left out, unless no flag differs from today: then the change makes an exception. */
function flagsOf({ flags, before, after }: StagedChange): readonly Flag[] {
  const differing = FLAGS.filter((flag) => before[flag] !== after[flag])
  return differing.length > 0 ? differing : flags
}
