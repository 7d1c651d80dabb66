import { describe, expect, it } from 'vitest'
import { leavesWorkspace } from '../rules.ts'

const everyone = { id: 1, kind: 'all_members' as const }
const teamAdmins = { id: 2, kind: 'team_admins' as const }
const admins = { id: 3, kind: 'workspace_admins' as const }
const bidders = { id: 7, kind: 'custom' as const }
const lenders = { id: 8, kind: 'custom' as const }

describe('a removal takes a member out of the workspace', () => {
  it.each([
    ['from All Members, always', everyone, [everyone, bidders], true],
    ['from the last group', bidders, [everyone, bidders], true],
    ['not while there is another group', bidders, [everyone, bidders, lenders], false],
    ['from both admin groups at once', admins, [everyone, teamAdmins, admins], true],
    ['not an admin who is in another group too', teamAdmins, [everyone, teamAdmins, admins, bidders], false],
  ])('%s', (_, group, memberOf, leaves) => expect(leavesWorkspace(group, memberOf)).toBe(leaves))
})
