import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { takeMails } from '../testing/jobs.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createWorld, type World } from '../testing/world.ts'
import { remindOfQuestions } from './question-reminders.ts'

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  await sql`delete from jobs`.execute(service.services.db)
  await sql`delete from questions`.execute(service.services.db)
  await sql`update users set mail_frequency = 'daily', language = 'en'`.execute(service.services.db)
  room = await createRoom(world)
  const all = await world.alice.call(api.groups.list, { query: inRoom() })
  const admins = all.find(({ kind }) => kind === 'workspace_admins')
  await addMember(world.alice, room.workspace_id, admins?.id ?? 0, world.wendy)
  wendyAsAdmin = () => ({ params: { id: admins?.id ?? 0 }, query: { ...inRoom(), user_id: world.wendy.id } })
  const groups = [{ group_id: room.group_id, may_ask: true }]
  await world.alice.call(api.questions.updateSettings, { params: inRoom(), body: { groups } })
})

let wendyAsAdmin: () => Parameters<typeof world.alice.call<typeof api.groups.removeMember>>[1]

const inRoom = () => ({ workspace_id: room.workspace_id })

async function ask(subject: string, question: object): Promise<string> {
  const { id } = await world.bob.call(api.questions.ask, { params: inRoom(), body: { question: { subject } } })
  await world.alice.call(api.questions.update, { params: { ...inRoom(), question_id: id }, body: { question } })
  return id
}

/** The mails that a pass on a day enqueues: the recipient, the subject and the text. */
async function mailsOn(day: string): Promise<{ to: string; subject: string; text: string; html: string }[]> {
  const { db } = service.services
  await sql`delete from jobs`.execute(db)
  await remindOfQuestions(db, 'http://dashboard.test', new Date(`${day}T09:00:00Z`))
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute()
  return jobs.map(({ payload }) => payload as unknown as { to: string; subject: string; text: string; html: string })
}

test('the answerer is reminded the day before, and once when the question is overdue', async () => {
  const id = await ask('Who pays for <b>dredging</b>?', { assignee_id: world.alice.id, due_on: '2026-03-10' })
  expect(await mailsOn('2026-03-08')).toEqual([])
  const [mail, ...others] = await mailsOn('2026-03-09')
  expect(others).toEqual([])
  expect(mail?.to).toBe(world.alice.email)
  expect(mail?.subject).toContain('A question in')
  expect(mail?.text).toContain('due on 10 March 2026')
  expect(mail?.html).toContain(`/questions?question=${id}`)
  expect(mail?.html).not.toContain('<b>')
  expect(await mailsOn('2026-03-09')).toEqual([])
  expect(await mailsOn('2026-03-10')).toEqual([])
  expect((await mailsOn('2026-03-11'))[0]?.text).toContain('was due on 10 March 2026')
  expect(await mailsOn('2026-03-12')).toEqual([])
})

test('a reminder is from the sender that the branding of the room names', async () => {
  const branding = { sender_name: 'Northgate Partners' }
  await world.alice.call(api.brandings.update, { params: { id: room.workspace_id }, body: { branding } })
  await ask('Who pays?', { assignee_id: world.alice.id, due_on: '2026-03-10' })
  expect(await mailsOn('2026-03-09')).toMatchObject([{ from_name: 'Northgate Partners' }])
})

test('a later day brings another reminder, and an answer none', async () => {
  const id = await ask('Which law?', { assignee_id: world.alice.id, due_on: '2026-03-10' })
  expect(await mailsOn('2026-03-09')).toHaveLength(1)
  const params = { ...inRoom(), question_id: id }
  await world.alice.call(api.questions.update, { params, body: { question: { due_on: '2026-03-20' } } })
  expect(await mailsOn('2026-03-11')).toEqual([])
  expect(await mailsOn('2026-03-19')).toHaveLength(1)
  await world.alice.call(api.questions.update, { params, body: { question: { draft: 'That of Portugal.' } } })
  await world.alice.call(api.questions.answer, { params, body: {} })
  expect(await mailsOn('2026-03-25')).toEqual([])
})

