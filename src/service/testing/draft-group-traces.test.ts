import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestOf } from '../../client/request.ts'
import type { AnyEndpoint, CallParts } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { FLAGS } from '../../contract/endpoints/permissions.ts'
import { urlOf } from '../../contract/url.ts'
import { type MailServer, startMailServer } from '../../mail/testing/mail-server.ts'
import { everyReading, mailsOfNews, readEach, type ReadReply } from './deal/every-reading.ts'
import { issueTerms } from './deal/terms.ts'
import { readEvents } from './event-reader.ts'
import { createRoom, type Room } from './room.ts'
import { startTestService, type TestService } from './start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from './world.ts'

// A room with a draft group whose name occurs nowhere else, and whose id is far from all others. bob is in another group of
// the room as well, carol in none.

const FOREIGN = 'Zephyrine'
const FAR = 7_000_000

let service: TestService
let world: World
let carol: Person
let room: Room
let workspace_id: number
/** bob's group may download from it. */
let finance: number
/** No group but the draft may see it. */
let secret: number
let report: number
let draft: number
let mail: MailServer
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  carol = await createPerson(service, 'carol')
  mail = await startMailServer()
  room = await createRoom(world)
  workspace_id = room.workspace_id
  finance = await room.folder('Finance')
  secret = await room.folder('Secret')
  await room.grant(finance, 'download')
  report = (await room.upload(world.alice, finance, 'report.txt', 'a quarterly report')).id
  await room.upload(world.alice, secret, 'hidden.txt', 'a hidden report')
})
afterAll(async () => {
  await mail.close()
  await service.close()
})

const place = () => ({ workspace_id, folder_id: finance, file_id: report, group_id: room.group_id })
const readAll = (person: Person) =>
  readEach(
    person,
    everyReading(place(), () => 'report'),
  )

const inRoom = () => ({ workspace_id })

/** Makes a draft group, lets people wait for it, and does everything to it that an admin may. */
async function addDraftGroup(): Promise<number> {
  const { alice, bob, wendy } = world
  const { db } = service.services
  await sql`select setval(pg_get_serial_sequence('groups', 'id'), ${FAR}, false)`.execute(db)
  const settings = { name: `${FOREIGN} Bidders`, workspace_id, file_managing_abilities: true, is_draft: true }
  const { id } = await alice.call(api.groups.create, { body: { group: settings } })
  const params = { id }
  for (const person of [bob, carol, wendy]) await addMember(alice, workspace_id, id, person)
  for (const email of ['new@example.com', 'gone@example.com'])
    await alice.call(api.groups.addMember, { params, body: { workspace_id, email, send_email: true } })
  const [gone] = (await alice.call(api.groups.listMembers, { params, query: inRoom() })).slice(-1)
  await alice.call(api.groups.removeMember, { params, query: { workspace_id, user_id: gone?.id ?? 0 } })
  for (const flag of FLAGS) await room.grant(0, flag, id)
  const changes = [{ folder_id: finance, group_id: id, rights: { view: true } }]
  await alice.call(api.permissions.change, { body: { workspace_id, changes } })
  const body = { workspace_id, group: { name: `${FOREIGN} Lenders` } }
  await alice.call(api.groups.update, { params, body })
  const ending = { workspace_id, group: { expire_workspace_access_at: '2199-01-01' } }
  await alice.call(api.groups.setAccessExpiry, { params, body: ending })
  const asking = { workspace_id }
  await alice.call(api.questions.updateSettings, {
    params: asking,
    body: { groups: [{ group_id: id, may_ask: true }] },
  })
  const question = { subject: `${FOREIGN} law`, text: '', answer: 'Dutch law.' }
  await alice.call(api.questions.writeFaq, { params: asking, body: { question, reach: 'groups', group_ids: [id] } })
  await issueTerms(alice, workspace_id, { text: `${FOREIGN} terms`, group_id: id })
  expect(await alice.statusOf(api.groups.invite, { params, body: inRoom() })).toBe(409)
  const trial = await alice.call(api.draftGroups.publish, { params, body: { workspace_id, dry_run: true } })
  expect(trial).toEqual({ folders: 2, files: 2, people: 4, newcomers: 3, uninvited: 3, invited: 0 })
  return id
}

function expectSame(after: Map<string, ReadReply>, before: Map<string, ReadReply>): void {
  for (const [name, reply] of after) {
    expect([name, reply]).toEqual([name, before.get(name)])
    expect(`${name} ${reply.text.includes(FOREIGN)} ${/\b70000\d\d\b/.test(reply.text)}`).toBe(`${name} false false`)
  }
}

