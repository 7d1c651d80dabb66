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

    const { restored, rights, isOwn } = await restore(db, workspace, params.deletion_id, body.conflict)
    const { version, ...reply } = restored
    const { type, id, name, folder_id, outcome } = reply
    const done = body.undo && isOwn ? ('deletion_undone' as const) : ('restored' as const)
    const act =
      version === undefined
        ? ({ act: `${type}_${done}`, params: { name } } as const)
        : ({ act: 'file_restored_over', params: { version: String(version), name } } as const)
    if (outcome === 'skipped') return { message: 'skipped', ...reply }
    const changes = created({ name, folder_id, permissions: rights, ...(version !== undefined && { version }) })
    await record(db, workspace, { ...act, subject_id: id, changes })

    return { message: sentenceOf(act), ...reply }
  },
}
