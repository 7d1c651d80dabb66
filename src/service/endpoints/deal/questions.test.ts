import { randomUUID as newId } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import type { ApiFailure } from '../../../client/failure.ts'
import { requestOf } from '../../../client/request.ts'
import type { AnyEndpoint, CallParts } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { sweepImports } from '../../store/questions/named-imports.ts'
import { type MailServer, startMailServer } from '../../../mail/testing/mail-server.ts'
import { everyReading, mailsOfNews, readEach } from '../../testing/deal/every-reading.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../../testing/world.ts'

let service: TestService
let world: World
let room: Room
/** In a group of another bidder. */
let rita: Person
let rivals: number
let mail: MailServer

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  rita = await createPerson(service, 'rita')
  mail = await startMailServer()
})
afterAll(async () => {
  await mail.close()
  await service.close()
})
afterEach(() => service.setClock(undefined))
beforeEach(async () => {
  room = await createRoom(world)
  const { workspace_id } = room
  const { alice } = world
  rivals = (await alice.call(api.groups.create, { body: { group: { name: 'Rivals', workspace_id } } })).id
  await addMember(alice, workspace_id, rivals, rita)
  await settings({ groups: [room.group_id, rivals].map((group_id) => ({ group_id, may_ask: true })) })
})

const { questions } = api
const inRoom = () => ({ workspace_id: room.workspace_id })
const settings = (body: object, person = world.alice) =>
  person.call(questions.updateSettings, { params: inRoom(), body })
const ask = (person: Person, question: object = {}) =>
  person.call(questions.ask, { params: inRoom(), body: { question: { subject: 'Who pays?', ...question } } })
const list = (person: Person, query: object = {}) => person.call(questions.list, { params: inRoom(), query })
const at = (question_id: string) => ({ ...inRoom(), question_id })
const get = (person: Person, id: string) => person.call(questions.get, { params: at(id) })
const refusedGet = (person: Person, id: string) => person.statusOf(questions.get, { params: at(id) })
const draft = (id: string, question: object = { draft: 'The seller pays.' }) =>
  world.alice.call(questions.update, { params: at(id), body: { question } })
const move = (id: string, step: 'submit' | 'send_back' | 'close' | 'reopen') =>
  world.alice.call(questions.move, { params: at(id), body: { step } })
const answer = async (id: string, body: object = {}) => {
  await draft(id)
  return world.alice.call(questions.answer, { params: at(id), body })
}
const subjects = async (person: Person, query: object = {}) =>
  (await list(person, query)).questions.map(({ subject }) => subject)

/** A folder with a file that the bidders may view, and the rivals may not. */
async function place() {
  const folder_id = await room.folder('Leases')
  await room.grant(folder_id, 'view')
  const { id: file_id } = await room.upload(world.alice, folder_id, 'Lease.txt', 'the lease')
  return { folder_id, file_id }
}

it('takes all its times from the clock of the database, whatever that of the service', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 3600_000 })
  try {
    const { id } = await ask(world.bob)
    await draft(id, { draft: 'The seller pays.', assignee_id: world.alice.id, approver_id: world.alice.id })
    await answer(id, { reach: 'all' })
    await get(world.bob, id)
    const entry = { question: { subject: 'Which law?', text: '', answer: 'Dutch.' }, reach: 'all' } as const
    const written = await world.alice.call(questions.writeFaq, { params: inRoom(), body: entry })
    const edited = { question: { answer: 'German.' } }
    await world.alice.call(questions.editFaq, { params: at(written.id), body: edited })
    const { rows } = await sql<{ latest: number }>`
      select max(extract(epoch from greatest(q.answered_at, q.drafted_at, q.assigned_at, q.approver_at, v.viewed_at) - now()))::int
        as latest
      from questions q left join question_views v on v.workspace_id = q.workspace_id and v.question_id = q.id
      where q.workspace_id = ${room.workspace_id}`.execute(service.services.db)
    expect(rows[0]?.latest).toBeLessThanOrEqual(0)
  } finally {
    vi.useRealTimers()
  }
})

describe('asking', () => {
  it('is for groups that may, whose members see their questions with numbers of their own', async () => {
    const first = await ask(rita)
    const second = await ask(world.bob, { text: 'Who pays for dredging?', priority: 'high' })
    expect([first.number, second.number]).toEqual([1, 1])
    expect(second).toMatchObject({
      own: true,
      status: 'open',
      priority: 'high',
      group: { id: room.group_id, name: 'Bidders' },
      asked_by: { name: 'Bob Tester' },
      work: null,
      assignee: null,
      due_on: null,
    })
    expect((await list(world.alice)).questions.map(({ number, group }) => [number, group?.name])).toEqual([
      [2, 'Bidders'],
      [1, 'Rivals'],
    ])
    await settings({ groups: [{ group_id: room.group_id, may_ask: false }] })
    const refusal = await world.bob.refused(questions.ask, {
      params: inRoom(),
      body: { question: { subject: 'Again?' } },
    })
    expect(refusal).toMatchObject({ code: 403, reason: 'may_not_ask' })
    expect(await subjects(world.bob)).toEqual(['Who pays?'])
  })

  test('K95: a member who may not ask and sees no question learns no categories', async () => {
    await settings({ categories: ['Litigation'], groups: [{ group_id: room.group_id, may_ask: false }] })
    const read = (person: Person) => person.call(questions.getSettings, { params: inRoom() })
    expect(await read(world.bob)).toMatchObject({ shown: false, categories: [] })
    expect(await read(rita)).toMatchObject({ shown: true, categories: ['Litigation'] })
  })

  it('needs the group where several may ask, and never takes one of others', async () => {
    const second = await room.group('Bidders 2')
    await settings({ groups: [{ group_id: second, may_ask: true }] })
    await expect(ask(world.bob)).rejects.toMatchObject({ code: 422 })
    for (const group_id of [rivals, 0]) await expect(ask(world.bob, { group_id })).rejects.toMatchObject({ code: 404 })
    expect((await ask(world.bob, { group_id: second })).group?.id).toBe(second)
  })

  test('K93: only groups that admins added may ask: a group with every member would show bidders to each other', async () => {
    const all = await world.alice.call(api.groups.list, { query: inRoom() })
    for (const { id: group_id, kind } of all.filter(({ kind }) => kind !== 'custom')) {
      const body = { groups: [{ group_id, may_ask: true }] }
      expect([kind, await world.alice.statusOf(questions.updateSettings, { params: inRoom(), body })]).toEqual([
        kind,
        422,
      ])
    }
    const other = await createRoom(world)
    await expect(settings({ groups: [{ group_id: other.group_id, may_ask: true }] })).rejects.toMatchObject({
      code: 404,
    })
  })

  it('ends at the limit of the group, also for calls at the same moment', async () => {
    await settings({ groups: [{ group_id: room.group_id, most: 3, days: 7 }] })
    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => ask(world.bob)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect((await list(world.bob)).questions.map(({ number }) => number).toSorted()).toEqual([1, 2, 3])
    const call = { params: inRoom(), body: { question: { subject: 'More?' } } }
    expect(await world.bob.refused(questions.ask, call)).toMatchObject({
      code: 409,
      message: 'Your group has asked the 3 questions that it may ask within 7 days. Ask again later.',
    })
    const { groups } = await world.bob.call(questions.getSettings, { params: inRoom() })
    expect(groups).toEqual([
      { group_id: room.group_id, name: 'Bidders', may_ask: true, most: 3, days: 7, used: 3, has_asked: true },
    ])
    await service.services.db
      .updateTable('questions')
      .set({ asked_at: new Date(Date.now() - 8 * 864e5) })
      .execute()
    expect((await ask(world.bob)).number).toBe(4)
    await settings({ groups: [{ group_id: room.group_id, days: null }] })
    expect(await world.bob.statusOf(questions.ask, call)).toBe(409)
  })

  it('is on a file and a page, on a folder or on the room, as far as the asker may view it', async () => {
    const { folder_id, file_id } = await place()
    const { place: onPage } = await ask(world.bob, { file_id, page_number: 14 })
    expect(onPage).toEqual({ file_id, folder_id, title: 'Lease.txt', page_number: 14, deleted: false })
    expect((await ask(world.bob, { folder_id })).place).toMatchObject({ file_id: null, folder_id, title: 'Leases' })
    for (const each of [{ file_id }, { folder_id }, { file_id: 999_999 }])
      await expect(ask(rita, each)).rejects.toMatchObject({ code: 404 })
    for (const each of [{ file_id, folder_id }, { page_number: 3 }, { category: 'Nothing' }, { subject: ' ' }])
      await expect(ask(world.bob, each)).rejects.toMatchObject({ code: 422 })
    await settings({ categories: ['Property', 'Finance'] })
    expect((await ask(world.bob, { category: 'Property' })).category).toBe('Property')
  })
})

