import { type GroupInfo, isOfAdmins } from './group-info.ts'

/** Whether the removal also ends the membership of the workspace: from All Members, or from the last other group. */
export function leavesWorkspace(
  group: Pick<GroupInfo, 'id' | 'kind'>,
  groupIdsOfMember: readonly number[],
  all: readonly Pick<GroupInfo, 'id' | 'kind'>[],
): boolean {
  if (group.kind === 'all_members') return true
  const left = all.filter(({ id, kind }) => {
    // A Team Admin is a Workspace Admin, so both admin groups end together.
    const goes = isOfAdmins(group) ? isOfAdmins({ kind }) : id === group.id
    return groupIdsOfMember.includes(id) && kind !== 'all_members' && !goes
  })
  return left.length === 0
}
