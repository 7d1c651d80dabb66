import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { untilLockWait } from '../testing/database/lock-waits.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'

// An act may wait for a lock while its subject is renamed. Its activity has the names that held when the act was done.

let service: TestService
let world: World
let room: Room
let folder: number
let target: number
let file: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  folder = await room.folder('Finance', await room.folder('Deal'))
  target = await room.folder('Archive')
  file = (await room.upload(world.alice, folder, 'plan.txt')).id
  await room.upload(world.alice, folder, 'other.txt')
})

/**
 * Renames everything in a transaction that ends only when the act waits for it. @returns the new messages, newest first
 */
async function messagesOf(act: () => Promise<unknown>): Promise<string[]> {
  const { db } = service.services
  const { workspace_id } = room
  const before = (await room.messages()).length
  let acting: Promise<unknown> = Promise.resolve()
  await db.transaction().execute(async (tx) => {
    await sql`select from workspaces where id = ${workspace_id} for update`.execute(tx)
    await sql`select from groups where workspace_id = ${workspace_id} and kind = 'all_members' for update`.execute(tx)
    await sql`update folders set name = 'New ' || name where workspace_id = ${workspace_id} and id <> 0`.execute(tx)
    await sql`update files set title = 'new ' || title where workspace_id = ${workspace_id}`.execute(tx)
    await sql`update groups set name = 'New ' || name where workspace_id = ${workspace_id} and kind = 'custom'`.execute(
      tx,
    )
    acting = act()
    acting.catch(() => {})
    await untilLockWait(db)
  })
  await acting
  const messages = await room.messages()
  return messages.slice(0, messages.length - before)
}

const inRoom = () => ({ workspace_id: room.workspace_id })
const ofFolder = () => ({ params: { id: folder } })
const ofFile = () => ({ params: { id: file } })
const ofGroup = () => ({ params: { id: room.group_id } })
const into = () => ({ body: { ...inRoom(), destination_folder_id: target } })
const { files, folders, groups, permissions } = api

const acts: [what: string, act: (alice: Person) => Promise<unknown>, message: string][] = [
  [
    'a folder that is renamed',
    (alice) => alice.call(folders.update, { ...ofFolder(), body: { ...inRoom(), folder: { name: 'Money' } } }),
    'renamed the folder "New Finance" to "Money"',
  ],
  [
    'a folder that is moved',
    (alice) => alice.call(folders.move, { ...ofFolder(), ...into() }),
    'moved the folder "New Finance" from "New Deal" into the folder "New Archive"',
  ],
  [
    'a folder that is copied',
    (alice) => alice.call(folders.copy, { ...ofFolder(), ...into() }),
    'copied the folder "New Finance" from "New Deal" into the folder "New Archive"',
  ],
  [
    'a folder that is deleted',
    (alice) => alice.call(folders.remove, { ...ofFolder(), query: inRoom() }),
    'deleted the folder: New Finance',
  ],
  [
    'a file that is renamed',
    (alice) => alice.call(files.update, { ...ofFile(), body: { ...inRoom(), file: { title: 'Plan B' } } }),
    'renamed the file "new plan.txt" to "Plan B.txt"',
  ],
  [
    'a file that is put elsewhere',
    (alice) => alice.call(files.update, { ...ofFile(), body: { ...inRoom(), file: { index: 2 } } }),
    'updated the file: new plan.txt',
  ],
  [
    'a file that is moved',
    (alice) => alice.call(files.move, { ...ofFile(), ...into() }),
    'moved the file "new plan.txt" from "New Finance" into the folder "New Archive"',
  ],
  [
    'a file that is copied',
    (alice) => alice.call(files.copy, { ...ofFile(), ...into() }),
    'copied the file "new plan.txt" from "New Finance" into the folder "New Archive"',
  ],
  [
    'a file that is deleted',
    (alice) => alice.call(files.remove, { ...ofFile(), query: inRoom() }),
    'deleted the file: new plan.txt',
  ],
  ['a right', () => room.grant(folder, 'view'), 'granted view access to New Finance for group: New Bidders'],
  [
    'several rights',
    (alice) => {
      const changes = [{ folder_id: folder, group_id: room.group_id, rights: { view: true } }]
      return alice.call(permissions.change, { body: { ...inRoom(), changes } })
    },
    'granted view access to New Finance for group: New Bidders',
  ],
  [
    'DRM',
    (alice) => alice.call(groups.setDrm, { ...ofGroup(), body: { ...inRoom(), group: { drm_enabled: true } } }),
    'granted DRM rights for group: New Bidders',
  ],
  [
    'a watermark',
    (alice) =>
      alice.call(groups.setWatermarking, { ...ofGroup(), body: { ...inRoom(), group: { watermarking: true } } }),
    'granted Download Watermarked rights for group: New Bidders',
  ],
  [
    'an end of access',
    (alice) => {
      const body = { ...inRoom(), group: { expire_workspace_access_at: '2199-01-01' } }
      return alice.call(groups.setAccessExpiry, { ...ofGroup(), body })
    },
    'set workspace access to expire on 2199-01-01 for group: New Bidders',
  ],
  [
    'a group that is deleted',
    (alice) => alice.call(groups.remove, { ...ofGroup(), query: inRoom() }),
    'deleted the group: New Bidders',
  ],
  [
    'a member who is added',
    (alice) => addMember(alice, room.workspace_id, room.group_id, world.tina),
    'added Tina Tester to group New Bidders',
  ],
  [
    'a member who is removed',
    (alice) => alice.call(groups.removeMember, { ...ofGroup(), query: { ...inRoom(), user_id: world.bob.id } }),
    'removed Bob Tester from group New Bidders',
  ],
]

describe('the activity of an act that waited while names changed', () => {
  it.each(acts)('has the current names of %s', async (_, act, message) => {
    expect(await messagesOf(() => act(world.alice))).toContain(message)
  })
})

describe('a team change that waited', () => {
  const newestEntry = async () => {
    const lines = await world.olivia.call(api.audit.exportOrganization, {})
    return lines.findLast((line) => line.type === 'record' && line.entry.subject_type === 'Team')
  }
  const add = async () => {
    const { email } = await createPerson(service, `mate${room.workspace_id}`)
    const call = { params: { id: world.team_id }, body: { email } }
    return async () => world.alice.statusOf(api.teams.addMember, call)
  }

  /** Runs `act` while a transaction with `change` holds the team's lock. @returns the result of `act` */
  async function whileHeld<T>(change: RawBuilder<unknown>, act: () => Promise<T>): Promise<T> {
    let acting: Promise<T> | undefined
    await service.services.db.transaction().execute(async (tx) => {
      await sql`select from teams where id = ${world.team_id} for update`.execute(tx)
      await change.execute(tx)
      acting = act()
      await untilLockWait(service.services.db)
    })
    return acting as Promise<T>
  }

  it('has the current name of the team', async () => {
    const rename = sql`update teams set name = 'New team' where id = ${world.team_id}`
    expect(await whileHeld(rename, await add())).toBe(201)
    expect(JSON.stringify(await newestEntry())).toContain('to the team New team')
  })

  test('C9: is refused if the caller left the team meanwhile', async () => {
    const leave = sql`delete from team_memberships where team_id = ${world.team_id} and user_id = ${world.alice.id}`
    expect(await whileHeld(leave, await add())).toBe(404)
    const members = await world.tina.call(api.teams.listMembers, { params: { id: world.team_id } })
    expect(members.memberships.map(({ user }) => user.email)).not.toContain(`mate${room.workspace_id}@example.com`)
  })
})
