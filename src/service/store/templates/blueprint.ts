import { sql } from 'kysely'
import type { Flag } from '../../../contract/endpoints/permissions.ts'
import type { TextPolicy } from '../../../contract/endpoints/groups.ts'
import type { PdfDelivery } from '../../../contract/endpoints/watermarks.ts'
import type { Numbering } from '../../../contract/endpoints/workspaces.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { isInDraft } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'

export const BLUEPRINT_SHAPE = 1
const MAX_FOLDERS = 10_000
const MAX_GROUPS = 500
const MAX_RIGHTS = 100_000

/**
 * What a new workspace can take over from another. Places are 1-based positions in the lists. Teams store blueprints: what
 * is added is optional, or `BLUEPRINT_SHAPE` rises.
 */
export interface Blueprint {
  /** A folder comes after its parent. */
  folders: BlueprintFolder[]
  groups: BlueprintGroup[]
  /** `folder` 0: All Folders. */
  rights: { group: number; folder: number; flag: Flag; value: boolean }[]
  texts: { description: string; expectation: string; welcome_text: string }
  numbering: Numbering
  /** As in every new workspace, if absent. */
  reading?: { measures: boolean; kept_days: number }
}

export interface BlueprintFolder {
  place: number
  /** 0: at the top. */
  parent: number
  name: string
  index: number
  /** The folder that it was read from. Not kept in templates. */
  model_id?: number
}

/** A folder that was made after another. */
export interface MadeFolder {
  id: number
  model_id: number
}

export interface BlueprintGroup {
  place: number
  kind: 'custom' | 'all_members'
  name: string
  drm_enabled: boolean
  watermarked: boolean
  file_managing_abilities: boolean
  text_layer: TextPolicy
  pdf_delivery: PdfDelivery
}

/** Reads a workspace in one statement, without drafts: what is made of it may be seen by others. @throws ApiError 409 beyond the limits */
export async function readBlueprint(db: Db, { id, organization_id }: AdministeredWorkspace): Promise<Blueprint> {
  const { rows } = await sql<Blueprint>`
    with folder as materialized (
      select f.id, f.parent_id, f.name, f.index,
        (row_number() over (order by cardinality(f.id_path), f.parent_id, f.index, f.id))::int as place
      from folders f where f.workspace_id = ${id} and f.id <> 0 and f.deleted_at is null
        and not ${isInDraft(id, sql`f.id_path`)} limit ${MAX_FOLDERS + 1}
    ), grp as materialized (
      select g.*, (row_number() over (order by g.id))::int as place from groups g
      where g.workspace_id = ${id} and g.kind in ('custom', 'all_members') and not g.is_draft limit ${MAX_GROUPS + 1}
    ), rights as materialized (
      select g.place as "group", coalesce(f.place, 0) as folder, p.flag, p.value
      from grp g join folder_permissions p on p.workspace_id = g.workspace_id and p.group_id = g.id
      left join folder f on f.id = p.folder_id
      where p.folder_id = 0 or f.id is not null limit ${MAX_RIGHTS + 1}
    )
    select w.numbering,
      json_build_object('description', w.description, 'expectation', w.expectation, 'welcome_text', w.welcome_text) as texts,
      json_build_object('measures', w.measures_reading, 'kept_days', w.reading_kept_days) as reading,
      (select coalesce(json_agg(json_build_object('place', f.place, 'parent', coalesce(p.place, 0), 'name', f.name,
        'index', f.index, 'model_id', f.id) order by f.place), '[]') from folder f left join folder p on p.id = f.parent_id) as folders,
      (select coalesce(json_agg(json_build_object('place', g.place, 'kind', g.kind, 'name', g.name,
        'drm_enabled', g.drm_enabled, 'watermarked', g.watermarked, 'file_managing_abilities', g.file_managing_abilities,
        'text_layer', g.text_layer, 'pdf_delivery', g.pdf_delivery) order by g.place), '[]') from grp g) as groups,
      (select coalesce(json_agg(r), '[]') from rights r) as rights
    from workspaces w where w.organization_id = ${organization_id} and w.id = ${id}`.execute(db)
  const blueprint = rows[0]
  if (!blueprint) throw notFound()
  const { folders, groups, rights } = blueprint
  if (folders.length > MAX_FOLDERS || groups.length > MAX_GROUPS || rights.length > MAX_RIGHTS) {
    throw refusal('template_too_large', { folders: MAX_FOLDERS, groups: MAX_GROUPS, permissions: MAX_RIGHTS })
  }
  return blueprint
}

