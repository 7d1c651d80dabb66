import type { Flag } from '../../../contract/endpoints/permissions.ts'

// The rules of contract/README.md written as simply as possible, for tests to compare the service with: plain data that
// can be cloned, every folder with all of its rights, no index and no optimization.

export type Rights = Record<Flag, boolean>

export interface ModelPerson {
  id: number
  email: string
  /** Whether the person is in the team that owns the workspace. */
  team: boolean
}

export interface ModelGroup {
  id: number
  name: string
  kind: 'custom' | 'all_members' | 'team_admins' | 'workspace_admins'
  /** Ids of users. */
  members: number[]
  managing: boolean
  drm: boolean
  /** Last day on which sealed copies open; null without one. */
  drmLastDay: string | null
  watermarked: boolean
  /** First day without access; null without one. */
  expires: string | null
}

export interface ModelFolder {
  /** Negative until the service has returned the id of a copied folder. */
  id: number
  parent: number
  name: string
  /** Ids in the order of their positions. */
  subfolders: number[]
  files: number[]
  /** Rights keyed by group id; a missing group has none. */
  rights: Record<number, Rights>
  /** Key of the deletion that removed the folder. */
  deletion?: string | undefined
}

export interface ModelFile {
  id: number
  folder: number
  title: string
  file_name: string
  version: number
  content: string
  deletion?: string | undefined
}

export interface ModelDeletion {
  /** `folder 5`: an item is in the trash at most once. */
  key: string
  type: 'folder' | 'file'
  id: number
  /** Its former zero-based position. */
  place: number
  by: number
}

export interface ModelCopy {
  copy_id: string
  file_id: number
  user_id: number
  group_ids: number[]
  revoked: boolean
  openings: number
  refusals: number
}

export interface ModelAct {
  user: number
  message: string
  /** In the audit trail only, not in the activities. */
  auditOnly?: boolean
  /** A refused opening names this file only to users who may view it. */
  refusedFile?: number
}

export interface Model {
  workspace_id: number
  team_id: number
  /** YYYY-MM-DD, UTC. */
  today: string
  people: ModelPerson[]
  groups: ModelGroup[]
  folders: Record<number, ModelFolder>
  files: Record<number, ModelFile>
  trash: ModelDeletion[]
  copies: ModelCopy[]
  acts: ModelAct[]
  /** Refused requests that would have changed something: `user status`. */
  refusals: string[]
  /** Counts placeholders for ids that only the service knows. */
  unknownIds: number
  /** The folders and files that racing operations choose from, so that they collide. */
  focus?: { folders: number[]; files: number[] } | undefined
}

export const NONE: Rights = { view: false, download: false, upload: false }
export const ALL: Rights = { view: true, download: true, upload: true }

export function personOf(model: Model, id: number): ModelPerson {
  const found = model.people.find((person) => person.id === id)
  if (!found) throw new Error(`the model knows no person ${id}`)
  return found
}

// People and groups

export function groupOf(model: Model, kind: ModelGroup['kind']): ModelGroup {
  const found = model.groups.find((group) => group.kind === kind)
  if (!found) throw new Error(`the model has no group ${kind}`)
  return found
}

export const isMember = (model: Model, user: number) => groupOf(model, 'all_members').members.includes(user)
export const isAdmin = (model: Model, user: number) => groupOf(model, 'workspace_admins').members.includes(user)
export const isAdminGroup = ({ kind }: ModelGroup) => kind === 'team_admins' || kind === 'workspace_admins'
export const isActive = (model: Model, { expires }: ModelGroup) => expires === null || expires > model.today
export const groupsOf = (model: Model, user: number) => model.groups.filter(({ members }) => members.includes(user))
export const activeGroups = (model: Model, user: number) =>
  groupsOf(model, user).filter((group) => isActive(model, group))

/** Whether a user may name another by id: they share the team or the workspace. */
export const knows = (model: Model, user: number, other: number) =>
  user === other ||
  (isMember(model, user) && isMember(model, other)) ||
  (personOf(model, user).team && personOf(model, other).team)

export function syncTeamAdmins(model: Model): void {
  const isTeam = (id: number) => personOf(model, id).team
  groupOf(model, 'team_admins').members = groupOf(model, 'workspace_admins').members.filter(isTeam)
}

// Folders

export const folderOf = (model: Model, id: number): ModelFolder | undefined => {
  const folder = model.folders[id]
  return folder && folder.deletion === undefined ? folder : undefined
}

export const fileOf = (model: Model, id: number): ModelFile | undefined => {
  const file = model.files[id]
  return file && file.deletion === undefined ? file : undefined
}

/** The path from the root to the folder, inclusive. */
export function pathOf(model: Model, folder: ModelFolder): ModelFolder[] {
  if (folder.id === 0) return [folder]
  const parent = model.folders[folder.parent]
  if (!parent) throw new Error(`folder ${folder.id} has no parent in the model`)
  return [...pathOf(model, parent), folder]
}

