import type { Input } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { administerWorkspace } from '../../access/enter/workspace.ts'
import type { AdministeredWorkspace, MemberTeam } from '../../access/scopes.ts'
import { unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { created, recordForAudit } from '../audit/audit.ts'
import { lockTree } from '../folders/folders.ts'
import { draftAll } from '../folders/drafts.ts'
import { type Blueprint, fillWorkspace, readBlueprint } from './blueprint.ts'
import { takeFiles } from './model-files.ts'
import { shippedBlueprint } from './shipped/shipped.ts'
import { getBlueprint } from './templates.ts'
import { getTeamRules, type TeamRules } from '../workspaces/group-memberships.ts'

type Source = NonNullable<Input<Api['workspaces']['create']>['body']['workspace']['source']>

/** Fills a new workspace of the team from a template or another workspace, and records it. */
export async function fillFrom(
  db: Db,
  workspace: AdministeredWorkspace,
  team: MemberTeam,
  source: Source,
): Promise<void> {
  const rules = await getTeamRules(db, workspace)
  const { name, blueprint, model } = await blueprintOf(db, workspace, team, source, rules)
  refuseUnallowed(blueprint, rules)
  const made = await fillWorkspace(db, workspace, blueprint)
  if (source.files && !model) throw unprocessable('workspace.source', 'workspace_with_files')
  const files = source.files && model ? await takeFiles(db, workspace, model, made) : 0
  if (source.drafts) await draftAll(db, workspace)
  const groups = blueprint.groups.filter(({ kind }) => kind === 'custom').map((group) => group.name)
  const changes = created({
    folders: blueprint.folders.length,
    drafts: source.drafts,
    groups,
    rights: blueprint.rights.length,
    files,
  })
  const act = files > 0 ? 'workspace_filled_with_files' : 'workspace_filled'
  const deed = { act, params: { source: name }, subject_id: workspace.id, changes } as const
  await recordForAudit(db, workspace, deed)
}

async function blueprintOf(
  db: Db,
  { actor, name }: AdministeredWorkspace,
  team: MemberTeam,
  { shipped, language, template_id, workspace_id, files }: Source,
  rules: TeamRules,
): Promise<{ name: string; blueprint: Blueprint; model?: AdministeredWorkspace }> {
  const given = [shipped, template_id, workspace_id].filter((each) => each !== undefined)
  if (given.length !== 1) throw unprocessable('workspace.source', 'one_source')
  if (template_id !== undefined) return getBlueprint(db, team, template_id)
  if (workspace_id !== undefined) {
    const model = await administerWorkspace(db, actor, workspace_id)
    if (files) await lockTree(db, model, 'share')
    const act = files ? 'workspace_duplicated_with_files' : 'workspace_duplicated'
    await recordForAudit(db, model, { act, params: { name }, subject_id: model.id })
    return { name: model.name, blueprint: await readBlueprint(db, model), model }
  }
  const blueprint = shippedBlueprint(shipped ?? 'due_diligence', language)
  const groups = blueprint.groups.map((group) => ({ ...group, watermarked: group.watermarked && rules.watermarking }))
  return { name: shipped ?? '', blueprint: { ...blueprint, groups } }
}

/** A group never gets less protection than its model has. */
function refuseUnallowed({ groups }: Blueprint, rules: TeamRules): void {
  if (!rules.drm_enabled && groups.some((group) => group.drm_enabled))
    throw unprocessable('workspace.team_id', 'team_with_drm')
  if (!rules.watermarking && groups.some((group) => group.watermarked)) {
    throw unprocessable('workspace.team_id', 'team_with_watermarking')
  }
  if (!rules.page_pictures && groups.some(({ pdf_delivery }) => pdf_delivery !== 'woven')) {
    throw unprocessable('workspace.team_id', 'team_with_page_pictures')
  }
}
