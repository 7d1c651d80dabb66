import type { Api } from '../../contract/index.ts'
import { administer } from '../access/enter.ts'
import type { Handlers } from '../http/context.ts'
import { recordForAudit } from '../store/audit.ts'
import { exportTrail } from '../store/audit-export.ts'

export const audit: Handlers<Api['audit']> = {
  export: async ({ db, actor, services, setHeaders }, { params }) => {
    const workspace = await administer(db, actor, params.id)
    const subject = { subject_type: 'Workspace', subject_id: workspace.id }
    await recordForAudit(db, workspace, { verb: 'exported', message: 'exported the audit trail', ...subject })

    setHeaders({ 'Content-Disposition': `attachment; filename="audit-${workspace.id}.jsonl"` })
    return exportTrail(db, workspace, services.auditSigner, services.clock)
  },
}
