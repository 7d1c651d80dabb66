import type { AnyEndpoint, Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { FLAGS } from '../../../contract/endpoints/permissions.ts'
import { copiesOf, copyShape } from './copy-operations.ts'
import {
  fileOf,
  folderOf,
  groupOf,
  groupsOf,
  idPath,
  isActive,
  isAdmin,
  isMember,
  isVisible,
  liveSubtreeOf,
  managesFiles,
  type Model,
  type ModelAct,
  type ModelFile,
  type ModelFolder,
  type ModelGroup,
  personOf,
  placeOf,
  protectionsOf,
  readablePath,
  rightsOf,
  rightsOfGroup,
} from './model.ts'
import type { Run } from './run.ts'

// Everything each person sees, both from the service and by the model, in one shape.

type Content = Reply<typeof api.folders.get>

/** The folders with their ids, as an admin sees them. */
interface Tree {
  id: number
  name: string
  subfolders: Tree[]
  files: { id: number; file_name: string }[]
}

export async function readTree(run: Run, admin: number, id = 0): Promise<Tree> {
  const query = { workspace_id: run.workspace_id }
  const { status, body } = await run.request(admin, api.folders.get, { params: { id }, query })
  if (status !== 200) throw new Error(`an admin is refused folder ${id} with ${status}`)
  const content: Content = body
  const subfolders: Tree[] = []
  for (const folder of content.immediate_subfolders) subfolders.push(await readTree(run, admin, folder.id))
  return { id, name: content.folder.name, subfolders, files: content.immediate_subfiles }
}

/** Binds the placeholder ids of a copied folder's content to the real ids. @returns false if the shapes differ */
export function bindIds(model: Model, tree: Tree): boolean {
  const folder = model.folders[tree.id]
  if (!folder || folder.subfolders.length !== tree.subfolders.length || folder.files.length !== tree.files.length) {
    return false
  }
  for (const [at, file] of tree.files.entries()) {
    const known = folder.files[at] ?? 0
    if (known < 0) rebindFile(model, folder, at, file.id)
    else if (known !== file.id) return false
  }
  return tree.subfolders.every((below, at) => {
    const known = folder.subfolders[at] ?? 0
    if (known < 0) rebindFolder(model, folder, at, below.id)
    else if (known !== below.id) return false
    return bindIds(model, below)
  })
}

function rebindFile(model: Model, folder: ModelFolder, at: number, id: number): void {
  const file = model.files[folder.files[at] ?? 0] as ModelFile
  delete model.files[file.id]
  model.files[id] = { ...file, id }
  folder.files[at] = id
}

function rebindFolder(model: Model, parent: ModelFolder, at: number, id: number): void {
  const folder = model.folders[parent.subfolders[at] ?? 0] as ModelFolder
  delete model.folders[folder.id]
  for (const each of folder.subfolders) (model.folders[each] as ModelFolder).parent = id
  for (const each of folder.files) (model.files[each] as ModelFile).folder = id
  model.folders[id] = { ...folder, id }
  parent.subfolders[at] = id
}

/** The users and objects that the questions are about. */
export interface Asked {
  users: number[]
  folders: number[]
  files: number[]
  groups: number[]
  /** An admin who also looks as each user. */
  admin: number
}

export const askedOf = (model: Model): Asked => ({
  users: model.people.map(({ id }) => id),
  folders: Object.keys(model.folders)
    .map(Number)
    .filter((id) => id >= 0),
  files: Object.keys(model.files)
    .map(Number)
    .filter((id) => id > 0),
  groups: model.groups.map(({ id }) => id),
  admin: groupOf(model, 'workspace_admins').members[0] ?? 0,
})

/** The one folder of each person that the admin opens as them. */
const viewedAs = ({ folders }: Asked, user: number) => folders[1 + (user % (folders.length - 1))] ?? 0

type Seen = Record<string, unknown>

/** Asks the service for all people: question → answer. */
export async function observe(run: Run, asked: Asked): Promise<Seen> {
  const seen: Seen = {}
  for (const user of asked.users) Object.assign(seen, await observePerson(run, user, asked))
  return seen
}

async function observePerson(run: Run, user: number, asked: Asked): Promise<Seen> {
  const { workspace_id } = run
  const query = { workspace_id }
  const ask = async <E extends AnyEndpoint>(
    what: string,
    endpoint: E,
    call: Parameters<Run['request']>[2],
    shape: (body: Reply<E>) => unknown,
  ): Promise<[string, unknown]> => {
    const { status, body } = await run.request(user, endpoint, call)
    return [`${user} ${what}`, status < 300 ? shape(body) : status]
  }
  const pairs = await Promise.all([
    ask('home', api.workspaces.home, { params: { id: workspace_id } }, contentShape),
    ...asked.folders.map((id) => ask(`folder ${id}`, api.folders.get, { params: { id }, query }, contentShape)),
    ask('files', api.files.infoBatch, { body: { workspace_id, file_ids: asked.files } }, idsOf),
    ask('search', api.files.search, { query: { workspace_id, q: 'doc', per_page: 100 } }, sortedIds),
    ask('folder search', api.folders.search, { query: { workspace_id, q: 'fold', per_page: 100 } }, foundFolders),
    ask('groups', api.groups.list, { query }, (body) => body.map(groupShape)),
    ask(
      `foreign group`,
      api.permissions.list,
      { params: { id: 0 }, query: { workspace_id, group_id: asked.groups.at(-1) } },
      (body) => body.map(entryShape),
    ),
    askAs('home', 0),
    askAs(`folder ${viewedAs(asked, user)}`, viewedAs(asked, user)),
    askRights(),
    askActivities(),
    ask('members', api.workspaces.listMembers, { params: { id: workspace_id } }, (body) =>
      body
        .map(({ user: { id }, groups, admin, team_member }) => ({
          id,
          groups: groups.map((group) => group.id),
          admin,
          team_member,
        }))
        .toSorted((a, b) => a.id - b.id),
    ),
    ask('trash', api.trash.list, { query: { workspace_id, per_page: 100 } }, trashShape),
    ask('sealed copies', api.sealedCopies.list, { query: { workspace_id, per_page: 100 } }, copiesShape),
  ])
  return Object.fromEntries(pairs)

  /** Asks through an admin who views as this person. */
  async function askAs(what: string, id: number): Promise<[string, unknown]> {
    const call = { params: { id }, query: { workspace_id, user_id: user } }
    const { status, body } = await run.request(asked.admin, api.permissions.viewAs, call)
    return [`${user} ${what} by an admin`, status === 200 ? contentShape(body) : status]
  }

  /** The rights sheet of all groups that the person knows. */
  async function askRights(): Promise<[string, unknown]> {
    const { status, body } = await run.request(user, api.groups.list, { query })
    if (status !== 200) return [`${user} rights`, status]
    const group_ids = idsOf(body)
    return ask('rights', api.permissions.sheet, { query: { workspace_id, group_ids, below: 0 } }, (sheet) =>
      sheet.rows.map(({ id, index, children, rights }) => `${id} ${index} ${children} ${rights.join(',')}`).toSorted(),
    )
  }

  /** All pages of the activities. */
  async function askActivities(): Promise<[string, unknown]> {
    const messages: string[] = []
    for (let page = 1; ; page++) {
      const call = { params: { workspace_id }, query: { page, per_page: 100 } }
      const { status, body } = await run.request(user, api.activities.list, call)
      if (status !== 200) return [`${user} activities`, status]
      const { events, pagination } = body
      messages.push(...events.map((event) => `${event.user_id} ${event.message}`))
      if (page >= pagination.total_pages) break
    }
    return [`${user} activities`, messages.filter(isTold).toSorted()]
  }
}

/** Leaves out the activities of rights: their sentences follow from the rights, which are compared anyway. */
const isTold = (message: string) => !/^\d+ (granted|revoked) (view|download|upload) access to /.test(message)

const copiesShape = (copies: Reply<typeof api.sealedCopies.list>) =>
  copies.map(copyShape).toSorted((a, b) => a.copy_id.localeCompare(b.copy_id))

function entryShape({
  id,
  index,
  children,
  view,
  download,
  upload,
  ...entry
}: Reply<typeof api.permissions.list>[number]) {
  const mixed = FLAGS.map((flag) => entry[`is_mixed_${flag}`])
  const bits = [view, download, upload, ...mixed].map((bit, at) => Number(bit) << at)
  return `${id} ${index} ${children} ${bits.reduce((a, b) => a | b)}`
}

const idsOf = (body: { id: number }[]) => body.map(({ id }) => id)
const sortedIds = (body: { id: number }[]) => idsOf(body).toSorted((a, b) => a - b)
const foundFolders = (body: { id: number; path: string; path_node: boolean; children: number }[]) =>
  body.map(({ id, path, path_node, children }) => ({ id, path, path_node, children })).toSorted((a, b) => a.id - b.id)

function contentShape({ folder, immediate_subfolders, immediate_subfiles, abilities, totals }: Content) {
  return {
    folder: metaShape(folder),
    subfolders: immediate_subfolders.map(metaShape),
    files: immediate_subfiles.map(({ id, title, file_name, index, version, file_size, folder_id }) => ({
      id,
      title,
      file_name,
      index,
      version,
      file_size,
      folder_id,
    })),
    abilities,
    totals,
  }
}

const metaShape = ({ id, name, path, parent_id, id_path, index, path_node, children }: Content['folder']) => ({
  id,
  name,
  path,
  parent_id,
  id_path,
  index,
  path_node,
  children,
})

const groupShape = (group: Reply<typeof api.groups.get>) => ({
  id: group.id,
  name: group.name,
  kind: group.kind,
  drm: group.drm_enabled,
  drmLastDay: group.drm_expires_after,
  expires: group.expire_workspace_access_at,
  expired: group.expired,
  watermarked: group.watermarked,
  managing: group.file_managing_abilities,
  members: group.members_count,
})

const trashShape = (items: Reply<typeof api.trash.list>) =>
  items
    .map(({ type, id, name, path, in_place, folders, files, deleted_by_id }) => ({
      type,
      id,
      name,
      path,
      in_place,
      folders,
      files,
      deleted_by_id,
    }))
    .toSorted(byItem)

const byItem = (a: { type: string; id: number }, b: { type: string; id: number }) =>
  a.type.localeCompare(b.type) || a.id - b.id

/** The same answers according to the model. */
export function expected(model: Model, asked: Asked): Seen {
  const seen: Seen = {}
  for (const user of asked.users) {
    for (const [what, value] of Object.entries(expectedOf(model, user, asked))) {
      seen[`${user} ${what}`] = value
      if (what === 'home' || what === `folder ${viewedAs(asked, user)}`) seen[`${user} ${what} by an admin`] = value
    }
  }
  return seen
}

function expectedOf(model: Model, user: number, asked: Asked): Seen {
  if (!isMember(model, user)) return Object.fromEntries(questionsOf(asked).map((what) => [what, 404]))
  const admin = isAdmin(model, user)
  const views = (folder: ModelFolder) => rightsOf(model, user, folder).view
  const root = model.folders[0] as ModelFolder
  const live = liveSubtreeOf(model, root)
  const files = live.filter(views).flatMap((folder) => folder.files.map((id) => model.files[id] as ModelFile))
  const seen: Seen = {
    home: expectedContent(model, user, root),
    files: asked.files.filter((id) => files.some((file) => file.id === id)),
    search: files.map(({ id }) => id).toSorted((a, b) => a - b),
    'folder search': live
      .filter((folder) => folder.id !== 0 && views(folder))
      .map((folder) => ({
        id: folder.id,
        path: readablePath(model, folder),
        path_node: false,
        children: visibleChildren(model, user, folder).length,
      }))
      .toSorted((a, b) => a.id - b.id),
    groups: (admin ? model.groups : groupsOf(model, user))
      .toSorted((a, b) => b.id - a.id)
      .map((group) => expectedGroup(model, group, admin)),
    members: admin ? expectedMembers(model) : 403,
    trash: admin ? expectedTrash(model) : 403,
    'sealed copies': admin ? copiesOf(model) : 403,
    activities: model.acts
      .filter((act) => !act.auditOnly && (admin || act.user === user))
      .map((act) => `${act.user} ${messageFor(model, user, act)}`)
      .filter(isTold)
      .toSorted(),
    'foreign group': expectedEntries(model, user, asked.groups.at(-1) ?? 0),
    rights: expectedSheet(model, user),
  }
  for (const id of asked.folders) {
    const folder = folderOf(model, id)
    if (id === 0 && !admin) seen['folder 0'] = 403
    else if (!folder || !(id === 0 || isVisible(model, user, folder))) seen[`folder ${id}`] = 404
    else seen[`folder ${id}`] = expectedContent(model, user, folder)
  }
  return seen
}

function messageFor(model: Model, user: number, { message, refusedFile }: ModelAct): string {
  if (refusedFile === undefined || isAdmin(model, user)) return message
  const file = fileOf(model, refusedFile)
  const folder = file && folderOf(model, file.folder)
  return folder && rightsOf(model, user, folder).view ? message : 'was refused a sealed file'
}

const questionsOf = ({ folders }: Asked) => [
  'home',
  'files',
  'search',
  'folder search',
  'groups',
  'members',
  'trash',
  ...folders.map((id) => `folder ${id}`),
  'sealed copies',
  'activities',
  'foreign group',
  'rights',
]

const visibleChildren = (model: Model, user: number, folder: ModelFolder) =>
  folder.subfolders.map((id) => model.folders[id] as ModelFolder).filter((child) => isVisible(model, user, child))

function expectedContent(model: Model, user: number, folder: ModelFolder) {
  const rights = rightsOf(model, user, folder)
  const children = visibleChildren(model, user, folder)
  const files = rights.view ? folder.files.map((id) => model.files[id] as ModelFile) : []
  return {
    folder: expectedMeta(model, user, folder),
    subfolders: children.map((child) => expectedMeta(model, user, child)),
    files: files.map(({ id, title, file_name, version, content }, at) => ({
      id,
      title,
      file_name,
      index: at + 1,
      version,
      file_size: String(content.length),
      folder_id: folder.id,
    })),
    abilities: {
      ...rights,
      manage: managesFiles(model, user, folder),
      sealed: protectionsOf(model, user, folder).drm,
    },
    totals: { folders: children.length, files: files.length },
  }
}

const expectedMeta = (model: Model, user: number, folder: ModelFolder) => ({
  id: folder.id,
  name: folder.name,
  path: readablePath(model, folder),
  parent_id: folder.parent,
  id_path: idPath(model, folder),
  index: placeOf(model, folder),
  path_node: !rightsOf(model, user, folder).view,
  children: visibleChildren(model, user, folder).length,
})

const expectedGroup = (model: Model, group: ModelGroup, admin: boolean) => ({
  id: group.id,
  name: group.name,
  kind: group.kind,
  drm: group.drm,
  drmLastDay: group.drmLastDay,
  expires: group.expires,
  expired: !isActive(model, group),
  watermarked: group.watermarked,
  managing: group.managing,
  members: admin ? group.members.length : null,
})

/**
 * The group's rights on a folder in three bits; three more say which of them are mixed in the folders the user sees
 * below.
 */
function bitsOf(model: Model, user: number, folder: ModelFolder, group: ModelGroup): number {
  const [own, ...below] = liveSubtreeOf(model, folder)
    .filter((each) => each === folder || isVisible(model, user, each))
    .map((each) => rightsOfGroup(each, group))
  const bits = FLAGS.map((flag, at) => {
    const isMixed = below.some((each) => each[flag]) && below.some((each) => !each[flag])
    return (Number(own?.[flag]) << at) | (Number(isMixed) << (at + 3))
  })
  return bits.reduce((a, b) => a | b)
}

function rowOf(model: Model, user: number, folder: ModelFolder, groups: ModelGroup[]): string {
  const children = visibleChildren(model, user, folder).length
  return `${folder.id} ${placeOf(model, folder)} ${children} ${groups.map((group) => bitsOf(model, user, folder, group)).join(',')}`
}

function expectedEntries(model: Model, user: number, groupId: number): string[] | number {
  const group = model.groups.find(({ id }) => id === groupId)
  if (!group || !(isAdmin(model, user) || group.members.includes(user))) return 404
  const root = model.folders[0] as ModelFolder
  return [root, ...visibleChildren(model, user, root)].map((folder) => rowOf(model, user, folder, [group]))
}

function expectedSheet(model: Model, user: number): string[] {
  const groups = (isAdmin(model, user) ? model.groups : groupsOf(model, user)).toSorted((a, b) => b.id - a.id)
  const shown = liveSubtreeOf(model, model.folders[0] as ModelFolder).filter(
    (folder) => folder.id === 0 || isVisible(model, user, folder),
  )
  return shown.map((folder) => rowOf(model, user, folder, groups)).toSorted()
}

const expectedMembers = (model: Model) =>
  model.groups
    .filter(({ kind }) => kind === 'all_members')
    .flatMap(({ members }) => members)
    .map((id) => ({
      id,
      groups: groupsOf(model, id)
        .map((group) => group.id)
        .toSorted((a, b) => a - b),
      admin: isAdmin(model, id),
      team_member: personOf(model, id).team,
    }))
    .toSorted((a, b) => a.id - b.id)

const expectedTrash = (model: Model) =>
  model.trash
    .map(({ key, type, id, by }) => {
      const item = type === 'folder' ? (model.folders[id] as ModelFolder) : (model.files[id] as ModelFile)
      const parent = model.folders['parent' in item ? item.parent : item.folder] as ModelFolder
      const took = (all: Record<number, { deletion?: string | undefined }>) =>
        Object.values(all).filter(({ deletion }) => deletion === key).length
      return {
        type,
        id,
        name: 'title' in item ? item.title : item.name,
        path: readablePath(model, parent),
        in_place: parent.deletion === undefined,
        folders: took(model.folders),
        files: took(model.files),
        deleted_by_id: by,
      }
    })
    .toSorted(byItem)
