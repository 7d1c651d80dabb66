import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { sign } from '../../../signing/signature.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type World } from '../../testing/world.ts'

let service: TestService
let world: World
let room: Room
let folder: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('Finance')
})

describe('K29: what is read along with the authentication of a request', () => {
  const inRoom = () => ({ params: { id: folder }, query: { workspace_id: room.workspace_id } })

  test('serves its caller only: an admin who views as others sees what they see', async () => {
    const { alice, bob } = world
    for (const who of [{ group_id: room.group_id }, { user_id: bob.id }]) {
      const call = { ...inRoom(), query: { ...inRoom().query, ...who } }
      expect(await alice.statusOf(api.permissions.viewAs, call)).toBe(404)
    }
    await room.grant(folder, 'view')
    const call = { ...inRoom(), query: { ...inRoom().query, user_id: bob.id } }
    expect((await alice.call(api.permissions.viewAs, call)).abilities).toEqual({
      view: true,
      download: false,
      upload: false,
      manage: false,
    })
  })

  test('serves one request only: a right or membership that ends is gone with the next one', async () => {
    const { alice, bob } = world
    await room.grant(folder, 'view')
    expect(await bob.statusOf(api.folders.get, inRoom())).toBe(200)
    await room.revoke(folder, 'view')
    expect(await bob.statusOf(api.folders.get, inRoom())).toBe(404)
    await room.grant(folder, 'upload')
    const body = { workspace_id: room.workspace_id, parent_id: folder, name: 'New' }
    expect(await bob.statusOf(api.folders.create, { body })).toBe(201)
    const query = { workspace_id: room.workspace_id, user_id: bob.id }
    await alice.call(api.groups.removeMember, { params: { id: room.group_id }, query })
    expect(await bob.statusOf(api.folders.create, { body: { ...body, name: 'Newer' } })).toBe(404)
  })

  test('is not mixed between workspaces: a folder or group of another one is not found', async () => {
    const { alice } = world
    const other = await createRoom(world)
    const query = { workspace_id: other.workspace_id }
    expect(await alice.statusOf(api.folders.get, { params: { id: folder }, query })).toBe(404)
    expect(await alice.statusOf(api.groups.get, { params: { id: room.group_id }, query })).toBe(404)
    const body = { ...query, parent_id: folder, name: 'New' }
    expect(await alice.statusOf(api.folders.create, { body })).toBe(404)
    const grid = { params: { id: folder }, query: { workspace_id: room.workspace_id, group_id: other.group_id } }
    expect(await alice.statusOf(api.permissions.list, grid)).toBe(404)
  })

  test.each(['', '{"workspace_id": 1, "name": "New'])(
    'does not wait for a body that stops after %j: a forged request is refused',
    async (begin) => {
      const headers = { ...sign({ ...world.alice.credentials, secret: 'guess' }, Math.floor(Date.now() / 1000) + 60) }
      const status = await new Promise((resolve, reject) => {
        const sent = request(`${service.url}/api/v1/folders`, {
          method: 'POST',
          headers: { ...headers, 'content-length': 100 },
        })
        sent.on('error', reject).on('response', (reply) => {
          resolve(reply.statusCode)
          // The service would wait for the rest of the body before it stops.
          sent.destroy()
        })
        sent.flushHeaders()
        if (begin) sent.write(begin)
      })
      expect(status).toBe(401)
    },
  )

  test('is the same in which pieces a body arrives', async () => {
    const body = JSON.stringify({ workspace_id: room.workspace_id, parent_id: folder, name: 'In pieces' })
    const signed = sign(world.alice.credentials, Math.floor(Date.now() / 1000) + 60)
    const headers = { ...signed, 'content-length': Buffer.byteLength(body) }
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${service.url}/api/v1/folders`, { method: 'POST', headers })
      sent.on('response', (reply) => resolve(reply.statusCode)).on('error', reject)
      sent.write(body.slice(0, 10))
      setTimeout(() => sent.end(body.slice(10)), 50)
    })
    expect(status).toBe(201)
  })
})