describe('reading', () => {
  it('shows an asker the question on a file that they view by a right on a folder above', async () => {
    await room.grant(0, 'view')
    const folder_id = await room.folder('Papers')
    const { id: file_id } = await room.upload(world.alice, folder_id, 'Memo.txt', 'memo')
    const { id } = await ask(world.bob, { file_id })
    expect(await subjects(world.bob)).toEqual(['Who pays?'])
    expect((await get(world.bob, id)).place?.title).toBe('Memo.txt')
  })
})

describe('answering', () => {
  it('goes from a draft over its approval to the asking group', async () => {
    const { id } = await ask(world.bob)
    const facts = { assignee_id: world.alice.id, approver_id: world.wendy.id, due_on: '2026-01-01' }
    await world.alice.call(api.groups.addMember, {
      params: {
        id:
          (await world.alice.call(api.groups.list, { query: inRoom() })).find(({ kind }) => kind === 'workspace_admins')
            ?.id ?? 0,
      },
      body: { ...inRoom(), user_id: world.wendy.id, send_email: false },
    })
    expect(await draft(id, { draft: 'The seller pays.', ...facts })).toMatchObject({
      status: 'draft',
      assignee: { name: 'Alice Tester' },
      due_on: '2026-01-01',
      work: { draft: 'The seller pays.', approver: { name: 'Wendy Tester' } },
    })
    expect((await list(world.alice)).counts).toMatchObject({ draft: 1, open: 0, overdue: 1 })
    await move(id, 'submit')
    await move(id, 'send_back')
    await move(id, 'submit')
    // The asker learns nothing of the work.
    expect(await get(world.bob, id)).toMatchObject({
      status: 'open',
      answer: '',
      work: null,
      assignee: null,
      due_on: null,
    })
    expect((await list(world.bob)).counts).toMatchObject({ open: 1, draft: 0, to_approve: 0, overdue: 0 })
    const given = await answer(id)
    expect(given.work?.entries.map(({ kind }) => kind)).toEqual([
      'drafted',
      'submitted',
      'sent_back',
      'submitted',
      'drafted',
      'answered',
    ])
    expect(await get(world.bob, id)).toMatchObject({ status: 'answered', answer: 'The seller pays.', work: null })
    expect(await refusedGet(rita, id)).toBe(404)
    await move(id, 'reopen')
    expect(await get(world.bob, id)).toMatchObject({ status: 'open', answer: '', answered_at: null })
    expect((await draft(id, { draft: '' })).status).toBe('open')
  })

  it('is refused in the wrong state, without a draft, and for people who are no admins', async () => {
    const { id } = await ask(world.bob)
    await expect(move(id, 'submit')).rejects.toMatchObject({ code: 422 })
    await expect(move(id, 'send_back')).rejects.toMatchObject({ code: 409 })
    await expect(world.alice.call(questions.answer, { params: at(id), body: {} })).rejects.toMatchObject({ code: 422 })
    for (const field of ['assignee_id', 'approver_id'])
      await expect(draft(id, { [field]: world.bob.id })).rejects.toMatchObject({ code: 422 })
    await expect(draft(id, { file_ids: [999_999] })).rejects.toMatchObject({ code: 422 })
    await answer(id)
    await expect(draft(id)).rejects.toMatchObject({ code: 409 })
    await expect(world.bob.call(questions.withdraw, { params: at(id) })).rejects.toMatchObject({ code: 409 })
  })

  it('ends when the asking group takes the question back, which no other group can', async () => {
    const { id } = await ask(world.bob)
    expect(await rita.statusOf(questions.withdraw, { params: at(id) })).toBe(404)
    expect((await world.bob.call(questions.withdraw, { params: at(id) })).status).toBe('withdrawn')
    await expect(draft(id)).rejects.toMatchObject({ code: 409 })
  })

  it('publishes without saying who asked, when and under which number, only to those who see the place', async () => {
    const { folder_id, file_id } = await place()
    const onFile = await ask(world.bob, { file_id })
    const onRoom = await ask(world.bob, { subject: 'Which law?', priority: 'high' })
    await draft(onRoom.id, { draft: 'Dutch law.', file_ids: [file_id] })
    for (const { id } of [onFile, onRoom]) await answer(id, { reach: 'groups', group_ids: [rivals] })
    const [published, ...others] = (await list(rita)).questions
    expect(others).toEqual([])
    expect(published).toMatchObject({
      subject: 'Which law?',
      status: 'answered',
      own: false,
      number: null,
      group: null,
      priority: null,
      asked_at: null,
      assignee: null,
      due_on: null,
    })
    const thread = await get(rita, onRoom.id)
    expect(thread).toMatchObject({ answer: 'The seller pays.', asked_by: null, files: [], work: null })
    expect((await get(world.bob, onRoom.id)).files).toEqual([
      { file_id, folder_id, title: 'Lease.txt', infected: null },
    ])
    expect(await refusedGet(rita, onFile.id)).toBe(404)
    const { blind_groups } = (await get(world.alice, onFile.id)).work ?? {}
    expect(blind_groups).toEqual([{ group_id: rivals, name: 'Rivals', place: true, files: false }])
    await room.grant(folder_id, 'view', rivals)
    expect(await refusedGet(rita, onFile.id)).toBe(200)
    expect((await get(rita, onRoom.id)).files).toHaveLength(1)
    // Without the document, the asker does not see the question either.
    await world.alice.call(api.files.remove, { params: { id: file_id }, query: inRoom() })
    expect(await subjects(rita)).toEqual(['Which law?'])
    expect(await subjects(world.bob)).toEqual(['Which law?'])
    expect((await get(world.alice, onFile.id)).place).toMatchObject({ title: 'Lease.txt', deleted: true })
  })

  test('K94: an answer to all is not read by those whose access has ended, or who are in no group', async () => {
    const { id } = await ask(world.bob)
    await answer(id, { reach: 'all' })
    expect(await subjects(rita, { faq: true })).toEqual(['Who pays?'])
    const db = service.services.db.updateTable('groups').where('id', '=', rivals)
    await db.set({ expire_workspace_access_at: '2020-01-01' }).execute()
    expect(await list(rita)).toMatchObject({ questions: [], counts: { answered: 0 } })
    expect(await refusedGet(rita, id)).toBe(404)
    expect(await rita.call(questions.getSettings, { params: inRoom() })).toMatchObject({ shown: false, groups: [] })
  })

  it('keeps a question whose group was deleted for the admins', async () => {
    const { id } = await ask(rita)
    await world.alice.call(api.groups.remove, { params: { id: rivals }, query: inRoom() })
    expect((await get(world.alice, id)).group).toEqual({ id: null, name: 'Rivals' })
  })
})

describe('at the same moment', () => {
  const outcomes = async (...calls: Promise<unknown>[]) =>
    (await Promise.allSettled(calls)).map((each) =>
      each.status === 'fulfilled' ? 'done' : (each.reason as { code?: number }).code,
    )
  const addAdmin = (person: Person) => addMember(world.alice, room.workspace_id, admins, person)
  let admins: number
  beforeEach(async () => {
    const groups = await world.alice.call(api.groups.list, { query: inRoom() })
    admins = groups.find(({ kind }) => kind === 'workspace_admins')?.id ?? 0
  })

  it('an answer is given once, and to those whom the one admin chose', async () => {
    await addAdmin(world.wendy)
    const { id } = await ask(world.bob)
    await draft(id)
    const give = (person: Person, body: object) => person.call(questions.answer, { params: at(id), body })
    const done = await outcomes(
      give(world.alice, { reach: 'all' }),
      give(world.wendy, {}),
      give(world.alice, { reach: 'groups', group_ids: [rivals] }),
      give(world.wendy, { reach: 'group' }),
    )
    expect(done.toSorted()).toEqual([409, 409, 409, 'done'])
    const { work } = await get(world.alice, id)
    expect(work?.entries.map(({ kind }) => kind)).toEqual(['drafted', 'answered'])
    expect(work?.group_ids).toEqual(work?.reach === 'groups' ? [rivals] : [])
    expect(await refusedGet(rita, id)).toBe(work?.reach === 'group' ? 404 : 200)
  })

  it('the trail names the groups that got an answer, not those given besides another reach', async () => {
    for (const reach of ['all', 'groups'] as const) {
      const { id } = await ask(world.bob)
      await draft(id)
      await answer(id, { reach, group_ids: [rivals] })
      const record = await (await world.alice.fetch(`/api/v1/workspaces/${room.workspace_id}/audit`)).text()
      const told = record.split('\n').filter((line) => line.includes(`"reach":{"after":"${reach}"}`))
      expect(told).toHaveLength(1)
      expect(told[0]).toContain(`"group_ids":{"after":[${reach === 'groups' ? rivals : ''}]}`)
    }
  })

  it('a question is answered, taken back or closed, and only one of them', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await ask(world.bob)
      await draft(id)
      const done = await outcomes(
        world.bob.call(questions.withdraw, { params: at(id) }),
        world.alice.call(questions.answer, { params: at(id), body: { reach: 'all' } }),
        move(id, 'close'),
      )
      expect(done.toSorted()).toEqual([409, 409, 'done'])
      const { status, answer } = await get(world.bob, id)
      expect(['withdrawn', 'answered', 'closed']).toContain(status)
      expect(answer !== '').toBe(status === 'answered')
      expect(await refusedGet(rita, id)).toBe(status === 'answered' ? 200 : 404)
    }
  })

  it('no draft is replaced or approved by an admin who has not read it', async () => {
    await addAdmin(world.wendy)
    const { id } = await ask(world.bob)
    const save = (person: Person, text: string, drafted_at: string | null) =>
      person.call(questions.update, { params: at(id), body: { question: { draft: text }, drafted_at } })
    expect((await outcomes(save(world.alice, 'Yes.', null), save(world.wendy, 'No.', null))).toSorted()).toEqual([
      409,
      'done',
    ])
    const read = (await get(world.alice, id)).work?.drafted_at ?? null
    await save(world.wendy, 'Perhaps.', read)
    const approve = (drafted_at: string | null | undefined) =>
      outcomes(world.alice.call(questions.answer, { params: at(id), body: { drafted_at } }))
    expect(await approve(read)).toEqual([409])
    expect(await approve(null)).toEqual([409])
    const { file_id } = await place()
    const seen = (await get(world.alice, id)).work?.drafted_at ?? null
    await draft(id, { file_ids: [file_id] })
    expect(await approve(seen)).toEqual([409])
    expect(await approve((await get(world.alice, id)).work?.drafted_at ?? null)).toEqual(['done'])
    expect((await get(world.bob, id)).answer).toBe('Perhaps.')
  })

  it('groups ask while admins set who may: nothing waits for itself, and no number is given twice', async () => {
    const body = { groups: [{ group_id: room.group_id, most: 200 }], categories: ['Property'] }
    const done = await outcomes(
      ...Array.from({ length: 10 }, (_, n) => ask(n % 2 ? world.bob : rita)),
      ...Array.from({ length: 5 }, () => settings(body)),
    )
    expect([...new Set(done)]).toEqual(['done'])
    expect(
      (await list(world.alice)).questions.map(({ number }) => number).toSorted((a, b) => (a ?? 0) - (b ?? 0)),
    ).toEqual(Array.from({ length: 10 }, (_, n) => n + 1))
  })
})

