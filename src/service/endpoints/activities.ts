import type { Api } from '../../contract/index.ts'
import { enterFolder } from '../access/enter/folder.ts'
import { enterGroup } from '../access/enter/group.ts'
import { enterAsGroup } from '../access/enter/view-as.ts'
import { administerWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import { paginationOf } from '../content/page-headers.ts'
import { fromReplica, type Handlers } from '../http/context.ts'
import { listActivities } from '../store/audit/activities.ts'
import { summarizeActivities } from '../store/audit/activity-summary.ts'
import { listUnreadFiles } from '../store/files/unread-files.ts'

export const activities: Handlers<Api['activities']> = {
  list: fromReplica(async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, params.workspace_id)
    const { page, per_page, others, ...filters } = query
    const except_user_id = others && filters.user_id === undefined ? actor.id : undefined
    const { events, total_items } = await listActivities(
      db,
      workspace,
      { ...filters, except_user_id },
      { page, per_page },
    )
    return { pagination: paginationOf(total_items, query), events }
  }),

  summary: fromReplica(async ({ db, actor }, { params, query: { folder_id, ...filters } }) => {
    const workspace = await administerWorkspace(db, actor, params.workspace_id)
    const inside = folder_id === undefined ? undefined : await enterFolder(db, workspace, folder_id)
    return summarizeActivities(db, workspace, filters, inside)
  }),

  unread: fromReplica(async ({ db, actor }, { params: { workspace_id, group_id }, query }) => {
    const workspace = await administerWorkspace(db, actor, workspace_id)
    const group = await enterGroup(db, workspace, group_id)
    const { total_items, ...report } = await listUnreadFiles(
      db,
      group,
      await enterAsGroup(db, workspace, group_id),
      query,
    )
    return { group_id, ...report, pagination: paginationOf(total_items, query) }
  }),
}
