import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { recallAccess } from '../grid/remembered.ts'
import { PermissionSheet, type PermissionSource } from './permission-sheet.ts'

/** What a sheet shows: the rights as they are, or as they will be once the staged ones are published. */
export interface SheetOf {
  workspaceId: number
  groupIds: readonly number[]
  staged: boolean
}

/** The query of a sheet. It keeps what is loaded and expanded: a refetch reads the shown levels into the same sheet. */
export function sheetQuery({ workspaceId, groupIds, staged }: SheetOf, userId: number) {
  return queryOptions({
    queryKey: ['permission-sheet', workspaceId, staged, ...groupIds],
    queryFn: async ({ client, queryKey }: { client: QueryClient; queryKey: readonly unknown[] }) => {
      const known = client.getQueryData<PermissionSheet>(queryKey)
      if (known) {
        await known.refresh()
        return known
      }
      const sheet = new PermissionSheet(groupIds, sourceIn(workspaceId, groupIds, staged))
      await sheet.start(latestSheet(client, workspaceId)?.expanded ?? recallAccess(userId, workspaceId).expanded)
      return sheet
    },
    structuralSharing: false,
  })
}

/** Returns the sheet that was read last, so that choosing another group does not close the folders. */
function latestSheet(client: QueryClient, workspaceId: number): PermissionSheet | undefined {
  const queries = client.getQueryCache().findAll({ queryKey: ['permission-sheet', workspaceId] })
  const latest = queries.toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt).at(-1)
  return latest?.state.data as PermissionSheet | undefined
}

const sourceIn = (workspace_id: number, groupIds: readonly number[], staged: boolean): PermissionSource => ({
  read: (reading, after) =>
    call(api.permissions.sheet, {
      query: { workspace_id, group_ids: [...groupIds], ...reading, after, ...(staged && { staged }) },
    }),
  set: async (group_id, { folderId, verb, flag }) => {
    const changes = [{ folder_id: folderId, group_id, rights: { [flag]: verb === 'grant' } }]
    if (staged) {
      await call(api.stagedRights.stage, { params: { id: workspace_id }, body: { changes } })
      return []
    }
    return (await call(api.permissions.change, { body: { workspace_id, changes } })).inverse
  },
  restore: (changes) => call(api.permissions.change, { body: { workspace_id, changes, undo: true } }),
})
