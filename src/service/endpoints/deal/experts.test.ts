import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { requestOf } from '../../../client/request.ts'
import type { AnyEndpoint, Call, CallParts } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { RefusedByServer } from '../../../mail/transport.ts'
import { deliverExpertMail } from '../../mail/expert-mail.ts'
import { remindOfQuestions } from '../../mail/question-reminders.ts'
import { everyReading, readEach } from '../../testing/deal/every-reading.ts'
import { issueTerms } from '../../testing/deal/terms.ts'
import { readEvents } from '../../testing/event-reader.ts'
import { takeMails } from '../../testing/jobs.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../../testing/world.ts'

let service: TestService
let world: World
let room: Room
/** In a group of advisers that may view nothing and does not ask. */
let eva: Person
let otto: Person
let advisers: number

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  eva = await createPerson(service, 'eva')
  otto = await createPerson(service, 'otto')
  const team = { allowed_workspaces: 1000 }
  await world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team } })
})
afterAll(() => service.close())
beforeEach(async () => {
  await sql`delete from jobs`.execute(service.services.db)
  await sql`delete from mail_budgets`.execute(service.services.db)
  room = await createRoom(world)
  advisers = await addGroup('Advisers', eva, otto)
  await letAsk(room.group_id)
})

const { experts, questions } = api
const inRoom = () => ({ workspace_id: room.workspace_id })
const at = (question_id: string) => ({ ...inRoom(), question_id })
const letAsk = (group_id: number, may_ask = true) =>
  world.alice.call(questions.updateSettings, { params: inRoom(), body: { groups: [{ group_id, may_ask }] } })
const ask = (question: object = {}, person = world.bob) =>
  person.call(questions.ask, {
    params: inRoom(),
    body: { question: { subject: 'Is VAT due?', text: 'On the sale?', ...question } },
  })
const come = (person: Person) => person.call(api.workspaces.get, { params: { id: room.workspace_id } })
const name = async (...people: Person[]) => {
  for (const { id: user_id } of people) await world.alice.call(experts.add, { params: inRoom(), body: { user_id } })
}
const pass = (question_id: string, people: Person[] = [eva], text = 'Please look at § 4.') =>
  world.alice.call(experts.pass, { params: at(question_id), body: { user_ids: people.map(({ id }) => id), text } })
const withdraw = (question_id: string, { id: user_id }: Person = eva) =>
  world.alice.call(experts.withdraw, { params: { ...at(question_id), user_id } })
const listPassed = async (person: Person = eva) =>
  (await person.call(experts.listPassed, { params: inRoom() })).questions
/** As an admin sees it listed. */
const viewPassedAs = (query: object = {}, { id: user_id }: Person = eva) =>
  world.alice.call(experts.viewPassedAs, { params: { ...inRoom(), user_id }, query })
const read = (question_id: string, person: Person = eva) => person.call(experts.getPassed, { params: at(question_id) })
const statusOf = (question_id: string, person: Person = eva) =>
  person.statusOf(experts.getPassed, { params: at(question_id) })
/** Replies to what the person was asked last. */
const reply = async (question_id: string, text: string, kind: 'draft' | 'remark' = 'draft', person: Person = eva) =>
  replyTo((await read(question_id, person)).asked_at, question_id, { text, kind, person })
const replyTo = (
  asked_at: string,
  question_id: string,
  { text = 'No.', kind = 'draft' as 'draft' | 'remark', person = eva } = {},
) => person.call(experts.reply, { params: at(question_id), body: { kind, text, asked_at } })
const work = async (id: string) => (await world.alice.call(questions.get, { params: at(id) })).work

async function addGroup(group: string, ...people: Person[]): Promise<number> {
  const body = { group: { name: group, ...inRoom() } }
  const { id } = await world.alice.call(api.groups.create, { body })
  for (const person of people) {
    await addMember(world.alice, room.workspace_id, id, person)
    await come(person)
  }
  return id
}

async function passed(question: object = {}): Promise<string> {
  await name(eva)
  const { id } = await ask(question)
  await pass(id)
  return id
}

