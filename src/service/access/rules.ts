import { type Flag } from '../../contract/endpoints/permissions.ts'
import { flagsSetBy } from '../../contract/rules.ts'
import type { Group } from './scopes.ts'

export interface FlagChange {
  flag: Flag
  value: boolean
}

export const changesOf = (verb: 'grant' | 'revoke', flag: Flag): FlagChange[] =>
  flagsSetBy(verb, flag).map((each) => ({ flag: each, value: verb === 'grant' }))

export interface Removal {
  group: Group['kind']
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
