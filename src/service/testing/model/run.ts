import sharp from 'sharp'
import type { AnyEndpoint, Reply, CallParts } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import type { Bytes, Client } from '../client.ts'
import type { TestService } from '../start-service.ts'
import { type Person, personOf } from '../world.ts'
import { readDocuments } from '../jobs.ts'
import { DOCUMENT } from './copy-operations.ts'
import { BYTES, uploadFile } from './file-operations.ts'
import { createFolder } from './folder-operations.ts'
import { emptyGroup, OWNER, setRight, switchDrm } from './group-operations.ts'
import { act, groupOf, type Model, type ModelGroup, syncTeamAdmins } from './model.ts'
import { type Answer, describe, judge, type Operation, request, send } from './operations.ts'

/** A separate workspace in a separate team, with the state that is not in the model. */
export interface Run {
  service: TestService
  workspace_id: number
  clientOf(user: number): Pick<Client, 'fetch'>
  request<E extends AnyEndpoint>(user: number, endpoint: E, call: CallParts, content?: Bytes): Promise<Answer<Reply<E>>>
  /** Learns an invited user. */
  learn(user: number): Promise<void>
  /** Milliseconds. */
  now(): number
  setToday(today: string): void
  /** Sends a request as a current workspace admin. */
  asAdmin<E extends AnyEndpoint>(endpoint: E, call: CallParts): Promise<Answer<Reply<E>>>
  /** The deletion's id as an admin finds it in the trash; an unused id if it is not there. */
  deletionIdOf(type: 'folder' | 'file', id: number): Promise<string>
  /** The expiring URLs given out so far. */
  urls: { user: number; file_id: number; marked: boolean; url: string }[]
  /** The bytes of the one document that can be viewed. */
  document: Buffer<ArrayBuffer>
}

interface Cast {
  /** Organization admin; owner of the team. */
  olivia: Person
  /** Team member who created the workspace. */
  alice: Person
  /** Workspace admin, not in the team at first. */
  wendy: Person
  /** In both groups. */
  bob: Person
  carol: Person
  dave: Person
  /** Not in the workspace at first. */
  mallory: Person
}

const NO_DELETION = '00000000-0000-4000-8000-000000000000'

const NAMES = ['alice', 'wendy', 'bob', 'carol', 'dave', 'mallory'] as const

let runs = 0

/** Creates people unknown to other runs. They have no names, so activities call them by their addresses. */
async function createCast(service: TestService): Promise<Cast> {
  runs += 1
  const create = async (name: string) => {
    const user = { email: `${name}-${runs}@example.com`, first_name: '', last_name: '' }
    return personOf(service, await service.admin.call(api.users.create, { body: { user } }))
  }
  const people = await Promise.all(NAMES.map(async (name) => [name, await create(name)] as const))
  const olivia = personOf(service, await service.admin.call(api.users.me, {}))
  return { olivia, ...Object.fromEntries(people) } as Cast
}

export async function startRun(service: TestService): Promise<{ run: Run; model: Model }> {
  service.setClock(undefined)
  const cast = await createCast(service)
  const { olivia, alice, wendy, bob, carol, dave } = cast
  const clients = new Map<number, Pick<Client, 'fetch'>>([[OWNER, olivia]])
  const people = [alice, wendy, bob, carol, dave, cast.mallory]
  for (const person of people) clients.set(person.id, person)

  const team = await olivia.call(api.teams.create, { body: { team: { name: 'Deals', allowed_admins: 100 } } })
  await olivia.call(api.teams.addMember, { params: { id: team.id }, body: { user_id: alice.id } })
  const workspace = { name: 'Run', team_id: team.id }
  const { id: workspace_id } = await alice.call(api.workspaces.create, { body: { workspace } })
  let now = Date.now()

  const run: Run = {
    service,
    workspace_id,
    clientOf(user) {
      const client = clients.get(user)
      if (!client) throw new Error(`nobody speaks for user ${user}`)
      return client
    },
    request: (user, endpoint, call, content) => request(run, user, endpoint, call, content),
    async learn(user) {
      if (clients.has(user)) return
      const { body } = await request(run, OWNER, api.organization.listMembers, {})
      const { memberships } = body
      const found = memberships.find(({ id }) => id === user)
      if (!found) throw new Error(`user ${user} is not in the organization`)
      clients.set(user, service.as(found))
    },
    now: () => now,
    setToday(today) {
      now = Date.parse(today) + (Date.now() % 86_400_000)
      service.setClock(new Date(now))
    },
    async asAdmin(endpoint, call) {
      for (const user of [...clients.keys()].filter((each) => each !== OWNER)) {
        const answer = await request(run, user, endpoint, call)
        if (answer.status < 300) return answer
      }
      throw new Error('nobody administers the workspace')
    },
    async deletionIdOf(type, id) {
      const { body } = await run.asAdmin(api.trash.list, { query: { workspace_id, per_page: 100 } })
      const item = body.find((each) => each.type === type && each.id === id)
      return item?.deletion_id ?? NO_DELETION
    },
    urls: [],
    document: await sharp({ create: { width: 40, height: 30, channels: 3, background: '#fff' } })
      .png()
      .toBuffer(),
  }

  const groups = await alice.call(api.groups.list, { query: { workspace_id } })
  const model: Model = {
    workspace_id,
    team_id: team.id,
    today: new Date(now).toISOString().slice(0, 10),
    people: people.map(({ id, email }) => ({ id, email, team: id === alice.id })),
    groups: groups
      .toSorted((a, b) => a.id - b.id)
      .map(({ id, name, kind }): ModelGroup => ({ ...emptyGroup(id, name, kind), members: [alice.id] })),
    folders: { 0: { id: 0, parent: 0, name: 'All Folders', subfolders: [], files: [], rights: {} } },
    files: {},
    trash: [],
    copies: [],
    acts: [{ user: alice.id, message: 'joined this Workspace' }],
    refusals: [],
    unknownIds: 0,
  }
  await setUp(run, model, cast)
  run.setToday(model.today)
  return { run, model }
}

