import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
let open: number
let closed: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  open = await room.folder('Open')
  closed = await room.folder('Closed')
  await room.grant(open, 'download')
})

type Asked = NonNullable<Call<typeof api.permissions.foresee>['body']>
const bodyOf = (asked: Partial<Asked>): Asked => ({
  workspace_id: room.workspace_id,
  verb: 'move',
  destination_folder_id: open,
  ...asked,
})
const foresee = (asked: Partial<Asked>) => world.alice.call(api.permissions.foresee, { body: bodyOf(asked) })
const statusOf = (asked: Partial<Asked>) => world.alice.statusOf(api.permissions.foresee, { body: bodyOf(asked) })

const nothing = { folders: 0, files: 0 }
const none = { view: nothing, download: nothing, upload: nothing }

describe('the forecast of a move', () => {
  it('names the groups and users who will see more', async () => {
    const inner = await room.folder('Inner', closed)
    await room.upload(world.alice, inner, 'a.txt')
    const gains = { view: { folders: 2, files: 1 }, download: { folders: 2, files: 1 }, upload: nothing }
    const user = { id: world.bob.id, first_name: 'Bob', last_name: 'Tester', email: 'bob@example.com' }
    expect(await foresee({ folder_ids: [closed] })).toEqual({
      groups: { total: 1, listed: [{ group_id: room.group_id, group_name: 'Bidders', gains, loses: none }] },
      people: { total: 1, listed: [{ user, gains, loses: none }] },
      is_partial: false,
    })
  })

  it('counts repeated items once', async () => {
    const inner = await room.folder('Inner', closed)
    const { id } = await room.upload(world.alice, inner, 'a.txt')
    const { groups } = await foresee({ folder_ids: [inner, closed, closed], file_ids: [id, id] })
    expect(groups.listed[0]?.gains.view).toEqual({ folders: 2, files: 1 })
  })

  it('does not report a loss for users who have the right through another group', async () => {
    await room.grant(closed, 'view', await room.group('Lenders'))
    const { id } = await room.upload(world.alice, open, 'a.txt')
    const { groups, people } = await foresee({ file_ids: [id], destination_folder_id: closed })
    expect(
      groups.listed.map(({ group_name, gains, loses }) => [group_name, gains.view.files, loses.view.files]),
    ).toEqual([
      ['Bidders', 0, 1],
      ['Lenders', 1, 0],
    ])
    expect(people.listed.map(({ user, loses }) => [user.id, loses])).toEqual([
      [world.bob.id, { ...none, download: { folders: 0, files: 1 } }],
    ])
  })

  it('reports no gain for a group whose access has expired', async () => {
    const expire_workspace_access_at = new Date().toISOString().slice(0, 10)
    const { db } = service.services
    await db.updateTable('groups').set({ expire_workspace_access_at }).where('id', '=', room.group_id).execute()
    const { groups, people } = await foresee({ folder_ids: [closed] })
    expect([groups.total, people.total]).toEqual([0, 0])
  })

  it('lists the first of very many users and counts all', async () => {
    const { workspace_id } = room
    await Promise.all(
      Array.from({ length: 52 }, (_, at) => {
        const body = { workspace_id, email: `guest${at}@example.com`, send_email: false }
        return world.alice.call(api.groups.addMember, { params: { id: room.group_id }, body })
      }),
    )
    const { people } = await foresee({ folder_ids: [closed] })
    expect([people.total, people.listed.length]).toEqual([53, 50])
  })

  it.each<[string, () => Partial<Asked>, number]>([
    ['into the folder itself', () => ({ folder_ids: [open] }), 422],
    ['of a folder that is absent', () => ({ folder_ids: [999_999] }), 404],
    ['of a file that is absent', () => ({ file_ids: [999_999] }), 404],
    ['of a folder of another workspace', () => ({ folder_ids: [closed], workspace_id: world.workspace_id }), 404],
    ['of the root', () => ({ folder_ids: [0] }), 422],
  ])('%s is refused', async (_, asked, status) => {
    expect(await statusOf(asked())).toBe(status)
  })
})

describe('the forecast of a copy', () => {
  it('reports no losses', async () => {
    const { groups, people } = await foresee({ verb: 'copy', folder_ids: [open], destination_folder_id: closed })
    expect([groups.total, people.total]).toEqual([0, 0])
  })

  it('names the users who may see the copy but not the original', async () => {
    const { id } = await room.upload(world.alice, closed, 'a.txt')
    const { people } = await foresee({ verb: 'copy', file_ids: [id] })
    expect(people.listed[0]?.gains.view).toEqual({ folders: 0, files: 1 })
  })
})
