import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { type EventReader, readEvents } from '../testing/event-reader.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
const open: EventReader[] = []
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(async () => {
  for (const reader of open) reader.leave()
  await service.close()
})

async function follow(person: Pick<Person, 'credentials'>, headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await readEvents(service, person, world.workspace_id, headers)
  open.push(reader)
  return reader
}

// Access is checked again every few seconds.
describe.concurrent('events of a workspace', () => {
  it('end for a removed member, and are refused to outsiders afterwards', async () => {
    const frida = await createPerson(service, 'frida')
    await addMember(world.alice, world.workspace_id, world.group_id, frida)
    const reader = await follow(frida)
    const params = { id: world.group_id }
    await world.alice.call(api.groups.removeMember, {
      params,
      query: { workspace_id: world.workspace_id, user_id: frida.id },
    })
    await reader.ended
    expect((await follow(frida)).status).toBe(404)
  })

  it('end with the session that follows them', async () => {
    const { id } = await world.wendy.call(api.sessions.create, { body: { method: 'code', user_agent: '' } })
    const reader = await follow(world.wendy, { 'x-api-session': String(id) })
    expect(reader.status).toBe(200)
    await world.wendy.call(api.sessions.remove, { params: { id } })
    await reader.ended
  })

  it('K8: end when the secret of the personal key that signed for them is replaced', async () => {
    await world.alice.call(api.workspaces.enableApiAccess, { params: { id: world.workspace_id } })
    const body = { name: 'Script', scopes: ['activities:read' as const] }
    const {
      id,
      public_key: key,
      secret_key: secret,
      user_token: token,
    } = await world.bob.call(api.apiKeys.create, { body })
    const reader = await follow({ credentials: { key, secret, token } })
    expect(reader.status).toBe(200)
    // Longer than the interval at which access is checked again.
    await new Promise((resolve) => setTimeout(resolve, 5000))
    const ended = await Promise.race([reader.ended.then(() => true), false])
    expect(ended).toBe(false)
    await world.bob.call(api.apiKeys.rotate, { params: { id } })
    await reader.ended
  })

  it('K8: end after the following key loses its scope', async () => {
    const scopes = ['activities:read' as const]
    await world.alice.call(api.workspaces.enableApiAccess, { params: { id: world.workspace_id } })
    const made = await world.bob.call(api.apiKeys.create, { body: { name: 'Follower', scopes } })
    const credentials = { key: made.public_key, secret: made.secret_key, token: made.user_token }
    const reader = await follow({ credentials })
    expect(reader.status).toBe(200)
    await world.bob.call(api.apiKeys.update, { params: { id: made.id }, body: { scopes: ['files:read'] } })
    await reader.ended
  })
})