/** Wendy administers the workspace, bob is in both groups, carol and dave are in one each. */
async function setUp(run: Run, model: Model, { alice, wendy, bob, carol, dave }: Cast): Promise<void> {
  const { workspace_id } = run
  const add = async (group: ModelGroup, person: Person) => {
    const body = { workspace_id, email: person.email, send_email: false }
    await alice.call(api.groups.addMember, { params: { id: group.id }, body })
    const isNew = !groupOf(model, 'all_members').members.includes(person.id)
    for (const each of new Set([groupOf(model, 'all_members'), group])) {
      if (!each.members.includes(person.id)) each.members.push(person.id)
    }
    act(model, alice.id, `added ${person.email} to group ${group.name}`)
    if (isNew) act(model, alice.id, `added ${person.email} to this workspace`)
  }
  await add(groupOf(model, 'workspace_admins'), wendy)
  syncTeamAdmins(model)
  for (const [name, members] of [
    ['Bidders', [bob, carol]],
    ['Lenders', [bob, dave]],
  ] as const) {
    const { id } = await alice.call(api.groups.create, { body: { group: { name, workspace_id } } })
    act(model, alice.id, `added the group: ${name}`)
    const group = emptyGroup(id, name)
    model.groups.push(group)
    for (const member of members) await add(group, member)
  }
  await fill(run, model, alice)
}

/** Creates nested folders with a file in each, rights of either group on some of them, and DRM for one group. */
async function fill(run: Run, model: Model, { id: user }: Person): Promise<void> {
  const { workspace_id, document } = run
  const ids = [0]
  for (const [name, parent] of [
    ['Fold a', 0],
    ['Fold b', 1],
    ['Fold', 2],
    ['Fold a', 1],
    ['Fold b', 0],
  ] as const) {
    const created = await play(run, model, createFolder(user, workspace_id, { name, parent_id: ids[parent] ?? 0 }))
    ids.push((created as Reply<typeof api.folders.create>).id)
  }
  for (const [at, folder_id] of ids.entries()) {
    const file =
      at === 1 || at === 5 ? { file_name: DOCUMENT, content: document } : { file_name: 'doc.bin', content: BYTES }
    await play(run, model, uploadFile(user, { workspace_id, folder_id, unless_same: false, ...file }))
  }
  await readDocuments(run.service)
  const groups = model.groups.filter(({ kind }) => kind === 'custom')
  for (const [group, folder, flag] of [
    [0, 1, 'download'],
    [0, 3, 'upload'],
    [1, 3, 'view'],
    [1, 5, 'download'],
  ] as const) {
    const chosen = { id: ids[folder] ?? 0, group_id: groups[group]?.id ?? 0, verb: 'grant' as const, flag }
    await play(run, model, setRight(user, workspace_id, chosen))
  }
  const lenders = groups[1]
  if (lenders) await play(run, model, switchDrm(user, workspace_id, { id: lenders.id, on: true }))
}

/** @throws Error if the service and the model disagree */
async function play(run: Run, model: Model, operation: Operation): Promise<unknown> {
  const answer = await send(run, operation)
  const { status } = judge(model, operation, answer)
  if (status !== answer.status) throw new Error(`${describe(operation)} answered ${answer.status}, not ${status}`)
  return answer.body
}
