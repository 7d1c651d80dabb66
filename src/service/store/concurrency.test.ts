import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { requestOf } from '../../client/request.ts'
import type { AnyEndpoint, Call, Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { FLAGS, type Flag } from '../../contract/endpoints/permissions.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'

// Concurrent requests must have the outcome of some sequential order. The service chooses the order.

const ADMINS = 20
/** Timeout for hundreds of requests on a machine that may be busy. */
const PATIENCE_MS = 180_000

let service: TestService
let world: World
let admins: Person[]
let workspace_id: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const team = { allowed_workspaces: 100, allowed_admins: 100 }
  await world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team } })
  admins = []
  for (let at = 0; at < ADMINS; at++) admins.push(await createPerson(service, `admin${at}`))
})
afterAll(() => service.close())
beforeEach(async () => {
  const body = { workspace: { name: 'Busy', team_id: world.team_id } }
  workspace_id = (await world.alice.call(api.workspaces.create, { body })).id
  const groups = await world.alice.call(api.groups.list, { query: { workspace_id } })
  const group = groups.find(({ kind }) => kind === 'workspace_admins')
  for (const admin of admins) await addMember(world.alice, workspace_id, group?.id ?? 0, admin)
}, PATIENCE_MS)

/** Pseudo-random numbers, the same in each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const createFolder = async (name: string, parent_id = 0) =>
  (await world.alice.call(api.folders.create, { body: { workspace_id, name, parent_id } })).id
const createGroup = async (name: string) =>
  (await world.alice.call(api.groups.create, { body: { group: { name, workspace_id } } })).id

/** All activities, oldest first. */
async function activities() {
  const events: Reply<typeof api.activities.list>['events'] = []
  for (let page = 1; ; page++) {
    const reply = await world.alice.call(api.activities.list, { params: { workspace_id }, query: { page } })
    events.push(...reply.events)
    if (page >= reply.pagination.total_pages) return events.toReversed()
  }
}

describe('C8: rights that twenty admins grant and revoke concurrently', () => {
  type Rights = Record<Flag, boolean>
  interface Folder {
    id: number
    name: string
    parent: number
  }

  it(
    'C8: equal a replay of the recorded order',
    async () => {
      const folders = await createTree()
      const groups = new Map<string, number>()
      for (const name of ['Bidders', 'Lenders', 'Lawyers']) groups.set(name, await createGroup(name))
      const before = (await activities()).length

      const statuses = await Promise.all(admins.map((admin, at) => changeRights(admin, at + 1, folders, groups)))
      expect(new Set(statuses.flat())).toEqual(new Set([200]))

      const events = (await activities()).slice(before)
      expect(events).toHaveLength(statuses.flat().length)
      for (const [name, group_id] of groups) {
        const expected = replay(folders, events, name)
        for (const folder of folders.filter(({ id }) => folders.some(({ parent }) => parent === id))) {
          const entries = await world.alice.call(api.permissions.list, {
            params: { id: folder.id },
            query: { workspace_id, group_id },
          })
          for (const { id, view, download, upload } of entries) {
            expect([name, id, { view, download, upload }]).toEqual([name, id, expected.get(id)])
          }
        }
      }
    },
    PATIENCE_MS,
  )

  /** Three levels below the root: 1 + 3 + 9 + 9 folders. Unique names identify them in the activities. */
  async function createTree(): Promise<Folder[]> {
    const folders: Folder[] = [{ id: 0, name: 'All Folders', parent: -1 }]
    for (const [from, to, each] of [
      [0, 1, 3],
      [1, 4, 3],
      [4, 13, 1],
    ] as const) {
      for (const { id } of folders.slice(from, to)) {
        for (let at = 0; at < each; at++) {
          const name = `Folder ${folders.length}.`
          folders.push({ id: await createFolder(name, id), name, parent: id })
        }
      }
    }
    return folders
  }

  async function changeRights(
    admin: Person,
    seed: number,
    folders: Folder[],
    groups: Map<string, number>,
  ): Promise<number[]> {
    const random = randomNumbers(seed)
    const groupIds = [...groups.values()]
    const statuses: number[] = []
    for (let at = 0; at < 12; at++) {
      const body = {
        workspace_id,
        group_id: groupIds[random(groupIds.length)] ?? 0,
        verb: random(2) === 0 ? ('grant' as const) : ('revoke' as const),
        folder_action: FLAGS[random(FLAGS.length)] ?? 'view',
      }
      const id = folders[random(folders.length)]?.id ?? 0
      statuses.push(await admin.statusOf(api.permissions.set, { params: { id }, body }))
    }
    return statuses
  }

  /** The rules of decisions, section 5, in plain form, applied to the activities. */
  function replay(folders: Folder[], events: { message: string }[], group: string): Map<number, Rights> {
    const rights = new Map(
      folders.map(({ id }): [number, Rights] => [id, { view: false, download: false, upload: false }]),
    )
    const setBelow = (id: number, set: (rights: Rights) => void): void => {
      set(rights.get(id) as Rights)
      for (const child of folders.filter(({ parent }) => parent === id)) setBelow(child.id, set)
    }
    for (const { message } of events) {
      const [, verb, flag, name, whose] = /^(granted|revoked) (\w+) access to (.+) for group: (.+)$/.exec(message) ?? []
      if (whose !== group) continue
      const { id } = folders.find((each) => each.name === name) as Folder
      setBelow(id, (each) => {
        if (verb === 'granted') Object.assign(each, { view: true, [flag as Flag]: true })
        else if (flag === 'view') Object.assign(each, { view: false, download: false, upload: false })
        else each[flag as Flag] = false
      })
    }
    return rights
  }
})