/** Fills a new workspace, which has only its root folder and built-in groups, in one statement. */
export async function fillWorkspace(
  db: Db,
  workspace: AdministeredWorkspace,
  blueprint: Blueprint,
): Promise<MadeFolder[]> {
  const { id, organization_id, actor } = workspace
  const { texts, reading } = blueprint
  const list = (rows: readonly object[]) => sql`${JSON.stringify(rows)}::jsonb`
  const { rows } = await sql<{ made: MadeFolder[] }>`
    with recursive folder as materialized (
      select f.*, nextval(pg_get_serial_sequence('folders', 'id'))::int as id
      from jsonb_to_recordset(${list(blueprint.folders)}) f (place int, parent int, name text, index int, model_id int)
    ), placed as (
      select f.*, 0 as parent_id, array[0, f.id] as id_path from folder f where f.parent = 0
      union all select f.*, p.id, p.id_path || f.id from placed p join folder f on f.parent = p.place
    ), made as (
      insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
      select ${id}::int, id, parent_id, name, index, id_path, ${actor.id}::int from placed
    ), given as materialized (
      select g.*, coalesce(b.id, nextval(pg_get_serial_sequence('groups', 'id'))::int) as id
      from jsonb_to_recordset(${list(blueprint.groups)}) g (place int, kind text, name text, drm_enabled boolean,
        watermarked boolean, file_managing_abilities boolean, text_layer text_layer, pdf_delivery pdf_delivery)
      left join groups b on b.workspace_id = ${id} and b.kind = 'all_members' and g.kind = 'all_members'
      order by g.place
    ), grouped as (
      insert into groups (workspace_id, id, name, drm_enabled, watermarked, file_managing_abilities, text_layer,
        pdf_delivery)
      select ${id}::int, id, name, drm_enabled, watermarked, file_managing_abilities, text_layer, pdf_delivery
      from given where kind = 'custom'
    ), everyone as (
      update groups g set drm_enabled = n.drm_enabled, watermarked = n.watermarked, text_layer = n.text_layer,
        file_managing_abilities = n.file_managing_abilities, pdf_delivery = n.pdf_delivery
      from given n where g.workspace_id = ${id} and g.id = n.id and n.kind = 'all_members'
    ), allowed as (
      insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
      select ${id}::int, g.id, r.flag, coalesce(f.id, 0), coalesce(f.id_path, '{0}'), r.value
      from jsonb_to_recordset(${list(blueprint.rights)}) r ("group" int, folder int, flag text, value boolean)
      join given g on g.place = r."group" left join placed f on f.place = r.folder
      where r.folder = 0 or f.id is not null
    )
    update workspaces set numbering = ${blueprint.numbering}, description = ${texts.description},
      expectation = ${texts.expectation}, welcome_text = ${texts.welcome_text},
      measures_reading = coalesce(${reading?.measures ?? null}::boolean, measures_reading),
      reading_kept_days = coalesce(${reading?.kept_days ?? null}::int, reading_kept_days)
    where organization_id = ${organization_id} and id = ${id}
    returning (select coalesce(json_agg(json_build_object('id', f.id, 'model_id', f.model_id)), '[]')
      from folder f where f.model_id is not null) as made`.execute(db)
  return rows[0]?.made ?? []
}
