import type { Flag } from '../../contract/permissions.ts'

export interface FlagChange {
  flag: Flag
  value: boolean
}

/** Flags without a value stay as they are. */
export type FlagSetting = { [F in Flag]?: boolean | undefined }

/**
 * Returns the flags that a grant or revoke sets on a folder (decisions, section 5): download and upload imply view, so
 * granting either grants view, and revoking view revokes all three.
 */
export function changesOf(verb: 'grant' | 'revoke', flag: Flag): FlagChange[] {
  if (verb === 'grant') return [...new Set<Flag>(['view', flag])].map((each) => ({ flag: each, value: true }))
  const revoked: Flag[] = flag === 'view' ? ['view', 'download', 'upload'] : [flag]
  return revoked.map((each) => ({ flag: each, value: false }))
}

/**
 * Returns the flags that a change of several rights sets, by the same rules; rights that are not named stay as they
 * are. Undefined if the change contradicts itself: no view, but a right that needs it.
 */
export function settingOf(rights: FlagSetting): FlagSetting | undefined {
  const needsView = rights.download === true || rights.upload === true
  if (needsView && rights.view === false) return undefined
  if (needsView) return { ...rights, view: true }
  return rights.view === false ? { view: false, download: false, upload: false } : rights
}

export interface Removal {
  group: 'custom' | 'all_members' | 'team_admins' | 'workspace_admins'
  remover: { admin: boolean; team_member: boolean }
  removed: { admin: boolean; team_member: boolean }
  /** Number of Workspace Admins, including the removed one. */
  admins: number
}

/**
 * Returns why a member may not be removed from a group, or undefined (API description, Groups, removal rules;
 * decisions, section 4: the last Workspace Admin stays). Admins are protected only if the removal ends their Workspace
 * Admin role.
 */
export function refusalOfRemoval({ group, remover, removed, admins }: Removal): 'admins' | 'team' | 'last' | undefined {
  if (!remover.admin) return 'admins'
  if (!removed.admin || group === 'custom') return undefined
  if (removed.team_member && !remover.team_member) return 'team'
  return admins <= 1 ? 'last' : undefined
}

/** Built-in groups cannot be renamed or deleted (decisions, section 4). */
export const isBuiltIn = (group: { kind: string }) => group.kind !== 'custom'

/** Admin groups have all rights and take no folder permissions, no expiry, no DRM (decisions, section 4). */
export const isAdminGroup = (group: { kind: string }) =>
  group.kind === 'team_admins' || group.kind === 'workspace_admins'
