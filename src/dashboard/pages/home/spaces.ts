import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { naturally } from '../../ui/words/format.ts'

export type EnterableWorkspace = Reply<typeof api.users.workspaces>['workspaces'][number]
export type Team = Reply<typeof api.teams.list>[number]

/** A team with the workspaces in it that the user can enter. */
export interface Space {
  team: { id: number; name: string; owner: boolean }
  mayOpenTeam: boolean
  workspaces: EnterableWorkspace[]
}

/**
 * Returns the teams by name. A guest of a workspace sees its team's name too. A team without such a workspace is shown
 * only to its owner and members, who can create one.
 */
export function spacesOf(workspaces: readonly EnterableWorkspace[], teams: readonly Team[]): Space[] {
  const spaces = new Map<number, Space>()
  const visibleTeams = new Set(teams.map(({ id }) => id))
  for (const { id, name, owner, member } of teams) {
    if (owner || member) {
      spaces.set(id, { team: { id, name, owner }, mayOpenTeam: true, workspaces: [] })
    }
  }
  for (const workspace of workspaces) {
    const { team_id: id, team_name: name } = workspace
    const space = spaces.get(id) ?? {
      team: { id, name, owner: false },
      mayOpenTeam: visibleTeams.has(id),
      workspaces: [],
    }
    spaces.set(id, space)
    space.workspaces.push(workspace)
  }
  return [...spaces.values()].toSorted((one, other) => naturally(one.team.name, other.team.name))
}