describe('the list', () => {
  it('is in the order of work and comes page by page, whatever is asked between', async () => {
    const ids: string[] = []
    for (let n = 1; n <= 28; n++) ids.push((await ask(n % 2 ? world.bob : rita, { subject: `Question ${n}` })).id)
    await draft(ids[3] ?? '')
    await draft(ids[5] ?? '')
    await move(ids[5] ?? '', 'submit')
    await answer(ids[27] ?? '')
    const first = await list(world.alice, { per_page: 25 })
    await ask(world.bob, { subject: 'Between' })
    const second = await list(world.alice, { per_page: 25, after: first.next ?? '' })
    const numbers = [...first.questions, ...second.questions].map(({ number }) => number)
    expect(numbers.slice(0, 2)).toEqual([6, 27])
    expect(numbers.slice(-2)).toEqual([4, 28])
    expect(numbers.toSorted((a = 0, b = 0) => (a ?? 0) - (b ?? 0))).toEqual(
      Array.from({ length: 28 }, (_, at) => at + 1),
    )
    expect(second.next).toBeNull()
    expect(first.counts).toMatchObject({ to_approve: 1, draft: 1, answered: 1, open: 25 })
    expect((await list(world.bob, { per_page: 25 })).questions[0]).toMatchObject({ subject: 'Between', number: 15 })
  })

  it('finds words of questions and answers, and filters', async () => {
    await settings({ categories: ['Property'] })
    const { id } = await ask(world.bob, { subject: 'Dredging costs', text: 'From 2028?', category: 'Property' })
    await ask(world.bob, { subject: 'Headcount' })
    for (const [query, found] of [
      [{ q: 'dredg' }, ['Dredging costs']],
      [{ q: 'costs 2028' }, ['Dredging costs']],
      [{ q: 'cost "of' }, []],
      [{ q: '%' }, ['Headcount', 'Dredging costs']],
      [{ category: 'Property' }, ['Dredging costs']],
      [{ status: 'answered' }, []],
      [{ group_id: room.group_id }, ['Headcount', 'Dredging costs']],
    ] as const)
      expect([query, await subjects(world.bob, query)]).toEqual([query, found])
    await answer(id)
    expect(await subjects(world.bob, { q: 'seller pays' })).toEqual(['Dredging costs'])
  })

  test('K95: no filter tells a bidder about drafts, notes, the work on a question or who asked', async () => {
    const own = await ask(world.bob)
    await draft(own.id, { draft: 'A secret option', assignee_id: world.alice.id, due_on: '2026-01-01' })
    await world.alice.call(questions.note, { params: at(own.id), body: { text: 'secret strategy' } })
    expect(await subjects(world.bob, { q: 'secret' })).toEqual([])
    expect(await subjects(world.bob, { status: 'draft' })).toEqual([])
    expect(JSON.stringify(await get(world.bob, own.id))).not.toContain('ecret')
    const { id } = await ask(rita, { subject: 'Published' })
    await answer(id, { reach: 'all' })
    for (const group_id of [rivals, 999_999])
      expect(await world.bob.statusOf(questions.list, { params: inRoom(), query: { group_id } })).toBe(404)
    expect(await world.bob.statusOf(questions.list, { params: inRoom(), query: { assignee_id: 1 } })).toBe(403)
    expect(await subjects(world.bob, { group_id: room.group_id })).toEqual(['Who pays?'])
    // A cursor of a question of others is like one that never was.
    const hidden = await ask(rita)
    const [byHidden, byNone] = [hidden.id, '00000000-0000-4000-8000-000000000000'].map((after) =>
      list(world.bob, { after }),
    )
    expect(await byHidden).toEqual(await byNone)
  })
})

describe('the route of a category', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const route = (fields: object) => settings({ categories: ['Tax', 'Law'], routes: [{ category: 'Tax', ...fields }] })
  const trail = async (id: string) =>
    ((await get(world.alice, id)).work?.entries ?? []).map(({ kind, text }) => [kind, text])

  it('says who answers, who approves and until when, for questions that are asked and imported', async () => {
    service.setClock(new Date())
    const { routes } = await route({ assignee_id: world.alice.id, approver_id: world.alice.id, days: 5 })
    const alice = { id: world.alice.id, name: 'Alice Tester' }
    expect(routes).toEqual([{ category: 'Tax', assignee: alice, approver: alice, days: 5 }])
    const record = await (await world.alice.fetch(`/api/v1/workspaces/${room.workspace_id}/audit`)).text()
    const [change = ''] = record.split('\n').filter((line) => line.includes('"routes"'))
    // Names are not kept beside the ids: they would outlive an erased person.
    expect(change).toContain(`"assignee_id":${world.alice.id}`)
    expect(change).not.toContain('"assignee":')
    const { id } = await ask(world.bob, { category: 'Tax' })
    const other = await ask(world.bob, { category: 'Law' })
    const body = {
      questions: [
        { group_id: rivals, subject: 'Imported', category: 'Tax', draft: 'The seller.' },
        { group_id: rivals, subject: 'Plain' },
      ],
    }
    await world.alice.call(questions.import, { params: inRoom(), body })
    const facts = (await list(world.alice)).questions.map((each) => [each.subject, each.assignee?.id, each.due_on])
    expect(facts.toSorted()).toEqual([
      ['Imported', world.alice.id, inDays(5)],
      ['Plain', undefined, null],
      ['Who pays?', undefined, null],
      ['Who pays?', world.alice.id, inDays(5)],
    ])
    expect((await get(world.alice, id)).work?.approver).toEqual(alice)
    expect(await trail(id)).toEqual([['assigned', 'Tax']])
    expect(await trail(other.id)).toEqual([])
    const [imported] = (await list(world.alice, { q: 'imported' })).questions
    expect((await trail(imported?.id ?? '')).toSorted()).toEqual([
      ['assigned', 'Tax'],
      ['drafted', ''],
    ])
  })

  it('is for those who may answer, and skips whoever may not any more', async () => {
    const refused = (routes: { category: string; assignee_id?: number; approver_id?: number }[]) =>
      world.alice.refused(questions.updateSettings, { params: inRoom(), body: { routes } })
    await route({})
    expect(await refused([{ category: 'Tax', assignee_id: world.bob.id }])).toMatchObject({ code: 422 })
    expect(await refused([{ category: 'Tax', approver_id: 999_999 }])).toMatchObject({ code: 422 })
    expect(await refused([{ category: 'None' }])).toMatchObject({ code: 422 })
    expect(await refused([{ category: 'Tax' }, { category: 'Tax' }])).toMatchObject({ code: 422 })
    const sam = await createPerson(service, 'sam')
    const admins = (await world.alice.call(api.groups.list, { query: inRoom() })).find(
      ({ kind }) => kind === 'workspace_admins',
    )
    await addMember(world.alice, room.workspace_id, admins?.id ?? 0, sam)
    await route({ assignee_id: sam.id, days: 1 })
    const first = await ask(world.bob, { category: 'Tax' })
    expect((await get(world.alice, first.id)).assignee?.id).toBe(sam.id)
    await world.alice.call(api.groups.removeMember, {
      params: { id: admins?.id ?? 0 },
      query: { ...inRoom(), user_id: sam.id },
    })
    const { routes } = await world.alice.call(questions.getSettings, { params: inRoom() })
    expect(routes).toEqual([{ category: 'Tax', assignee: null, approver: null, days: 1 }])
    const second = await ask(world.bob, { category: 'Tax' })
    expect(await get(world.alice, second.id)).toMatchObject({ assignee: null, due_on: expect.stringMatching(/^20/) })
  })

  it('stays when only categories are set, and goes with its category', async () => {
    await route({ days: 3 })
    expect((await settings({ categories: ['Law', 'Tax'] })).routes).toMatchObject([{ category: 'Tax', days: 3 }])
    expect((await settings({ categories: ['Law'] })).routes).toEqual([])
    expect((await settings({ categories: ['Law', 'Tax'] })).routes).toEqual([])
  })

  it('keeps what a route leaves out, and forgets the routes that are not sent', async () => {
    await route({ assignee_id: world.alice.id, days: 3 })
    const set = async (...routes: { category: string; days?: number | null; assignee_id?: number }[]) =>
      (await settings({ routes })).routes.map((each) => [each.category, each.assignee?.id, each.days])
    expect(await set({ category: 'Law', days: 1 }, { category: 'Tax' })).toEqual([
      ['Tax', world.alice.id, 3],
      ['Law', undefined, 1],
    ])
    expect(await set({ category: 'Tax', days: null })).toEqual([['Tax', world.alice.id, null]])
    expect(await set()).toEqual([])
  })

  test('K95: no asker reads on any way who answers, who approves and until when', async () => {
    await route({ assignee_id: world.alice.id, approver_id: world.alice.id, days: 5 })
    const asked = await ask(world.bob, { category: 'Tax' })
    const { id } = asked
    const reads = [
      asked,
      await get(world.bob, id),
      await list(world.bob),
      await world.bob.call(questions.listTexts, { params: inRoom() }),
      await world.bob.call(questions.getSettings, { params: inRoom() }),
      await world.bob.call(api.activities.list, { params: inRoom() }),
      await world.bob.call(api.users.news, {}),
      await world.bob.call(api.news.list, {}),
    ]
    const texts = JSON.stringify(reads)
    for (const told of ['Alice', 'assigned', inDays(5), inDays(4), inDays(6)]) expect(texts).not.toContain(told)
    expect(asked).toMatchObject({ assignee: null, due_on: null, work: null })
    expect(reads[4]).toMatchObject({ routes: [] })
    await answer(id, { reach: 'all' })
    expect(JSON.stringify([await get(rita, id), await list(rita)])).not.toContain('Alice')
  })
})

