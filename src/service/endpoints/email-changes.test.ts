import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { sweepEmailChanges } from '../store/people/email-changes.ts'
import { findMarkingOf } from '../store/downloads/marks.ts'
import { sweepMailBudgets } from '../store/people/mail-budgets.ts'
import { takeMails } from '../testing/jobs.ts'
import { createRoom } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createPerson, createWorld, type Person, type World } from '../testing/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  await takeMails(service)
})
afterAll(() => service.close())
afterEach(() => service.setClock(undefined))

const { users } = api
const MINUTE = 60_000
let serial = 0

/** A user with an unused mail budget, so that the tests do not use up each other's. */
const someone = async (name = `person${++serial}`): Promise<Person> => {
  const person = await createPerson(service, name)
  await takeMails(service)
  await service.services.db.deleteFrom('mail_budgets').execute()
  return person
}

const ask = (person: Person, email: string) => person.call(users.updateMe, { body: { user: { email } } })
const confirm = (code: string) => ({ body: { code } })
const codeIn = (text: string | undefined) => text?.match(/^ {4}(\d{6})$/m)?.[1] ?? ''

async function codeTo(email: string): Promise<string> {
  return codeIn((await takeMails(service)).findLast(({ to }) => to === email)?.text)
}

const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')

describe('a new e-mail address', () => {
  test('K4: takes effect when the code sent to it is entered', async () => {
    const ben = await someone('ben')
    const asked = await ben.call(users.updateMe, { body: { user: { email: 'Ben@New.example', first_name: 'Benno' } } })
    expect(asked).toMatchObject({ email: 'ben@example.com', pending_email: 'Ben@New.example', first_name: 'Benno' })
    const mails = await takeMails(service)
    const code = codeIn(mails.find(({ to }) => to === 'Ben@New.example')?.text)
    expect(code).toMatch(/^\d{6}$/)
    expect(mails.find(({ to }) => to === 'ben@example.com')?.text).toContain('Ben@New.example')

    const changed = await ben.call(users.confirmEmail, confirm(code))
    expect(changed).toMatchObject({ email: 'Ben@New.example', pending_email: null })
    expect(changed.user_token).toBe(ben.user_token)
    const [told, ...others] = await takeMails(service)
    expect([told?.to, others]).toEqual(['ben@example.com', []])
    expect(told?.text).toContain('is Ben@New.example now')
    expect((await ben.refused(users.confirmEmail, confirm(code))).code).toBe(422)
  })

  test('K4: is shown to its user only', async () => {
    await ask(world.bob, 'bob@elsewhere.example')
    const everybody = await world.olivia.call(api.organization.listMembers, {})
    const members = await world.alice.call(api.workspaces.listMembers, { params: { id: world.workspace_id } })
    expect(JSON.stringify([everybody, members])).not.toContain('elsewhere')
    await world.bob.call(users.cancelEmailChange, {})
  })

  test('K4: equal to the current one except for case needs no code and keeps a pending change', async () => {
    const noa = await someone('noa')
    await ask(noa, 'noa@new.example')
    await takeMails(service)
    expect(await ask(noa, 'Noa@Example.com')).toMatchObject({
      email: 'Noa@Example.com',
      pending_email: 'noa@new.example',
    })
    expect(await takeMails(service)).toEqual([])
  })

  test('K4: that is in use gets the same reply and number of mails; only its mailbox learns more', async () => {
    const answers = []
    for (const email of ['ALICE@example.com', 'nobody@elsewhere.example']) {
      const mallory = await someone()
      const { pending_email, ...me } = await ask(mallory, email)
      const mails = await takeMails(service)
      const tries = []
      for (const code of ['000000', '111111', '222222', '333333', '444444', '555555']) {
        tries.push((await mallory.refused(users.confirmEmail, confirm(code))).message)
      }
      const again = await mallory.call(users.resendEmailCode, {})
      const { id: _id, email: _email, user_token: _token, jti: _jti, created_at: _c, updated_at: _u, ...rest } = me
      const tos = mails.map(({ to }) => (to === email ? 'new' : to === mallory.email ? 'old' : to)).toSorted()
      const { first_name: _name, ...facts } = rest
      answers.push({ facts, asked: pending_email === email && again.pending_email === email, tos, tries })
      await takeMails(service)
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.tos).toEqual(['new', 'old'])
    const mallory = await someone()
    await ask(mallory, 'alice@example.com')
    const told = (await takeMails(service)).find(({ to }) => to === 'alice@example.com')
    expect(told?.text).toContain('belongs to an account already')
    expect(codeIn(told?.text)).toBe('')
    expect(`${told?.subject} ${told?.text}`).not.toContain(mallory.first_name)
  })

  test('K4: goes to the first user who confirms it; the other one stays unchanged', async () => {
    const [one, two] = [await someone(), await someone()]
    const email = 'both@new.example'
    await ask(one, email)
    const first = await codeTo(email)
    await ask(two, email)
    const second = await codeTo(email)
    const statuses = await Promise.all([
      one.statusOf(users.confirmEmail, confirm(first)),
      two.statusOf(users.confirmEmail, confirm(second)),
    ])
    expect(statuses.toSorted()).toEqual([200, 409])
    const emails = await Promise.all([one, two].map(async (each) => (await each.call(users.me, {})).email))
    expect(emails.filter((each) => each === email)).toHaveLength(1)
  })

  test('K4: invited meanwhile gets a separate account, and the change fails', async () => {
    const mallory = await someone()
    const email = 'victim@new.example'
    await ask(mallory, email)
    const code = await codeTo(email)
    const { workspace_id, group_id, alice } = world
    const params = { id: group_id }
    const invited = await alice.call(api.groups.addMember, { params, body: { workspace_id, email } })
    expect(invited.id).not.toBe(mallory.id)
    expect((await mallory.refused(users.confirmEmail, confirm(code))).code).toBe(409)
    expect((await mallory.call(users.me, {})).email).toBe(mallory.email)
    expect(await mallory.statusOf(api.workspaces.get, { params: { id: workspace_id } })).toBe(404)
  })

  test('K4: ends all sessions except the confirming one, and revokes no key', async () => {
    const kim = await someone('kim')
    const [here] = [
      await kim.call(api.sessions.create, { body: { method: 'code' } }),
      await kim.call(api.sessions.create, { body: { method: 'code' } }),
    ]
    await ask(kim, 'kim@new.example')
    const code = await codeTo('kim@new.example')
    const response = await kim.fetch('/api/v1/users/me/email_change/confirm', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-session': String(here?.id) },
      body: JSON.stringify({ code }),
    })
    expect(response.status).toBe(200)
    const { sessions } = await kim.call(api.sessions.list, {})
    expect(sessions.map(({ id }) => id)).toEqual([here?.id])
  })

  it('is in the audit trail: requested, cancelled, changed', async () => {
    const lea = await someone('lea')
    await ask(lea, 'lea@one.example')
    await lea.call(users.cancelEmailChange, {})
    await ask(lea, 'lea@two.example')
    await lea.call(users.confirmEmail, confirm(await codeTo('lea@two.example')))
    const { rows } = await readTrail(lea.id)
    expect(rows).toEqual([
      ['asked to change their e-mail address', { pending_email: { after: 'lea@one.example' } }],
      ['kept their e-mail address', { pending_email: { before: 'lea@one.example' } }],
      ['asked to change their e-mail address', { pending_email: { after: 'lea@two.example' } }],
      ['changed their e-mail address', { email: { before: 'lea@example.com', after: 'lea@two.example' } }],
    ])
  })
})

