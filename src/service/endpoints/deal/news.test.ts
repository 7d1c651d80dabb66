import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { Client } from '../../testing/client.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { readDocuments } from '../../testing/jobs.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../../testing/world.ts'

let service: TestService
let world: World
let room: Room

const NONE = { count: 0, names: [] }

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
})

const { apiKeys, files, folders, groups, news, permissions, questions, users, workspaces } = api
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
      changed_names: NONE,
      overdue_questions: NONE,
      to_approve: NONE,
      to_answer: NONE,
      failed_drafts: NONE,
      unplanned_drafts: NONE,
      awaited_groups: NONE,
    })
    await visit(kim)
    expect((await newsOf(world.alice))?.to_do?.awaited_members).toEqual({ count: 0, names: [] })
  })

  it('counts the questions that an admin is to answer or approve, and those that are overdue once', async () => {
    const { alice, bob } = world
    const body = { groups: [{ group_id: room.group_id, may_ask: true }] }
    await alice.call(questions.updateSettings, { params: inRoom(), body })
    const ask = async (subject: string, facts: object) => {
      const { id: question_id } = await bob.call(questions.ask, { params: inRoom(), body: { question: { subject } } })
      const params = { ...inRoom(), question_id }
      await alice.call(questions.update, { params, body: { question: facts } })
      return params
    }
    const mine = { assignee_id: alice.id }
    await ask('Nobody’s', { due_on: '2020-01-01' })
    await ask('Mine', { ...mine, due_on: '2999-01-01' })
    await ask('Drafted', { ...mine, draft: 'The seller.' })
    await ask('Late', { ...mine, due_on: '2020-01-01' })
    const submitted = await ask('Submitted', { ...mine, approver_id: alice.id, draft: 'The buyer.' })
    await alice.call(questions.move, { params: submitted, body: { step: 'submit' } })
    const closed = await ask('Closed', mine)
    await alice.call(questions.move, { params: closed, body: { step: 'close' } })
    const subjectsOf = async (query: object) =>
      (await alice.call(questions.list, { params: inRoom(), query })).questions.map(({ subject }) => subject).toSorted()
    expect(await subjectsOf({ awaits_id: alice.id })).toEqual(['Drafted', 'Late', 'Mine', 'Submitted'])
    expect(await subjectsOf({ awaits_id: alice.id, status: 'to_approve' })).toEqual(['Submitted'])
    expect(await bob.statusOf(questions.list, { params: inRoom(), query: { awaits_id: bob.id } })).toBe(403)
    expect((await newsOf(alice))?.to_do).toMatchObject({
      overdue_questions: { count: 1, names: ['Late'] },
      to_approve: { count: 1, names: ['Submitted'] },
      to_answer: { count: 2, names: ['Drafted', 'Mine'] },
    })
    expect(await newsOf(bob)).toMatchObject({ to_do: null })
  })

  it('names drafts that no plan published, those without a plan, and draft groups in which people wait', async () => {
    const { alice } = world
    const name = 'Failed'
    const { id: failed } = await alice.call(api.drafts.create, { body: { ...inRoom(), parent_id: 0, name } })
    const { db } = service.services
    await db
      .insertInto('draft_schedules')
      .values({
        ...inRoom(),
        folder_ids: [failed],
        opens_at: new Date(),
        planned_by_id: alice.id,
        planned_at: new Date(),
        problem: 'no_admin',
      })
      .execute()
    await alice.call(api.drafts.create, { body: { ...inRoom(), parent_id: 0, name: 'Unplanned' } })
    await alice.call(api.groups.create, { body: { group: { name: 'Empty', ...inRoom(), is_draft: true } } })
    const { id } = await alice.call(api.groups.create, {
      body: { group: { name: 'Waiting', ...inRoom(), is_draft: true } },
    })
    const kim = await createPerson(service, `waiting${room.workspace_id}`)
    await addMember(alice, room.workspace_id, id, kim)
    expect((await newsOf(alice))?.to_do).toMatchObject({
      failed_drafts: { count: 1, names: ['Failed'] },
      unplanned_drafts: { count: 1, names: ['Unplanned'] },
      awaited_groups: { count: 1, names: ['Waiting'] },
    })
  })

  it('names people whose new name an admin should accept, but not the admin', async () => {
    const changed = async () => (await newsOf(world.alice))?.to_do?.changed_names
    const rename = (person: Person, first_name: string) =>
      person.call(users.updateMe, { body: { user: { first_name } } })
    await rename(world.bob, 'Robert')
    await rename(world.alice, 'Alicia')
    expect(await changed()).toEqual({ count: 1, names: ['Robert Tester'] })
    const params = { id: room.workspace_id, user_id: world.bob.id }
    await world.alice.call(workspaces.acceptName, { params, body: { first_name: 'Robert', last_name: 'Tester' } })
    expect(await changed()).toEqual({ count: 0, names: [] })
    await Promise.all([rename(world.bob, 'Bob'), rename(world.alice, 'Alice')])
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

  it('K75: tell a key that reads no questions and no groups nothing of them, also not what is to be done', async () => {
    const { alice, bob } = world
    const groupsThatAsk = [{ group_id: room.group_id, may_ask: true }]
    await alice.call(questions.updateSettings, { params: inRoom(), body: { groups: groupsThatAsk } })
    const question = { subject: 'Who pays?' }
    const { id: question_id } = await bob.call(questions.ask, { params: inRoom(), body: { question } })
    const named = { question: { assignee_id: alice.id } }
    await alice.call(questions.update, { params: { ...inRoom(), question_id }, body: named })
    await alice.call(workspaces.enableApiAccess, { params: { id: room.workspace_id } })
    const toDoOf = async (...scopes: ('files:read' | 'questions:read')[]) => {
      const made = await alice.call(apiKeys.create, { body: { name: 'Script', scopes } })
      const { public_key: key, secret_key: secret, user_token: token } = made
      const script = new Client(service.url, { key, secret, token })
      return (await all(script)).find(({ workspace_id }) => workspace_id === room.workspace_id)?.to_do
    }
    expect(await toDoOf('files:read')).toMatchObject({ to_answer: NONE, overdue_questions: NONE, to_approve: NONE })
    expect(await toDoOf('files:read', 'questions:read')).toMatchObject({
      to_answer: { count: 1, names: ['Who pays?'] },
    })
  })
})

