import type { Api } from '../../contract/index.ts'
import { administerOrganization } from '../access/enter/organization.ts'
import { administerWorkspace } from '../access/enter/workspace.ts'
import type { Handlers, Services } from '../http/context.ts'
import { recordForAudit, recordForOrganization } from '../store/audit/audit.ts'
import { exportOrganizationTrail, exportTrail } from '../store/audit/audit-export.ts'

export const audit: Handlers<Api['audit']> = {
  export: async ({ db, actor, services, setHeaders }, { params }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    await recordForAudit(db, workspace, { act: 'workspace_exported', subject_id: workspace.id })

    setHeaders({ 'Content-Disposition': `attachment; filename="audit-${workspace.id}.jsonl"` })
    return exportTrail(db, workspace, notaryOf(services), services.clock)
  },

  exportOrganization: async ({ db, actor, services, setHeaders }) => {
    const organization = administerOrganization(actor)
    await recordForOrganization(db, organization, { act: 'organization_exported', subject_id: organization.id })

    setHeaders({ 'Content-Disposition': 'attachment; filename="audit-organization.jsonl"' })
    return exportOrganizationTrail(db, organization, notaryOf(services), services.clock)
  },
}

const notaryOf = ({ auditSigner, vault }: Services) => ({ signer: auditSigner, vault })