async function readTrail(userId: number) {
  const entries = await service.services.db.selectFrom('audit_inbox').select('entry').orderBy('id').execute()
  const own = entries
    .map(({ entry }) => JSON.parse(entry) as { user_id: number; verb: string; message: string; changes: unknown })
    .filter(({ user_id, verb }) => user_id === userId && verb === 'updated')
  return { rows: own.map(({ message, changes }) => [message, changes]) }
}

describe('a code for a new address', () => {
  test('K4: allows five attempts, even concurrent ones', async () => {
    const ida = await someone('ida')
    await ask(ida, 'ida@new.example')
    const code = await codeTo('ida@new.example')
    await Promise.all(Array.from({ length: 12 }, () => ida.statusOf(users.confirmEmail, confirm(wrongFor(code)))))
    expect((await ida.refused(users.confirmEmail, confirm(code))).code).toBe(422)
  })

  test('K4: is accepted after wrong guesses only while attempts are left', async () => {
    const ivo = await someone('ivo')
    await ask(ivo, 'ivo@new.example')
    const code = await codeTo('ivo@new.example')
    for (let n = 0; n < 4; n++) await ivo.refused(users.confirmEmail, confirm(wrongFor(code)))
    expect((await ivo.call(users.confirmEmail, confirm(code))).email).toBe('ivo@new.example')
  })

  test('K4: is wrong for another account, and for another address of the same account', async () => {
    const [una, uwe] = [await someone('una'), await someone('uwe')]
    await ask(una, 'una@new.example')
    const code = await codeTo('una@new.example')
    await ask(uwe, 'uwe@new.example')
    await takeMails(service)
    if (code !== (await codeTo('uwe@new.example'))) {
      expect((await uwe.refused(users.confirmEmail, confirm(code))).code).toBe(422)
    }
    await ask(una, 'una@other.example')
    expect((await una.refused(users.confirmEmail, confirm(code))).code).toBe(422)
  })

  test('K4: is valid for ten minutes, and the change for a day', async () => {
    const eva = await someone('eva')
    await ask(eva, 'eva@new.example')
    const code = await codeTo('eva@new.example')
    const later = new Date(Date.now() + 11 * MINUTE)
    service.setClock(later)
    const response = await eva.fetch(
      '/api/v1/users/me/email_change/confirm',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code }) },
      later.getTime(),
    )
    expect(response.status).toBe(422)
    const tomorrow = new Date(Date.now() + 25 * 60 * MINUTE)
    service.setClock(tomorrow)
    const me = (await (await eva.fetch('/api/v1/users/me', {}, tomorrow.getTime())).json()) as {
      pending_email: unknown
    }
    expect(me.pending_email).toBeNull()
    await sweepEmailChanges(service.services.db, tomorrow)
    const left = await service.services.db
      .selectFrom('email_changes')
      .selectAll()
      .where('user_id', '=', eva.id)
      .execute()
    expect(left).toEqual([])
  })

  test('K4: is not readable in the database', async () => {
    const ute = await someone('ute')
    await ask(ute, 'ute@new.example')
    const code = await codeTo('ute@new.example')
    const { db } = service.services
    const row = await db.selectFrom('email_changes').selectAll().where('user_id', '=', ute.id).executeTakeFirstOrThrow()
    expect(row.code_hash).toHaveLength(32)
    const everything = JSON.stringify([row, await db.selectFrom('jobs').selectAll().execute()])
    expect(everything).not.toContain(code)
  })

  it('can be requested again, and the change can be cancelled', async () => {
    const gil = await someone('gil')
    await ask(gil, 'gil@new.example')
    const former = await codeTo('gil@new.example')
    await gil.call(users.resendEmailCode, {})
    const code = await codeTo('gil@new.example')
    if (former !== code) expect((await gil.refused(users.confirmEmail, confirm(former))).code).toBe(422)
    expect(await gil.call(users.cancelEmailChange, {})).toMatchObject({ email: 'gil@example.com', pending_email: null })
    expect((await gil.refused(users.confirmEmail, confirm(code))).code).toBe(422)
    expect(await gil.statusOf(users.resendEmailCode, {})).toBe(404)
    expect(await gil.statusOf(users.cancelEmailChange, {})).toBe(404)
  })

  it('is not mailed if the change was cancelled before the worker ran', async () => {
    const tim = await someone('tim')
    await ask(tim, 'tim@new.example')
    await tim.call(users.cancelEmailChange, {})
    expect((await takeMails(service)).map(({ to }) => to)).toEqual(['tim@example.com'])
  })
})

