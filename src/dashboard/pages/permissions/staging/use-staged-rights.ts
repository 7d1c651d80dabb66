import { useMemo } from 'react'
import { FLAGS, type Flag } from '../../../../contract/endpoints/permissions.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'

export type StagedChange = Reply<typeof api.stagedRights.list>[number]

/** Whether a right of a group differs on this very folder from what the group has now. */
export type IsStaged = (folderId: number, groupId: number, flag: Flag) => boolean

export const stagedQuery = (workspaceId: number) => read(api.stagedRights.list, { params: { id: workspaceId } })

/** The changes of rights that wait to be published. */
export function useStagedRights(workspaceId: number, isAdmin: boolean): readonly StagedChange[] {
  const { data = NONE } = useReading({ ...stagedQuery(workspaceId), enabled: isAdmin })
  return data
}

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

const flagsOf = ({ before, after }: StagedChange): Flag[] => FLAGS.filter((flag) => before[flag] !== after[flag])
