import { type Flag, FLAGS, type FlagSetting } from './endpoints/permissions.ts'

// Rules of rights and groups that service and dashboard share. They need a file without schemas: of the other files, the
// dashboard's build keeps only constants (src/tools/contract-data.ts).

/**
 * The flags that a grant or revoke of one flag sets (decisions, section 5): download and upload imply view, so granting
 * either grants view, and revoking view revokes all three.
 */
export function flagsSetBy(verb: 'grant' | 'revoke', flag: Flag): Flag[] {
  return FLAGS.filter((each) => each === flag || (verb === 'grant' ? each === 'view' : flag === 'view'))
}

/**
 * The flags that a change of several rights sets, by the same rules; rights that are not named stay as they are.
 * Undefined if the change contradicts itself: no view, but a right that needs it.
 */
export function settingOf(rights: FlagSetting): FlagSetting | undefined {
  const needsView = rights.download === true || rights.upload === true
  if (needsView && rights.view === false) return undefined
  if (needsView) return { ...rights, view: true }
  return rights.view === false ? { view: false, download: false, upload: false } : rights
}

/** Admin groups have all rights and take no folder permissions, no expiry, no DRM (decisions, section 4). */
export const isAdminGroup = (group: { kind: string }): boolean =>
  group.kind === 'team_admins' || group.kind === 'workspace_admins'

export const bitOf = (flag: Flag): number => 1 << FLAGS.indexOf(flag)
/** Built-in groups cannot be renamed or deleted (decisions, section 4). */
export const isBuiltIn = (group: { kind: string }): boolean => group.kind !== 'custom'

interface GroupOfMember {
  id: number
  kind: string
}

/** Whether a removal from one group also ends the membership of another: a Team Admin is a Workspace Admin. */
const endsWith = (removed: GroupOfMember, other: GroupOfMember): boolean =>
  isAdminGroup(removed) ? isAdminGroup(other) : other.id === removed.id

/**
 * Whether a removal from a group also ends the membership of the workspace: from All Members, or from the last other
 * group (API description, Groups, removal rules).
 */
export function leavesWorkspace(removed: GroupOfMember, groupsOfMember: readonly GroupOfMember[]): boolean {
  if (removed.kind === 'all_members') return true
  return groupsOfMember.every((other) => other.kind === 'all_members' || endsWith(removed, other))
}
