import { type GroupInfo, isOfAdmins } from './group-info.ts'

/** Whether taking someone out of a group takes them out of the workspace: All Members, or the last group beside it. */
export function leavesWorkspace(
  group: Pick<GroupInfo, 'id' | 'kind'>,
  groupIdsOfMember: readonly number[],
  all: readonly Pick<GroupInfo, 'id' | 'kind'>[],
): boolean {
  if (group.kind === 'all_members') return true
  const left = all.filter(({ id, kind }) => {
    // Both admin groups end together: a Team Admin is a Workspace Admin.
    const goes = isOfAdmins(group) ? isOfAdmins({ kind }) : id === group.id
    return groupIdsOfMember.includes(id) && kind !== 'all_members' && !goes
  })
  return left.length === 0
}
