import { sentenceOf } from '../../contract/acts.ts'
import { type Api, api } from '../../contract/index.ts'
import { administerWorkspace } from '../access/enter/workspace.ts'
import { fromReplica, type Handlers } from '../http/context.ts'
import { pageHeaders } from '../content/page-headers.ts'
import { record } from '../store/audit/activities.ts'
import { created } from '../store/audit/audit.ts'
import { listTrash } from '../store/trash/trash.ts'
import { restore } from '../store/trash/trash-restore.ts'

export const trash: Handlers<Api['trash']> = {
  list: fromReplica(async ({ db, actor, setHeaders }, { query }) => {
    const { items, total } = await listTrash(db, await administerWorkspace(db, actor, query.workspace_id), query)
    setHeaders(pageHeaders(api.trash.list, query, total))
    return items
  }),

  restore: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, body.workspace_id)

    const { restored, rights } = await restore(db, workspace, params.deletion_id)
    const act = { act: `${restored.type}_restored`, params: { name: restored.name } } as const
    const changes = created({ name: restored.name, folder_id: restored.folder_id, permissions: rights })
    await record(db, workspace, { ...act, subject_id: restored.id, changes })

    return { message: sentenceOf(act), ...restored }
  },
}