/** The folder and all folders below it, including those in the trash. */
export function subtreeOf(model: Model, folder: ModelFolder): ModelFolder[] {
  const inside = Object.values(model.folders).filter((each) => each.parent === folder.id && each.id !== folder.id)
  return [folder, ...inside.flatMap((each) => subtreeOf(model, each))]
}

/** The folder and all folders below it, without those in the trash. */
export const liveSubtreeOf = (model: Model, folder: ModelFolder): ModelFolder[] => [
  folder,
  ...folder.subfolders.flatMap((id) => liveSubtreeOf(model, folderOf(model, id) as ModelFolder)),
]

export const readablePath = (model: Model, folder: ModelFolder) =>
  `/${pathOf(model, folder)
    .slice(1)
    .map(({ name }) => name)
    .join('/')}`

export const idPath = (model: Model, folder: ModelFolder) =>
  pathOf(model, folder)
    .map(({ id }) => id)
    .join('.')

export function placeOf(model: Model, folder: ModelFolder): number {
  return folder.id === 0 ? 1 : (model.folders[folder.parent]?.subfolders.indexOf(folder.id) ?? -1) + 1
}

// Rights

export const rightsOfGroup = (folder: ModelFolder, group: ModelGroup): Rights =>
  isAdminGroup(group) ? ALL : (folder.rights[group.id] ?? NONE)

/** The union over the groups whose access has not expired; all rights for admins. */
export function rightsOf(model: Model, user: number, folder: ModelFolder): Rights {
  if (isAdmin(model, user)) return ALL
  return unionOf(activeGroups(model, user).map((group) => rightsOfGroup(folder, group)))
}

export const unionOf = (rights: Rights[]): Rights => ({
  view: rights.some(({ view }) => view),
  download: rights.some(({ download }) => download),
  upload: rights.some(({ upload }) => upload),
})

/** Whether the folder may be viewed or leads to a viewable one. */
export const isVisible = (model: Model, user: number, folder: ModelFolder): boolean =>
  liveSubtreeOf(model, folder).some((each) => rightsOf(model, user, each).view)

export function managesFiles(model: Model, user: number, folder: ModelFolder): boolean {
  if (isAdmin(model, user)) return true
  const managing = activeGroups(model, user).filter((group) => group.managing)
  return managing.some((group) => rightsOfGroup(folder, group).upload) && rightsOf(model, user, folder).upload
}

/** The protections on a folder's files for this user. */
export function protectionsOf(model: Model, user: number, folder: ModelFolder): { drm: boolean; watermark: boolean } {
  if (isAdmin(model, user)) return { drm: false, watermark: false }
  const granting = activeGroups(model, user).filter((group) => rightsOfGroup(folder, group).download)
  return { drm: granting.some(({ drm }) => drm), watermark: granting.some(({ watermarked }) => watermarked) }
}

/** Undefined keeps a flag; null takes all flags from the folder above. */
export type Setting = { [F in Flag]?: boolean | undefined } | null

export function settingOf(verb: 'grant' | 'revoke', flag: Flag): Setting {
  if (verb === 'grant') return { view: true, [flag]: true }
  return flag === 'view' ? { view: false, download: false, upload: false } : { [flag]: false }
}

/** Sets rights on the folder and everything below it, including the trash. */
export function setRights(model: Model, group: number, folder: ModelFolder, setting: Setting): void {
  const above = model.folders[folder.parent]
  const inherited = folder.id === 0 || !above ? NONE : (above.rights[group] ?? NONE)
  for (const each of subtreeOf(model, folder)) {
    const { view, download, upload } = setting ?? inherited
    const was = each.rights[group] ?? NONE
    each.rights[group] = {
      view: view ?? was.view,
      download: download ?? was.download,
      upload: upload ?? was.upload,
    }
  }
}

/** Gives a new, copied or moved folder and everything inside it the rights of its parent. */
export function inherit(model: Model, folder: ModelFolder, parent: ModelFolder): void {
  for (const each of subtreeOf(model, folder)) each.rights = structuredClone(parent.rights)
}

// Names

export const extensionOf = (name: string) => /.\.[^.]*$/.exec(name)?.[0].slice(1) ?? ''

export function freeName(name: string, taken: string[], extension = extensionOf(name)): string {
  const stem = name.slice(0, name.length - extension.length)
  for (let number = 1; ; number++) {
    const candidate = stem + (number === 1 ? '' : ` (${number})`) + extension
    if (!taken.includes(candidate)) return candidate
  }
}

export const namesIn = (model: Model, folder: ModelFolder) =>
  folder.files.map((id) => (model.files[id] as ModelFile).file_name)

/** Inserts an id at a zero-based position, or at the end of a shorter list. */
export function insertAt(list: number[], place: number, id: number): void {
  list.splice(Math.min(place, list.length), 0, id)
}

export function takeOut(list: number[], id: number): number {
  const place = list.indexOf(id)
  if (place >= 0) list.splice(place, 1)
  return place
}

// The activities

export function act(model: Model, user: number, ...messages: string[]): void {
  for (const message of messages) model.acts.push({ user, message })
}

export function audit(model: Model, user: number, message: string): void {
  model.acts.push({ user, message, auditOnly: true })
}