describe('mails to strangers', () => {
  test('J1: one account can request five in an hour', async () => {
    const max = await someone('max')
    for (let n = 0; n < 5; n++) await ask(max, `max${n}@new.example`)
    const { code, message } = await max.refused(users.updateMe, { body: { user: { email: 'max5@new.example' } } })
    expect([code, message]).toEqual([429, 'Too many mails were asked for. Try again later.'])
    expect((await max.call(users.me, {})).pending_email).toBe('max4@new.example')
    const later = new Date(Date.now() + 61 * MINUTE)
    await sweepMailBudgets(service.services.db, later)
    await ask(max, 'max6@new.example')
  })

  test('J1: one mailbox gets at most ten in a day, whoever requests them, even concurrently', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => createPerson(service, `crowd${++serial}`)))
    await takeMails(service)
    await service.services.db.deleteFrom('mail_budgets').execute()
    const spelt = (n: number) =>
      ['Victim@crowd.example', 'v.ictim@crowd.example', `victim+${n}@crowd.example`][n % 3] ?? ''
    const asks = people.map((each, n) => each.statusOf(users.updateMe, { body: { user: { email: spelt(n) } } }))
    const statuses = await Promise.all(asks)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })

  test('B9: invitations to one mailbox are limited to ten in an hour, and a reminder reports the limit', async () => {
    const guest = await someone('guest')
    const { workspace_id, group_id, alice } = world
    const body = { workspace_id, email: guest.email }
    let mails = 0
    for (let n = 0; n < 12; n++) {
      await alice.call(api.groups.addMember, { params: { id: group_id }, body })
      mails += (await takeMails(service)).length
      await alice.call(api.groups.removeMember, {
        params: { id: group_id },
        query: { workspace_id, user_id: guest.id },
      })
    }
    expect(mails).toBe(10)
    await alice.call(api.groups.addMember, { params: { id: group_id }, body })
    const call = { params: { id: guest.id }, body: { workspace_id } }
    expect((await alice.refused(users.remind, call)).code).toBe(429)
  })

  test('K28: tags and dots give the same mailbox no further invitations', async () => {
    const { workspace_id, group_id, alice } = world
    const spelt = (n: number) => [`f.lood+${n}@crowd.example`, `Flood+x${n}@crowd.example`][n % 2] ?? ''
    for (let n = 0; n < 12; n++) {
      await alice.call(api.groups.addMember, { params: { id: group_id }, body: { workspace_id, email: spelt(n) } })
    }
    expect(await takeMails(service)).toHaveLength(10)
  })
})

