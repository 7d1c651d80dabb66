import { useMemo } from 'react'
import { FLAGS, type Flag } from '../../../../contract/endpoints/permissions.ts'
import type { StagedChange } from '../../../shared/who/staged-rights.ts'

/** Whether a change of a right of a group is staged on this very folder. */
export type IsStaged = (folderId: number, groupId: number, flag: Flag) => boolean

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