describe('texts of many questions', () => {
  const texts = async (person: Person, query: object = {}) =>
    (await person.call(questions.listTexts, { params: inRoom(), query })).questions

  it('are those of the list: own questions, and published answers without asker', async () => {
    const { id } = await ask(world.bob, { text: 'From 2028?' })
    await ask(rita, { subject: 'Hidden', text: 'hidden' })
    const { id: published } = await ask(rita, { subject: 'Published', text: 'For all?' })
    await answer(published, { reach: 'all' })
    await draft(id, { draft: 'A secret draft' })
    expect((await texts(world.bob)).map((each) => [each.subject, each.text, each.answer, each.asked_by?.name])).toEqual(
      [
        ['Published', 'For all?', 'The seller pays.', undefined],
        ['Who pays?', 'From 2028?', '', 'Bob Tester'],
      ],
    )
    expect((await texts(world.bob, { faq: true })).map(({ subject, group }) => [subject, group])).toEqual([
      ['Published', null],
    ])
    const askers = (await texts(world.alice)).map(({ asked_by }) => asked_by?.name)
    expect(askers.toSorted()).toEqual(['Bob Tester', 'Rita Tester', 'Rita Tester'])
    for (const query of [{ assignee_id: 1 }, { group_id: rivals }])
      expect(await world.bob.statusOf(questions.listTexts, { params: inRoom(), query })).toBeGreaterThanOrEqual(403)
  })
})

const write = (question: object, body: object = { reach: 'all' }, person = world.alice) =>
  person.call(questions.writeFaq, {
    params: inRoom(),
    body: { question: { subject: 'Which law?', answer: 'Dutch law.', ...question }, reach: 'all', ...body },
  })
const edit = (id: string, body: object, person = world.alice) =>
  person.call(questions.editFaq, { params: at(id), body: { question: {}, ...body } })
const put = (id: string, body: object = {}, person = world.alice) =>
  person.call(questions.placeFaq, { params: at(id), body })
const faqOf = async (person: Person, query: object = {}) =>
  (await list(person, { faq: true, ...query })).questions.map(({ subject, faq }) => (faq ? subject : `(${subject})`))

