import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace, MemberTeam } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import { type Blueprint, BLUEPRINT_SHAPE } from './blueprint.ts'

export type Template = Reply<Api['templates']['list']>['templates'][number]

const MAX_TEMPLATES = 100
const NAMES_SHOWN = 100

type Summary = Pick<Template, 'folders_count' | 'folders' | 'groups'>

/** What a list shows of a blueprint. */
export function summaryOf({ folders, groups }: Blueprint): Summary {
  const top = folders.filter(({ parent }) => parent === 0).toSorted((a, b) => a.index - b.index)
  const own = groups.filter(({ kind }) => kind === 'custom')
  const names = (rows: readonly { name: string }[]) => rows.slice(0, NAMES_SHOWN).map(({ name }) => name)
  return { folders_count: folders.length, folders: names(top), groups: names(own) }
}

type Row = Pick<Template, 'name' | 'created_at'> & {
  id: number
  summary: Summary
  first_name: string
  last_name: string
}

const columns = sql`t.id, t.name, t.summary, t.created_at, u.first_name, u.last_name`

const toTemplate = ({ id, name, summary, created_at, first_name, last_name }: Row): Template => ({
  id,
  shipped: null,
  name,
  ...summary,
  created_by: `${first_name} ${last_name}`.trim() || null,
  created_at,
})

/** By name. */
export async function listTemplates(db: Db, { organization_id, id }: MemberTeam): Promise<Template[]> {
  const { rows } = await sql<Row>`
    select ${columns} from workspace_templates t
    join users u on u.organization_id = t.organization_id and u.id = t.created_by_id
    where t.organization_id = ${organization_id} and t.team_id = ${id} order by t.name, t.id`.execute(db)
  return rows.map(toTemplate)
}

/** @throws ApiError 409 if the team has as many templates as it may have */
export async function insertTemplate(
  db: Db,
  { organization_id, team_id, actor }: AdministeredWorkspace,
  name: string,
  blueprint: Blueprint,
): Promise<Template & { id: number }> {
  const folders = blueprint.folders.map((folder) => ({ ...folder, model_id: undefined }))
  const kept = JSON.stringify({ shape: BLUEPRINT_SHAPE, ...blueprint, folders })
  const { rows } = await sql<Row>`
    with team as materialized (
      select organization_id, id from teams where organization_id = ${organization_id} and id = ${team_id} for no key update
    ), made as (
      insert into workspace_templates (organization_id, team_id, name, summary, blueprint, created_by_id)
      select organization_id, id, ${name}, ${JSON.stringify(summaryOf(blueprint))}::jsonb, ${kept}::jsonb,
        ${actor.id}::int
      from team where ${MAX_TEMPLATES} > (select count(*) from workspace_templates t
        where t.organization_id = team.organization_id and t.team_id = team.id)
      returning *
    )
    select t.id, t.name, t.summary, t.created_at, ${actor.first_name} as first_name, ${actor.last_name} as last_name
    from made t`.execute(db)
  if (!rows[0]) throw refusal('too_many_templates', { limit: MAX_TEMPLATES })
  return { ...toTemplate(rows[0]), id: rows[0].id }
}

/** @throws ApiError 404, or 409 for a template that another version stored in a shape that this one does not know */
export async function getBlueprint(
  db: Db,
  team: MemberTeam,
  id: number,
): Promise<{ name: string; blueprint: Blueprint }> {
  const { rows } = await sql<{ name: string; shape: number; blueprint: Blueprint }>`
    select t.name, coalesce((t.blueprint->>'shape')::int, 1) as shape, t.blueprint from workspace_templates t
    where t.organization_id = ${team.organization_id} and t.team_id = ${team.id} and t.id = ${id}`.execute(db)
  const { shape, ...found } = rows[0] ?? absent()
  if (shape !== BLUEPRINT_SHAPE) throw refusal('template_of_other_version')
  return found
}

/** @returns its name. @throws ApiError 404 */
export async function deleteTemplate(db: Db, team: MemberTeam, id: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    delete from workspace_templates t
    where t.organization_id = ${team.organization_id} and t.team_id = ${team.id} and t.id = ${id}
    returning t.name`.execute(db)
  return rows[0]?.name ?? absent()
}

function absent(): never {
  throw notFound()
}