describe('C8: members whom twenty admins add and remove concurrently', () => {
  it(
    'are as many in each group as its number says',
    async () => {
      const groupIds = [await createGroup('Buyers'), await createGroup('Lenders')]
      const random = randomNumbers(7)
      const acts = Array.from({ length: 120 }, () => ({
        admin: admins[random(ADMINS)] as Person,
        of: admins[random(ADMINS)] as Person,
        id: groupIds[random(2)] ?? 0,
        adds: random(3) > 0,
      }))
      const outcomes = await Promise.all(
        acts.map(({ admin, of, id, adds }) =>
          adds
            ? admin.statusOf(api.groups.addMember, {
                params: { id },
                body: { workspace_id, user_id: of.id, send_email: false },
              })
            : admin.statusOf(api.groups.removeMember, { params: { id }, query: { workspace_id, user_id: of.id } }),
        ),
      )
      expect(new Set(outcomes)).toEqual(new Set([201, 204, 404]))

      const query = { workspace_id }
      for (const group of await world.alice.call(api.groups.list, { query })) {
        const members = await world.alice.call(api.groups.listMembers, { params: { id: group.id }, query })
        expect([group.name, group.members_count]).toEqual([group.name, members.length])
      }
    },
    PATIENCE_MS,
  )
})

describe('C7: deletions concurrent with moves, copies, uploads and restorations', () => {
  it(
    'leave no orphan, gap or stale right, and one record for each act',
    async () => {
      const group_id = await createGroup('Bidders')
      const folders: number[] = []
      for (let at = 0; at < 8; at++) folders.push(await createFolder(`Top ${at}`))
      for (const parent of folders.slice()) folders.push(await createFolder('Below', parent))
      const files: number[] = []
      for (const folder_id of folders) files.push(await uploadTo(folder_id, 'first.txt'))
      const before = await countRecords()

      let acts = 0
      for (let wave = 0; wave < 6; wave++) {
        const deletions = (await world.alice.call(api.trash.list, { query: { workspace_id } })).map(
          (each) => each.deletion_id,
        )
        const statuses = await Promise.all(
          admins.map((admin, at) =>
            act(admin, randomNumbers(wave * ADMINS + at + 7), { folders, files, deletions, group_id }),
          ),
        )
        expect(statuses.filter((status) => ![200, 201, 404, 409, 422].includes(status))).toEqual([])
        acts += statuses.filter((status) => status < 300).length
        expect(await inspect()).toEqual(NOTHING_WRONG)
      }
      expect(acts).toBeGreaterThan(ADMINS)
      expect(await countRecords()).toEqual({ activities: before.activities + acts, audited: before.audited + acts })
    },
    PATIENCE_MS,
  )

  const uploadTo = async (folder_id: number, file_name: string) =>
    (await world.alice.call(api.files.upload, { query: { workspace_id, folder_id, file_name } }, 'content')).id

  interface Things {
    folders: number[]
    files: number[]
    deletions: string[]
    group_id: number
  }

  /** One act of an admin on objects that other admins change concurrently. Each act is recorded once. */
  async function act(admin: Person, random: (below: number) => number, things: Things): Promise<number> {
    const one = <T>(list: T[]) => list[random(list.length)] as T
    const folder = { id: one(things.folders) }
    const file = { id: one(things.files) }
    const query = { workspace_id }
    const into = { workspace_id, destination_folder_id: random(5) === 0 ? 0 : one(things.folders) }
    const right = { workspace_id, group_id: things.group_id, verb: 'grant', folder_action: 'view' } as const
    const to = { workspace_id, folder_id: one(things.folders), file_name: `file ${random(3)}.txt` }
    const [deletion_id] = things.deletions.slice(random(Math.max(1, things.deletions.length)))
    const calls: (() => Promise<number>)[] = [
      () => admin.statusOf(api.folders.remove, { params: folder, query }),
      () => admin.statusOf(api.files.remove, { params: file, query }),
      () =>
        makeMore(admin, things.folders, api.folders.create, {
          body: { workspace_id, name: 'New', parent_id: folder.id },
        }),
      () => makeMore(admin, things.folders, api.folders.copy, { params: folder, body: into }),
      () => admin.statusOf(api.folders.move, { params: folder, body: into }),
      () => makeMore(admin, things.files, api.files.copy, { params: file, body: into }),
      () => admin.statusOf(api.files.move, { params: file, body: into }),
      () => makeMore(admin, things.files, api.files.upload, { query: to }),
      () => admin.statusOf(api.permissions.set, { params: folder, body: right }),
      () =>
        deletion_id
          ? admin.statusOf(api.trash.restore, { params: { deletion_id }, body: query })
          : Promise.resolve(404),
    ]
    return one(calls)()
  }

  /** Adds the created object to the list, so that other admins act on it. */
  async function makeMore<E extends AnyEndpoint>(
    admin: Person,
    list: number[],
    endpoint: E,
    call: Call<E>,
  ): Promise<number> {
    const { path, init } = requestOf(endpoint, call, 'content')
    const response = await admin.fetch(path, init)
    const { id } = (await response.json()) as { id?: number }
    if (id !== undefined) list.push(id)
    return response.status
  }

  const NOTHING_WRONG = {
    folders_without_parent: 0,
    wrong_paths: 0,
    files_without_folder: 0,
    gaps_among_folders: 0,
    gaps_among_files: 0,
    stale_rights: 0,
    half_deletions: 0,
  }

  async function inspect(): Promise<unknown> {
    const live = (table: string) => sql`${sql.table(table)} where workspace_id = ${workspace_id} and deleted_at is null`
    const { rows } = await sql`
      with d as (select * from ${live('folders')}), f as (select * from ${live('files')})
      select
        (select count(*) from d where id <> 0 and parent_id not in (select id from d))::int as folders_without_parent,
        (select count(*) from d join d p on p.id = d.parent_id where d.id_path <> p.id_path || d.id)::int as wrong_paths,
        (select count(*) from f where folder_id not in (select id from d))::int as files_without_folder,
        (select count(*) from (select array_agg(index order by index) as has, count(*) as many from d where id <> 0 group by parent_id) g
          where has <> array(select generate_series(1, many))::int[])::int as gaps_among_folders,
        (select count(*) from (select array_agg(index order by index) as has, count(*) as many from f group by folder_id) g
          where has <> array(select generate_series(1, many))::int[])::int as gaps_among_files,
        (select count(*) from folder_permissions p left join d on d.id = p.folder_id
          where p.workspace_id = ${workspace_id} and (d.id is null or d.id_path <> p.id_path))::int as stale_rights,
        (select count(*) from folders c join folders p on p.workspace_id = c.workspace_id and p.id = c.parent_id
          where c.workspace_id = ${workspace_id} and c.deleted_at is null and p.deleted_at is not null)::int as half_deletions`.execute(
      service.services.db,
    )
    return rows[0]
  }

  /** The audit trail also holds refused attempts, which are not acts. */
  async function countRecords() {
    const { rows } = await sql<{ activities: number; audited: number }>`
      select (select count(*) from activities where workspace_id = ${workspace_id} and act <> 'file_copied_along')::int as activities,
        (select count(*) from audit_inbox where workspace_id = ${workspace_id} and entry::jsonb ->> 'verb' <> 'refused'
          and entry::jsonb ->> 'message' not like 'copied the file with its folder:%')::int as audited`.execute(
      service.services.db,
    )
    return rows[0] ?? { activities: 0, audited: 0 }
  }
})
