import type { AnyEndpoint, Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import type { Caller } from './call.ts'
import type { DemoPerson } from './people.ts'
import { type DemoFile, type DemoFolder, type DemoGroup, documentAt } from './room.ts'

// Each function looks for an object before it makes it, so that an interrupted demo is completed and never doubled.

export type User = Reply<typeof api.users.create>

const DAY = 86_400_000

export async function ensureUser(admin: Caller, person: DemoPerson): Promise<User> {
  const { memberships } = await admin.call(api.organization.listMembers, {})
  const { email, first_name, last_name, time_zone } = person
  const found = memberships.find((user) => user.email === email)
  return found ?? (await admin.call(api.users.create, { body: { user: { email, first_name, last_name, time_zone } } }))
}

export async function ensureTeam(admin: Caller, name: string): Promise<number> {
  const found = (await admin.call(api.teams.list, {})).find((team) => team.name === name)
  return (found ?? (await admin.call(api.teams.create, { body: { team: { name, suppress_emails: false } } }))).id
}

export async function ensureWorkspace(admin: Caller, team_id: number, name: string): Promise<number> {
  const { workspaces } = await admin.call(api.workspaces.list, { query: { team_id } })
  const found = workspaces.find((workspace) => workspace.name === name)
  return (found ?? (await admin.call(api.workspaces.create, { body: { workspace: { name, team_id } } }))).id
}

/** Ids of the folders by path: `Finance/Forecasts`; the root is "". */
export type FolderIds = Map<string, number>

export async function ensureFolders(
  admin: Caller,
  workspace: { id: number; name: string },
  folders: DemoFolder[],
  ids: FolderIds,
): Promise<void> {
  const workspace_id = workspace.id
  async function ensureBelow(parent_id: number, parentPath: string, wanted: DemoFolder[], files: string[]) {
    const found = await admin.call(api.folders.get, { params: { id: parent_id }, query: { workspace_id } })
    for (const file_name of files) {
      if (found.immediate_subfiles.some((file) => file.file_name === file_name)) continue
      const content = await documentAt(`${workspace.name}/${parentPath}${file_name}`).content()
      await admin.call(api.files.upload, { query: { workspace_id, folder_id: parent_id, file_name } }, content)
    }
    const below: [id: number, folder: DemoFolder][] = []
    for (const folder of wanted) {
      const same = found.immediate_subfolders.find(({ name }) => name === folder.name)
      const { id } =
        same ?? (await admin.call(api.folders.create, { body: { workspace_id, parent_id, name: folder.name } }))
      ids.set(parentPath + folder.name, id)
      below.push([id, folder])
    }
    // Within one folder the uploads run one after another, because they are numbered in order of arrival.
    await Promise.all(
      below.map(([id, { name, folders = [], files = [] }]) => ensureBelow(id, `${parentPath}${name}/`, folders, files)),
    )
  }
  await ensureBelow(0, '', folders, [])
}

export async function ensureGroup(admin: Caller, workspace_id: number, group: DemoGroup, ids: FolderIds) {
  const { name, file_managing_abilities = false, is_draft = false } = group
  const found = (await admin.call(api.groups.list, { query: { workspace_id } })).find((each) => each.name === name)
  const body = { group: { name, workspace_id, file_managing_abilities, is_draft } }
  const { id } = found ?? (await admin.call(api.groups.create, { body }))
  for (const { verb, flag, folder } of group.rights) {
    const change = { workspace_id, group_id: id, verb, folder_action: flag }
    await admin.call(api.permissions.set, { params: { id: idOf(ids, folder) }, body: change })
  }
  await protect(admin, workspace_id, id, group)
  for (const email of group.members) await addMember(admin, workspace_id, id, email, group.invited)
}

async function protect(
  admin: Caller,
  workspace_id: number,
  id: number,
  { watermarking, drmDays, accessDays }: DemoGroup,
) {
  const set = <E extends AnyEndpoint>(endpoint: E, group: object) =>
    admin.call<AnyEndpoint>(endpoint, { params: { id }, body: { workspace_id, group } })
  if (watermarking) await set(api.groups.setWatermarking, { watermarking })
  if (drmDays) await set(api.groups.setDrm, { drm_enabled: true, drm_expires_after: dateIn(drmDays) })
  if (accessDays) await set(api.groups.setAccessExpiry, { expire_workspace_access_at: dateIn(accessDays) })
}

/** Makes a user of the address, if there is none. */
async function addMember(
  admin: Caller,
  workspace_id: number,
  id: number,
  email: string,
  send_email = false,
): Promise<void> {
  const members = await admin.call(api.groups.listMembers, { params: { id }, query: { workspace_id } })
  if (members.some((member) => member.email === email)) return
  await admin.call(api.groups.addMember, { params: { id }, body: { workspace_id, email, send_email } })
}

export async function addWorkspaceAdmin(admin: Caller, workspace_id: number, user: User): Promise<void> {
  const groups = await admin.call(api.groups.list, { query: { workspace_id } })
  const admins = groups.find(({ kind }) => kind === 'workspace_admins')
  if (admins) await addMember(admin, workspace_id, admins.id, user.email)
}

async function ensureTeamMember(owner: Caller, id: number, user: User): Promise<void> {
  const { memberships } = await owner.call(api.teams.listMembers, { params: { id } })
  if (memberships.some((membership) => membership.user.id === user.id)) return
  await owner.call(api.teams.addMember, { params: { id }, body: { email: user.email } })
}

export async function handOver(former: Caller, heir: Caller, id: number, owner: User, left: User): Promise<void> {
  const { team_owner_id, member } = await former.call(api.teams.get, { params: { id } })
  if (!member) return
  await ensureTeamMember(former, id, owner)
  if (team_owner_id !== owner.id) {
    await former.call(api.teams.update, { params: { id }, body: { team: { team_owner_id: owner.id } } })
  }
  await heir.call(api.teams.removeMember, { params: { id }, query: { user_id: left.id } })
}

interface Place {
  workspace_id: number
  folder_id: number
}

/** Uploads the file unless its current version is `version`. */
export async function ensureFile(person: Caller, place: Place, file: DemoFile, version = 1): Promise<void> {
  if ((await findFile(person, place, file.name))?.version !== version) {
    await person.call(api.files.upload, { query: { ...place, file_name: file.name } }, await file.content())
  }
}

async function findFile(person: Caller, { workspace_id, folder_id }: Place, name: string) {
  const content = await person.call(api.folders.get, { params: { id: folder_id }, query: { workspace_id } })
  return content.immediate_subfiles.find(({ file_name }) => file_name === name)
}

export async function isInTrash(admin: Caller, workspace_id: number, { name }: DemoFile): Promise<boolean> {
  return (await admin.call(api.trash.list, { query: { workspace_id } })).some((item) => item.name === name)
}

export async function removeFile(admin: Caller, place: Place, { name }: DemoFile): Promise<void> {
  const file = await findFile(admin, place, name)
  if (!file) return
  const { workspace_id } = place
  await admin.call(api.files.remove, { params: { id: file.id }, query: { workspace_id } })
}

/** Finds files by their paths, as this person. @throws Error for a file that the person cannot see */
export async function findByPaths(person: Caller, workspace_id: number, ids: FolderIds, paths: string[]) {
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
  const folders = [...new Set(paths.map(folderOf))]
  const contents = new Map(
    await Promise.all(
      folders.map(async (folder) => {
        const params = { id: idOf(ids, folder) }
        const { immediate_subfiles } = await person.call(api.folders.get, { params, query: { workspace_id } })
        return [folder, immediate_subfiles] as const
      }),
    ),
  )
  return paths.map((path) => {
    const name = path.slice(folderOf(path).length + 1)
    const file = contents.get(folderOf(path))?.find(({ file_name }) => file_name === name)
    if (!file) throw new Error(`The demo has no file ${path} for this person.`)
    return file
  })
}

export function idOf(ids: FolderIds, path: string): number {
  const id = ids.get(path)
  if (id === undefined) throw new Error(`The demo has no folder ${path}.`)
  return id
}

/** The day in UTC, so many days from today. */
export const dateIn = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)