describe('the existence of an account', () => {
  const { groups, teams } = api
  const inside = () => ({ workspace_id: world.workspace_id, send_email: false })

  test('B9: by e-mail, the reply repeats what a stranger sent and nothing more', async () => {
    const known = await someone('stranger')
    await world.olivia.call(api.signInCodes.vouch, { body: { email: known.email } })
    await known.call(users.signIn, {})
    const params = { id: world.group_id }
    const add = (email: string) => world.alice.call(groups.addMember, { params, body: { ...inside(), email } })
    const [old, fresh] = [await add('STRANGER@example.com'), await add('fresh@example.com')]
    const shapeOf = ({ id: _id, user_id: _user, email: _email, created_at, updated_at, ...rest }: typeof old) => ({
      ...rest,
      isNew: created_at === updated_at && Date.now() - new Date(created_at).getTime() < MINUTE,
    })
    expect(old.email).toBe('STRANGER@example.com')
    expect(shapeOf(old)).toEqual(shapeOf(fresh))
    const { events } = await world.alice.call(api.activities.list, { params: { workspace_id: world.workspace_id } })
    expect(events.some(({ message }) => message === 'added STRANGER@example.com to this workspace')).toBe(true)
  })

  test('B9: in a team, the reply reveals nothing more either', async () => {
    const known = await someone('outside')
    await world.olivia.call(api.signInCodes.vouch, { body: { email: known.email } })
    await known.call(users.signIn, {})
    const params = { id: world.team_id }
    const { user } = await world.tina.call(teams.addMember, { params, body: { email: known.email } })
    expect(user).toMatchObject({ first_name: '', last_name: '', status: 'invited', jti: '', user_token: '' })
  })

  test('B1: by id, is hidden unless the caller shares a team or a workspace with the user', async () => {
    const stranger = await someone('unmet')
    const params = { id: world.group_id }
    const add = (user_id: number) => ({ params, body: { ...inside(), user_id } })
    const refusals = [
      await world.alice.refused(groups.addMember, add(stranger.id)),
      await world.alice.refused(groups.addMember, add(999_999)),
    ].map(({ code, message }) => [code, message])
    expect(refusals[0]).toEqual(refusals[1])
    expect(refusals[0]?.[0]).toBe(404)
    const team = { id: world.team_id }
    expect(await world.tina.statusOf(teams.addMember, { params: team, body: { user_id: stranger.id } })).toBe(404)
    const heir = { params: team, body: { team: { team_owner_id: stranger.id } } }
    expect(await world.tina.statusOf(teams.update, heir)).toBe(404)
    const query = { workspace_id: world.workspace_id, user_id: stranger.id }
    expect(await world.alice.statusOf(groups.removeMember, { params, query })).toBe(404)
    expect(await world.alice.statusOf(groups.addMember, add(world.wendy.id))).toBe(201)
  })
})