describe('the FAQ', () => {
  it('is written without an asker, for all or for chosen groups, and reads like any published answer', async () => {
    const { file_id } = await place()
    await settings({ categories: ['Law'] })
    const entry = await write({ subject: 'For all?', text: 'And when?', category: 'Law', file_ids: [file_id] })
    const { id } = await write({ subject: 'For rivals?' }, { reach: 'groups', group_ids: [rivals] })
    expect(entry).toMatchObject({ status: 'answered', faq: true, number: 1, group: null, asked_by: null, own: false })
    expect(entry.work?.entries.map(({ kind }) => kind)).toEqual(['written'])
    expect(await faqOf(rita)).toEqual(['For all?', 'For rivals?'])
    expect(await faqOf(world.bob)).toEqual(['For all?'])
    expect([await refusedGet(rita, id), await refusedGet(world.bob, id)]).toEqual([200, 404])
    // The same fields as those of an answer to what another group asked.
    const published = (await ask(rita)).id
    await answer(published, { reach: 'all' })
    const [read, other] = [await get(world.bob, entry.id), await get(world.bob, published)]
    const same = { id: '', subject: '', text: '', answer: '', answered_at: '', category: '', faq: true, files: [] }
    expect({ ...read, ...same }).toEqual({ ...other, ...same })
    expect(read.files).toMatchObject([{ file_id }])
    expect((await get(rita, entry.id)).files).toEqual([])
    // Without the right to ask, the FAQ is read as well.
    await settings({ groups: [{ group_id: room.group_id, may_ask: false }] })
    expect(await world.bob.call(questions.getSettings, { params: inRoom() })).toMatchObject({ shown: true, groups: [] })
    expect(await faqOf(world.bob, { q: 'dutch when' })).toEqual(['For all?'])
  })

  it('takes published answers, and comes first, by category and in the order of admins', async () => {
    await settings({ categories: ['Property', 'Law'] })
    const { id: asked } = await ask(rita, { subject: 'Asked', category: 'Property' })
    const { id: plain } = await ask(rita, { subject: 'Plain' })
    for (const id of [asked, plain]) await answer(id, { reach: 'all' })
    const first = await write({ subject: 'A', category: 'Law' })
    const second = await write({ subject: 'B', category: 'Law' })
    await write({ subject: 'C' })
    expect(await faqOf(world.bob)).toEqual(['A', 'B', 'C', '(Plain)', '(Asked)'])
    expect((await put(asked)).work?.entries.at(-1)?.kind).toBe('placed')
    expect(await faqOf(world.bob)).toEqual(['Asked', 'A', 'B', 'C', '(Plain)'])
    await put(second.id, { after: null })
    expect(await faqOf(world.alice)).toEqual(['Asked', 'B', 'A', 'C', '(Plain)'])
    await put(second.id, { after: first.id })
    await put(second.id)
    expect(await faqOf(world.bob)).toEqual(['Asked', 'A', 'B', 'C', '(Plain)'])
    for (const person of [world.bob, world.alice]) {
      const page = await list(person, { faq: true, per_page: 25, after: first.id })
      expect(page.questions.map(({ subject }) => subject)).toEqual(['B', 'C', 'Plain'])
    }
    await put(asked, { faq: false })
    expect(await faqOf(world.bob)).toEqual(['A', 'B', 'C', '(Plain)', '(Asked)'])
    const all = (await list(world.alice)).questions
    expect(new Set(all.map(({ number }) => number)).size).toBe(all.length)
  })

  it('is edited with what it said before in the trail, and taken back like any answer', async () => {
    const { id, answered_at } = await write({ text: 'Of which country?' })
    const edited = await edit(id, { question: { answer: 'French law.', subject: 'Whose law?' }, answered_at })
    expect(edited).toMatchObject({ subject: 'Whose law?', answer: 'French law.', text: 'Of which country?' })
    expect(edited.work?.entries.at(-1)).toMatchObject({ kind: 'edited', text: 'Which law?\n\nDutch law.' })
    expect(await subjects(rita, { q: 'french' })).toEqual(['Whose law?'])
    expect((await list(rita, { q: 'dutch' })).questions).toEqual([])
    await expect(edit(id, { question: { answer: 'No law.' }, answered_at })).rejects.toMatchObject({ code: 409 })
    const narrowed = await edit(id, { reach: 'groups', group_ids: [room.group_id] })
    expect(narrowed.answered_at).toBe(edited.answered_at)
    expect([await faqOf(rita), await faqOf(world.bob)]).toEqual([[], ['Whose law?']])
    await move(id, 'reopen')
    expect([await faqOf(world.bob), await faqOf(world.alice)]).toEqual([[], []])
    expect(await refusedGet(world.bob, id)).toBe(404)
    const give = (body: object) => world.alice.refused(questions.answer, { params: at(id), body })
    expect(await give({})).toMatchObject({ code: 409, reason: 'question_without_asker' })
    await world.alice.call(questions.answer, { params: at(id), body: { reach: 'all' } })
    expect(await faqOf(rita)).toEqual(['Whose law?'])
  })

  test('K92: is new to a group that receives it later, at that time, and stays as it was for the others', async () => {
    const { id, answered_at } = await write({ subject: 'Site?' }, { reach: 'groups', group_ids: [rivals] })
    await write({ subject: 'Newer?' })
    const before = await get(rita, id)
    await edit(id, { reach: 'groups', group_ids: [rivals, room.group_id] })
    const { items } = await world.bob.call(api.news.list, { query: inRoom() })
    const told = (await get(world.bob, id)).answered_at ?? ''
    expect(Date.parse(told)).toBeGreaterThan(Date.parse(answered_at ?? ''))
    expect(items[0]).toMatchObject({ at: told, unread: true, question: { subject: 'Site?' } })
    expect(await get(rita, id)).toEqual(before)

    await edit(id, { reach: 'all' })
    expect([(await get(world.bob, id)).answered_at, await get(rita, id)]).toEqual([told, before])
    await edit(id, { reach: 'groups', group_ids: [room.group_id] })
    expect((await get(world.bob, id)).answered_at).toBe(told)
    expect(await refusedGet(rita, id)).toBe(404)
  })

  it('has a place of its own for each entry, also for those that are written at the same moment', async () => {
    const subjects = Array.from({ length: 8 }, (_, at) => `Entry ${at}`)
    await Promise.all(subjects.map((subject) => write({ subject })))
    const order = await faqOf(world.bob)
    expect(order.toSorted()).toEqual(subjects)
    const { rows } = await sql<{ places: number }>`select count(distinct faq)::int as places from questions
      where workspace_id = ${room.workspace_id}`.execute(service.services.db)
    expect(rows[0]?.places).toBe(8)
  })

  it('keeps a category that was taken away, and takes no other unknown one', async () => {
    await settings({ categories: ['Law', 'Tax'] })
    const { id } = await write({ category: 'Law' })
    await settings({ categories: ['Tax'] })
    expect((await edit(id, { question: { answer: 'New law.', category: 'Law' } })).category).toBe('Law')
    await edit(id, { question: { category: 'Tax' } })
    await expect(edit(id, { question: { category: 'Law' } })).rejects.toMatchObject({ code: 422 })
  })

  it('is refused to others, for what was given to its asker only, and with what is not in the room', async () => {
    const { id } = await write({})
    const asked = (await ask(rita)).id
    await answer(asked)
    for (const call of [() => write({}, {}, world.bob), () => edit(id, {}, world.bob), () => put(id, {}, world.bob)])
      await expect(call()).rejects.toMatchObject({ code: 403 })
    await expect(put(asked)).rejects.toMatchObject({ code: 409 })
    await expect(edit(asked, { question: { answer: 'X' } })).rejects.toMatchObject({ code: 409 })
    await expect(put(id, { faq: false })).rejects.toMatchObject({ code: 409 })
    for (const call of [
      () => put(id, { after: asked }),
      () => put(id, { after: id }),
      () => write({ category: 'Nothing' }),
      () => write({ answer: ' ' }),
      () => write({ file_ids: [999_999] }),
      () => write({}, { reach: 'group' }),
      () => write({}, { reach: 'groups' }),
      () => edit(id, { reach: 'groups' }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 422 })
    const other = await createRoom(world)
    await expect(write({}, { reach: 'groups', group_ids: [other.group_id] })).rejects.toMatchObject({ code: 404 })
    await move(asked, 'reopen')
    await world.alice.call(questions.answer, { params: at(asked), body: { reach: 'all' } })
    await put(asked)
    // What a group asked keeps its words; its answer may change.
    await expect(edit(asked, { question: { subject: 'Else' } })).rejects.toMatchObject({ code: 422 })
    expect((await edit(asked, { question: { subject: 'Who pays?', answer: 'The buyer.' } })).answer).toBe('The buyer.')
    expect((await list(world.alice)).questions).toHaveLength(2)
  })

  it('is ordered by several admins at the same moment', async () => {
    const ids: string[] = []
    for (const subject of ['A', 'B', 'C', 'D']) ids.push((await write({ subject })).id)
    const done = await Promise.allSettled([
      ...ids.map((id) => put(id, { after: null })),
      ...ids.map((id) => put(id, { after: ids[(ids.indexOf(id) + 1) % 4] })),
      write({ subject: 'E' }),
    ])
    expect(done.filter(({ status }) => status === 'rejected')).toEqual([])
    expect((await faqOf(world.bob)).toSorted()).toEqual(['A', 'B', 'C', 'D', 'E'])
    const { rows } = await sql<{ faq: number }>`select faq from questions where workspace_id = ${room.workspace_id}
      order by faq`.execute(service.services.db)
    expect(new Set(rows.map(({ faq }) => faq)).size).toBe(5)
  })
})

describe('an import', () => {
  const bring = (lines: { group_id: number; subject: string }[], person = world.alice) =>
    person.call(questions.import, { params: inRoom(), body: { questions: lines } })

  it('adds questions for groups in their order, some with a draft, whatever these may ask', async () => {
    await ask(rita)
    await settings({ categories: ['Property'], groups: [{ group_id: rivals, most: 1 }] })
    const lines = [
      { group_id: rivals, subject: 'Second' },
      { group_id: room.group_id, subject: 'First', text: '=1+1', category: 'Property', priority: 'high' },
      { group_id: rivals, subject: 'Third', draft: 'Yes.' },
    ]
    expect(await bring(lines)).toEqual({ imported: 3 })
    expect((await list(world.alice)).questions.map(({ number, subject, status }) => [number, subject, status])).toEqual(
      [
        [3, 'First', 'open'],
        [2, 'Second', 'open'],
        [1, 'Who pays?', 'open'],
        [4, 'Third', 'draft'],
      ],
    )
    expect((await list(rita)).questions.map(({ number, subject }) => [number, subject]).toSorted()).toEqual([
      [1, 'Who pays?'],
      [2, 'Second'],
      [3, 'Third'],
    ])
    expect((await list(world.bob)).questions).toMatchObject([{ subject: 'First', number: 1, category: 'Property' }])
    expect((await ask(world.bob)).number).toBe(2)
  })

  it('uses up nothing of what its groups may ask, which is what these read', async () => {
    await settings({ groups: [{ group_id: room.group_id, most: 2, days: 7 }] })
    const used = async (person: Person) => {
      const { groups } = await person.call(questions.getSettings, { params: inRoom() })
      return groups.filter(({ group_id }) => group_id === room.group_id).map((group) => [group.used, group.has_asked])
    }
    await bring(Array.from({ length: 5 }, (_, n) => ({ group_id: room.group_id, subject: `Prepared ${n}` })))
    for (const person of [world.bob, world.alice]) expect(await used(person)).toEqual([[0, true]])
    await ask(world.bob)
    await bring([{ group_id: room.group_id, subject: 'Prepared later' }])
    expect((await ask(world.bob)).number).toBe(8)
    for (const person of [world.bob, world.alice]) expect(await used(person)).toEqual([[2, true]])
    await expect(ask(world.bob)).rejects.toMatchObject({ code: 409 })
    await settings({ groups: [{ group_id: room.group_id, days: null }] })
    expect(await used(world.bob)).toEqual([[2, true]])
    await expect(ask(world.bob)).rejects.toMatchObject({ code: 409 })
  })

  it('is refused as a whole for a line that is not valid, with the place of that line', async () => {
    const good = { group_id: rivals, subject: 'Good' }
    const groups = await world.alice.call(api.groups.list, { query: inRoom() })
    const builtIn = groups.find(({ kind }) => kind !== 'custom')?.id ?? 0
    for (const [bad, field] of [
      [{ group_id: builtIn }, 'questions.1.group_id'],
      [{ category: 'Nothing' }, 'questions.1.category'],
      [{ subject: ' ' }, 'questions.1.subject'],
    ] as const) {
      const call = { params: inRoom(), body: { questions: [good, { ...good, ...bad }] } }
      const refusal = await world.alice.refused(questions.import, call)
      expect([refusal.code, JSON.stringify(refusal)]).toEqual([422, expect.stringContaining(field)])
    }
    await expect(bring([good], world.bob)).rejects.toMatchObject({ code: 403 })
    const other = await createRoom(world)
    await expect(bring([{ ...good, group_id: other.group_id }])).rejects.toMatchObject({ code: 404 })
    expect((await list(world.alice)).questions).toEqual([])
  })

  it('and questions asked at the same moment get different numbers', async () => {
    const lines = [room.group_id, rivals].map((group_id) => ({ group_id, subject: 'Imported' }))
    await Promise.all([
      bring(lines),
      ask(rita),
      bring(lines.toReversed()),
      ask(world.bob),
      settings({ categories: ['A'] }),
    ])
    const numbers = (await list(world.alice)).questions.map(({ number }) => number ?? 0)
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
  })
})

describe('an import of lines', () => {
  const linesOf = (lines: object[]) => new TextEncoder().encode(lines.map((each) => JSON.stringify(each)).join('\n'))
  const bring = (lines: object[], person = world.alice) =>
    person.call(questions.importLines, { params: inRoom() }, linesOf(lines))
  const refused = async (content: Uint8Array<ArrayBuffer>) => {
    const { code, reason, details } = await world.alice.refused(questions.importLines, { params: inRoom() }, content)
    return [code, reason, details?.[0]?.field]
  }
  const stored = async () => {
    const { rows } = await sql<{ count: number; letters: number }>`
      select count(*)::int, coalesce(sum(length(text) + length(draft)), 0)::int as letters from questions
      where workspace_id = ${room.workspace_id}`.execute(service.services.db)
    return rows[0]
  }

  it('K113: takes 500 questions whose texts are as long as they may be, and none of 501', async () => {
    // Each character takes three bytes.
    const [subject, text, draft] = [255, 10_000, 20_000].map((letters) => '界'.repeat(letters))
    const largest = { group_id: rivals, subject, text, draft }
    const lines = Array.from({ length: 501 }, () => largest)
    expect(await refused(linesOf(lines))).toEqual([422, 'invalid_field', 'questions'])
    expect(await stored()).toEqual({ count: 0, letters: 0 })
    expect(await bring(lines.slice(1))).toEqual({ imported: 500 })
    expect(await stored()).toEqual({ count: 500, letters: 500 * 30_000 })
    expect((await list(world.alice)).questions[0]).toMatchObject({ number: 500, status: 'draft' })
  }, 60_000)

  it('adds questions in their order, as the other import does', async () => {
    await settings({ categories: ['Property'], groups: [] })
    const lines = [
      { group_id: rivals, subject: 'Second' },
      { group_id: room.group_id, subject: 'First', text: '=1+1', category: 'Property', priority: 'high' },
    ]
    expect(await bring(lines)).toEqual({ imported: 2 })
    expect((await list(world.alice)).questions).toMatchObject([
      { number: 2, subject: 'First', category: 'Property', priority: 'high', status: 'open' },
      { number: 1, subject: 'Second', category: null },
    ])
  })

  it('K113: is refused as a whole for a line that is not valid, with the place of that line', async () => {
    const good = { group_id: rivals, subject: 'Good' }
    const bytes = (text: string) => new TextEncoder().encode(`${JSON.stringify(good)}\n${text}`)
    for (const [bad, refusal] of [
      [{ ...good, category: 'Nothing' }, [422, 'invalid_field', 'questions.1.category']],
      [{ ...good, subject: ' ' }, [422, 'invalid_value', 'questions.1.subject']],
      [{ ...good, text: 'x'.repeat(10_001) }, [422, 'invalid_value', 'questions.1.text']],
      [{ subject: 'Good' }, [400, 'malformed_field', 'questions.1.group_id']],
      [[good], [400, 'malformed_field', 'questions.1']],
    ] as const)
      expect(await refused(bytes(JSON.stringify(bad)))).toEqual(refusal)
    expect(await refused(bytes('{'))).toEqual([400, 'malformed_line', undefined])
    expect(await refused(new TextEncoder().encode('\n\r\n'))).toEqual([422, 'invalid_field', 'questions'])
    expect(await refused(bytes('{"__proto__": 1}'))).toEqual([400, 'malformed_line', undefined])
    expect(await refused(bytes(`"${'x'.repeat(600_000)}"`))).toEqual([413, 'line_too_large', undefined])
    expect(await refused(new Uint8Array([0xff]))).toEqual([400, 'line_not_utf8', undefined])
    expect(await refused(new Uint8Array())).toEqual([422, 'invalid_field', 'questions'])
    await expect(bring([good], world.bob)).rejects.toMatchObject({ code: 403 })
    const other = await createRoom(world)
    await expect(bring([{ ...good, group_id: other.group_id }])).rejects.toMatchObject({ code: 404 })
    expect(await stored()).toEqual({ count: 0, letters: 0 })
  })

  it('K113: reads one import of an organization at a time', async () => {
    const good = linesOf([{ group_id: rivals, subject: 'Good' }])
    const { promise, resolve } = Promise.withResolvers<void>()
    async function* slow() {
      yield good
      await promise
    }
    const { path, init } = requestOf(questions.importLines, { params: inRoom() }, slow())
    const first = world.alice.fetch(path, init)
    const statusOf = () => world.alice.statusOf(questions.importLines, { params: inRoom() }, good)
    await expect.poll(statusOf).toBe(429)
    resolve()
    expect((await first).status).toBe(200)
    expect(await statusOf()).toBe(200)
  })
})

describe('an import that is sent again', () => {
  const import_id = '5f2b8c1e-5d47-4a90-b6a2-7c0d9e81f354'
  const lines = (subject = 'Good') => [
    { group_id: rivals, subject },
    { group_id: room.group_id, subject: 'Other', draft: 'Yes.' },
  ]
  const bytesOf = (all: object[]) => new TextEncoder().encode(all.map((each) => JSON.stringify(each)).join('\n'))
  const bring = (
    all: object[] = lines(),
    { id = import_id, person = world.alice, workspace_id = room.workspace_id } = {},
  ) => person.call(questions.importLines, { params: { workspace_id }, query: { import_id: id } }, bytesOf(all))
  const bringWhole = (all: { group_id: number; subject: string }[] = lines(), id = import_id) =>
    world.alice.call(questions.import, { params: inRoom(), body: { questions: all, import_id: id } })
  const OF_OTHERS = [409, 'This import_id names an import of other questions.']
  const outcome = (attempt: Promise<{ imported: number }>) =>
    attempt.then(
      ({ imported }) => imported,
      ({ code, message }: ApiFailure) => [code, message],
    )
  const count = async (workspace_id = room.workspace_id) => {
    const { rows } = await sql<{ questions: number; acts: number; ids: number }>`
      select (select count(*)::int from questions where workspace_id = ${workspace_id}) as questions,
        (select count(*)::int from activities where workspace_id = ${workspace_id} and act like 'question%imported') as acts,
        (select count(*)::int from question_imports where workspace_id = ${workspace_id}) as ids`.execute(
      service.services.db,
    )
    return rows[0]
  }

  test('K114: is answered as the first time and stores nothing, on either way, whatever became of its groups', async () => {
    expect(await bring()).toEqual({ imported: 2 })
    expect(await bring()).toEqual({ imported: 2 })
    // The same questions with their defaults, in another order of names.
    const same = lines().map(({ subject, group_id, ...rest }) => ({ priority: 'normal', ...rest, subject, group_id }))
    expect(await bringWhole(same)).toEqual({ imported: 2 })
    await world.alice.call(api.groups.remove, { params: { id: rivals }, query: inRoom() })
    expect(await bring()).toEqual({ imported: 2 })
    expect(await bring(lines(), { id: import_id.toUpperCase() })).toEqual({ imported: 2 })
    expect(await count()).toEqual({ questions: 2, acts: 1, ids: 1 })
  })

  test('K114: is refused with other questions, and stored each time without an id', async () => {
    await bringWhole()
    for (const other of [lines('Bad'), lines().toReversed(), lines().slice(1), [...lines(), ...lines()]]) {
      expect(await outcome(bring(other))).toEqual(OF_OTHERS)
      expect(await outcome(bringWhole(other))).toEqual(OF_OTHERS)
    }
    expect(await count()).toEqual({ questions: 2, acts: 1, ids: 1 })
    const without = { params: inRoom(), body: { questions: lines() } }
    for (const _ of [1, 2]) await world.alice.call(questions.import, without)
    expect(await count()).toEqual({ questions: 6, acts: 3, ids: 1 })
  })

  test('K114: an import that was refused may come again with its id, with these or other questions', async () => {
    const category = lines().map((each) => ({ ...each, category: 'Tax' }))
    for (const attempt of [bring, bringWhole])
      expect(await outcome(attempt(category))).toEqual([422, expect.stringContaining('questions.0.category')])
    expect(await count()).toEqual({ questions: 0, acts: 0, ids: 0 })
    await settings({ categories: ['Tax'] })
    expect(await bring(category)).toEqual({ imported: 2 })
    expect(await count()).toEqual({ questions: 2, acts: 1, ids: 1 })
  })

  test('K114: is stored once when it is sent again at the same moment, and so are others beside it', async () => {
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, at) => bringWhole(lines(), at % 2 ? import_id : newId())),
    )
    expect(sent).toEqual(Array.from({ length: 12 }, () => ({ imported: 2 })))
    expect(await count()).toEqual({ questions: 14, acts: 7, ids: 7 })
    const fought = newId()
    const others = await Promise.all(
      Array.from({ length: 8 }, (_, at) => outcome(bringWhole(lines(`${at % 4}`), fought))),
    )
    expect(others.filter((each) => each === 2)).toHaveLength(2)
    expect(others.filter((each) => String(each) === String(OF_OTHERS))).toHaveLength(6)
    expect(await count()).toEqual({ questions: 16, acts: 8, ids: 8 })
    const { rows } =
      await sql`select from questions where workspace_id = ${room.workspace_id} group by number having count(*) > 1`.execute(
        service.services.db,
      )
    expect(rows).toEqual([])
  })

  test('K114: is stored once when it comes before the first one has been stored', async () => {
    const { db } = service.services
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows[0]?.count
    }
    const held = await db.startTransaction().execute()
    await sql`select from groups where workspace_id = ${room.workspace_id} for update`.execute(held)
    const first = bring()
    await expect.poll(waiting).toBe(1)
    const again = [bring(), bringWhole()]
    const other = outcome(bringWhole(lines('Bad')))
    // Requests of one user that are not streams wait for each other.
    await expect.poll(waiting).toBeGreaterThanOrEqual(3)
    await held.rollback().execute()
    expect(await Promise.all([first, ...again])).toEqual([{ imported: 2 }, { imported: 2 }, { imported: 2 }])
    expect(await other).toEqual(OF_OTHERS)
    expect(await count()).toEqual({ questions: 2, acts: 1, ids: 1 })
  })

  test('K114: whose first body broke off, or whose answer nobody awaited, is stored once', async () => {
    async function* broken() {
      yield bytesOf(lines())
      throw new Error('the client is gone')
    }
    const call = { params: inRoom(), query: { import_id } }
    const { path, init } = requestOf(questions.importLines, call, broken())
    await expect(world.alice.fetch(path, init)).rejects.toThrow('fetch failed')
    await expect.poll(() => outcome(bring())).toBe(2)
    expect(await count()).toEqual({ questions: 2, acts: 1, ids: 1 })
    const unheard = new AbortController()
    const next = requestOf(
      questions.importLines,
      { params: inRoom(), query: { import_id: newId() } },
      bytesOf(lines('New')),
    )
    const first = world.alice.fetch(next.path, { ...next.init, signal: unheard.signal })
    await expect.poll(() => count()).toMatchObject({ ids: 2 })
    unheard.abort()
    await first.catch(() => {})
    const repeated = () => world.alice.fetch(next.path, next.init).then(({ status }) => status)
    await expect.poll(repeated).toBe(200)
    expect(await count()).toEqual({ questions: 4, acts: 2, ids: 2 })
  })

  test('K114: an id of another person or workspace is like one that never was', async () => {
    await bring()
    const other = await createRoom(world)
    const own = [{ group_id: other.group_id, subject: 'Elsewhere' }]
    expect(await bring(own, { workspace_id: other.workspace_id })).toEqual({ imported: 1 })
    expect(await count(other.workspace_id)).toMatchObject({ questions: 1, ids: 1 })
    const carol = await createPerson(service, 'carol')
    const admins = await world.alice.call(api.groups.list, { query: inRoom() })
    const { id = 0 } = admins.find(({ kind }) => kind === 'workspace_admins') ?? {}
    await addMember(world.alice, room.workspace_id, id, carol)
    expect(await bring(lines('Hers'), { person: carol })).toEqual({ imported: 2 })
    expect(await outcome(bring(lines(), { person: carol }))).toEqual(OF_OTHERS)
    expect(await count()).toEqual({ questions: 4, acts: 2, ids: 2 })
    for (const all of [lines(), lines('Guessed')]) {
      expect(await outcome(bring(all, { person: world.bob }))).toEqual([403, 'This is for workspace admins.'])
      expect(await outcome(bring(all, { person: world.mallory }))).toEqual([
        404,
        expect.stringContaining('nothing here'),
      ])
    }
  })

  test('K114: an id is a UUID, and nothing is stored under any other', async () => {
    for (const id of ['x', '1'.repeat(100_000), `${import_id}\u0000`, "' or 1=1 --", '00000000-0000-0000-0000'])
      expect([id, await outcome(bringWhole(lines(), id))]).toEqual([id, [422, 'import_id: Invalid UUID.']])
    for (const id of [[import_id], { [import_id]: 1 }, 5, true]) {
      const body = { questions: lines(), import_id: id } as unknown as { questions: []; import_id: string }
      expect(await world.alice.statusOf(questions.import, { params: inRoom(), body })).toBeGreaterThanOrEqual(400)
    }
    expect(await outcome(bring(lines(), { id: 'x' }))).toEqual([422, 'import_id: Invalid UUID.'])
    expect(await count()).toEqual({ questions: 0, acts: 0, ids: 0 })
  })

  test('K114: a hundred imports of a person are known again, for a day', async () => {
    const { db } = service.services
    const own = db.selectFrom('question_imports').select('import_id').where('workspace_id', '=', room.workspace_id)
    const ids = Array.from({ length: 103 }, () => newId())
    for (const id of ids.slice(0, 100)) await bringWhole(lines().slice(1), id)
    await bringWhole(lines().slice(1), ids[0])
    expect(await own.execute()).toHaveLength(100)
    await Promise.all(ids.slice(100).map((id) => bringWhole(lines().slice(1), id)))
    expect(await count()).toMatchObject({ questions: 103 })
    const left = (await own.execute()).map((row) => row.import_id)
    expect(left.length).toBeLessThanOrEqual(102)
    expect(left).toEqual(expect.arrayContaining(ids.slice(3)))
    await sweepImports(db, new Date(Date.now() + 23 * 3_600_000))
    expect(await own.execute()).toHaveLength(left.length)
    await sweepImports(db, new Date(Date.now() + 25 * 3_600_000))
    expect(await own.execute()).toEqual([])
  }, 60_000)
})

