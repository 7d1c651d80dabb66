import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { PermissionSheet, type PermissionSource } from './permission-sheet.ts'

/** Keeps what is loaded and expanded; reading it again reads the shown levels into the same sheet. */
export function sheetQuery(workspaceId: number, groupIds: readonly number[]) {
  return queryOptions({
    queryKey: ['permission-sheet', workspaceId, ...groupIds],
    queryFn: async ({ client, queryKey }: { client: QueryClient; queryKey: readonly unknown[] }) => {
      const known = client.getQueryData<PermissionSheet>(queryKey)
      if (known) await known.refresh()
      const sheet = known ?? new PermissionSheet(groupIds, sourceIn(workspaceId))
      if (!known) await sheet.load(0)
      return sheet
    },
    structuralSharing: false,
  })
}

const sourceIn = (workspace_id: number): PermissionSource => ({
  list: (group_id, id) => call(api.permissions.list, { params: { id }, query: { workspace_id, group_id } }),
  set: (group_id, { folderId, verb, flag }) =>
    call(api.permissions.set, {
      params: { id: folderId },
      body: { workspace_id, group_id, verb, folder_action: flag },
    }),
})
