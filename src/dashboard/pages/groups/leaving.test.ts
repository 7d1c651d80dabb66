import { describe, expect, it } from 'vitest'
import { leavesWorkspace } from './leaving.ts'

const everyone = { id: 1, kind: 'all_members' as const }
const teamAdmins = { id: 2, kind: 'team_admins' as const }
const admins = { id: 3, kind: 'workspace_admins' as const }
const bidders = { id: 7, kind: 'custom' as const }
const lenders = { id: 8, kind: 'custom' as const }
const all = [everyone, teamAdmins, admins, bidders, lenders]

describe('a removal takes a member out of the workspace', () => {
  it.each([
    ['from All Members, always', everyone, [1, 7], true],
    ['from the last group', bidders, [1, 7], true],
    ['not while there is another group', bidders, [1, 7, 8], false],
    ['from both admin groups at once', admins, [1, 2, 3], true],
    ['not an admin who is in another group too', teamAdmins, [1, 2, 3, 7], false],
  ])('%s', (_, group, memberOf, leaves) => expect(leavesWorkspace(group, memberOf, all)).toBe(leaves))
})