const items = async (person: Pick<Person, 'call'>) =>
  (await person.call(news.list, { query: { workspace_id: room.workspace_id } })).items
const titles = async (person: Person) => (await items(person)).flatMap(({ file }) => file?.title ?? [])
const unreadIn = (person: Person) => person.call(news.listUnread, { params: { id: room.workspace_id } })
const markRead = (person: Person, until: string, workspace_id?: number) =>
  person.call(news.markRead, { body: { until, workspace_id } })
const newestOf = async (person: Person) => (await items(person))[0]?.at ?? ''

async function answered(subject: string) {
  const body = { groups: [{ group_id: room.group_id, may_ask: true }] }
  await world.alice.call(questions.updateSettings, { params: inRoom(), body })
  const { id } = await world.bob.call(questions.ask, { params: inRoom(), body: { question: { subject } } })
  const params = { ...inRoom(), question_id: id }
  const answer = async () => {
    await world.alice.call(questions.update, { params, body: { question: { draft: 'Because.' } } })
    await world.alice.call(questions.answer, { params, body: {} })
  }
  return { params, answer }
}

describe('the list of news', () => {
  it('has documents, answers and changes of access, and marks of what is unread that end with a view', async () => {
    const folder = await room.folder('Seen')
    const below = await room.folder('Below', folder)
    await room.grant(folder, 'view')
    const { id } = await room.upload(world.alice, below, 'a.txt')
    const { params, answer } = await answered('Why?')
    await answer()
    const told = await items(world.bob)
    expect(
      told.map(({ unread, access, file, question }) => [unread, access ?? file?.title ?? question?.subject]),
    ).toEqual([
      [true, 'Why?'],
      [true, 'a.txt'],
      [true, 'granted'],
      [true, 'group'],
    ])
    expect(told[1]?.file).toMatchObject({ file_id: id, folder_id: below, folder_name: 'Below', version: 1 })
    expect(await newsOf(world.bob)).toMatchObject({ unread_files: 1, unread_questions: 1, unread_access: 2 })
    expect(await unreadIn(world.bob)).toEqual({ file_ids: [id], folder_ids: [0, folder, below] })

    await world.bob.call(questions.get, { params })
    await world.bob.call(files.pages, { params: { id }, query: inRoom() }).catch(() => undefined)
    await service.services.db
      .insertInto('file_views')
      .values({ ...inRoom(), user_id: world.bob.id, file_id: id, viewed_at: new Date() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    expect(await newsOf(world.bob)).toMatchObject({ unread_files: 0, unread_questions: 0, unread_access: 2 })
    expect(await unreadIn(world.bob)).toEqual({ file_ids: [], folder_ids: [] })
    expect((await items(world.bob)).filter(({ unread }) => unread)).toHaveLength(2)
  })

  it('has the copies of files, and the files in the copy of a folder', async () => {
    const hidden = await room.folder('Hidden')
    const seen = await room.folder('Seen')
    const below = await room.folder('Below', hidden)
    await room.grant(seen, 'view')
    const { id } = await room.upload(world.alice, hidden, 'a.txt')
    await room.upload(world.alice, below, 'b.txt')
    expect(await titles(world.bob)).toEqual([])

    const to = { ...inRoom(), destination_folder_id: seen }
    const copy = await world.alice.call(files.copy, { params: { id }, body: to })
    const { id: folder } = await world.alice.call(folders.copy, { params: { id: below }, body: to })
    expect(await titles(world.bob)).toEqual(['b.txt', 'a.txt'])
    const unread = await unreadIn(world.bob)
    expect(unread.file_ids).toContain(copy.id)
    expect(unread.folder_ids).toEqual([0, seen, folder])
    expect(await newsOf(world.bob)).toMatchObject({ unread_files: 2 })

    await world.alice.call(folders.copy, { params: { id: below }, body: { ...to, conflict: 'skip' } })
    expect(await newsOf(world.bob)).toMatchObject({ unread_files: 2 })
  })

  it('tells workspace admins of questions that others asked, until they are answered or opened', async () => {
    const { params, answer } = await answered('Open?')
    expect(await items(world.alice)).toMatchObject([{ unread: true, question: { subject: 'Open?', status: 'open' } }])
    expect(await newsOf(world.alice)).toMatchObject({ unread_questions: 1, unread_access: 0 })
    await world.alice.call(questions.get, { params })
    expect(await newsOf(world.alice)).toMatchObject({ unread_questions: 0 })
    expect(await newsOf(world.bob)).toMatchObject({ unread_questions: 0 })
    await answer()
    expect(await items(world.alice)).toEqual([])
    expect(await newsOf(world.bob)).toMatchObject({ unread_questions: 1 })
  })

  it('is marked as read up to a time, never back, not for others, and not beyond the present', async () => {
    const folder = await room.folder('Seen')
    await room.grant(folder, 'view')
    await room.upload(world.alice, folder, 'a.txt')
    await markRead(world.bob, await newestOf(world.bob), room.workspace_id)
    expect(await newsOf(world.bob)).toMatchObject({ unread_files: 0, unread_access: 0 })
    expect((await items(world.bob)).map(({ unread }) => unread)).toEqual([false, false, false])
    expect(await unreadIn(world.bob)).toEqual({ file_ids: [], folder_ids: [] })
    await markRead(world.bob, '2020-01-01T00:00:00Z')
    expect(await newsOf(world.bob)).toMatchObject({ unread_files: 0 })

    await markRead(world.bob, '2099-01-01T00:00:00+01:00')
    await room.upload(world.alice, folder, 'b.txt')
    expect(await newsOf(world.bob)).toMatchObject({ unread_files: 1 })
    await visit(world.bob)
    await markRead(world.bob, await newestOf(world.bob))
    expect(await newsOf(world.bob)).toMatchObject({ unread_files: 0 })
    expect((await newsOf(world.alice))?.unread_files).toBe(0)
  })

  test('K75: a personal key needs the scope of questions and of groups to read of these, and marks nothing', async () => {
    const folder = await room.folder('Seen')
    await room.grant(folder, 'view')
    await room.upload(world.alice, folder, 'a.txt')
    await (await answered('Why?')).answer()
    await world.alice.call(workspaces.enableApiAccess, { params: { id: room.workspace_id } })
    const keyed = async (scopes: ('files:read' | 'questions:read' | 'groups:read')[]) => {
      const created = await world.bob.call(apiKeys.create, { body: { name: 'Script', scopes } })
      const { public_key: key, secret_key: secret, user_token: token } = created
      return new Client(service.url, { key, secret, token })
    }
    const reader = await keyed(['files:read'])
    expect(await items(reader)).toMatchObject([{ file: { title: 'a.txt' }, question: null, access: null }])
    expect(await items(await keyed(['files:read', 'questions:read', 'groups:read']))).toHaveLength(4)
    expect(await reader.statusOf(news.markRead, { body: { until: '2026-01-01T00:00:00Z' } })).toBe(403)
  })
})

test('K75: after random changes of rights, news name and count exactly the files that their reader may open', async () => {
  const random = numbersFrom(20_317)
  const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T
  const { alice, bob } = world
  const { workspace_id } = room
  const all = [room.group_id, await room.group('Second')]
  const folders: number[] = []
  const uploaded = new Map<number, string>()
  for (let n = 0; n < 8; n++) {
    const id = await room.folder(`Folder ${n}`, pick([0, ...folders]))
    folders.push(id)
    const title = `paper ${n}.txt`
    uploaded.set((await room.upload(alice, id, title)).id, title)
  }
  let named = 0
  for (let step = 0; step < 60; step++) {
    const body = {
      workspace_id,
      group_id: pick(all),
      verb: pick(['grant', 'revoke'] as const),
      folder_action: 'view' as const,
    }
    await alice.call(permissions.set, { params: { id: pick([0, ...folders]) }, body })
    const open: string[] = []
    for (const [id, title] of uploaded)
      if ((await bob.statusOf(files.get, { params: { id }, query: inRoom() })) === 200) open.push(title)
    expect([step, (await titles(bob)).toSorted()]).toEqual([step, open.toSorted()])
    const { file_ids, folder_ids } = await unreadIn(bob)
    expect([step, file_ids.map((id) => uploaded.get(id)).toSorted()]).toEqual([step, open.toSorted()])
    expect(await newsOf(bob)).toMatchObject({ unread_files: open.length, new_files: open.length })
    // Folders on the way to an open one are shown, and 403; hidden ones are 404.
    for (const id of folder_ids)
      expect(await bob.statusOf(api.folders.get, { params: { id }, query: inRoom() })).not.toBe(404)
    named += open.length
  }
  expect(named).toBeGreaterThan(60)
})

function numbersFrom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}
