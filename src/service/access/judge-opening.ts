import { sql } from 'kysely'
import { type Actor, todayOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { ApiError } from '../base/errors.ts'
import { enterWorkspace } from './enter/workspace.ts'
import { type OpeningGroup, type OpeningRefusal, refusalOfGroups } from './opening-rules.ts'
import type { DownloadableFile, Workspace } from './scopes.ts'
import { hasRight } from './sql.ts'

/** The facts that the service knows about a sealed copy, wherever the copy is. */
export interface KnownCopy {
  workspace_id: number
  copy_id: string
  file_id: number
  version: number
  user_id: number
  group_ids: readonly number[]
  revoked_at: string | null
}

/** Returns why the caller may not open a sealed copy at this moment; undefined if they may. */
export async function judgeOpening(db: Db, actor: Actor, copy: KnownCopy): Promise<OpeningRefusal | undefined> {
  if (copy.user_id !== actor.id) return 'other_person'
  if (copy.revoked_at !== null) return 'revoked'
  const workspace = await enterOrRefuse(db, actor, copy.workspace_id)
  if (typeof workspace === 'string') return workspace
  const file = await findFile(db, copy)
  // Rights are checked first: a reader without them learns nothing about the file, not even that it was deleted.
  const refusal = workspace.admin
    ? undefined
    : refusalOfGroups(await listGroups(db, workspace, file?.id_path ?? []), copy.group_ids, todayOf(actor))
  if (refusal) return refusal
  if (!file || file.deleted) return 'deleted'
  return file.infected ? 'infected' : undefined
}

/** The groups with DRM that let the caller download a file. A sealed copy is made through them. */
export async function listSealingGroups(db: Db, { folder }: DownloadableFile): Promise<number[]> {
  const groups = await listGroups(db, folder.workspace, folder.id_path)
  return groups.filter(({ active, grants, drm_enabled }) => active && grants && drm_enabled).map(({ id }) => id)
}

async function enterOrRefuse(db: Db, actor: Actor, workspaceId: number): Promise<Workspace | OpeningRefusal> {
  return enterWorkspace(db, actor, workspaceId).catch((error: unknown) => {
    if (error instanceof ApiError) return error.reason === 'terms_not_accepted' ? error.reason : 'not_member'
    throw error
  })
}

/** `infected` covers the version that the copy was made of and the current version: users may have either one. */
async function findFile(db: Db, { workspace_id, file_id, version }: KnownCopy) {
  const { rows } = await sql<{ deleted: boolean; infected: boolean; id_path: number[] }>`
    select d.id_path, f.infected is true or coalesce(c.infected, false) as infected,
      f.deleted_at is not null or d.deleted_at is not null as deleted
    from files f
    join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id
    left join file_versions v on v.workspace_id = f.workspace_id and v.file_id = f.id and v.version = ${version}
    left join documents c on c.workspace_id = v.workspace_id and c.blob_id = v.blob_id
    where f.workspace_id = ${workspace_id} and f.id = ${file_id}`.execute(db)
  return rows[0]
}

/** All groups of the caller, including expired ones. */
async function listGroups(db: Db, { id, actor, group_ids }: Workspace, idPath: readonly number[]) {
  const { rows } = await sql<OpeningGroup>`
    select g.id, g.id = any(${group_ids}::int[]) as active, g.drm_enabled, g.drm_expires_after::text,
      ${hasRight({ workspaceId: sql`g.workspace_id`, groupId: sql`g.id`, flag: 'download', idPath })} as grants
    from group_memberships m join groups g on g.workspace_id = m.workspace_id and g.id = m.group_id
    where m.workspace_id = ${id} and m.user_id = ${actor.id}`.execute(db)
  return rows
}