it('K101: 0 traces of a draft group for those who wait for it and for other members, in every reply, event and mail', async ({
  task,
}) => {
  const { bob } = world
  const { db } = service.services
  await sql`update users set mail_frequency = 'at_once', language = 'en'`.execute(db)
  await bob.call(api.workspaces.get, { params: { id: workspace_id } })
  await sql`update group_memberships set created_at = created_at - interval '2 hours'`.execute(db)
  await sql`update activities set created_at = created_at - interval '2 hours'`.execute(db)
  await sql`update workspace_memberships set mailed_until = now()`.execute(db)
  const jobs = async () => (await sql<{ n: number }>`select count(*)::int as n from jobs`.execute(db)).rows[0]?.n

  await readAll(bob)
  // The views of the first readings are no events of those who follow from now on.
  await sql`update activities set created_at = created_at - interval '1 hour'`.execute(db)
  const before = await readAll(bob)
  const outside = await readAll(carol)
  const [events, queued] = [await readEvents(service, bob, workspace_id), await jobs()]
  draft = await addDraftGroup()
  // Whatever the draft caused has arrived once this has.
  const marker = events.seen.length
  const [after, still] = [await readAll(bob), await readAll(carol)]
  expect([...after.values()].filter(({ status }) => status === 200).length).toBeGreaterThan(30)
  expectSame(after, before)
  expectSame(still, outside)
  expect(await jobs()).toBe(queued)
  expect(await mailsOfNews(service, mail)).toEqual([])

  await room.upload(world.alice, finance, 'visible.txt', 'a visible file')
  await expect.poll(() => events.seen.length).toBeGreaterThan(0)
  events.leave()
  expect(marker).toBe(0)
  expect(events.seen.flatMap(({ kinds }) => kinds)).not.toContain('permissions')
  task.meta.attempts = after.size + still.size
})

it('K101: the id of a draft group is to those who wait for it like one that never was', async ({ task }) => {
  let asked = 0
  for (const endpoint of Object.values(api).flatMap((section) => Object.values(section) as AnyEndpoint[])) {
    const isNamed = endpoint.path.startsWith('/groups/{id}')
    const known = Object.keys(endpoint.query?.shape ?? {})
    if (!isNamed && !known.includes('group_id') && !known.includes('group_ids')) continue
    const call = (of: number): CallParts => ({
      params: {
        id: isNamed ? of : endpoint.path.startsWith('/workspaces') ? workspace_id : finance,
        workspace_id,
        question_id: '00000000-0000-4000-8000-000000000000',
      },
      query: { ...(known.includes('workspace_id') && { workspace_id }), ...askedOf(known, of) },
      ...(endpoint.method !== 'GET' && { body: { workspace_id, group: { name: 'Taken' }, user_id: carol.id } }),
    })
    const reply = async (person: Person, of: number) => {
      const { path, init } = requestOf(endpoint, call(of))
      const response = await person.fetch(path, init)
      const text = (await response.text()).replaceAll(response.headers.get('x-request-id') ?? '', '')
      return `${endpoint.method} ${urlOf(endpoint, call(0))} ${response.status} ${text}`
    }
    for (const person of [world.bob, carol]) expect(await reply(person, draft)).toBe(await reply(person, FAR * 10))
    asked++
  }
  expect(asked).toBeGreaterThan(20)
  task.meta.attempts = asked * 2
})

const askedOf = (known: readonly string[], of: number) => ({
  ...(known.includes('group_id') && { group_id: of }),
  ...(known.includes('group_ids') && { group_ids: [of] }),
})

it('K101: admins see nobody as having access through a draft group, and what its members will see', async () => {
  const { alice } = world
  const people = await alice.call(api.permissions.listPeople, { params: { id: secret }, query: inRoom() })
  expect(people.filter(({ admin }) => !admin)).toEqual([])
  const members = await alice.call(api.workspaces.listMembers, { params: { id: workspace_id } })
  expect(members.map(({ user }) => user.email).toSorted()).toEqual(['alice@example.com', 'bob@example.com'])
  const as = { params: { id: 0 }, query: { workspace_id, group_id: draft } }
  const { immediate_subfolders } = await alice.call(api.permissions.viewAs, as)
  expect(immediate_subfolders.map(({ name }) => name)).toEqual(['Finance', 'Secret'])
})

it('K101: publishing lets its members in behind its terms, and tells those who were there already in one mail', async () => {
  const { alice, bob } = world
  const invitation = { message: 'Welcome.' }
  await alice.call(api.draftGroups.publish, { params: { id: draft }, body: { workspace_id, invitation } })
  const at = { params: { id: secret }, query: inRoom() }
  for (const person of [bob, carol]) expect(await person.statusOf(api.folders.get, at)).toBe(403)
  const [terms] = await alice.call(api.terms.listVersions, { params: { id: workspace_id } })
  await alice.call(api.terms.withdraw, { params: { id: workspace_id, terms_id: terms?.id ?? 0 } })
  for (const person of [bob, carol]) expect(await person.statusOf(api.folders.get, at)).toBe(200)
  const mails = await mailsOfNews(service, mail)
  expect(mails.filter((each) => each.startsWith('bob@'))).toEqual([expect.stringContaining('Room')])
})
