import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FOLLOW_SECONDS } from '../../contract/endpoints/events.ts'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { type EventReader, readEvents } from '../testing/event-reader.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let open: EventReader[] = []
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
beforeEach(() => {
  for (const reader of open) reader.leave()
  open = []
  // Otherwise this test's followers would also hear what the previous test did.
  return forget()
})
afterAll(() => service.close())

async function follow(person: Person, headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await readEvents(service, person, world.workspace_id, headers)
  open.push(reader)
  return reader
}

const kindsSeen = ({ seen }: EventReader) => new Set(seen.flatMap((event) => event.kinds))
const createFolder = async (person: Person, name: string, parent_id = 0) =>
  (await person.call(api.folders.create, { body: { workspace_id: world.workspace_id, name, parent_id } })).id
const setView = (id: number, verb: 'grant' | 'revoke', group_id = world.group_id) =>
  world.alice.call(api.permissions.set, {
    params: { id },
    body: { workspace_id: world.workspace_id, group_id, verb, folder_action: 'view' },
  })

/** Ages all activities, so that later followers are not told of them. */
const forget = () =>
  service.services.db
    .updateTable('activities')
    .set({ created_at: new Date(Date.now() - 30_000).toISOString() })
    .execute()

/** Creates a folder that bob may view. */
async function sharedFolder(name: string): Promise<number> {
  const id = await createFolder(world.alice, name)
  await setView(id, 'grant')
  await forget()
  return id
}

describe('events of a workspace', () => {
  it('tell all members that files changed, never which ones', async () => {
    const parent = await sharedFolder('Shared')
    const [wendy, bob] = [await follow(world.wendy), await follow(world.bob)]
    expect(wendy.type).toBe('text/event-stream; charset=UTF-8')
    await createFolder(world.alice, 'Secret name', parent)
    await expect.poll(() => kindsSeen(wendy)).toContain('files')
    await expect.poll(() => kindsSeen(bob)).toContain('files')
    expect(JSON.stringify([wendy.seen, bob.seen])).not.toContain('Secret')
    expect(Object.keys(bob.seen[0] ?? {})).toEqual(['kinds', 'own'])
  })

  it('say whether the follower made all the changes', async () => {
    const [alice, wendy] = [await follow(world.alice), await follow(world.wendy)]
    await createFolder(world.alice, 'Mine')
    await expect.poll(() => alice.seen.some(({ own, kinds }) => own && kinds.includes('files'))).toBe(true)
    await expect.poll(() => wendy.seen.some(({ own, kinds }) => !own && kinds.includes('files'))).toBe(true)
  })

  it('tell admins, but no other members, that a user read or visited', async () => {
    const shared = await sharedFolder('Beside it')
    const [alice, bob] = [await follow(world.alice), await follow(world.bob)]
    await service.services.db
      .insertInto('activities')
      .values({
        workspace_id: world.workspace_id,
        user_id: world.wendy.id,
        user_name: 'Wendy Tester',
        verb: 'viewed',
        message: 'viewed the file: a.pdf',
        subject_type: 'Asset',
        subject_id: 1,
      })
      .execute()
    await expect.poll(() => [...kindsSeen(alice)]).toEqual(['activities'])
    // Both get the next change; the member would have heard of the reading by then.
    await createFolder(world.alice, 'After it', shared)
    await expect.poll(() => kindsSeen(bob)).toContain('files')
    expect(kindsSeen(bob)).not.toContain('activities')
  })

  it('include a change from just before, while the page was loading', async () => {
    await createFolder(world.alice, 'Just before', await sharedFolder('Seen'))
    const bob = await follow(world.bob)
    await expect.poll(() => kindsSeen(bob)).toContain('files')
  })

  it('are limited for each user, and disconnecting frees a place', async () => {
    const all = await Promise.all(Array.from({ length: 13 }, () => follow(world.bob)))
    const statuses = all.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 200), 429])
    all.find(({ status }) => status === 200)?.leave()
    await expect.poll(async () => (await follow(world.bob)).status).toBe(200)
  })

  it('last as long as requested, up to the maximum', async () => {
    const status = (seconds: number) =>
      world.bob.statusOf(api.events.follow, { params: { id: world.workspace_id }, query: { seconds } })
    expect(await status(0)).toBe(200)
    expect(await status(FOLLOW_SECONDS + 1)).toBe(422)
  })

  it('refuse HEAD', async () => {
    const path = urlOf(api.events.follow, { params: { id: world.workspace_id } })
    expect((await world.bob.fetch(path, { method: 'HEAD' })).status).toBeGreaterThanOrEqual(400)
  })

  it('do not delay the shutdown of the service', async () => {
    const other = await startTestService()
    const { alice, workspace_id } = await createWorld(other)
    const reader = await readEvents(other, alice, workspace_id)
    await other.close()
    expect(await reader.ended).toBeDefined()
  })
})

