import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { Client } from '../testing/client.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { readDocuments } from '../testing/jobs.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let room: Room

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
})

const { apiKeys, groups, users, workspaces } = api
const inRoom = () => ({ workspace_id: room.workspace_id })
const all = async (person: Pick<Person, 'call'>) => (await person.call(users.news, {})).workspaces
const newsOf = async (person: Person) =>
  (await all(person)).find(({ workspace_id }) => workspace_id === room.workspace_id)
const visit = (person: Person) => person.call(workspaces.get, { params: { id: room.workspace_id } })
/** Moves all activities and visits of the room into the past. */
async function wait(days: number) {
  const back = sql<Date>`- ${days}::int * interval '1 day'`
  const { db } = service.services
  const ofRoom = sql`where workspace_id = ${room.workspace_id}`
  await sql`update activities set created_at = created_at ${back} ${ofRoom}`.execute(db)
  await sql`update workspace_memberships set last_active_at = last_active_at ${back} ${ofRoom}`.execute(db)
}

describe('news of workspaces', () => {
  it('counts what others changed since the last visit, and what is unread, without being a visit', async () => {
    const folder = await room.folder('Seen')
    await room.grant(folder, 'upload')
    const { id } = await room.upload(world.alice, folder, 'a.txt')
    await room.upload(world.alice, folder, 'b.txt')
    await room.upload(world.bob, folder, 'own.txt')
    const fresh = { new_files: 2, unread_files: 2, to_do: null }
    expect(await newsOf(world.bob)).toMatchObject(fresh)
    expect(await newsOf(world.bob)).toMatchObject(fresh)

    await visit(world.bob)
    expect(await newsOf(world.bob)).toMatchObject({ new_files: 0, unread_files: 2 })
    await room.upload(world.alice, folder, 'c.txt')
    expect(await newsOf(world.bob)).toMatchObject({ new_files: 1, unread_files: 3 })
    await service.services.db
      .insertInto('file_views')
      .values({ ...inRoom(), user_id: world.bob.id, file_id: id, viewed_at: new Date() })
      .execute()
    expect(await newsOf(world.bob)).toMatchObject({ unread_files: 2 })
    await wait(89)
    expect(await newsOf(world.bob)).toMatchObject({ unread_files: 2 })
    await wait(2)
    expect(await newsOf(world.bob)).toMatchObject({ new_files: 0, unread_files: 0 })
  })

  test('K75: count only what the caller may view, and tell only admins what is to be done', async () => {
    const hidden = await room.folder('Hidden')
    await room.upload(world.alice, hidden, 'secret.txt')
    expect(await newsOf(world.bob)).toMatchObject({ new_files: 0, unread_files: 0, to_do: null })
    expect((await newsOf(world.alice))?.to_do).not.toBeNull()
    expect(await newsOf(world.mallory)).toBeUndefined()
    await room.grant(hidden, 'view')
    expect(await newsOf(world.bob)).toMatchObject({ new_files: 1 })
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const groupsOfRoom = service.services.db.updateTable('groups').where('workspace_id', '=', room.workspace_id)
    await groupsOfRoom.set({ expire_workspace_access_at: yesterday }).where('id', '=', room.group_id).execute()
    expect(await newsOf(world.bob)).toMatchObject({ new_files: 0, unread_files: 0 })
  })

  it('names what an admin should look at: files that cannot be shown, and people who were invited and have not come', async () => {
    const folder = await room.folder('Folder')
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await room.upload(world.alice, folder, name, '%PDF-1.4 nothing')
    await readDocuments(service)
    const kim = await createPerson(service, `kim${room.workspace_id}`)
    const lee = await createPerson(service, `lee${room.workspace_id}`)
    const add = (user: Person, send_email: boolean) =>
      world.alice.call(groups.addMember, {
        params: { id: room.group_id },
        body: { ...inRoom(), email: user.email, send_email },
      })
    await add(kim, true)
    await add(lee, false)
    await visit(world.bob)
    expect((await newsOf(world.alice))?.to_do).toEqual({
      failed_files: { count: 3, names: ['c.pdf', 'b.pdf'] },
      awaited_members: { count: 1, names: [`Kim${room.workspace_id} Tester`] },
    })
    await visit(kim)
    expect((await newsOf(world.alice))?.to_do?.awaited_members).toEqual({ count: 0, names: [] })
  })

  it('are those of the 12 workspaces that the caller visited last', async () => {
    const nora = await createPerson(service, `nora${room.workspace_id}`)
    const added: number[] = []
    for (let n = 0; n < 13; n++) {
      const { workspace_id, group_id } = await createRoom(world)
      await addMember(world.alice, workspace_id, group_id, nora)
      added.unshift(workspace_id)
    }
    const ids = async () => (await all(nora)).map(({ workspace_id }) => workspace_id)
    expect(await ids()).toEqual(added.slice(0, 12))
    const oldest = added[12] ?? 0
    await nora.call(workspaces.get, { params: { id: oldest } })
    expect(await ids()).toEqual([oldest, ...added.slice(0, 11)])
  })

  test('K75: a personal key gets those of workspaces with API access alone, and only if it may read files', async () => {
    await visit(world.alice)
    const keyed = async (scope: 'files:read' | 'teams:read') => {
      const created = await world.alice.call(apiKeys.create, { body: { name: 'Script', scopes: [scope] } })
      const { public_key: key, secret_key: secret, user_token: token } = created
      return new Client(service.url, { key, secret, token })
    }
    const reader = await keyed('files:read')
    expect((await all(reader)).map(({ workspace_id }) => workspace_id)).not.toContain(room.workspace_id)
    await world.alice.call(workspaces.enableApiAccess, { params: { id: room.workspace_id } })
    expect((await all(reader)).map(({ workspace_id }) => workspace_id)).toContain(room.workspace_id)
    expect(await (await keyed('teams:read')).statusOf(users.news, {})).toBe(403)
  })
})
