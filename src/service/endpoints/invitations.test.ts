import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { sweepInvitations } from '../store/people/invitations.ts'
import { takeMails } from '../testing/jobs.ts'
import { issueTerms } from '../testing/deal/terms.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createPerson, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
let group_id: number
let serial = 0

beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const body = { group: { name: 'Northgate', workspace_id: world.workspace_id } }
  group_id = (await world.alice.call(api.groups.create, { body })).id
})
afterAll(() => service.close())

const DAY = 24 * 3600_000
const inRoom = () => ({ workspace_id: world.workspace_id })

async function add(more: { send_email?: boolean; message?: string; group_id?: number } = {}): Promise<Person> {
  const person = await createPerson(service, `guest${++serial}`)
  await takeMails(service)
  const { group_id: id = group_id, ...rest } = more
  const body = { ...inRoom(), email: person.email, ...rest }
  await world.alice.call(api.groups.addMember, { params: { id }, body })
  return person
}

const tokenIn = (text = '') => text.match(/\/invitation\/\d+#([\w-]{43})\n/)?.[1] ?? ''
const mailTo = async ({ email }: Person) => (await takeMails(service)).find(({ to }) => to === email)
const show = (secret: string, workspace_id = world.workspace_id) =>
  world.olivia.call(api.signInCodes.invitation, { body: { token: `${workspace_id}.${secret}` } })
const send = (message?: string, id = group_id) =>
  world.alice.call(api.groups.invite, { params: { id }, body: { ...inRoom(), message } })
const stateOf = async ({ id }: Person) =>
  (await world.alice.call(api.workspaces.listMembers, { params: { id: world.workspace_id } })).find(
    ({ user }) => user.id === id,
  )?.invitation_state
const expireAt = ({ id }: Person, expires_at: Date) =>
  service.services.db.updateTable('invitations').set({ expires_at }).where('user_id', '=', id).execute()
const arrive = (person: Person) => person.call(api.workspaces.get, { params: { id: world.workspace_id } })

describe('the link of an invitation', () => {
  it('tells its holder whom it is for, by whom, into which room and until when', async () => {
    const soon = new Date(Date.now() + 40 * DAY).toISOString().slice(0, 10)
    const group = { expire_workspace_access_at: soon }
    await world.alice.call(api.groups.setAccessExpiry, { params: { id: group_id }, body: { ...inRoom(), group } })
    const guest = await add({ message: 'Please read 4 Property first.' })
    const mail = await mailTo(guest)
    expect(mail?.text).toContain('Please read 4 Property first.')
    expect(mail?.text).toMatch(/Your access ends on \d+ \w+ \d{4}, 00:\u206000 UTC\./)
    const { invitation } = await show(tokenIn(mail?.text))
    expect(invitation).toEqual({
      email: guest.email,
      workspace_id: world.workspace_id,
      workspace_name: 'Harbour',
      description: '',
      expectation: '',
      inviter: 'Alice Tester',
      message: 'Please read 4 Property first.',
      invited_at: expect.any(String),
      groups: ['Northgate'],
      terms_await: false,
      access_ends_at: soon,
      look: null,
      logos: { light: null, dark: null },
    })
    expect(await show(tokenIn(mail?.text))).toEqual({ invitation })
    const params = { id: group_id }
    await world.alice.call(api.groups.removeAccessExpiry, { params, body: inRoom() })
  })

  it('says of an access that is over that it has ended, also in a reminder', async () => {
    const guest = await add()
    await mailTo(guest)
    const ends = (day: string | null) =>
      sql`update groups set expire_workspace_access_at = ${day}::date where id = ${group_id}`.execute(
        service.services.db,
      )
    await ends('2024-05-01')
    await world.alice.call(api.users.remind, { params: { id: guest.id }, body: inRoom() })
    expect((await mailTo(guest))?.text).toMatch(/Your access ended on 1 May 2024, 00:\u206000 UTC\./)
    await ends(null)
  })

  test('K80: tells neither description nor expectation nor groups while terms await', async () => {
    const params = { id: world.workspace_id }
    const welcome = { description: 'Sale of the quay', expectation: 'Bids by May' }
    await world.alice.call(api.workspaces.updateWelcome, { params, body: { welcome } })
    const token = tokenIn((await mailTo(await add()))?.text)
    expect((await show(token)).invitation).toMatchObject({ ...welcome, groups: ['Northgate'], terms_await: false })
    const terms_id = await issueTerms(world.alice, world.workspace_id)
    const untold = { description: '', expectation: '', groups: [], terms_await: true }
    expect((await show(token)).invitation).toMatchObject({ workspace_name: 'Harbour', ...untold })
    await world.alice.call(api.terms.withdraw, { params: { ...params, terms_id } })
    await world.alice.call(api.workspaces.updateWelcome, {
      params,
      body: { welcome: { description: '', expectation: '' } },
    })
  })

  test('K74: is stored as a hash only, also while the mail waits', async () => {
    const guest = await add()
    const queued = await service.services.db.selectFrom('jobs').select('payload').execute()
    const token = tokenIn((await mailTo(guest))?.text)
    expect(token).not.toBe('')
    const stored = await service.services.db.selectFrom('invitations').selectAll().execute()
    expect(JSON.stringify([queued, stored])).not.toContain(token)
    expect(JSON.stringify(queued)).toContain('/invitation/')
  })

  test('K74: tells nothing for another token or workspace, after a newer mail, its expiry, the arrival or the removal', async () => {
    const guest = await add()
    const first = tokenIn((await mailTo(guest))?.text)
    expect(await show(`${first.slice(0, -1)}${first.endsWith('A') ? 'E' : 'A'}`)).toEqual({ invitation: null })
    expect(await show(first, world.workspace_id + 1)).toEqual({ invitation: null })
    await world.alice.call(api.users.remind, { params: { id: guest.id }, body: inRoom() })
    const second = tokenIn((await mailTo(guest))?.text)
    expect(await show(first)).toEqual({ invitation: null })
    await expireAt(guest, new Date())
    expect(await show(second)).toEqual({ invitation: null })
    await expireAt(guest, new Date(Date.now() + DAY))
    expect((await show(second)).invitation?.email).toBe(guest.email)
    await arrive(guest)
    expect(await show(second)).toEqual({ invitation: null })

    const other = await add()
    const token = tokenIn((await mailTo(other))?.text)
    const query = { ...inRoom(), user_id: other.id }
    await world.alice.call(api.groups.removeMember, { params: { id: group_id }, query })
    expect(await show(token)).toEqual({ invitation: null })
    expect(await world.alice.statusOf(api.signInCodes.invitation, { body: { token } })).toBe(403)
  })

  test('K74: is not mailed to a person who was removed or came in while the mail waited', async () => {
    const [removed, arrived] = [await add(), await add()]
    await world.alice.call(api.groups.removeMember, {
      params: { id: group_id },
      query: { ...inRoom(), user_id: removed.id },
    })
    await arrive(arrived)
    const mails = await takeMails(service)
    expect(mails.filter(({ to }) => [removed.email, arrived.email].includes(to))).toEqual([])
  })

  it('is forgotten when it has expired', async () => {
    await add()
    const count = async () => (await service.services.db.selectFrom('invitations').selectAll().execute()).length
    expect(await count()).toBeGreaterThan(0)
    await sweepInvitations(service.services.db, new Date(Date.now() + 31 * DAY))
    expect(await count()).toBe(0)
  })
})

describe('people who are invited later', () => {
  it('get no mail until their group is invited, and then one each', async () => {
    const { id } = await world.alice.call(api.groups.create, { body: { group: { name: 'Later', ...inRoom() } } })
    const [one, two] = [await add({ send_email: false, group_id: id }), await add({ send_email: false, group_id: id })]
    expect([await stateOf(one), await stateOf(two), await takeMails(service)]).toEqual([
      'not_invited',
      'not_invited',
      [],
    ])
    expect(await world.alice.call(api.groups.get, { params: { id }, query: inRoom() })).toMatchObject({
      uninvited_count: 2,
    })
    expect(await world.bob.call(api.groups.list, { query: inRoom() })).toMatchObject([
      { uninvited_count: null },
      { uninvited_count: null },
    ])
    expect(await send('The room is open.', id)).toEqual({ invited: 2, left: 0 })
    expect((await takeMails(service)).map(({ to }) => to).sort()).toEqual([one.email, two.email].sort())
    expect(await send('Again.', id)).toEqual({ invited: 0, left: 0 })
    await arrive(one)
    expect([await stateOf(one), await stateOf(two)]).toEqual(['arrived', 'invited'])
    const { events } = await world.alice.call(api.activities.list, {
      params: inRoom(),
      query: { verb: 'invited', page: 1, per_page: 25 },
    })
    expect(events.map(({ message }) => message).sort()).toEqual(
      [one, two].map(({ first_name }) => `invited ${first_name} Tester`).sort(),
    )
  })

  it('are invited once by two admins at the same time', async () => {
    const guest = await add({ send_email: false })
    const both = await Promise.all([send(), send()])
    expect(both.map(({ invited }) => invited).sort()).toEqual([0, 1])
    expect((await takeMails(service)).filter(({ to }) => to === guest.email)).toHaveLength(1)
  })

  it('are invited by being added to a further group with a mail', async () => {
    const guest = await add({ send_email: false })
    const body = { ...inRoom(), email: guest.email, send_email: true }
    await world.alice.call(api.groups.addMember, { params: { id: world.group_id }, body })
    expect(await stateOf(guest)).toBe('invited')
    expect((await mailTo(guest))?.subject).toBe('Alice Tester invites you to Harbour')
    const again = await world.alice.call(api.groups.addMember, { params: { id: group_id }, body })
    expect(again.invitation).toBe('known')
  })

  test('K28: stay uninvited once their inviter has written to a thousand mailboxes within a day', async () => {
    const { db } = service.services
    const { id } = await world.alice.call(api.groups.create, { body: { group: { name: 'Crowd', ...inRoom() } } })
    await db.deleteFrom('mail_budgets').execute()
    await add({ group_id: id })
    const budget = db.updateTable('mail_budgets').set({ count: 999 })
    await budget.where('name', '=', `invite by user ${world.alice.id}`).execute()
    for (let count = 0; count < 3; count++) await add({ send_email: false, group_id: id })
    expect(await send(undefined, id)).toEqual({ invited: 1, left: 2 })
    await service.services.db.deleteFrom('mail_budgets').execute()
  })

  test('K74: stay uninvited where the mailbox gets no more mails this hour or the team suppresses mails', async () => {
    const { id } = await world.alice.call(api.groups.create, { body: { group: { name: 'Tags', ...inRoom() } } })
    const addresses = Array.from({ length: 3 }, (_, n) => `tag+${n}@example.com`)
    for (const email of addresses) {
      const body = { ...inRoom(), email, send_email: false }
      await world.alice.call(api.groups.addMember, { params: { id }, body })
    }
    expect(await send(undefined, id)).toEqual({ invited: 1, left: 2 })
    await takeMails(service)
    const suppress = (suppress_emails: boolean) =>
      world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team: { suppress_emails } } })
    await suppress(true)
    expect(await send(undefined, id)).toEqual({ invited: 0, left: 2 })
    await suppress(false)
    await service.services.db.updateTable('mail_budgets').set({ count: 10 }).execute()
    const body = { ...inRoom(), email: 'tag+9@example.com', send_email: false }
    await world.alice.call(api.groups.addMember, { params: { id }, body })
    expect(await send(undefined, id)).toEqual({ invited: 0, left: 3 })
    const now = { ...inRoom(), email: 'tag+9@example.com' }
    const other = { ...inRoom(), email: 'tag+10@example.com' }
    const added = await Promise.all(
      [now, other].map((each) => world.alice.call(api.groups.addMember, { params: { id }, body: each })),
    )
    expect(added.map(({ invitation }) => invitation)).toEqual(['too_many', 'too_many'])
    await service.services.db.deleteFrom('mail_budgets').execute()
  })
})
