import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FOLLOW_SECONDS } from '../../contract/events.ts'
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
  // What a test before has done must not be told to those who begin to follow in the next.
  return service.services.db
    .updateTable('activities')
    .set({ created_at: new Date(Date.now() - 30_000).toISOString() })
    .execute()
})
afterAll(() => service.close())

async function follow(person: Person, headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await readEvents(service, person, world.workspace_id, headers)
  open.push(reader)
  return reader
}

const kindsSeen = ({ seen }: EventReader) => new Set(seen.flatMap((event) => event.kinds))
const createFolder = (person: Person, name: string) =>
  person.call(api.folders.create, { body: { workspace_id: world.workspace_id, name, parent_id: 0 } })

describe('events of a workspace', () => {
  it('tell everybody inside that files have changed, and never which', async () => {
    const [wendy, bob] = [await follow(world.wendy), await follow(world.bob)]
    expect(wendy.type).toBe('text/event-stream; charset=UTF-8')
    await createFolder(world.alice, 'Secret name')
    await expect.poll(() => kindsSeen(wendy)).toContain('files')
    await expect.poll(() => kindsSeen(bob)).toContain('files')
    expect(JSON.stringify([wendy.seen, bob.seen])).not.toContain('Secret')
    expect(Object.keys(bob.seen[0] ?? {})).toEqual(['kinds', 'own'])
  })

  it('say whether all of it was the own doing', async () => {
    const [alice, wendy] = [await follow(world.alice), await follow(world.wendy)]
    await createFolder(world.alice, 'Mine')
    await expect.poll(() => alice.seen.some(({ own, kinds }) => own && kinds.includes('files'))).toBe(true)
    await expect.poll(() => wendy.seen.some(({ own, kinds }) => !own && kinds.includes('files'))).toBe(true)
  })

  it('tell admins that somebody read or came, and other members nothing of it', async () => {
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
    // The next change comes to both; by then the member would have heard of the reading.
    await createFolder(world.alice, 'After it')
    await expect.poll(() => kindsSeen(bob)).toContain('files')
    expect(kindsSeen(bob)).not.toContain('activities')
  })

  it('tell of a change that was made just before, while the page was being read', async () => {
    await createFolder(world.alice, 'Just before')
    const bob = await follow(world.bob)
    await expect.poll(() => kindsSeen(bob)).toContain('files')
  })

  it('end for who is removed, and tell what happens afterwards to nobody outside', async () => {
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

  it('end with the session that they came from', async () => {
    const { id } = await world.wendy.call(api.sessions.create, { body: { method: 'code', user_agent: '' } })
    const reader = await follow(world.wendy, { 'x-api-session': String(id) })
    expect(reader.status).toBe(200)
    await world.wendy.call(api.sessions.remove, { params: { id } })
    await reader.ended
  })

  it('are bounded for each user, and those who leave make room', async () => {
    const all = await Promise.all(Array.from({ length: 13 }, () => follow(world.bob)))
    const statuses = all.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 200), 429])
    all.find(({ status }) => status === 200)?.leave()
    await expect.poll(async () => (await follow(world.bob)).status).toBe(200)
  })

  it('last as long as is asked for, and no longer than allowed', async () => {
    const status = (seconds: number) =>
      world.bob.statusOf(api.events.follow, { params: { id: world.workspace_id }, query: { seconds } })
    expect(await status(0)).toBe(200)
    expect(await status(FOLLOW_SECONDS + 1)).toBe(422)
  })

  it('answer no HEAD', async () => {
    const path = urlOf(api.events.follow, { params: { id: world.workspace_id } })
    expect((await world.bob.fetch(path, { method: 'HEAD' })).status).toBeGreaterThanOrEqual(400)
  })

  it('do not hold up the end of the service', async () => {
    const other = await startTestService()
    const { alice, workspace_id } = await createWorld(other)
    const reader = await readEvents(other, alice, workspace_id)
    await other.close()
    expect(await reader.ended).toBeDefined()
  })
})
