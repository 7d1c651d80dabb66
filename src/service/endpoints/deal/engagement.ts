import type { Api } from '../../../contract/index.ts'
import { enterFile } from '../../access/enter/file.ts'
import { enterFolder } from '../../access/enter/folder.ts'
import { enterGroup } from '../../access/enter/group.ts'
import { administerWorkspace, enterWorkspace } from '../../access/enter/workspace.ts'
import { openForViewing } from '../../access/view-pages.ts'
import { nameOf } from '../../auth/actor.ts'
import { paginationOf } from '../../content/page-headers.ts'
import { fromReplica, type Handlers, inOneStatement } from '../../http/context.ts'
import { periodOf } from '../../store/engagement/engaged.ts'
import { listEngagedFiles, listEngagedFolders } from '../../store/engagement/engaged-files.ts'
import { listEngagedGroups } from '../../store/engagement/engaged-groups.ts'
import { readFileEngagement } from '../../store/engagement/engaged-pages.ts'
import { listEngagedPeople } from '../../store/engagement/engaged-people.ts'
import { readEngagementReport } from '../../store/engagement/engagement-report.ts'
import { countReading } from '../../store/engagement/reading-times.ts'

export const engagement: Handlers<Api['engagement']> = {
  record: inOneStatement(async ({ db, actor }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    await countReading(db, await openForViewing(db, workspace, params.id, body.version), body)
  }),

  groups: fromReplica(async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const period = periodOf(workspace, query)
    return { ...period, groups: await listEngagedGroups(db, workspace, period) }
  }),

  documents: fromReplica(async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const folder = { ...(await enterFolder(db, workspace, query.folder_id ?? 0)), workspace }
    const period = periodOf(workspace, query)
    const { rows, total_items } = await listEngagedFiles(db, folder, period, query)
    return { ...period, pagination: paginationOf(total_items, query), files: rows }
  }),

  folders: fromReplica(async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const folder = { ...(await enterFolder(db, workspace, query.folder_id)), workspace }
    const period = periodOf(workspace, query)
    const { rows, total_items } = await listEngagedFolders(db, folder, period, query)
    return { ...period, pagination: paginationOf(total_items, query), folders: rows }
  }),

  people: fromReplica(async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    if (query.group_id !== undefined) await enterGroup(db, workspace, query.group_id)
    const period = periodOf(workspace, query)
    const { people, total_items } = await listEngagedPeople(db, workspace, period, query)
    return { ...period, pagination: paginationOf(total_items, query), people }
  }),

  // Not from a replica, whose transaction would stay open while the pages are drawn.
  print: async ({ db, actor, services }, { params, query: { language, time_zone: timeZone = 'UTC', ...days } }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const root = { ...(await enterFolder(db, workspace, 0)), workspace }
    const period = periodOf(workspace, days)
    const report = await readEngagementReport(db, root, period)
    const at = services.clock().toISOString()
    const task = { title: workspace.name, madeBy: nameOf(actor), period, language, timeZone, at }
    return services.indexPrinter.printReport(report, task, actor.id)
  },

  file: fromReplica(async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, query.workspace_id)
    const file = await enterFile(db, workspace, params.id)
    const period = periodOf(workspace, query)
    return { ...period, ...(await readFileEngagement(db, workspace, file, period, query.version)) }
  }),
}
