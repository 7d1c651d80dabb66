import type { Api } from '../../../contract/index.ts'
import { enterOrganization } from '../../access/enter/organization.ts'
import { enterTeamAsMember } from '../../access/enter/team.ts'
import { administerWorkspace } from '../../access/enter/workspace.ts'
import { refusal } from '../../base/errors.ts'
import type { Handlers } from '../../http/context.ts'
import { created, recordForAudit, recordForOrganization } from '../../store/audit/audit.ts'
import { readBlueprint } from '../../store/templates/blueprint.ts'
import { listShipped } from '../../store/templates/shipped/shipped.ts'
import { deleteTemplate, insertTemplate, listTemplates } from '../../store/templates/templates.ts'

export const templates: Handlers<Api['templates']> = {
  list: async ({ db, actor }, { params, query }) => {
    const team = await enterTeamAsMember(db, actor, params.id)
    return { templates: [...listShipped(query.language), ...(await listTemplates(db, team))] }
  },

  create: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    if (!workspace.team_member) throw refusal('for_team_members')

    const { name } = body.template
    const template = await insertTemplate(db, workspace, name, await readBlueprint(db, workspace))
    const changes = created({ name, team_id: workspace.team_id })
    const deed = { act: 'template_created', params: { name }, subject_id: template.id, changes } as const
    await recordForAudit(db, workspace, deed)
    return template
  },

  remove: async ({ db, actor }, { params }) => {
    const team = await enterTeamAsMember(db, actor, params.id)
    const name = await deleteTemplate(db, team, params.template_id)
    const subject_id = params.template_id
    await recordForOrganization(db, enterOrganization(actor), { act: 'template_deleted', params: { name }, subject_id })
  },
}
