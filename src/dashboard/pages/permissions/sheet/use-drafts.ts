import { useMemo } from 'react'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import type { FolderTree } from './folder-tree.ts'

/** Returns the ids of the drafts of a workspace, which only its admins may know. */
export function useDrafts(workspaceId: number, isAdmin: boolean): ReadonlySet<number> {
  const { data } = useReading({ ...read(api.drafts.list, { params: { id: workspaceId } }), enabled: isAdmin })
  return useMemo(() => new Set(data?.drafts.map(({ folder_id }) => folder_id)), [data])
}

/** Whether a folder is a draft or in one: its rights apply once that is published. */
export function isInDraft({ nodes }: FolderTree, folderId: number, drafts: ReadonlySet<number>): boolean {
  if (drafts.size === 0) return false
  for (let id = folderId; id !== 0; id = nodes.get(id)?.parentId ?? 0) if (drafts.has(id)) return true
  return false
}
