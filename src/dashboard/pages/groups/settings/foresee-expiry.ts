import type { Reply } from '../../../../contract/endpoint.ts'
import type { api } from '../../../../contract/index.ts'
import { naturally } from '../../../ui/words/format.ts'
import { nameOf } from '../../../shared/people.ts'
import type { GroupInfo } from '../group-info.ts'

export type Member = Reply<typeof api.workspaces.listMembers>[number]

export interface ExpiryEffect {
  /** Members to whom no group grants anything from the day on. */
  losing: Member[]
  /** Members to whom other groups grant something. */
  keeping: { member: Member; by: GroupInfo[] }[]
  /** Workspace admins, who have every right whatever their groups grant. */
  exempt: Member[]
}

export interface ExpiryFacts {
  people: readonly Member[]
  groups: readonly GroupInfo[]
  /** Everyone is in All Members, so it counts only if it grants something. */
  allMembersGrant: boolean
}

/** Returns which members lose access and which keep it, if the group grants nothing from a day on (`YYYY-MM-DD`). */
export function foreseeExpiry({ id }: Pick<GroupInfo, 'id'>, day: string, facts: ExpiryFacts): ExpiryEffect {
  const { people, groups, allMembersGrant } = facts
  const granting = groups.filter(
    (group) => group.id !== id && grantsOn(group, day) && (group.kind !== 'all_members' || allMembersGrant),
  )
  const effect: ExpiryEffect = { losing: [], keeping: [], exempt: [] }
  for (const member of people.toSorted((a, b) => naturally(nameOf(a.user), nameOf(b.user)))) {
    const ids = new Set(member.groups.map((group) => group.id))
    const by = granting.filter((group) => ids.has(group.id))
    if (!ids.has(id)) continue
    if (member.admin) effect.exempt.push(member)
    else if (by.length > 0) effect.keeping.push({ member, by })
    else effect.losing.push(member)
  }
  return effect
}

const grantsOn = ({ expired, expire_workspace_access_at: end }: GroupInfo, day: string): boolean =>
  !expired && (end === null || end > day)
