import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
})
afterAll(() => service.close())

it('granting to a group during its deletion succeeds or is refused, never fails', async () => {
  const { alice } = world
  const { workspace_id } = room
  const finance = await room.folder('Finance')
  for (let round = 0; round < 5; round++) {
    const group_id = await room.group(`Short-lived ${round}`)
    const body = { workspace_id, group_id, verb: 'grant' as const, folder_action: 'view' as const }
    const grants = Array.from({ length: 6 }, (_, at) =>
      alice.statusOf(api.permissions.set, { params: { id: at % 2 ? finance : 0 }, body }),
    )
    const removal = alice.statusOf(api.groups.remove, { params: { id: group_id }, query: { workspace_id } })
    expect(await removal).toBe(200)
    for (const status of await Promise.all(grants)) expect([200, 404]).toContain(status)
  }
})

it('C4: "All Folders" comes first for members too, whatever the group may see', async () => {
  const { workspace_id } = room
  const group_id = await room.group('Without rights')
  const list = () => world.bob.call(api.permissions.list, { params: { id: 0 }, query: { workspace_id, group_id } })
  expect(await list()).toMatchObject([{ id: 0, name: 'All Folders', view: false, children: 0 }])
})
