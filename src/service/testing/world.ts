import { api } from '../../contract/index.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Client } from './client.ts'
import type { TestService } from './start-service.ts'

type User = Reply<typeof api.users.create>

/** A member of the cast: the wire user and a client that signs as them. */
export type Person = User & Pick<Client, 'call' | 'refused' | 'statusOf' | 'fetch' | 'credentials'>

export interface World {
  /** Only an organization admin. */
  olivia: Person
  /** Team owner, not in the workspace. */
  tina: Person
  /** Team member and workspace admin. */
  alice: Person
  /** Workspace admin, not in the team. */
  wendy: Person
  /** Plain member of the workspace, in the group Bidders. */
  bob: Person
  /** In the organization, but in neither the team nor the workspace. */
  mallory: Person
  team_id: number
  workspace_id: number
  group_id: number
}

export async function createPerson(service: TestService, name: string): Promise<Person> {
  const user = await service.admin.call(api.users.create, {
    body: {
      user: { email: `${name}@example.com`, first_name: name[0]?.toUpperCase() + name.slice(1), last_name: 'Tester' },
    },
  })
  return personOf(service, user)
}

export function personOf(service: TestService, user: User): Person {
  const client = service.as(user)
  return Object.assign(client, user)
}

/** Creates the named cast in one team with one workspace and the group Bidders, which has no rights yet. */
export async function createWorld(service: TestService): Promise<World> {
  const olivia = personOf(service, await service.admin.call(api.users.me, {}))
  const [tina, alice, wendy, bob, mallory] = await Promise.all([
    createPerson(service, 'tina'),
    createPerson(service, 'alice'),
    createPerson(service, 'wendy'),
    createPerson(service, 'bob'),
    createPerson(service, 'mallory'),
  ])
  const team = await olivia.call(api.teams.create, { body: { team: { name: 'Deals', suppress_emails: false } } })
  const team_id = team.id
  const params = { id: team_id }
  await olivia.call(api.teams.addMember, { params, body: { user_id: alice.id } })
  await olivia.call(api.teams.update, { params, body: { team: { team_owner_id: tina.id } } })
  await tina.call(api.teams.removeMember, { params, query: { user_id: olivia.id } })

  const { id: workspace_id } = await alice.call(api.workspaces.create, {
    body: { workspace: { name: 'Harbour', team_id } },
  })
  const groups = await alice.call(api.groups.list, { query: { workspace_id } })
  const admins = groups.find((group) => group.kind === 'workspace_admins')
  const bidders = await alice.call(api.groups.create, { body: { group: { name: 'Bidders', workspace_id } } })
  await addMember(alice, workspace_id, admins?.id ?? 0, wendy)
  await addMember(alice, workspace_id, bidders.id, bob)
  return { olivia, tina, alice, wendy, bob, mallory, team_id, workspace_id, group_id: bidders.id }
}

export async function addMember(
  admin: Person,
  workspace_id: number,
  group_id: number,
  user: { email: string },
): Promise<void> {
  await admin.call(api.groups.addMember, {
    params: { id: group_id },
    body: { workspace_id, email: user.email, send_email: false },
  })
}