describe('the view as a group or a person', () => {
  const viewAs = (query: object, person = world.alice) => person.call(questions.viewAs, { params: inRoom(), query })
  const threadAs = (id: string, query: object) => world.alice.call(questions.viewThreadAs, { params: at(id), query })

  it('is exactly what they read: list, FAQ, counts and threads, and changes nothing', async () => {
    const { file_id } = await place()
    const own = await ask(world.bob, { file_id, text: 'From 2028?' })
    await draft(own.id, { draft: 'Never shown', assignee_id: world.alice.id })
    await ask(rita, { subject: 'Hidden' })
    await write({ subject: 'Common' })
    const texts = (person: Person, query: object = {}) => person.call(questions.listTexts, { params: inRoom(), query })
    for (const [person, group_id] of [
      [world.bob, room.group_id],
      [rita, rivals],
    ] as const)
      for (const reader of [{ group_id }, { user_id: person.id }])
        for (const query of [{}, { faq: true }, { status: 'open' }, { q: 'who' }]) {
          const { counts, ...page } = await viewAs({ ...reader, ...query })
          expect(page).toEqual(await texts(person, query))
          expect(counts).toEqual((await list(person, query)).counts)
        }
    const news = async () => (await world.bob.call(api.users.news, {})).workspaces
    const before = await news()
    for (const reader of [{ group_id: room.group_id }, { user_id: world.bob.id }])
      expect(await threadAs(own.id, reader)).toEqual(await get(world.bob, own.id))
    const [common] = (await list(world.bob)).questions
    await threadAs(common?.id ?? '', { user_id: world.bob.id })
    expect((await news()).map(({ unread_questions }) => unread_questions)).toEqual(
      before.map(({ unread_questions }) => unread_questions),
    )
    await expect(threadAs(own.id, { group_id: rivals })).rejects.toMatchObject({ code: 404 })
    for (const reader of [{}, { group_id: rivals, user_id: rita.id }])
      await expect(viewAs(reader)).rejects.toMatchObject({ code: 422 })
    await expect(viewAs({ user_id: world.mallory.id })).rejects.toMatchObject({ code: 404 })
    await expect(viewAs({ group_id: room.group_id }, world.bob)).rejects.toMatchObject({ code: 403 })
  })

  it('is the welcome page of a person, and that of anybody in a group', async () => {
    await place()
    const params = { id: room.workspace_id }
    const viewWelcome = (query: object) => world.alice.call(api.workspaces.viewWelcomeAs, { params, query })
    service.setClock(new Date())
    const own = await world.bob.call(api.workspaces.getWelcome, { params })
    expect(await viewWelcome({ user_id: world.bob.id })).toEqual(own)
    const ofGroup = await viewWelcome({ group_id: room.group_id })
    expect(ofGroup).toEqual({ ...own, previous_visit_at: null, new_since: ofGroup.new_since, reading: null })
    expect(ofGroup.groups).toEqual(['Bidders'])
    expect((await viewWelcome({ group_id: rivals })).new_files).toEqual([])
  })
})

