import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { createPerson, createWorld, type Person, type World } from '../../testing/world.ts'

let service: TestService
let world: World
let people: Person[]
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const team = { allowed_workspaces: 1000 }
  await world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team } })
  people = [world.alice, world.wendy, world.bob, await createPerson(service, 'nina')]
})
afterAll(() => service.close())

const someone = fc.nat({ max: 3 })
const change = fc.record({
  by: someone,
  user: someone,
  adds: fc.boolean(),
  to: fc.constantFrom(0, 1, 2, 2, 2, 3, 4, 5, 5),
})
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

/** Changes a group of the workspace (0 to 4; 2: Workspace Admins) or the team (5). @returns the status */
function apply({ by, user, adds, to }: Change, workspace_id: number, groupIds: number[]): Promise<number> {
  const user_id = people[user]?.id ?? 0
  if (to === 5) {
    const params = { id: world.team_id }
    if (adds) return world.tina.statusOf(api.teams.addMember, { params, body: { user_id } })
    return world.tina.statusOf(api.teams.removeMember, { params, query: { user_id } })
  }
  const person = people[by] ?? world.alice
  const params = { id: groupIds[to] ?? 0 }
  if (adds) return person.statusOf(api.groups.addMember, { params, body: { workspace_id, user_id, send_email: false } })
  return person.statusOf(api.groups.removeMember, { params, query: { workspace_id, user_id } })
}

/** Counts users in a group or the workspace who are not in All Members, wrong Team Admins, and admins. */
async function inspect(workspaceId: number) {
  const membersOf = (kind: string) => sql`select m.user_id from group_memberships m
    join groups g on g.workspace_id = m.workspace_id and g.id = m.group_id
    where m.workspace_id = ${workspaceId} and g.kind = ${kind}`
  const inTeam = sql`select user_id from team_memberships where team_id = ${world.team_id}`
  const { rows } = await sql<{ astray: number; wrong_team_admins: number; admins: number }>`
    select
      (select count(*) from (
        (select user_id from workspace_memberships where workspace_id = ${workspaceId}
          union select user_id from group_memberships where workspace_id = ${workspaceId})
        except ${membersOf('all_members')}) a) as astray,
      (select count(*) from (
        (${membersOf('team_admins')} except (${membersOf('workspace_admins')} intersect ${inTeam}))
        union all
        ((${membersOf('workspace_admins')} intersect ${inTeam}) except ${membersOf('team_admins')})) w
      ) as wrong_team_admins,
      (select count(*) from (${membersOf('workspace_admins')}) a) as admins`.execute(service.services.db)
  return rows[0]
}

describe('after any changes of groups and team, some of them concurrent', () => {
  it('all members are in All Members, Team Admins are correct, and an admin is left', async () => {
    let runs = 0
    const property = fc.asyncProperty(
      fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }),
      async (batches) => {
        runs += 1
        // A former run may have taken Alice out of the team.
        const again = { params: { id: world.team_id }, body: { email: world.alice.email } }
        expect([201, 409]).toContain(await world.tina.statusOf(api.teams.addMember, again))
        const body = { workspace: { name: `Run ${runs}`, team_id: world.team_id } }
        const { id: workspace_id } = await world.alice.call(api.workspaces.create, { body })
        for (const name of ['Bidders', 'Lenders']) {
          await world.alice.call(api.groups.create, { body: { group: { name, workspace_id } } })
        }
        const groups = await world.alice.call(api.groups.list, { query: { workspace_id } })
        const groupIds = groups.map((group) => group.id).toReversed()
        const second: Change = { by: 0, user: 1, adds: true, to: 2 }
        for (const batch of [[second], ...batches]) {
          const statuses = await Promise.all(batch.map((each) => apply(each, workspace_id, groupIds)))
          expect(Math.max(0, ...statuses)).toBeLessThan(500)
        }
        const found = await inspect(workspace_id)
        expect(found).toMatchObject({ astray: 0, wrong_team_admins: 0 })
        expect(found?.admins).toBeGreaterThan(0)
      },
    )
    await fc.assert(property, { numRuns: 15 })
    expect(runs).toBeGreaterThanOrEqual(15)
  }, 60_000)
})