describe('naming experts', () => {
  it('is for admins, who name members that are invited, and see what bars them', async () => {
    const { alice } = world
    const add = ({ id: user_id }: { id: number }) => ({ params: inRoom(), body: { user_id } })
    const named = await alice.call(experts.add, add(eva))
    expect(named).toEqual({
      user_id: eva.id,
      name: 'Eva Tester',
      email: eva.email,
      group_ids: [advisers],
      bar: null,
      waiting: 0,
    })
    expect(await alice.call(experts.add, add(eva))).toEqual(named)
    const uninvited = await createPerson(service, `late${room.workspace_id}`)
    await addMember(alice, room.workspace_id, advisers, uninvited)
    expect(await alice.refused(experts.add, add(uninvited))).toMatchObject({ code: 409, reason: 'expert_uninvited' })
    expect(await alice.refused(experts.add, add(world.mallory))).toMatchObject({ code: 404, reason: 'user_not_found' })
    for (const person of [world.bob, alice])
      expect(await alice.refused(experts.add, add(person))).toMatchObject({ code: 409, reason: 'expert_barred' })
    expect(await alice.call(experts.list, { params: inRoom() })).toEqual([named])
    for (const person of [eva, world.bob]) {
      expect(await person.statusOf(experts.list, { params: inRoom() })).toBe(403)
      expect(await person.statusOf(experts.add, add(otto))).toBe(403)
    }
    expect(await alice.statusOf(experts.remove, { params: { ...inRoom(), user_id: otto.id } })).toBe(404)
  })

  it('is in the audit trail, once for each change', async () => {
    const { alice } = world
    await name(eva)
    await name(eva)
    await alice.call(experts.remove, { params: { ...inRoom(), user_id: eva.id } })
    const { rows } = await sql<{ entry: string }>`
      select entry from audit_inbox where workspace_id = ${room.workspace_id} and entry like '%expert%'`.execute(
      service.services.db,
    )
    expect(rows.map(({ entry }) => (JSON.parse(entry) as { message: string }).message)).toEqual([
      'made Eva Tester an expert for questions',
      'took Eva Tester off the experts for questions',
    ])
  })
})