describe('K12: a member', () => {
  const body = () => ({ workspace_id: world.workspace_id })
  const upload = async (folder_id: number, file_name: string) =>
    (await world.alice.call(api.files.upload, { query: { ...body(), folder_id, file_name } }, 'x')).id
  const moveFile = (id: number, destination_folder_id: number) =>
    world.alice.call(api.files.move, { params: { id }, body: { ...body(), destination_folder_id } })
  const group = async (name: string) =>
    (await world.alice.call(api.groups.create, { body: { group: { name, ...body() } } })).id

  /** The kinds of events that bob gets for the acts, and for a change of the workspace settings that comes last. */
  async function heard(acts: () => Promise<unknown>): Promise<Set<string>> {
    await world.alice.call(api.workspaces.disableApiAccess, { params: { id: world.workspace_id } })
    await forget()
    const bob = await follow(world.bob)
    await acts()
    await world.alice.call(api.workspaces.enableApiAccess, { params: { id: world.workspace_id } })
    await expect.poll(() => kindsSeen(bob)).toContain('workspace')
    return kindsSeen(bob)
  }

  it('K12: hears nothing of hidden files and folders', async () => {
    const hidden = await createFolder(world.alice, 'Hidden')
    const shared = await sharedFolder('Half open')
    const closed = await createFolder(world.alice, 'Closed', shared)
    await setView(closed, 'revoke')
    const file = await upload(hidden, 'a.txt')
    await forget()
    const kinds = await heard(async () => {
      await upload(hidden, 'b.txt')
      await upload(closed, 'c.txt')
      await moveFile(file, closed)
      const below = await createFolder(world.alice, 'Below', hidden)
      await world.alice.call(api.folders.remove, { params: { id: below }, query: body() })
      await world.alice.call(api.files.remove, { params: { id: file }, query: body() })
      await world.alice.call(api.folders.remove, { params: { id: closed }, query: body() })
    })
    expect(kinds).toEqual(new Set(['workspace']))
  })

  it('K12: hears nothing of other groups and their members', async () => {
    const hidden = await createFolder(world.alice, 'For others')
    await forget()
    const kinds = await heard(async () => {
      const others = await group('Others')
      await setView(hidden, 'grant', others)
      await addMember(world.alice, world.workspace_id, others, await createPerson(service, 'rival'))
      const rename = { params: { id: others }, body: { ...body(), group: { name: 'Renamed' } } }
      await world.alice.call(api.groups.update, rename)
    })
    expect(kinds).toEqual(new Set(['workspace']))
  })

  it.each([
    [
      'a file moves out of sight',
      async (shared: number, hidden: number) => moveFile(await upload(shared, 'm.txt'), hidden),
    ],
    [
      'a folder is deleted that alone was granted',
      async (_: number, hidden: number) => {
        const own = await createFolder(world.alice, 'Own', hidden)
        await setView(own, 'grant')
        await forget()
        return world.alice.call(api.folders.remove, { params: { id: own }, query: body() })
      },
    ],
    ['the right is revoked', (shared: number) => setView(shared, 'revoke')],
  ])('K12: hears that %s', async (_, act) => {
    const hidden = await createFolder(world.alice, 'Out of sight')
    const shared = await sharedFolder('In sight')
    const bob = await follow(world.bob)
    await act(shared, hidden)
    await expect.poll(() => bob.seen.length).toBeGreaterThan(0)
  })

  it('K12: hears when they join or leave a group', async () => {
    const second = await group('Second')
    await forget()
    const bob = await follow(world.bob)
    await addMember(world.alice, world.workspace_id, second, world.bob)
    await expect.poll(() => kindsSeen(bob)).toEqual(new Set(['files', 'permissions']))
  })
})