test('a question that awaits approval goes to its approver, one of nobody to all admins, in one mail each', async () => {
  const id = await ask('Who approves?', {
    assignee_id: world.alice.id,
    approver_id: world.wendy.id,
    due_on: '2026-03-10',
  })
  await ask('Whose is this?', { due_on: '2026-03-10' })
  const params = { ...inRoom(), question_id: id }
  await world.alice.call(api.questions.update, { params, body: { question: { draft: 'Wendy does.' } } })
  await world.alice.call(api.questions.move, { params, body: { step: 'submit' } })
  const told = (await mailsOn('2026-03-09')).map(({ to, text }) => [
    to,
    ['Who approves?', 'Whose is this?'].filter((subject) => text.includes(subject)),
  ])
  expect(Object.fromEntries(told)).toEqual({
    [world.alice.email]: ['Whose is this?'],
    [world.wendy.email]: ['Who approves?', 'Whose is this?'],
  })
})

test('who is no admin any more, or wants no mails, gets none', async () => {
  await ask('Who is left?', { assignee_id: world.wendy.id, due_on: '2026-03-10' })
  await sql`delete from group_memberships where workspace_id = ${room.workspace_id} and user_id = ${world.wendy.id}`.execute(
    service.services.db,
  )
  expect((await mailsOn('2026-03-09')).map(({ to }) => to)).toEqual([world.alice.email])
  await sql`update users set mail_frequency = 'off', language = 'de'`.execute(service.services.db)
  expect(await mailsOn('2026-03-11')).toEqual([])
})

test.each<[string, () => Promise<unknown>]>([
  ['is no admin any more', () => world.alice.call(api.groups.removeMember, wendyAsAdmin())],
  [
    'has another address by now',
    () => sql`update users set email = 'w@new.test' where id = ${world.wendy.id}`.execute(service.services.db),
  ],
])('K111: a reminder that waited does not reach whoever %s', async (_, meanwhile) => {
  const { db } = service.services
  await ask('Who is told?', { assignee_id: world.wendy.id, due_on: '2026-03-10' })
  await ask('Who is told of this?', { assignee_id: world.alice.id, due_on: '2026-03-10' })
  await sql`delete from jobs`.execute(db)
  await remindOfQuestions(db, 'http://dashboard.test', new Date('2026-03-09T09:00:00Z'))
  await meanwhile()
  expect((await takeMails(service)).map(({ to }) => to)).toEqual([world.alice.email])
  await sql`update users set email = ${world.wendy.email} where id = ${world.wendy.id}`.execute(db)
})

test('one pass reminds of all questions, however many are due', async () => {
  const { db } = service.services
  await ask('Which of them?', { assignee_id: world.alice.id, due_on: '2026-03-10' })
  await sql`
    insert into questions (workspace_id, number, group_id, group_name, group_number, subject, text, asked_by, assignee_id, due_on)
    select workspace_id, number + n, group_id, group_name, group_number + n, subject, text, asked_by, assignee_id, due_on
    from questions, generate_series(1, 449) n`.execute(db)
  const mails = await mailsOn('2026-03-09')
  expect(mails.flatMap(({ text }) => text.match(/Which of them/g) ?? [])).toHaveLength(450)
  expect(await mailsOn('2026-03-09')).toEqual([])
})

test('German readers get German words', async () => {
  await sql`update users set language = 'de'`.execute(service.services.db)
  await ask('Welches Recht?', { assignee_id: world.alice.id, due_on: '2026-03-10' })
  const [mail] = await mailsOn('2026-03-09')
  expect(mail?.subject).toMatch(/^Eine Frage in .* ist fällig$/)
  expect(mail?.text).toContain('fällig am 10. März 2026')
})