describe('passing a question', () => {
  it('lets the expert answer, the answerer take the words over, and the bidder read no trace of the expert', async () => {
    const id = await passed()
    const { work: before, experts: waits, status } = await world.alice.call(questions.get, { params: at(id) })
    expect([waits, status]).toEqual([[{ id: eva.id, name: 'Eva Tester' }], 'open'])
    expect(before?.passes).toMatchObject([{ expert: { name: 'Eva Tester' }, replied_at: null, bar: null }])
    const [listed] = await listPassed()
    expect(listed).toMatchObject({ id, subject: 'Is VAT due?', state: 'waiting', due_on: null, place: null })
    const thread = await read(id)
    expect(thread).toMatchObject({ text: 'On the sale?', files: [] })
    expect(thread.entries).toMatchObject([
      { kind: 'asked', own: false, user_name: 'Alice Tester', text: 'Please look at § 4.' },
    ])
    expect(await eva.call(questions.getSettings, { params: inRoom() })).toEqual({
      shown: true,
      passed: true,
      groups: [],
      categories: [],
      admins: [],
      routes: [],
    })

    expect((await reply(id, 'No VAT is due.')).state).toBe('replied')
    expect((await world.alice.call(questions.list, { params: inRoom() })).questions[0]?.experts).toEqual([])
    await pass(id, [eva], 'By which paragraph?')
    expect((await read(id)).state).toBe('waiting')
    await reply(id, '§ 4 no. 9 UStG', 'remark')
    const entries = (await work(id))?.entries ?? []
    expect(entries.map(({ kind, expert, text }) => [kind, expert?.name, text])).toEqual([
      ['passed', 'Eva Tester', 'Please look at § 4.'],
      ['expert_drafted', 'Eva Tester', 'No VAT is due.'],
      ['asked_back', 'Eva Tester', 'By which paragraph?'],
      ['expert_remarked', 'Eva Tester', '§ 4 no. 9 UStG'],
    ])
    expect((await read(id)).entries.map(({ kind, own }) => [kind, own])).toEqual([
      ['asked', false],
      ['drafted', true],
      ['asked', false],
      ['remarked', true],
    ])

    const body = { question: { draft: 'No VAT is due.' } }
    await world.alice.call(questions.update, { params: at(id), body })
    await world.alice.call(questions.answer, { params: at(id), body: {} })
    expect(JSON.stringify(await world.bob.call(questions.get, { params: at(id) }))).not.toMatch(/Eva|xpert":\{/)
    expect((await read(id)).state).toBe('settled')
    const { asked_at } = await read(id)
    const late = { params: at(id), body: { kind: 'remark', text: 'Wait', asked_at } } as const
    expect(await eva.refused(experts.reply, late)).toMatchObject({ code: 409, reason: 'question_in_other_state' })
    expect(await world.alice.statusOf(experts.pass, { params: at(id), body: { user_ids: [eva.id] } })).toBe(409)
  })

  it('shows place and documents only as far as the expert may view them by their own rights', async () => {
    const folder_id = await room.folder('Leases')
    await room.grant(folder_id, 'view')
    const { id: file_id } = await room.upload(world.alice, folder_id, 'Lease.txt', 'the lease')
    const id = await passed({ file_id, page_number: 3 })
    await world.alice.call(questions.update, { params: at(id), body: { question: { file_ids: [file_id] } } })
    expect(await read(id)).toMatchObject({ place: null, files: [] })
    expect(JSON.stringify([await read(id), await listPassed()])).not.toMatch(/Lease/)
    await room.grant(folder_id, 'view', advisers)
    const seen = await read(id)
    expect(seen.place).toEqual({ file_id, folder_id, title: 'Lease.txt', page_number: 3, deleted: false })
    expect(seen.files).toMatchObject([{ file_id, title: 'Lease.txt' }])
    expect(await world.alice.call(experts.viewAs, { params: { ...at(id), user_id: eva.id } })).toEqual(seen)
    expect((await viewPassedAs()).questions).toMatchObject([{ id, place: seen.place }])
    await world.alice.call(api.files.remove, { params: { id: file_id }, query: inRoom() })
    expect(await read(id)).toMatchObject({ place: null, files: [] })
  })

  it('is listed for an admin exactly as the expert reads it, page by page, and changes nothing', async () => {
    const id = await passed()
    const other = (await ask({ subject: 'Which form?' })).id
    await pass(other)
    await reply(id, 'No VAT is due.')
    const own = await eva.call(experts.listPassed, { params: inRoom() })
    expect(own.questions.map(({ state }) => state)).toEqual(['waiting', 'replied'])
    expect(await viewPassedAs()).toEqual(own)
    const [first, second] = [{ per_page: 25 }, { per_page: 25, after: `0_${id}` }] as const
    for (const query of [first, second])
      expect(await viewPassedAs(query)).toEqual(await eva.call(experts.listPassed, { params: inRoom(), query }))
    expect(await viewPassedAs({}, otto)).toEqual({ questions: [], next: null })
    await addGroup('Lenders', eva).then(letAsk)
    expect(await viewPassedAs()).toEqual({ questions: [], next: null })
    expect(await world.alice.statusOf(experts.viewPassedAs, { params: { ...inRoom(), user_id: 999_999 } })).toBe(404)
  })

  it('is refused for people who are no experts, and for those whom something bars by now', async () => {
    await name(eva)
    const { id } = await ask()
    const give = (user_ids: number[]) => ({ params: at(id), body: { user_ids } })
    for (const user_ids of [[otto.id], [eva.id, otto.id], [999_999]])
      expect(await world.alice.statusOf(experts.pass, give(user_ids))).toBe(404)
    expect(await world.alice.statusOf(experts.pass, give([]))).toBe(422)
    await addGroup('Lenders', eva).then(letAsk)
    expect(await world.alice.refused(experts.pass, give([eva.id]))).toMatchObject({
      reason: 'experts_barred',
      params: { names: 'Eva Tester' },
    })
    expect((await work(id))?.passes).toEqual([])
  })

  it('is for twenty experts at most at the same time', async () => {
    const many = await Promise.all(
      Array.from({ length: 21 }, (_, n) => createPerson(service, `expert${n}-${room.workspace_id}`)),
    )
    await addGroup('Many', ...many)
    await name(...many)
    const { id } = await ask()
    await pass(id, many.slice(0, 20))
    await pass(id, many.slice(5, 20))
    const one = { params: at(id), body: { user_ids: many.slice(20).map((person) => person.id) } }
    expect(await world.alice.refused(experts.pass, one)).toMatchObject({ code: 409, reason: 'too_many_experts' })
    await withdraw(id, many[0])
    await world.alice.call(experts.pass, one)
    expect((await work(id))?.passes).toHaveLength(20)
  })

  it('takes fifty replies until the expert is asked again', async () => {
    const id = await passed()
    const { asked_at } = await read(id)
    for (let n = 0; n < 50; n++) await replyTo(asked_at, id)
    const more = { params: at(id), body: { kind: 'draft' as const, text: 'And no.', asked_at } }
    expect(await eva.refused(experts.reply, more)).toMatchObject({ code: 409, reason: 'too_many_replies' })
    await pass(id)
    expect((await reply(id, 'Yes.')).entries.at(-1)).toMatchObject({ text: 'Yes.' })
  })

  it('takes no reply to what was asked before', async () => {
    const id = await passed()
    const { asked_at } = await read(id)
    await pass(id, [eva], 'Rather: by which paragraph?')
    const body = { kind: 'draft' as const, text: 'No.', asked_at }
    expect(await eva.refused(experts.reply, { params: at(id), body })).toMatchObject({
      code: 409,
      reason: 'asked_again',
    })
    expect((await read(id)).state).toBe('waiting')
    expect(await eva.statusOf(experts.reply, { params: at(id), body: { ...body, asked_at: 'today' } })).toBe(422)
  })

  it('comes page by page, first what waits', async () => {
    await name(eva)
    const ids: string[] = []
    for (let n = 0; n < 27; n++) ids.push((await ask({ subject: `Question ${n}` })).id)
    for (const id of ids) await pass(id)
    await reply(ids[26] ?? '', 'Done')
    const first = await eva.call(experts.listPassed, { params: inRoom(), query: { per_page: 25 } })
    // The next page goes on from the same place when its last question is gone.
    await withdraw(first.questions.at(-1)?.id ?? '')
    const second = await eva.call(experts.listPassed, {
      params: inRoom(),
      query: { per_page: 25, after: first.next ?? '' },
    })
    const order = [...first.questions, ...second.questions].map(({ id }) => ids.indexOf(id))
    expect(order).toEqual([...Array.from({ length: 26 }, (_, n) => 25 - n), 26])
    expect(second.next).toBeNull()
  })
})

describe('K105: an expert reads nothing but what was passed to them, and answers that are given to everybody', () => {
  type Read = [endpoint: AnyEndpoint, call: CallParts]

  /** All that the expert can ask for, with ETags, without what changes from moment to moment. */
  async function traffic(person: Person, readings: Read[]): Promise<unknown[]> {
    const all: unknown[] = []
    for (const [endpoint, call] of readings) {
      const { path, init } = requestOf(endpoint, call)
      const response = await person.fetch(path, init)
      const text = (await response.text()).replaceAll(response.headers.get('x-request-id') ?? '', '')
      all.push([endpoint.path, call, response.status, response.headers.get('etag'), text])
    }
    return all
  }

  it('is the same byte by byte, whatever is asked, noted, drafted, passed to others and published to others', async () => {
    const { alice, bob } = world
    const rita = await createPerson(service, `rita${room.workspace_id}`)
    await letAsk(await addGroup('Rivals', rita))
    await name(eva, otto)
    const { id } = await ask()
    await pass(id)
    await reply(id, 'No VAT is due.')
    const { id: hidden } = await ask({ subject: 'Who is secret?' })
    const { workspace_id } = room
    const of = { params: { workspace_id } }
    const readings: Read[] = [
      [experts.listPassed, of],
      [experts.listPassed, { ...of, query: { after: `0_${hidden}` } }],
      [experts.getPassed, { params: at(id) }],
      [experts.getPassed, { params: at(hidden) }],
      [experts.viewAs, { params: { ...at(id), user_id: eva.id } }],
      [experts.viewPassedAs, { params: { workspace_id, user_id: eva.id } }],
      [experts.list, of],
      [questions.list, of],
      ...[{ q: 'secret' }, { status: 'open' }, { faq: true }, { group_id: room.group_id }, { after: id }].map(
        (query): Read => [questions.list, { ...of, query }],
      ),
      [questions.listTexts, of],
      [questions.listTexts, { ...of, query: { faq: true } }],
      [questions.get, { params: at(id) }],
      [questions.get, { params: at(hidden) }],
      [questions.getSettings, of],
      [api.news.list, { query: { workspace_id } }],
      [api.users.news, {}],
      [api.activities.list, of],
      [api.activities.list, { ...of, query: { subject_type: 'Question' } }],
      [api.files.search, { query: { workspace_id, q: 'secret' } }],
      [api.workspaces.home, { params: { id: workspace_id } }],
      [api.groups.list, { query: { workspace_id } }],
    ]
    service.setClock(new Date())
    await traffic(eva, readings)
    const before = await traffic(eva, readings)
    const byPath = new Map(before.map((each) => [(each as [string, ...unknown[]])[0], (each as unknown[])[2]]))
    expect([byPath.get(experts.list.path), byPath.get(questions.get.path)]).toEqual([403, 404])
    expect(JSON.stringify(before)).not.toMatch(/secret\?|Bob|Bidders|Rita|Rivals/)
    const { subject, text, entries } = await read(id)
    expect([subject, text, entries.length]).toEqual(['Is VAT due?', 'On the sale?', 2])

    for (const person of [bob, rita]) await ask({ subject: 'Another secret?' }, person)
    await alice.call(questions.note, { params: at(id), body: { text: 'secret strategy' } })
    await alice.call(questions.update, {
      params: at(id),
      body: { question: { draft: 'secret draft', assignee_id: alice.id, priority: 'high' } },
    })
    await alice.call(experts.pass, { params: at(hidden), body: { user_ids: [otto.id], text: 'secret for otto' } })
    await alice.call(experts.pass, { params: at(id), body: { user_ids: [otto.id], text: 'secret for otto' } })
    await reply(hidden, 'secret of otto', 'draft', otto)
    await reply(id, 'secret of otto', 'remark', otto)
    await alice.call(questions.move, { params: at(id), body: { step: 'submit', text: 'secret step' } })
    await alice.call(questions.update, { params: at(hidden), body: { question: { draft: 'Nobody is.' } } })
    await alice.call(questions.answer, { params: at(hidden), body: {} })
    const entry = { subject: 'secret entry?', answer: 'Yes.' }
    await alice.call(questions.writeFaq, {
      params: inRoom(),
      body: { question: entry, reach: 'groups', group_ids: [room.group_id] },
    })
    await letAsk(room.group_id)
    expect(await traffic(eva, readings)).toEqual(before)
    service.setClock(undefined)
  })

  it('learns the same from every reading before and after other questions are asked and passed', async () => {
    await name(eva, otto)
    const place = { ...inRoom(), folder_id: 0, file_id: 1, group_id: advisers }
    const all = () =>
      readEach(
        eva,
        everyReading(place, () => 'vat'),
      )
    service.setClock(new Date())
    await all()
    const before = await all()
    const { id } = await ask()
    await pass(id, [otto])
    await reply(id, 'No VAT is due.', 'draft', otto)
    expect(await all()).toEqual(before)
    service.setClock(undefined)
  })

  it('reads an answer that is given to everybody like other members, without its asker', async () => {
    const id = await passed()
    const { id: other } = await ask({ subject: 'Who pays?' })
    for (const question_id of [id, other])
      await world.alice.call(questions.update, { params: at(question_id), body: { question: { draft: 'Nobody.' } } })
    await world.alice.call(questions.answer, { params: at(id), body: {} })
    expect(await eva.statusOf(questions.get, { params: at(other) })).toBe(404)
    await world.alice.call(questions.answer, { params: at(other), body: { reach: 'all' } })
    expect(await eva.call(questions.get, { params: at(other) })).toMatchObject({
      answer: 'Nobody.',
      group: null,
      asked_by: null,
      number: null,
    })
    const { questions: seen } = await eva.call(questions.list, { params: inRoom() })
    expect(seen.map(({ subject }) => subject)).toEqual(['Who pays?'])
  })

  it('gets no event of questions, also of those passed to them, and no act of others', async () => {
    await name(eva, otto)
    const events = await readEvents(service, eva, room.workspace_id)
    const { id } = await ask()
    await pass(id, [eva, otto])
    await reply(id, 'No.', 'draft', otto)
    await room.grant(await room.folder('Seen'), 'view', advisers)
    await expect.poll(() => events.seen.length).toBeGreaterThan(0)
    events.leave()
    expect(events.seen.flatMap(({ kinds }) => kinds)).not.toContain('questions')
    const { events: acts } = await eva.call(api.activities.list, { params: inRoom() })
    expect(acts.map(({ message }) => message).filter((message) => message.includes('question'))).toEqual([])
  })

  it('cannot do what answerers and askers do', async () => {
    const id = await passed()
    await reply(id, 'No VAT is due.')
    const { alice } = world
    for (const [endpoint, call, status] of [
      [questions.update, { params: at(id), body: { question: { draft: 'Mine' } } }, 403],
      [questions.note, { params: at(id), body: { text: 'Mine' } }, 403],
      [questions.move, { params: at(id), body: { step: 'close' } }, 403],
      [questions.answer, { params: at(id), body: {} }, 403],
      [questions.withdraw, { params: at(id) }, 404],
      [questions.ask, { params: inRoom(), body: { question: { subject: 'Mine?' } } }, 403],
      [experts.pass, { params: at(id), body: { user_ids: [eva.id] } }, 403],
      [experts.withdraw, { params: { ...at(id), user_id: eva.id } }, 403],
    ] as [AnyEndpoint, Call<AnyEndpoint>, number][])
      expect([endpoint.path, await eva.statusOf(endpoint, call)]).toEqual([endpoint.path, status])
    expect((await alice.call(questions.get, { params: at(id) })).work?.draft).toBe('')
  })

  it('reads nothing of another room, nor another expert’s questions', async () => {
    const id = await passed()
    await name(otto)
    expect([await listPassed(otto), await statusOf(id, otto)]).toEqual([[], 404])
    const first = inRoom()
    room = await createRoom(world)
    advisers = await addGroup('Advisers', eva)
    await name(eva)
    expect([await listPassed(), await statusOf(id)]).toEqual([[], 404])
    for (const [endpoint, call] of [
      [experts.reply, { params: at(id), body: { kind: 'draft', text: 'Mine', asked_at: new Date().toISOString() } }],
      [experts.viewAs, { params: { ...at(id), user_id: eva.id } }],
    ] as [AnyEndpoint, Call<AnyEndpoint>][])
      expect(await (endpoint === experts.viewAs ? world.alice : eva).statusOf(endpoint, call)).toBe(404)
    const { id: other } = await world.alice.call(questions.writeFaq, {
      params: inRoom(),
      body: { question: { subject: 'Here?', answer: 'Here.' }, reach: 'all' },
    })
    await world.alice.call(questions.move, { params: at(other), body: { step: 'reopen' } })
    expect(
      await world.alice.statusOf(experts.pass, {
        params: { ...first, question_id: other },
        body: { user_ids: [eva.id] },
      }),
    ).toBe(404)
  })
})

describe('K106: what was passed ends with the very next request', () => {
  const gone = async (id: string) => {
    const refused = await eva.refused(experts.getPassed, { params: at(id) })
    const never = await eva.refused(experts.getPassed, { params: at('00000000-0000-4000-8000-000000000000') })
    const { request_id: _one, ...was } = refused as unknown as Record<string, unknown>
    const { request_id: _other, ...none } = never as unknown as Record<string, unknown>
    expect([was, refused.code]).toEqual([none, 404])
    const body = { kind: 'draft', text: 'Mine', asked_at: new Date().toISOString() } as const
    expect(await eva.statusOf(experts.reply, { params: at(id), body })).toBe(404)
    expect(await listPassed()).toEqual([])
    const settings = await eva.call(questions.getSettings, { params: inRoom() })
    expect([settings.shown, settings.passed]).toEqual([false, false])
    const { items } = await eva.call(api.news.list, { query: inRoom() })
    expect(items.filter(({ question }) => question)).toEqual([])
    const { events } = await eva.call(api.activities.list, { params: inRoom() })
    expect(JSON.stringify(events)).not.toContain('VAT')
  }

  it('when it is withdrawn, also while the expert writes, and comes back only by another pass', async () => {
    const id = await passed()
    await reply(id, 'No VAT is due.')
    await withdraw(id)
    await gone(id)
    expect(await world.alice.statusOf(experts.viewAs, { params: { ...at(id), user_id: eva.id } })).toBe(404)
    await pass(id, [eva], 'Once more.')
    expect((await read(id)).entries.map(({ text }) => text)).toEqual(['Once more.'])
    await withdraw(id)
    expect((await work(id))?.entries.map(({ kind }) => kind)).toEqual([
      'passed',
      'expert_drafted',
      'pass_withdrawn',
      'passed',
      'pass_withdrawn',
    ])
    await pass(id)
    for (let round = 0; round < 5; round++) {
      const { asked_at } = await read(id)
      const done = await Promise.allSettled([replyTo(asked_at, id, { text: `Round ${round}` }), withdraw(id)])
      expect(done[1]?.status).toBe('fulfilled')
      const entries = (await work(id))?.entries ?? []
      // A reply is before the withdrawal, or was refused.
      expect(entries.at(-1)?.kind).toBe('pass_withdrawn')
      expect(done[0]?.status).toBe(entries.at(-2)?.kind === 'expert_drafted' ? 'fulfilled' : 'rejected')
      await pass(id)
    }
  })

  it('when the expert is taken off, and naming them again brings nothing back', async () => {
    const id = await passed()
    await world.alice.call(experts.remove, { params: { ...inRoom(), user_id: eva.id } })
    await gone(id)
    expect((await work(id))?.entries.at(-1)).toMatchObject({ kind: 'pass_withdrawn', expert: { name: 'Eva Tester' } })
    const { events } = await world.alice.call(api.activities.list, { params: inRoom() })
    expect(events.map(({ message }) => message)).toContain('withdrew from Eva Tester the question: Is VAT due?')
    await name(eva)
    await gone(id)
  })

  it('when the expert is taken off while a question is passed, and the trail of the question says so', async () => {
    const id = await passed()
    for (let round = 0; round < 5; round++) {
      const remove = world.alice.call(experts.remove, { params: { ...inRoom(), user_id: eva.id } })
      const done = await Promise.allSettled([pass(id), remove])
      expect(done[1]?.status).toBe('fulfilled')
      expect((await work(id))?.entries.at(-1)?.kind).toBe('pass_withdrawn')
      await name(eva)
      await pass(id)
    }
  })

  it('when the expert leaves the workspace, and being added again brings nothing back', async () => {
    const id = await passed()
    const query = { ...inRoom(), user_id: eva.id }
    await world.alice.call(api.groups.removeMember, { params: { id: advisers }, query })
    const all = await world.alice.call(api.groups.list, { query: inRoom() })
    const members = all.find(({ kind }) => kind === 'all_members')?.id ?? 0
    await world.alice.statusOf(api.groups.removeMember, { params: { id: members }, query })
    expect(await statusOf(id)).toBe(404)
    expect((await work(id))?.entries.at(-1)).toMatchObject({ kind: 'pass_withdrawn', expert: { name: 'Eva Tester' } })
    await addMember(world.alice, room.workspace_id, advisers, eva)
    await gone(id)
    expect(await world.alice.call(experts.list, { params: inRoom() })).toEqual([])
  })

  it('when the expert leaves while a question is passed, and the trail of the question says so', async () => {
    const id = await passed()
    const all = await world.alice.call(api.groups.list, { query: inRoom() })
    const members = all.find(({ kind }) => kind === 'all_members')?.id ?? 0
    const query = { ...inRoom(), user_id: eva.id }
    for (let round = 0; round < 5; round++) {
      const leave = world.alice.call(api.groups.removeMember, { params: { id: members }, query })
      const done = await Promise.allSettled([pass(id), leave])
      expect(done[1]?.status).toBe('fulfilled')
      expect((await work(id))?.entries.at(-1)?.kind).toBe('pass_withdrawn')
      await addMember(world.alice, room.workspace_id, advisers, eva)
      await come(eva)
      await name(eva)
      await pass(id)
    }
  })

  it('while a group of the expert asks, also one whose access has ended or for which admins imported', async () => {
    const id = await passed()
    const barOf = async () => (await world.alice.call(experts.list, { params: inRoom() }))[0]?.bar
    await letAsk(advisers)
    const { events } = await eva.call(api.activities.list, { params: inRoom() })
    expect(events.length).toBeGreaterThan(0)
    expect(await statusOf(id)).toBe(404)
    expect(await listPassed()).toEqual([])
    expect(await barOf()).toBe('asks')
    expect((await work(id))?.passes).toMatchObject([{ bar: 'asks' }])
    expect((await world.alice.call(questions.list, { params: inRoom() })).questions[0]?.experts).toEqual([])
    await letAsk(advisers, false)
    expect(await statusOf(id)).toBe(200)
    const lenders = await addGroup('Lenders', eva)
    const imported = [{ group_id: lenders, subject: 'For lenders?' }]
    await world.alice.call(questions.import, { params: inRoom(), body: { questions: imported } })
    await service.services.db
      .updateTable('groups')
      .set({ expire_workspace_access_at: '2020-01-01' })
      .where('id', '=', lenders)
      .execute()
    expect([await statusOf(id), await barOf()]).toEqual([404, 'asks'])
    const query = { ...inRoom(), user_id: eva.id }
    await world.alice.call(api.groups.removeMember, { params: { id: lenders }, query })
    expect([await statusOf(id), await barOf()]).toEqual([200, null])
  })

  it('while the access of all groups of the expert has ended, and while terms await', async () => {
    const id = await passed()
    const end = (day: string | null) =>
      service.services.db
        .updateTable('groups')
        .set({ expire_workspace_access_at: day })
        .where('id', '=', advisers)
        .execute()
    await end('2020-01-01')
    await gone(id)
    expect((await work(id))?.passes).toMatchObject([{ bar: 'no_access' }])
    await end(null)
    expect(await statusOf(id)).toBe(200)
    await issueTerms(world.alice, room.workspace_id)
    expect(await eva.refused(experts.getPassed, { params: at(id) })).toMatchObject({ reason: 'terms_not_accepted' })
  })
})

describe('mails and news', () => {
  const toEva = async () => (await takeMails(service)).filter(({ to }) => to === eva.email)
  const languageOf = (language: 'en' | 'de') =>
    service.services.db.updateTable('users').set({ language }).where('id', '=', eva.id).execute()
  const remind = (day: string) =>
    remindOfQuestions(service.services.db, 'http://dashboard.test', new Date(`${day}T09:00:00Z`))
  const setDue = (id: string, due_on: string) =>
    world.alice.call(questions.update, { params: at(id), body: { question: { due_on } } })
  /** The mails that are sent on a day. */
  async function sentOn(day: string) {
    service.setClock(new Date(`${day}T09:00:00Z`))
    const mails = await toEva()
    service.setClock(undefined)
    return mails
  }
  const remindedOn = async (day: string) => {
    await remind(day)
    return sentOn(day)
  }

  it('tell the expert in their language, without number and asker, and remind when the question is due', async () => {
    await languageOf('de')
    const { id } = await ask({ subject: 'Is <b>VAT</b> due? See evil.example' })
    await setDue(id, '2096-03-10')
    await name(eva)
    await pass(id)
    const [mail, ...others] = await toEva()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Ihre Hilfe ist gefragt in Room')
    expect(mail?.text).toContain('Alice Tester bittet um Ihre Hilfe bei einer Frage in Room.')
    expect(mail?.text).toMatch(/ällig am 10\. März 2096/)
    expect(mail?.html).toContain(`/questions?view=passed&amp;passed=${id}`)
    expect(mail?.html).not.toContain('<b>')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Bob|Bidders|evil\.example|\d\. Is/)
    await languageOf('en')
    expect(await remindedOn('2096-03-08')).toEqual([])
    const [due] = await remindedOn('2096-03-09')
    expect(due?.subject).toBe('A question for you in Room is due')
    expect(due?.text).toContain('ue on 10 March 2096')
    await reply(id, 'No.')
    expect(await remindedOn('2096-03-11')).toEqual([])
  })

  it('remind each expert in their own time, also of a question of which the answerer was reminded before', async () => {
    await name(eva)
    const { id } = await ask()
    await setDue(id, '2096-03-10')
    await remind('2096-03-09')
    await pass(id)
    expect(await toEva()).toHaveLength(1)
    expect(await remindedOn('2096-03-09')).toHaveLength(1)
    expect(await remindedOn('2096-03-10')).toEqual([])
    expect(await remindedOn('2096-03-11')).toHaveLength(1)
    expect(await remindedOn('2096-03-12')).toEqual([])
    await setDue(id, new Date().toISOString().slice(0, 10))
    await pass(id)
    // The mail that asks tells of the day, so no other does on the same day.
    expect(await toEva()).toHaveLength(1)
    await remind(new Date().toISOString().slice(0, 10))
    expect(await toEva()).toEqual([])
  })

  it('remind of nothing that is not due any more, and tell once of what was asked twice', async () => {
    const id = await passed()
    await pass(id, [eva], 'Or rather § 5?')
    expect(await toEva()).toHaveLength(1)
    await setDue(id, '2096-03-10')
    await remind('2096-03-09')
    await setDue(id, '2096-03-20')
    expect(await sentOn('2096-03-09')).toEqual([])
    await remind('2096-03-19')
    await pass(id)
    expect(await sentOn('2096-03-19')).toHaveLength(1)
  })

  it('tell that a question waits again once it is opened again', async () => {
    const id = await passed()
    await toEva()
    const move = (step: 'close' | 'reopen') => world.alice.call(questions.move, { params: at(id), body: { step } })
    await move('close')
    expect(await toEva()).toEqual([])
    await move('reopen')
    const [mail] = await toEva()
    expect(mail?.subject).toBe('Your help is asked for in Room')
    await reply(id, 'No.')
    await move('close')
    await move('reopen')
    expect(await toEva()).toEqual([])
  })

  it('that a mail server refuses are noted at the address, and one that it takes ends the note', async () => {
    const { db } = service.services
    const deliver = (send: () => Promise<void>, asked_at: string, id: string) =>
      deliverExpertMail(
        { db, publicUrl: 'http://dashboard.test', send, clock: () => new Date() },
        { ...inRoom(), user_id: eva.id, questions: [{ id, asked_at }], reason: 'passed' },
      )
    const isRefused = async () => {
      const members = await world.alice.call(api.workspaces.listMembers, { params: { id: room.workspace_id } })
      return members.find(({ user }) => user.id === eva.id)?.mail_refused
    }
    const id = await passed()
    const { asked_at } = await read(id)
    await expect(deliver(() => Promise.reject(new RefusedByServer('550 No')), asked_at, id)).rejects.toThrow('550')
    expect(await isRefused()).toBe(true)
    await deliver(async () => {}, asked_at, id)
    expect(await isRefused()).toBe(false)
  })

  test('K106: are decided with the rights of the moment of sending', async () => {
    const id = await passed()
    await withdraw(id)
    expect(await toEva()).toEqual([])
    await pass(id)
    await letAsk(advisers)
    expect(await toEva()).toEqual([])
    await letAsk(advisers, false)
    await pass(id)
    await issueTerms(world.alice, room.workspace_id)
    const [closed] = await toEva()
    await setDue(id, '2096-03-10')
    const [due] = await remindedOn('2096-03-09')
    expect(due?.subject).toBe('Your help is asked for in Room')
    expect(closed?.text).toContain('once you have accepted the terms')
    expect(`${closed?.text}${closed?.html}`).not.toContain('VAT')
    await world.alice.call(questions.update, { params: at(id), body: { question: { draft: 'No.' } } })
    await pass(id)
    await world.alice.call(questions.answer, { params: at(id), body: {} })
    expect(await toEva()).toEqual([])
  })

  it('come to a mailbox twenty times an hour at most, and not to those who want none', async () => {
    const id = await passed()
    let mails = (await toEva()).length
    for (let n = 0; n < 24; n++) {
      await pass(id)
      mails += (await toEva()).length
    }
    expect(mails).toBe(20)
    const { rows } = await sql<{ name: string }>`select name from mail_budgets order by name`.execute(
      service.services.db,
    )
    expect(rows.map((budget) => budget.name)).toEqual([`pass by user ${world.alice.id}`, `pass to ${eva.email}`])
    await sql`delete from mail_budgets`.execute(service.services.db)
    const off = (mail_frequency: 'off' | 'daily') =>
      service.services.db.updateTable('users').set({ mail_frequency }).where('id', '=', eva.id).execute()
    await off('off')
    await pass(id)
    expect(await toEva()).toEqual([])
    await off('daily')
  })

  it('are in the news of the expert until read, and a reply in those of the admin who asked', async () => {
    const newsOf = async (person: Person) =>
      (await person.call(api.news.list, { query: inRoom() })).items
        .filter(({ question }) => question?.expert)
        .map(({ question, unread }) => [question?.subject, question?.expert, unread])
    const unreadOf = async (person: Person) =>
      (await person.call(api.users.news, {})).workspaces.find(({ workspace_id }) => workspace_id === room.workspace_id)
        ?.unread_questions
    await come(eva)
    const id = await passed()
    expect([await newsOf(eva), await unreadOf(eva)]).toEqual([[['Is VAT due?', 'asked', true]], 1])
    const { workspaces } = await eva.call(api.users.news, {})
    expect(workspaces.find(({ workspace_id }) => workspace_id === room.workspace_id)?.unread_passed).toBe(1)
    await read(id)
    expect([await newsOf(eva), await unreadOf(eva)]).toEqual([[['Is VAT due?', 'asked', false]], 0])
    await pass(id)
    expect(await unreadOf(eva)).toBe(1)
    await world.alice.call(questions.get, { params: at(id) })
    expect(await newsOf(world.alice)).toEqual([])
    await reply(id, 'No.')
    expect([await newsOf(world.alice), await unreadOf(world.alice)]).toEqual([[['Is VAT due?', 'replied', true]], 1])
    await world.alice.call(questions.get, { params: at(id) })
    expect(await unreadOf(world.alice)).toBe(0)
    expect([await newsOf(otto), await newsOf(world.bob)]).toEqual([[], []])
    await pass(id)
    await sql`update question_passes set asked_by = ${world.wendy.id} where question_id = ${id}::uuid`.execute(
      service.services.db,
    )
    await reply(id, 'Still no.')
    // Wendy is no admin of this room, so that nobody would know of the reply.
    expect(await newsOf(world.alice)).toEqual([['Is VAT due?', 'replied', true]])
  })
})
