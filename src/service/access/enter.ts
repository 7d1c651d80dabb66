import { sql } from 'kysely'
import type { AnyEndpoint } from '../../contract/endpoint.ts'
import { type Actor, todayOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { conflict, forbidden, NOT_SCANNED, notFound, unprocessable } from '../errors.ts'
import { isAdminGroup } from './rules.ts'
import { leadsToVisible, rightsIn, rightsOf, visible } from './grants.ts'
import type {
  AdministeredGroup,
  AdministeredOrganization,
  AdministeredWorkspace,
  ContinuedUpload,
  Download,
  DownloadableFile,
  Group,
  ManagedFile,
  ManagedFolder,
  MemberTeam,
  Organization,
  OwnedTeam,
  ReadableFile,
  ReadableFolder,
  Rights,
  SealedCopy,
  Selection,
  Team,
  Upload,
  UploadableFolder,
  VisibleFolder,
  Watermark,
  Workspace,
} from './scopes.ts'

// All access decisions are made here: a resource that the caller cannot see gives 404, and a forbidden action on a
// visible resource gives 403.
// Only the casts below make scopes. Each cast stands behind the check that its name promises.

export function enterOrganization(actor: Actor): Organization {
  return { id: actor.organization_id, actor } as Organization
}

/**
 * Admits the caller under the scope of an endpoint. A personal API key without that scope is refused. An endpoint
 * without a scope is closed to personal keys.
 * @throws ApiError 403
 */
export function admitScope(actor: Actor, { scope }: Pick<AnyEndpoint, 'scope'>): Actor {
  const { personal_key } = actor
  if (!personal_key) return actor
  if (!scope) throw forbidden('Personal API keys cannot do this.')
  if (scope !== 'any' && !personal_key.scopes.includes(scope)) {
    throw forbidden(`This personal API key does not have the scope ${scope}.`)
  }
  return { ...actor, personal_key: { ...personal_key, used_scope: scope } }
}

/** @throws ApiError 403 unless the caller is an organization admin */
export function administerOrganization(actor: Actor): AdministeredOrganization {
  if (!actor.organization_admin) throw forbidden('This is for organization admins.')
  return enterOrganization(actor) as AdministeredOrganization
}

/** Enters a team that the caller belongs to; an organization admin enters any team. @throws ApiError 404 */
export async function enterTeam(db: Db, actor: Actor, teamId: number): Promise<Team> {
  const { rows } = await sql<Omit<Team, 'actor'>>`
    select t.id, t.name, t.organization_id, t.team_owner_id, t.team_owner_id = ${actor.id} as owner, m.user_id is not null as member,
      t.allowed_workspaces, t.allowed_admins, t.drm_enabled, t.watermarking, t.suppress_emails
    from teams t
    left join team_memberships m on m.organization_id = t.organization_id and m.team_id = t.id and m.user_id = ${actor.id}
    where t.organization_id = ${actor.organization_id} and t.id = ${teamId}`.execute(db)
  const team = rows[0]
  if (!team || !(team.member || actor.organization_admin)) throw notFound()
  return { ...team, actor } as Team
}

/** @throws ApiError 403 for organization admins outside the team: the role gives nothing (decisions, section 4) */
export async function enterTeamAsMember(db: Db, actor: Actor, teamId: number): Promise<MemberTeam> {
  const team = await enterTeam(db, actor, teamId)
  if (!team.member) throw forbidden('This is for members of the team.')
  return team as MemberTeam
}

/** @throws ApiError 403 unless the caller owns the team */
export function asOwner(team: MemberTeam): OwnedTeam {
  if (!team.owner) throw forbidden('This is for the owner of the team.')
  return team as OwnedTeam
}

/** @throws ApiError 404 for outsiders of the team, 403 for an organization admin who is not a member */
export async function enterWatermark(db: Db, actor: Actor, watermarkId: number): Promise<Watermark> {
  const watermark = await db
    .selectFrom('watermarks')
    .select(['id', 'team_id'])
    .where('organization_id', '=', actor.organization_id)
    .where('id', '=', watermarkId)
    .executeTakeFirst()
  if (!watermark) throw notFound()
  return { id: watermark.id, team: await enterTeamAsMember(db, actor, watermark.team_id) } as Watermark
}

/**
 * @throws ApiError 404 unless the caller is a member of the workspace, 403 for a personal API key where API access is
 * off (decisions, section 10)
 */
export async function enterWorkspace(db: Db, actor: Actor, workspaceId: number): Promise<Workspace> {
  const { rows } = await sql<Omit<Workspace, 'actor'> & { api_access_enabled: boolean }>`
    select w.id, w.organization_id, w.team_id, w.name, w.api_access_enabled, g.admin,
      exists (select from team_memberships t where t.organization_id = w.organization_id and t.team_id = w.team_id
        and t.user_id = m.user_id) as team_member,
      coalesce(g.ids, '{}') as group_ids, coalesce(g.managing_ids, '{}') as managing_group_ids
    from workspaces w
    join workspace_memberships m on m.workspace_id = w.id and m.user_id = ${actor.id}
    cross join lateral (
      select coalesce(bool_or(g.kind = 'workspace_admins'), false) as admin,
        array_agg(g.id) filter (where g.active) as ids,
        array_agg(g.id) filter (where g.active and g.file_managing_abilities) as managing_ids
      from (
        select g.id, g.kind, g.file_managing_abilities,
          g.expire_workspace_access_at is null or g.expire_workspace_access_at > ${todayOf(actor)}::date as active
        from group_memberships gm join groups g on g.workspace_id = gm.workspace_id and g.id = gm.group_id
        where gm.workspace_id = w.id and gm.user_id = m.user_id
      ) g
    ) g
    where w.organization_id = ${actor.organization_id} and w.id = ${workspaceId}`.execute(db)
  if (!rows[0]) throw notFound()
  const { api_access_enabled, ...workspace } = rows[0]
  if (actor.personal_key && !api_access_enabled) throw forbidden('This workspace is closed to personal API keys.')
  return { ...workspace, actor } as Workspace
}

/** @throws ApiError 404 for outsiders, 403 for members who are not workspace admins */
export async function administer(db: Db, actor: Actor, workspaceId: number): Promise<AdministeredWorkspace> {
  return asAdministered(await enterWorkspace(db, actor, workspaceId))
}

function asAdministered(workspace: Workspace): AdministeredWorkspace {
  if (!workspace.admin) throw forbidden('This is for workspace admins.')
  return workspace as AdministeredWorkspace
}

/**
 * Returns the workspace scope that a group or user would enter with, so an admin sees exactly what is enforced. The
 * scope is for reading only.
 * @throws ApiError 404 if the group does not exist or the user is not a member
 */
export async function viewAs(
  db: Db,
  workspace: AdministeredWorkspace,
  who: { group_id: number } | { user_id: number },
): Promise<Workspace> {
  if ('user_id' in who) {
    return enterWorkspace(db, { ...workspace.actor, personal_key: undefined, id: who.user_id }, workspace.id)
  }
  const group = await enterGroup(db, workspace, who.group_id)
  const { rows } = await sql<{ active: boolean; manages: boolean }>`
    select file_managing_abilities as manages,
      expire_workspace_access_at is null or expire_workspace_access_at > ${todayOf(workspace.actor)}::date as active
    from groups where workspace_id = ${workspace.id} and id = ${group.id}`.execute(db)
  const { active = false, manages = false } = rows[0] ?? {}
  return {
    ...workspace,
    admin: isAdminGroup(group),
    group_ids: active ? [group.id] : [],
    managing_group_ids: active && manages ? [group.id] : [],
  } as Workspace
}

const EVERYTHING: Rights = { view: true, download: true, upload: true }

interface FolderRow extends Rights {
  id: number
  parent_id: number
  name: string
  index: number
  id_path: number[]
  leads: boolean
  manages: boolean
}

/** Enters any folder that the caller can at least pass through. Every member knows the root (0), "All Folders". */
export async function enterFolder(db: Db, workspace: Workspace, folderId: number): Promise<VisibleFolder> {
  const row = await findFolder(db, workspace, folderId)
  if (!row || !(row.id === 0 || row.view || row.leads)) throw notFound()
  return folderScope(workspace, row)
}

function folderScope(workspace: Workspace, row: FolderRow): VisibleFolder {
  const { leads: _, manages, view, download, upload, ...folder } = row
  const rights = workspace.admin ? EVERYTHING : { view, download, upload }
  const manages_files = workspace.admin || (manages && rights.upload)
  return { ...folder, workspace, rights, path_node: !rights.view, manages_files } as unknown as VisibleFolder
}

async function findFolder(db: Db, workspace: Workspace, folderId: number): Promise<FolderRow | undefined> {
  const idPath = sql`f.id_path`
  const managing = workspace.managing_group_ids
  const rights = rightsIn(workspace, idPath)
  const { rows } = await sql<FolderRow>`
    select f.id, coalesce(f.parent_id, 0) as parent_id, f.name, f.index, f.id_path, r.view, r.download, r.upload,
      ${workspace.admin ? sql`true` : leadsToVisible(workspace.id, workspace.group_ids, idPath)} as leads,
      ${managing.length > 0 ? sql`(select upload from ${rightsOf(workspace.id, managing, idPath)} m)` : sql`false`} as manages
    from folders f cross join lateral ${rights} r
    where f.workspace_id = ${workspace.id} and f.id = ${folderId} and f.deleted_at is null`.execute(db)
  return rows[0]
}

/** @throws ApiError 403 for a path node: the caller knows only its name */
export async function readFolder(db: Db, workspace: Workspace, folderId: number): Promise<ReadableFolder> {
  const folder = await enterFolder(db, workspace, folderId)
  if (!folder.rights.view) throw forbidden('You may pass through this folder but not view what is in it.')
  return folder as ReadableFolder
}

export async function openForUpload(db: Db, workspace: Workspace, folderId: number): Promise<UploadableFolder> {
  const folder = await readFolder(db, workspace, folderId)
  if (!folder.rights.upload) throw forbidden('You may view this folder but not upload to it.')
  return folder as UploadableFolder
}

/** Enters a folder to rename, reindex, move, copy or delete. The root passes; the endpoints refuse to change it. */
export async function manageFolder(db: Db, workspace: Workspace, folderId: number): Promise<ManagedFolder> {
  const folder = await enterFolder(db, workspace, folderId)
  if (!workspace.admin) throw forbidden('Folders are managed by workspace admins.')
  return folder as ManagedFolder
}

/** @throws ApiError 404 if the file or its folder is absent or not viewable */
export async function readFile(db: Db, workspace: Workspace, fileId: number): Promise<ReadableFile> {
  const file = await db
    .selectFrom('files')
    .select(['id', 'folder_id'])
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', fileId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!file) throw notFound()
  const folder = await enterFolder(db, workspace, file.folder_id)
  if (!folder.rights.view) throw notFound()
  return { id: file.id, folder } as ReadableFile
}

/** @throws ApiError 403 without the download right on its folder */
export async function openFileForDownload(db: Db, workspace: Workspace, fileId: number): Promise<DownloadableFile> {
  const file = await readFile(db, workspace, fileId)
  if (!file.folder.rights.download) throw forbidden('You may view this file but not download it.')
  return file as DownloadableFile
}

/** @throws ApiError 403 unless workspace admin or in a group with file-managing abilities and the upload right there */
export async function manageFile(db: Db, workspace: Workspace, fileId: number): Promise<ManagedFile> {
  const file = await readFile(db, workspace, fileId)
  if (!file.folder.manages_files) throw forbidden('You may view this file but not change it.')
  return file as ManagedFile
}

interface Selected {
  visible: boolean
  download: boolean
  infected: boolean
  held: boolean
}

/**
 * Opens folders and files to download together. Checks every one of them before it returns.
 * @throws ApiError 404 if one is absent or not visible, 403 if one lacks download, 422 for an infected file or an empty
 * selection, 409 for a file that waits for the scanner
 */
export async function openSelection(
  db: Db,
  workspace: Workspace,
  wanted: { folder_ids: readonly number[]; file_ids: readonly number[] },
): Promise<Selection> {
  const folder_ids = [...new Set(wanted.folder_ids)]
  const file_ids = [...new Set(wanted.file_ids)]
  const total = folder_ids.length + file_ids.length
  if (total === 0) throw unprocessable('download', 'must name folders or files')
  const idPath = sql`d.id_path`
  const rights = rightsIn(workspace, idPath)
  const { rows } = await sql<Selected>`
    select d.id = 0 or ${visible(workspace, idPath)} as visible, r.download, false as infected, false as held
    from folders d cross join lateral ${rights} r
    where d.workspace_id = ${workspace.id} and d.id = any(${folder_ids}::int[]) and d.deleted_at is null
    union all
    select r.view, r.download, f.infected is true, f.held
    from files f join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id cross join lateral ${rights} r
    where f.workspace_id = ${workspace.id} and f.id = any(${file_ids}::int[]) and f.deleted_at is null`.execute(db)
  if (rows.length < total || rows.some((row) => !row.visible)) throw notFound()
  if (rows.some((row) => !row.download)) throw forbidden('You may view some of this but not download it.')
  if (rows.some((row) => row.infected)) throw unprocessable('download.file_ids', 'names an infected file')
  if (!workspace.admin && rows.some((row) => row.held)) throw conflict(NOT_SCANNED)
  return { workspace, folder_ids, file_ids } as unknown as Selection
}

/** @throws ApiError 404 unless the download is the caller's own, whatever the caller's role */
export async function enterDownload(db: Db, workspace: Workspace, downloadId: number): Promise<Download> {
  const { rows } = await sql<Omit<Download, 'workspace'>>`
    select id, coalesce(size, 0) as size, coalesce(etag, '') as etag,
      case when expires_at <= ${workspace.actor.now} then 'expired' else status end as status
    from downloads where workspace_id = ${workspace.id} and id = ${downloadId} and user_id = ${workspace.actor.id}`.execute(
    db,
  )
  if (!rows[0]) throw notFound()
  return { ...rows[0], workspace } as Download
}

/** @throws ApiError 404 unless the caller began the upload, whatever the caller's role, or if the upload has expired */
export async function enterUpload(db: Db, workspace: Workspace, uploadId: number): Promise<Upload> {
  const upload = await db
    .selectFrom('uploads')
    .select(['id', 'folder_id'])
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', uploadId)
    .where('user_id', '=', workspace.actor.id)
    .where('expires_at', '>', workspace.actor.now.toISOString())
    .executeTakeFirst()
  if (!upload) throw notFound()
  return { ...upload, workspace } as Upload
}

/** @throws ApiError as `enterUpload` does, and as `openForUpload` does for its folder */
export async function continueUpload(db: Db, workspace: Workspace, uploadId: number): Promise<ContinuedUpload> {
  const upload = await enterUpload(db, workspace, uploadId)
  await openForUpload(db, workspace, upload.folder_id)
  return upload as ContinuedUpload
}

/** @throws ApiError 404 */
export async function enterSealedCopy(db: Db, workspace: AdministeredWorkspace, copyId: string): Promise<SealedCopy> {
  const copy = await db
    .selectFrom('sealed_copies')
    .select(['copy_id', 'file_id', 'user_id'])
    .where('workspace_id', '=', workspace.id)
    .where('copy_id', '=', copyId)
    .executeTakeFirst()
  if (!copy) throw notFound()
  return { ...copy, workspace } as SealedCopy
}

/** An admin enters any group of the workspace; other members enter only their own groups. */
export async function enterGroup(db: Db, workspace: Workspace, groupId: number): Promise<Group> {
  const [group] = await enterGroups(db, workspace, [groupId])
  if (!group) throw notFound()
  return group
}

/** Enters groups in the order of the ids. @throws ApiError 404 if the caller cannot see one of them */
export async function enterGroups(db: Db, workspace: Workspace, groupIds: readonly number[]): Promise<Group[]> {
  const { rows } = await sql<Omit<Group, 'workspace'>>`
    select g.id, g.name, g.kind
    from unnest(${groupIds}::int[]) with ordinality wanted (id, place)
    join groups g on g.workspace_id = ${workspace.id} and g.id = wanted.id
    where ${workspace.admin} or exists (select from group_memberships m where m.workspace_id = g.workspace_id
      and m.group_id = g.id and m.user_id = ${workspace.actor.id})
    order by wanted.place`.execute(db)
  if (rows.length < groupIds.length) throw notFound()
  return rows.map((row) => ({ ...row, workspace }) as Group)
}

/**
 * Enters a group as an admin. The workspace is optional, for endpoints that do not ask for it: group ids are unique.
 * @throws ApiError 404 for outsiders, 403 for plain members, whatever the group
 */
export async function administerGroup(
  db: Db,
  actor: Actor,
  workspaceId: number | undefined,
  groupId: number,
): Promise<AdministeredGroup> {
  const workspace = await administer(db, actor, workspaceId ?? (await findOwnWorkspaceOf(db, actor, groupId)))
  return administeredGroup(db, workspace, groupId)
}

/** @throws ApiError 404 if the workspace has no such group */
export async function administeredGroup(
  db: Db,
  workspace: AdministeredWorkspace,
  groupId: number,
): Promise<AdministeredGroup> {
  return (await enterGroup(db, workspace, groupId)) as AdministeredGroup
}

/** Finds the caller's workspace that has the group. @throws ApiError 404 */
async function findOwnWorkspaceOf(db: Db, actor: Actor, groupId: number): Promise<number> {
  const row = await db
    .selectFrom('workspace_memberships as m')
    .innerJoin('groups as g', 'g.workspace_id', 'm.workspace_id')
    .select('m.workspace_id')
    .where('m.organization_id', '=', actor.organization_id)
    .where('m.user_id', '=', actor.id)
    .where('g.id', '=', groupId)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row.workspace_id
}