describe('the proof of an address', () => {
  test('K4: requires a code: a user cannot declare themselves active', async () => {
    const pat = await someone('pat')
    expect((await pat.call(users.signIn, {})).status).toBe('invited')
    const { code } = await service.admin.call(api.signInCodes.create, { body: { email: pat.email } })
    await service.admin.call(api.signInCodes.redeem, { body: { email: 'PAT@example.com', code: code ?? '' } })
    expect((await pat.call(users.signIn, {})).status).toBe('active')
  })
})

describe('a name', () => {
  test.each([
    'alice@example.com',
    'alice＠example.com',
    'See http://evil.example',
    'Al\u200bice',
    'Al\u2060ice',
    '\u202eecilA',
    '\u3164',
    'Alice\u{e0041}',
    'A\u034flice',
  ])('D6: %j is refused', async (first_name) => {
    const response = await world.mallory.refused(users.updateMe, { body: { user: { first_name } } })
    expect(response.code).toBe(422)
  })

  it.each(['Zoë', 'Nguyễn', 'محمد', 'O’Neill', 'نیم‌فاصله', '李小龙'])('%s is accepted', async (first_name) => {
    const mia = await someone()
    expect((await mia.call(users.updateMe, { body: { user: { first_name } } })).first_name).toBe(first_name)
  })

  describe('that was changed', () => {
    const { workspaces } = api
    const memberOf = async (person: Person) => {
      const members = await world.alice.call(workspaces.listMembers, { params: { id: world.workspace_id } })
      return members.find(({ user }) => user.id === person.id)
    }
    const marked = async (person: Person) => {
      const reading = { workspace_id: world.workspace_id, user_id: person.id, ip: '192.0.2.1', at: new Date() }
      const { reader } = await findMarkingOf(service.services.db, reading)
      return [reader.first_name, reader.last_name, reader.email]
    }
    const rename = (person: Person, first_name: string) =>
      person.call(users.updateMe, { body: { user: { first_name } } })
    const accept = (person: Person, first_name: string) => ({
      params: { id: world.workspace_id, user_id: person.id },
      body: { first_name, last_name: 'Tester' },
    })

    test('D6: appears in marks only after an admin of the workspace accepted it', async () => {
      await rename(world.bob, 'Alice')
      expect(await marked(world.bob)).toEqual(['Bob', 'Tester', 'bob@example.com'])
      const member = await memberOf(world.bob)
      expect(member).toMatchObject({ marked_name: 'Bob Tester', user: { first_name: 'Alice' } })
      expect(member?.name_changed_at).toMatch(/Z$/)
      const { events } = await world.alice.call(api.activities.list, { params: { workspace_id: world.workspace_id } })
      expect(events[0]?.message).toBe('changed their name from "Bob Tester" to "Alice Tester"')

      await rename(world.bob, 'Robert')
      expect((await world.alice.refused(workspaces.acceptName, accept(world.bob, 'Alice'))).code).toBe(409)
      expect(await marked(world.bob)).toEqual(['Bob', 'Tester', 'bob@example.com'])
      const accepted = await world.alice.call(workspaces.acceptName, accept(world.bob, 'Robert'))
      expect(accepted).toMatchObject({ marked_name: null, name_changed_at: null, user: { first_name: 'Robert' } })
      expect(await marked(world.bob)).toEqual(['Robert', 'Tester', 'bob@example.com'])
    })

    test('D6: needs no approval when it is changed back', async () => {
      await rename(world.bob, 'Wendy')
      await rename(world.bob, 'Robert')
      expect(await memberOf(world.bob)).toMatchObject({ marked_name: null, name_changed_at: null })
    })

    test('D6: cannot be accepted by the user themselves, nor by a non-admin', async () => {
      await rename(world.wendy, 'Wanda')
      expect(await world.wendy.statusOf(workspaces.acceptName, accept(world.wendy, 'Wanda'))).toBe(403)
      expect(await world.bob.statusOf(workspaces.acceptName, accept(world.wendy, 'Wanda'))).toBe(403)
      expect(await memberOf(world.wendy)).toMatchObject({ marked_name: 'Wendy Tester' })
    })

    describe('before the user is added to another workspace', () => {
      const markedIn = async (workspace_id: number, person: Person) => {
        const reading = { workspace_id, user_id: person.id, ip: '192.0.2.1', at: new Date() }
        const { reader } = await findMarkingOf(service.services.db, reading)
        return `${reader.first_name} ${reader.last_name}`.trim()
      }
      /** Creates a workspace of alice's and adds the person to its new group. */
      async function addTo(person: Person, by: { user_id: number } | { email: string }): Promise<number> {
        const { workspace_id, group_id } = await createRoom(world)
        const query = { workspace_id, user_id: person.id }
        await world.alice.statusOf(api.groups.removeMember, { params: { id: group_id }, query })
        const body = { workspace_id, send_email: false, ...by }
        await world.alice.call(api.groups.addMember, { params: { id: group_id }, body })
        return workspace_id
      }

      test('D6: is in no mark there, whether added by id or e-mail, until an admin accepts it', async () => {
        await rename(world.bob, 'Carol')
        for (const by of [{ user_id: world.bob.id }, { email: world.bob.email }]) {
          expect(await markedIn(await addTo(world.bob, by), world.bob)).toBe('Robert Tester')
        }
        await world.alice.call(workspaces.acceptName, accept(world.bob, 'Carol'))
        expect(await markedIn(await addTo(world.bob, { user_id: world.bob.id }), world.bob)).toBe('Carol Tester')
      })

      test('D6: is in no mark there if the user was never in a workspace of that admin', async () => {
        const mate = await someone('mate')
        await world.alice.call(api.teams.addMember, { params: { id: world.team_id }, body: { email: mate.email } })
        await rename(mate, 'Alice')
        const workspace_id = await addTo(mate, { user_id: mate.id })
        expect(await markedIn(workspace_id, mate)).toBe('')
        const members = await world.alice.call(workspaces.listMembers, { params: { id: workspace_id } })
        expect(members.find(({ user }) => user.id === mate.id)).toMatchObject({ marked_name: '' })
      })

      test('D6: is in no mark there if an accomplice accepted it in a workspace and added the admin', async () => {
        const [accomplice, forged] = [await someone('accomplice'), await someone('forger')]
        const team_id = await accompliceTeam(accomplice)
        const workspace = { name: 'Trap', team_id }
        const { id } = await accomplice.call(workspaces.create, { body: { workspace } })
        const [admins] = await accomplice.call(api.groups.list, { query: { workspace_id: id } })
        const add = (email: string) =>
          accomplice.call(api.groups.addMember, {
            params: { id: admins!.id },
            body: { workspace_id: id, email, send_email: false },
          })
        await add(forged.email)
        await rename(forged, 'Alice')
        await accomplice.call(workspaces.acceptName, {
          params: { id, user_id: forged.id },
          body: { first_name: 'Alice', last_name: 'Tester' },
        })
        await add(world.alice.email)
        expect(await markedIn(await addTo(forged, { user_id: forged.id }), forged)).toBe('')
      })

      async function accompliceTeam(accomplice: Person): Promise<number> {
        const { id } = await world.olivia.call(api.teams.create, {
          body: { team: { name: 'Other', allowed_admins: 10 } },
        })
        await world.olivia.call(api.teams.addMember, { params: { id }, body: { user_id: accomplice.id } })
        return id
      }

      test('D6: is in the marks there if an organization admin set it', async () => {
        const given = await createPerson(service, 'given')
        const workspace_id = await addTo(given, { email: given.email })
        expect(await markedIn(workspace_id, given)).toBe('Given Tester')
      })
    })

    test('D6: of a stranger whom no admin has seen yet is in no mark either', async () => {
      const forged = await someone('forged')
      await rename(forged, 'Alice')
      const params = { id: world.group_id }
      const body = { workspace_id: world.workspace_id, email: forged.email, send_email: false }
      await world.alice.call(api.groups.addMember, { params, body })
      expect(await marked(forged)).toEqual(['', '', 'forged@example.com'])
      expect(await memberOf(forged)).toMatchObject({ marked_name: '', user: { first_name: 'Alice' } })
    })
  })
})