describe('K92: bidders never learn of each other', () => {
  type Reading = [endpoint: AnyEndpoint, call: CallParts]
  type Place = Record<'file_id' | 'folder_id', number>

  /** Everything that a bidder reads, with ETags; without what changes from moment to moment. */
  async function traffic(person: Person, readings: Reading[], { file_id, folder_id }: Place): Promise<unknown[]> {
    const place = { workspace_id: room.workspace_id, file_id, folder_id, group_id: room.group_id }
    const all: unknown[] = [
      ...(await readEach(
        person,
        everyReading(place, () => 'pays'),
      )),
    ]
    for (const [endpoint, call] of readings) {
      const { path, init } = requestOf(endpoint, call)
      const response = await person.fetch(path, init)
      const text = (await response.text()).replaceAll(response.headers.get('x-request-id') ?? '', '')
      const headers = [...response.headers].filter(
        ([name]) => !/^(date|x-request-id|keep-alive|x-ratelimit.*|ratelimit.*|server-timing)$/.test(name),
      )
      // Which events of the last minute a stream begins with depends on the moment; the test below reads one.
      const told = endpoint.eventStream ? text.split('\n')[0] : text
      all.push([endpoint.path, call, response.status, headers, told])
    }
    return all
  }

  function readingsOf(file_id: number, own: string[]): Reading[] {
    const workspace_id = room.workspace_id
    const byWorkspace = { params: { id: workspace_id } }
    const within = { query: { workspace_id } }
    return [
      [api.events.follow, { ...byWorkspace, query: { seconds: 0 } }],
      [api.activities.list, { params: { workspace_id }, query: { subject_type: 'Question' } }],
      [api.files.search, { query: { workspace_id, q: 'lease' } }],
      [api.folders.get, { params: { id: 0 }, ...within }],
      [questions.list, { params: { workspace_id } }],
      [questions.list, { params: { workspace_id }, query: { per_page: 25, after: own[0] } }],
      [questions.list, { params: { workspace_id }, query: { status: 'open', file_id } }],
      [questions.list, { params: { workspace_id }, query: { q: 'pays' } }],
      [questions.list, { params: { workspace_id }, query: { faq: true } }],
      [questions.list, { params: { workspace_id }, query: { group_id: rivals } }],
      [questions.listTexts, { params: { workspace_id } }],
      [questions.listTexts, { params: { workspace_id }, query: { faq: true } }],
      [questions.listTexts, { params: { workspace_id }, query: { faq: true, per_page: 25, after: own[2] } }],
      [questions.getSettings, { params: { workspace_id } }],
      ...own.map((question_id): Reading => [questions.get, { params: { workspace_id, question_id } }]),
    ]
  }

  it('is the same byte by byte, whatever the others ask and the admins do with it', async () => {
    const { file_id, folder_id } = await place()
    await room.grant(folder_id, 'view', rivals)
    const own = [(await ask(world.bob, { file_id })).id, (await ask(world.bob)).id]
    await answer(own[1] ?? '')
    const toBob = { reach: 'groups', group_ids: [room.group_id] }
    for (const n of [1, 2, 3]) own.push((await write({ subject: `Common ${n}` }, n === 2 ? toBob : {})).id)
    own.push((await ask(world.bob, { subject: 'Mine' })).id)
    await answer(own[5] ?? '')
    await settings({ categories: ['Tax'] })
    own.push((await ask(world.bob, { category: 'Tax' })).id)
    await sql`update users set mail_frequency = 'at_once'`.execute(service.services.db)
    for (const person of [world.alice, world.bob, rita])
      await person.call(api.workspaces.get, { params: { id: room.workspace_id } })
    await mailsTo(world.bob)
    const readings = readingsOf(file_id, own)
    const read = () => traffic(world.bob, readings, { file_id, folder_id })
    service.setClock(new Date())
    await read()
    const before = await read()

    const byTax = { category: 'Tax', assignee_id: world.alice.id, approver_id: world.alice.id, days: 2 }
    await settings({ routes: [byTax] })
    const theirs = await Promise.all(
      Array.from({ length: 5 }, (_, n) => ask(rita, { file_id, subject: `Who pays ${n}?`, category: 'Tax' })),
    )
    const [first, second, third] = theirs.map(({ id }) => id)
    await answer(first ?? '', { reach: 'groups', group_ids: [rivals] })
    await draft(second ?? '', {
      draft: 'Never',
      assignee_id: world.alice.id,
      due_on: '2026-01-01',
      file_ids: [file_id],
    })
    await move(second ?? '', 'submit')
    await rita.call(questions.withdraw, { params: at(third ?? '') })
    await draft(own[0] ?? '', { draft: 'Also seen by nobody', approver_id: world.alice.id, due_on: '2026-01-02' })
    await world.alice.call(questions.note, { params: at(own[0] ?? ''), body: { text: 'Rivals ask the same' } })
    await settings({ groups: [{ group_id: rivals, most: 99, days: 3 }] })
    const body = { questions: [{ group_id: rivals, subject: 'Imported', text: 'Who pays?', draft: 'The buyer.' }] }
    await world.alice.call(questions.import, { params: { workspace_id: room.workspace_id }, body })
    await theFaqOfRivals(first ?? '', own)

    expect(await read()).toEqual(before)
    expect(await mailsTo(world.bob)).toEqual([])
    expect((await ask(world.bob)).number).toBe(5)
    const before3 = await read()
    // Published to him, one answer appears; nothing else of the others does.
    await answer(theirs[3]?.id ?? '', { reach: 'all' })
    const after = await list(world.bob)
    expect(after.counts.answered).toBe(6)
    expect(JSON.stringify(after)).not.toMatch(/Rivals|Rita/)
    const changed = (await read()).filter((each, n) => JSON.stringify(each) !== JSON.stringify(before3[n]))
    expect([...new Set(changed.map((each) => String((each as unknown[])[0]).split(' ')[0]))]).toEqual([
      'users.news',
      'news.list',
      questions.list.path,
      questions.listTexts.path,
    ])
    const [told = '', ...others] = await mailsTo(world.bob)
    expect(others).toEqual([])
    expect(told).toContain('A new answer in Room\n')
    expect(told).toContain('- Who pays 3?\n  Published to your group')
    expect(told).not.toMatch(/Rivals|Rita|rita|\d\. Who/)
  })

  const mailsTo = async ({ email }: Person) =>
    (await mailsOfNews(service, mail)).filter((each) => each.startsWith(`${email}\n`))

  /** Entries for others before and between those of Bob, which are also given to others. */
  async function theFaqOfRivals(asked: string, own: string[]): Promise<void> {
    const forRivals = { reach: 'groups', group_ids: [rivals] }
    const [one, two] = [
      await write({ subject: 'Theirs 1' }, forRivals),
      await write({ subject: 'Theirs 2' }, forRivals),
    ]
    const to = { reach: 'groups', group_ids: [rivals, room.group_id] }
    await put(asked, { after: null })
    await put(one.id, { after: own[2] })
    await put(two.id, { after: own[3] })
    await edit(one.id, { question: { answer: 'Otherwise.', subject: 'Theirs?' } })
    await edit(own[3] ?? '', to)
    await edit(own[4] ?? '', { ...to, reach: 'all' })
    await put(own[3] ?? '', { after: two.id })
    await move(two.id, 'reopen')
  }

  test('K92: a mark among the FAQ does not tell an asker that others received the answer', async () => {
    const { id } = await ask(world.bob)
    await answer(id, { reach: 'groups', group_ids: [rivals] })
    const read = () => traffic(world.bob, readingsOf(0, [id]), { file_id: 0, folder_id: 0 })
    service.setClock(new Date())
    await read()
    const before = await read()
    await put(id)
    expect(await faqOf(rita)).toEqual(['Who pays?'])
    expect(await faqOf(world.bob)).toEqual([])
    expect(await read()).toEqual(before)
  })

  it('sends no event to another bidder, but to admins', async () => {
    const follow = (person: Person) =>
      person.fetch(`/api/v1/workspaces/${room.workspace_id}/events?seconds=4`, { method: 'GET' })
    const streams = await Promise.all([follow(world.bob), follow(world.alice)])
    await answer((await ask(rita)).id)
    const [bobs, alices] = await Promise.all(streams.map((stream) => stream.text()))
    expect(bobs).not.toMatch(/questions|activities|members/)
    expect(alices).toContain('questions')
  })
})
