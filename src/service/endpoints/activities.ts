import type { Api } from '../../contract/index.ts'
import type { Workspace } from '../access/scopes.ts'
import { enterFolder } from '../access/enter/folder.ts'
import { enterGroup } from '../access/enter/group.ts'
import { enterAsGroup } from '../access/enter/view-as.ts'
import { administerWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import { paginationOf } from '../content/page-headers.ts'
import type { Db } from '../db/pool.ts'
import { fromReplica, type Handlers } from '../http/context.ts'
import { listActivities, listFeed } from '../store/audit/activities.ts'
import type { About } from '../store/audit/activity-feed.ts'
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

  feed: fromReplica(async ({ db, actor }, { params, query: { folder_id, group_id, ...asked } }) => {
    const enter = group_id === undefined ? enterWorkspace : administerWorkspace
    const workspace = await enter(db, actor, params.workspace_id)
    return listFeed(db, workspace, asked, await aboutOf(db, workspace, folder_id, group_id))
  }),

  summary: fromReplica(async ({ db, actor }, { params, query: { folder_id, group_id, ...filters } }) => {
    const workspace = await administerWorkspace(db, actor, params.workspace_id)
    return summarizeActivities(db, workspace, filters, await aboutOf(db, workspace, folder_id, group_id))
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

async function aboutOf(db: Db, workspace: Workspace, folderId?: number, groupId?: number): Promise<About> {
  return {
    folder: folderId === undefined ? undefined : await enterFolder(db, workspace, folderId),
    group: groupId === undefined ? undefined : await enterGroup(db, workspace, groupId),
  }
}
