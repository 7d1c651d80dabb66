import type { Api } from '../../contract/index.ts'
import { enterWorkspace } from '../access/enter.ts'
import type { Handlers } from '../http/context.ts'
import { listActivities } from '../store/activities.ts'

export const activities: Handlers<Api['activities']> = {
  list: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, params.workspace_id)
    const { page, per_page, ...filters } = query
    const { events, total_items } = await listActivities(db, workspace, filters, { page, per_page })
    const total_pages = Math.ceil(total_items / per_page)
    return { pagination: { total_items, total_pages, page, per_page }, events }
  },
}
