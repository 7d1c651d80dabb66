import type { Api } from '../../../contract/index.ts'
import { enterWorkspace } from '../../access/enter/workspace.ts'
import { openForViewing } from '../../access/view-pages.ts'
import { type Handlers, inOneStatement } from '../../http/context.ts'
import { countReading } from '../../store/engagement/reading-times.ts'

export const engagement: Handlers<Api['engagement']> = {
  record: inOneStatement(async ({ db, actor }, { params, body }) => {
    const workspace = await enterWorkspace(db, actor, body.workspace_id)
    await countReading(db, await openForViewing(db, workspace, params.id, body.version), body)
  }),
}
