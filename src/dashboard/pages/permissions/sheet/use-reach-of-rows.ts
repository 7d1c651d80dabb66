import { useEffect, useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { MAX_REACH_FOLDERS, type Flag } from '../../../../contract/endpoints/permissions.ts'
import { call } from '../../../api/client.ts'
import type { FolderReach } from '../../../shared/who/reach.ts'
import type { PermissionSheet } from './permission-sheet.ts'
import type { SheetOf } from './sheet-query.ts'

/** How many of the folders below a folder have a right of a group. */
export interface Count {
  having: number
  all: number
}

/** Undefined where it is not counted. */
export type CountOf = (folderId: number, groupId: number, flag: Flag) => Count | undefined

export interface Reaches {
  countOf: CountOf
  /** Files in a folder and below it; undefined where they are not counted, or not yet. */
  documentsIn: (folderId: number) => number | undefined
}

const REST_MS = 250

/**
 * Counts the folders below the shown rows in which each group has each right, and the files in them, once the rows rest, and
 * below the pointed row by itself: in large rooms only single rows are counted. A change of rights makes the counts unknown
 * until they are read again.
 */
export function useReachOfRows(
  sheet: PermissionSheet,
  { workspaceId, groupIds, staged }: SheetOf,
  { shown, pointed }: { shown: readonly number[]; pointed: number | undefined },
): Reaches {
  const [known, setKnown] = useState({ version: -1, rows: new Map<number, FolderReach>() })
  const version = sheet.rightsVersion
  const isCurrent = known.version === version
  const missing = shown.filter((id) => !(isCurrent && known.rows.has(id))).slice(0, MAX_REACH_FOLDERS)
  const row = pointed !== undefined && isCurrent ? known.rows.get(pointed) : undefined
  const alone = row && isUncounted(row) ? [row.folder_id] : []
  const wanted = (missing.length > 0 ? missing : alone).join()
  useEffect(() => {
    if (wanted === '') return undefined
    const folder_ids = wanted.split(',').map(Number)
    const query = {
      workspace_id: workspaceId,
      group_ids: [...groupIds],
      folder_ids,
      as_set: true,
      documents: true,
      ...(staged && { staged }),
    }
    const ending = new AbortController()
    const read = async () => {
      const rows = await call(api.permissions.reach, { query }, ending.signal)
      if (ending.signal.aborted) return
      setKnown((before) => {
        const kept = before.version === version ? before.rows : []
        return { version, rows: new Map([...kept, ...rows.map((each) => [each.folder_id, each] as const)]) }
      })
    }
    // Without counts the grid still says what differs.
    const timer = setTimeout(() => void read().catch(() => undefined), REST_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [wanted, version, workspaceId, groupIds, staged])
  return {
    countOf: (folderId, groupId, flag) => countIn(isCurrent ? known.rows.get(folderId) : undefined, groupId, flag),
    documentsIn: (folderId) => known.rows.get(folderId)?.documents ?? undefined,
  }
}

const isUncounted = ({ folders, groups }: FolderReach) => folders === null && groups.some(({ below }) => below !== null)

function countIn(row: FolderReach | undefined, groupId: number, flag: Flag): Count | undefined {
  const below = row?.groups.find(({ group_id }) => group_id === groupId)?.below
  const having = below?.[flag] ?? null
  return row && row.folders !== null && having !== null ? { having, all: row.folders } : undefined
}
