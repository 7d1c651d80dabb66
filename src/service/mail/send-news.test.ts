import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { api } from '../../contract/index.ts'
import type { Frequency } from '../../contract/endpoints/deal/notifications.ts'
import { type MailServer, startMailServer } from '../../mail/testing/mail-server.ts'
import { readMails, tokenIn } from '../../mail/testing/read-mails.ts'
import { createMailer, type Mailer } from '../../mail/transport.ts'
import { openVault } from '../base/secrets.ts'
import { issueTerms } from '../testing/deal/terms.ts'
import { passTime } from '../testing/deal/pass-time.ts'
import { createRoom, type Room } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../testing/world.ts'
import { listWorkspacesWithDue } from '../store/notifications/due-members.ts'
import { readSlots } from '../store/notifications/slots.ts'
import { sendNews } from './send-news.ts'
import { openUnsubscribeTokens } from './unsubscribe-token.ts'

let service: TestService
let world: World
let room: Room
let server: MailServer
let mailer: Mailer
let folder: number
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  warnings = []
  server = await startMailServer()
  mailer = createMailer({ smtpUrl: server.url, from: 'Strongroom <no-reply@rooms.test>', outbox: '/nonexistent' })
  await sql`delete from jobs`.execute(service.services.db)
  await sql`update users set mail_frequency = 'daily', language = 'en', mail_refused_at = null,
    time_zone = ${zoneInTheAfternoon()}`.execute(service.services.db)
  room = await createRoom(world)
  folder = await room.folder('Contracts')
  await room.grant(folder, 'view')
  await world.bob.call(api.workspaces.get, { params: { id: room.workspace_id } })
  await hoursPass()
  await sql`update workspace_memberships set mailed_until = now(), mail_frequency = null, mail_retry_at = null`.execute(
    service.services.db,
  )
})
afterEach(() => {
  mailer.close()
  return server.close()
})

/** A zone where it is past four now, whatever the hour of this run: the last daily mail was due eight hours ago. */
function zoneInTheAfternoon(): string {
  const ahead = ((16 - new Date().getUTCHours() + 36) % 24) - 12
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** Lets time pass by moving what is stored into the past. */
async function hoursPass(hours = 1): Promise<void> {
  const { db } = service.services
  await sql`update group_memberships set created_at = created_at - make_interval(mins => ${Math.round(hours * 60)}::int)`.execute(
    db,
  )
  await passTime(db, hours * 60)
}

const meansOf = (send = mailer.send) => ({
  db: service.services.db,
  tokens: openUnsubscribeTokens(service.services.vault),
  publicUrl: 'http://dashboard.test',
  send,
  log: { info() {}, warn: (facts: object) => void warnings.push(facts) },
})
let warnings: object[]
const pass = (now = new Date()) => sendNews(meansOf(), now, new AbortController().signal)

const mails = () => readMails(server)

const choose = (person: Person, frequency: Frequency | null) =>
  person.call(api.notifications.setForWorkspace, { params: { id: room.workspace_id }, body: { frequency } })

describe('a mail at once', () => {
  beforeEach(() => choose(world.bob, 'at_once'))

  it('names all files of a burst, and comes once', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await room.upload(world.alice, folder, name)
    await hoursPass()
    expect(await pass()).toBe(1)
    const [mail] = await mails()
    expect(mail?.to).toBe(world.bob.email)
    expect(mail?.subject).toBe('3 new documents in Room')
    expect(mail?.text).toMatch(/- c\.txt\n {2}in Contracts\n- b\.txt\n {2}in Contracts\n- a\.txt/)
    expect(mail?.html.match(/\/files\/\d+\/view/g)).toHaveLength(3)
    await hoursPass()
    expect(await pass()).toBe(0)
  })

  it('is from the sender that the branding of the room names', async () => {
    const branding = { sender_name: 'Northgate Partners' }
    await world.alice.call(api.brandings.update, { params: { id: room.workspace_id }, body: { branding } })
    await room.upload(world.alice, folder, 'a.txt')
    await hoursPass()
    await pass()
    const [received] = server.received
    const { from } = await PostalMime.parse(received?.text ?? '')
    expect(from).toEqual({ name: 'Northgate Partners', address: 'no-reply@rooms.test' })
  })

  it('waits until the room is quiet, but not longer than half an hour', async () => {
    await room.upload(world.alice, folder, 'first.txt')
    await hoursPass(4 / 60)
    expect(await pass()).toBe(0)
    await hoursPass(20 / 60)
    await room.upload(world.alice, folder, 'second.txt')
    await hoursPass(2 / 60)
    expect(await pass()).toBe(0)
    await hoursPass(7 / 60)
    expect(await pass()).toBe(1)
    expect((await mails())[0]?.subject).toBe('2 new documents in Room')
  })

  describe('K109: comes when it would come without', () => {
    let theirs: number
    beforeEach(async () => {
      theirs = await room.folder('Of others')
      await room.grant(folder, 'upload')
      await hoursPass()
      await pass()
    })
    const hidden: [string, (n: number) => Promise<unknown>][] = [
      ['files that its reader may not view', (n) => room.upload(world.alice, theirs, `theirs${n}.txt`)],
      ['rights of other groups', (n) => grantOthers(n)],
      ['files of its reader', (n) => room.upload(world.bob, folder, `own${n}.txt`)],
    ]

    it.each(hidden)('%s after a file that is news', async (_, act) => {
      const before = (await mails()).length
      await room.upload(world.alice, folder, 'news.txt')
      for (let n = 0; n < 2; n++) {
        await hoursPass(3 / 60)
        await act(n)
      }
      await hoursPass(1.5 / 60)
      expect(await pass()).toBe(1)
      expect((await mails()).slice(before).map(({ subject }) => subject)).toEqual(['A new document in Room'])
      await hoursPass()
      expect(await pass()).toBe(0)
    })

    it.each(hidden)('%s before a file that is news', async (_, act) => {
      const before = (await mails()).length
      await act(0)
      for (let n = 1; n < 9; n++) {
        await hoursPass(4 / 60)
        await act(n)
      }
      await room.upload(world.alice, folder, 'news.txt')
      await hoursPass(2 / 60)
      expect(await pass()).toBe(0)
      await hoursPass(4 / 60)
      expect(await pass()).toBe(1)
      expect((await mails()).slice(before).map(({ subject }) => subject)).toEqual(['A new document in Room'])
    })
  })

  /** Gives another group rights and takes them back. */
  async function grantOthers(n: number): Promise<void> {
    const { id } = await world.alice.call(api.groups.create, {
      body: { group: { name: `Others ${n}`, workspace_id: room.workspace_id } },
    })
    const body = { workspace_id: room.workspace_id, group_id: id, folder_action: 'view' as const }
    for (const verb of ['grant', 'revoke'] as const)
      await world.alice.call(api.permissions.set, { params: { id: folder }, body: { ...body, verb } })
  }

  it('does not tell what the person did', async () => {
    await choose(world.alice, 'at_once')
    await room.upload(world.alice, folder, 'mine.txt')
    await hoursPass()
    await pass()
    expect((await mails()).map(({ to }) => to)).toEqual([world.bob.email])
  })

  it('is in German for a person who chose it, and tells versions and changed access', async () => {
    await world.bob.call(api.notifications.update, { body: { notifications: { language: 'de' } } })
    await room.upload(world.alice, folder, 'a.txt', 'one')
    await room.upload(world.alice, folder, 'a.txt', 'two')
    await room.grant(folder, 'download')
    await world.alice.call(api.groups.setAccessExpiry, {
      params: { id: room.group_id },
      body: { workspace_id: room.workspace_id, group: { expire_workspace_access_at: '2099-05-01' } },
    })
    await hoursPass()
    await pass()
    const [mail] = await mails()
    expect(mail?.subject).toBe('Ein neues Dokument in Room')
    expect(mail?.text).toContain('Version 2, in Contracts')
    expect(mail?.text).toContain('Ihre Gruppe hat weitere Rechte erhalten.')
    expect(mail?.text).toContain('Ihr Zugriff endet am 1. Mai 2099')
  })

  test('K89: tells nothing of rights that were taken back or granted before the person was in the group', async () => {
    const hidden = await room.folder('Other bidders')
    await room.revoke(hidden, 'view')
    await hoursPass()
    expect(await pass()).toBe(0)
    const group = { name: 'Later', workspace_id: room.workspace_id }
    const { id: later } = await world.alice.call(api.groups.create, { body: { group } })
    await room.grant(folder, 'download', later)
    await addMember(world.alice, room.workspace_id, later, world.bob)
    await hoursPass()
    await pass()
    const [mail] = await mails()
    expect(mail?.text).toContain('You were added to a group.')
    expect(mail?.text).not.toContain('granted')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['view was taken back', () => room.revoke(folder, 'view')],
    ['the access of the group has ended', () => expire(room.group_id, '2020-01-01')],
    ['the person was removed', () => removeBob()],
    ['the file was deleted', async () => deleteFiles()],
    ['the person has turned mails off', () => choose(world.bob, 'off')],
    ['the team suppresses mails', () => suppress(true)],
  ])('is not sent if %s meanwhile', async (_, meanwhile) => {
    await room.upload(world.alice, folder, 'secret.txt')
    await meanwhile()
    await hoursPass()
    await pass()
    await suppress(false)
    expect(await mails()).toEqual([])
  })

  it('comes later from a server that was away, with what is new by then', async () => {
    server.behave({ recipient: [450, 'Later'] })
    await room.upload(world.alice, folder, 'a.txt')
    await hoursPass()
    expect(await pass()).toBe(0)
    server.behave({})
    expect(await pass()).toBe(0)
    await room.upload(world.alice, folder, 'b.txt')
    await hoursPass()
    expect(await pass()).toBe(1)
    expect((await mails())[0]?.subject).toBe('2 new documents in Room')
    expect(warnings).toMatchObject([{ mails: 1, err: { responseCode: 450 } }])
  })

  it('ends the pass if the server is away, and leaves the other rooms to the next one', async () => {
    const other = await createRoom(world)
    const drafts = await other.folder('Drafts')
    await other.grant(drafts, 'view')
    await world.bob.call(api.workspaces.get, { params: { id: other.workspace_id } })
    await world.bob.call(api.notifications.setForWorkspace, {
      params: { id: other.workspace_id },
      body: { frequency: 'at_once' },
    })
    await room.upload(world.alice, folder, 'a.txt')
    await other.upload(world.alice, drafts, 'b.txt')
    await hoursPass()
    await server.close()
    expect(await pass()).toBe(0)
    expect(warnings).toMatchObject([{ mails: 1, err: { code: 'ESOCKET' } }])
    server = await startMailServer(Number(new URL(server.url).port))
    expect(await pass()).toBe(1)
    expect((await mails())[0]?.text).toContain(`/workspaces/${other.workspace_id}/`)
  })

  it('that is refused for good is shown to admins, and not tried again at once', async () => {
    const refused = async () => {
      const members = await world.alice.call(api.workspaces.listMembers, { params: { id: room.workspace_id } })
      return members.find(({ user }) => user.id === world.bob.id)?.mail_refused
    }
    server.behave({ recipient: [550, 'No such user'] })
    await room.upload(world.alice, folder, 'a.txt')
    await hoursPass()
    await pass()
    expect(await refused()).toBe(true)
    const asked = server.asked()
    await room.upload(world.alice, folder, 'b.txt')
    await hoursPass()
    await pass()
    expect(server.asked()).toBe(asked)
    server.behave({})
    await sql`update users set mail_refused_at = mail_refused_at - interval '8 days'`.execute(service.services.db)
    await pass()
    expect(await refused()).toBe(false)
  })

  it('K89: comes once from several workers', async () => {
    await room.upload(world.alice, folder, 'a.txt')
    await hoursPass()
    await Promise.all(Array.from({ length: 6 }, () => pass()))
    expect(await mails()).toHaveLength(1)
  })

  it('K89: does not come again after a crash between claim and mail', async () => {
    await room.upload(world.alice, folder, 'a.txt')
    await hoursPass()
    const stopped = new Promise<void>(() => {})
    void sendNews(
      meansOf(() => stopped),
      new Date(),
      new AbortController().signal,
    )
    await expect.poll(claimed).toBe(true)
    expect(await pass()).toBe(0)
  })
})

const claimed = async () => {
  const { rows } = await sql<{ at: string }>`select mailed_until > now() - interval '10 minutes' as at
    from workspace_memberships where workspace_id = ${room.workspace_id} and user_id = ${world.bob.id}`.execute(
    service.services.db,
  )
  return rows[0]?.at
}

const expire = (group: number, day: string | null) =>
  sql`update groups set expire_workspace_access_at = ${day}
    where workspace_id = ${room.workspace_id} and id = ${group}`.execute(service.services.db)
const suppress = (suppress_emails: boolean) =>
  world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team: { suppress_emails } } })

async function removeBob(): Promise<void> {
  const query = { workspace_id: room.workspace_id, user_id: world.bob.id }
  for (const { id } of await world.alice.call(api.groups.list, { query: { workspace_id: room.workspace_id } }))
    await world.alice.statusOf(api.groups.removeMember, { params: { id }, query })
}

async function deleteFiles(): Promise<void> {
  const query = { workspace_id: room.workspace_id }
  const { immediate_subfiles } = await world.alice.call(api.folders.get, { params: { id: folder }, query })
  for (const { id } of immediate_subfiles) await world.alice.call(api.files.remove, { params: { id }, query })
}

describe('a daily or weekly mail', () => {
  beforeEach(() => sql`update users set time_zone = 'UTC'`.execute(service.services.db))

  const at = async (time: string, frequency: Frequency) => {
    await sql`update workspace_memberships set mail_frequency = ${frequency}, mailed_until = '2031-03-04T13:01Z'
      where workspace_id = ${room.workspace_id} and user_id = ${world.bob.id}`.execute(service.services.db)
    await sql`update activities set created_at = '2031-03-04T13:30Z' where workspace_id = ${room.workspace_id}`.execute(
      service.services.db,
    )
    server.received.length = 0
    await pass(new Date(time))
    return (await mails()).filter(({ to }) => to === world.bob.email).length
  }

  it('comes after eight in the morning of the person, the weekly one on Monday', async () => {
    await room.upload(world.alice, folder, 'a.txt')
    await world.bob.call(api.users.updateMe, { body: { user: { time_zone: 'America/New_York' } } })
    expect(await at('2031-03-05T12:59:00Z', 'daily')).toBe(0)
    expect(await at('2031-03-05T13:02:00Z', 'daily')).toBe(1)
    expect(await at('2031-03-07T13:02:00Z', 'weekly')).toBe(0)
    // Clocks were changed on Sunday.
    expect(await at('2031-03-10T11:59:00Z', 'weekly')).toBe(0)
    expect(await at('2031-03-10T12:02:00Z', 'weekly')).toBe(1)
    await sql`update users set time_zone = 'Nowhere/Land' where id = ${world.bob.id}`.execute(service.services.db)
    expect(await at('2031-03-05T08:02:00Z', 'daily')).toBe(1)
    await sql`update users set time_zone = 'UTC' where id = ${world.bob.id}`.execute(service.services.db)
  })

  it('K92: waits for the next eight with what came since the last, whatever else was done in the room', async () => {
    const { db } = service.services
    await room.upload(world.alice, folder, 'a.txt')
    await choose(world.bob, 'daily')
    await sql`update workspace_memberships set mailed_until = '2031-04-04T07:00Z'
      where workspace_id = ${room.workspace_id} and user_id = ${world.bob.id}`.execute(db)
    await sql`update activities set created_at = '2031-04-04T13:30Z' where workspace_id = ${room.workspace_id}`.execute(
      db,
    )
    const toBob = async () => (await mails()).filter(({ to }) => to === world.bob.email).length
    await pass(new Date('2031-04-04T14:02:00Z'))
    expect(await toBob()).toBe(0)
    await pass(new Date('2031-04-05T08:02:00Z'))
    expect(await toBob()).toBe(1)
  })

  it.each([0, 1])(
    'K109: comes a day later with what came after eight, with %i changes that its reader may not view',
    async (hidden) => {
      const { db } = service.services
      const theirs = await room.folder('Of others')
      const { id } = await room.upload(world.alice, folder, 'late.txt')
      for (let n = 0; n < hidden; n++) await room.upload(world.alice, theirs, `theirs${n}.txt`)
      await choose(world.bob, 'daily')
      await sql`update users set time_zone = 'UTC'`.execute(db)
      await sql`update workspace_memberships set mail_frequency = 'off' where workspace_id <> ${room.workspace_id}`.execute(
        db,
      )
      await sql`update workspace_memberships set mailed_until = '2031-04-04T08:00Z', questions_from = '2031-04-04T08:00Z'
      where workspace_id = ${room.workspace_id} and user_id = ${world.bob.id}`.execute(db)
      await sql`update activities set created_at = case when subject_id = ${id} then timestamptz '2031-04-05T08:00:30Z'
      else '2031-04-05T07:00Z' end where workspace_id = ${room.workspace_id} and subject_type = 'Asset'`.execute(db)
      const toBob = async () => (await mails()).filter(({ to }) => to === world.bob.email).map(({ subject }) => subject)
      await pass(new Date('2031-04-05T08:05:00Z'))
      await pass(new Date('2031-04-05T12:00:00Z'))
      expect(await toBob()).toEqual([])
      await pass(new Date('2031-04-06T08:05:00Z'))
      expect(await toBob()).toEqual(['A new document in Room'])
      await pass(new Date('2031-04-07T08:05:00Z'))
      expect(await toBob()).toHaveLength(1)
    },
  )
})

describe('the link in a mail', () => {
  it('K89: ends the mails of its person about its room alone, is audited, and cannot be made', async () => {
    await choose(world.bob, 'at_once')
    await room.upload(world.alice, folder, 'a.txt')
    await hoursPass()
    await pass()
    const [mail] = await mails()
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    const token = mail ? tokenIn(mail) : ''
    const other = openUnsubscribeTokens(openVault('ab'.repeat(32)))
    const elsewhere = other.make({
      workspace_id: room.workspace_id,
      user_id: world.bob.id,
      membership_id: 1,
      mails: 'news',
    })
    const changed = `${token.slice(0, 40)}${token[40] === 'A' ? 'B' : 'A'}${token.slice(41)}`
    for (const wrong of [elsewhere, changed, token.slice(0, -4), '1.1.1', 'x', `${token}AAAA`]) {
      const body = { token: wrong }
      expect(await service.admin.call(api.notifications.unsubscribe, { body })).toEqual({ unsubscribing: null })
    }
    const shown = await service.admin.call(api.notifications.showUnsubscribe, { body: { token } })
    expect(shown.unsubscribing).toEqual({
      workspace_name: 'Room',
      mails: 'news',
      language: 'en',
      frequency: 'at_once',
    })
    for (let twice = 0; twice < 2; twice++) {
      const done = await service.admin.call(api.notifications.unsubscribe, { body: { token } })
      expect(done.unsubscribing?.frequency).toBe('off')
    }
    await room.upload(world.alice, folder, 'b.txt')
    await hoursPass()
    expect(await pass()).toBe(0)
    const { frequency, workspaces } = await world.bob.call(api.notifications.get, {})
    expect(frequency).toBe('daily')
    expect(workspaces.filter((each) => each.frequency !== null)).toMatchObject([
      { workspace_id: room.workspace_id, frequency: 'off' },
    ])
    const { rows } = await sql<{ entry: string }>`select entry from audit_inbox
      where workspace_id = 0 and entry like '%by the link in one%'`.execute(service.services.db)
    expect(rows).toHaveLength(1)
    expect(JSON.parse(rows[0]?.entry ?? '{}')).toMatchObject({ user_id: world.bob.id })
  })
})

describe('questions in a mail', () => {
  const inRoom = () => ({ workspace_id: room.workspace_id })
  let rita: Person
  let rivals: number
  beforeEach(async () => {
    rita = await createPerson(service, `rita${room.workspace_id}`)
    rivals = (await world.alice.call(api.groups.create, { body: { group: { name: 'Rivals', ...inRoom() } } })).id
    await addMember(world.alice, room.workspace_id, rivals, rita)
    const groups = [room.group_id, rivals].map((group_id) => ({ group_id, may_ask: true }))
    await world.alice.call(api.questions.updateSettings, { params: inRoom(), body: { groups } })
    for (const person of [world.alice, world.bob, rita]) {
      await person.call(api.workspaces.get, { params: { id: room.workspace_id } })
      await choose(person, 'at_once')
    }
    await hoursPass()
    await pass()
    server.received.length = 0
  })

  const ask = async (person: Person, subject = 'Who pays?', question: object = {}) =>
    (await person.call(api.questions.ask, { params: inRoom(), body: { question: { subject, ...question } } })).id
  const update = (question_id: string, question: object, by = world.alice) =>
    by.call(api.questions.update, { params: { ...inRoom(), question_id }, body: { question } })
  const answer = async (question_id: string, body: object = {}) => {
    await update(question_id, { draft: 'The seller.' })
    await world.alice.call(api.questions.answer, { params: { ...inRoom(), question_id }, body })
  }
  const move = (question_id: string, step: 'submit' | 'send_back', by = world.alice) =>
    by.call(api.questions.move, { params: { ...inRoom(), question_id }, body: { step } })
  const textsTo = async (person: Person) => {
    const own = (await mails())
      .filter(({ to }) => to === person.email)
      .map(({ subject, text }) => `${subject}\n${text}`)
    server.received.length = 0
    return own
  }
  const secondAdmin = async () => {
    const groups = await world.alice.call(api.groups.list, { query: inRoom() })
    const admins = groups.find(({ kind }) => kind === 'workspace_admins')
    await addMember(world.alice, room.workspace_id, admins?.id ?? 0, world.wendy)
    await world.wendy.call(api.workspaces.get, { params: { id: room.workspace_id } })
    await choose(world.wendy, 'at_once')
    await hoursPass()
    await pass()
    server.received.length = 0
  }

  it('tell admins in one mail what was asked and awaits an answer, with the group, and nobody else', async () => {
    await ask(world.bob, 'First?')
    await ask(rita, 'Second?')
    await world.bob.call(api.questions.withdraw, {
      params: { ...inRoom(), question_id: await ask(world.bob, 'Third?') },
    })
    await hoursPass()
    expect(await pass()).toBe(1)
    const [mail, ...others] = await textsTo(world.alice)
    expect(others).toEqual([])
    expect(mail).toContain('2 questions for you in Room\n')
    expect(mail).toMatch(/- 2\. Second\?\n {2}Asked by Rivals, awaits an answer\n- 1\. First\?\n {2}Asked by Bidders/)
    await hoursPass()
    expect(await pass()).toBe(0)
  })

  it('tell whom a question was assigned to, or whose approval it awaits, unless they did it themselves', async () => {
    await secondAdmin()
    const [first, second, third] = [
      await ask(world.bob, 'First?'),
      await ask(world.bob, 'Second?'),
      await ask(world.bob, 'Third?'),
    ]
    for (const person of [world.alice, world.wendy]) await choose(person, 'at_once')
    await hoursPass()
    await pass()
    server.received.length = 0
    await update(first, { assignee_id: world.wendy.id })
    await update(second, { draft: 'Yes.', approver_id: world.wendy.id })
    await move(second, 'submit')
    await update(third, { assignee_id: world.alice.id, draft: 'No.' })
    await move(third, 'submit', world.wendy)
    await hoursPass()
    await pass()
    const sent = await mails()
    const textTo = (person: Person) => sent.find(({ to }) => to === person.email)?.text ?? ''
    expect(textTo(world.wendy)).toContain('- 1. First?\n  Assigned to you, awaits an answer')
    expect(textTo(world.wendy)).toContain('- 2. Second?\n  Awaits approval')
    expect(textTo(world.wendy)).not.toContain('Third?')
    expect(textTo(world.alice)).toMatch(/3\. Third\?\n {2}Awaits approval/)
    expect(textTo(world.alice)).not.toMatch(/First|Second/)
  })

  it('tell askers the answers to their group and those published to it, without who asked or any number', async () => {
    const own = await ask(world.bob, 'Mine?')
    const [theirs, shared] = [await ask(rita, 'Theirs?'), await ask(rita, 'Shared?')]
    await answer(own)
    await answer(theirs)
    await answer(shared, { reach: 'groups', group_ids: [room.group_id] })
    const question = { subject: 'Which law?', text: '', answer: 'Dutch law.' }
    await world.alice.call(api.questions.writeFaq, { params: inRoom(), body: { question, reach: 'all' } })
    await hoursPass()
    await pass()
    const [mail = '', ...others] = await textsTo(world.bob)
    expect(others).toEqual([])
    expect(mail).toContain('3 new answers in Room\n')
    expect(mail).toContain('- Mine?\n  Asked by your group: a new or changed answer')
    expect(mail).toContain('- Shared?\n  Published to your group')
    expect(mail).toContain('- Which law?\n  Among the FAQ')
    expect(mail).not.toMatch(/Theirs|Rivals|Rita|Dutch|The seller|\d\./)
  })

  it('tell no answer that was read, and none from before mails told of questions', async () => {
    const [read, former] = [await ask(world.bob, 'Read?'), await ask(world.bob, 'Former?')]
    await answer(read)
    await world.bob.call(api.questions.get, { params: { ...inRoom(), question_id: read } })
    await hoursPass()
    await pass()
    expect(await textsTo(world.bob)).toEqual([])
    await answer(former)
    await hoursPass()
    const { db } = service.services
    await sql`update workspace_memberships set questions_from = now() - interval '1 minute'`.execute(db)
    await pass()
    expect(await textsTo(world.bob)).toEqual([])
    await sql`update workspace_memberships set questions_from = now() - interval '1 day'`.execute(db)
    await pass()
    expect(await textsTo(world.bob)).toEqual([expect.stringContaining('- Former?')])
  })

  it('take up no room in which no mail about them is due, also not for what others ask', async () => {
    const { db } = service.services
    const takesUp = async (now: Date) =>
      (await listWorkspacesWithDue(db, await readSlots(db, now), now)).includes(room.workspace_id)
    const [now, tomorrow] = [new Date(), new Date(Date.now() + 30 * 3600_000)]
    await choose(world.alice, 'off')
    await choose(world.bob, 'daily')
    // Ready for a mail, but nothing has been told since the last eight in the morning.
    await hoursPass(72)
    const theirs = await ask(rita, 'Theirs?')
    expect([await takesUp(now), await takesUp(tomorrow)]).toEqual([false, false])
    await answer(theirs)
    expect([await takesUp(now), await takesUp(tomorrow)]).toEqual([false, true])
    await rita.call(api.questions.get, { params: { ...inRoom(), question_id: theirs } })
    expect(await takesUp(tomorrow)).toBe(false)
    await choose(world.alice, 'daily')
    await hoursPass(1)
    await ask(rita, 'More?')
    expect([await takesUp(now), await takesUp(tomorrow)]).toEqual([false, true])
  })

  it('come after a worker of the previous release has mailed documents, and only once', async () => {
    await answer(await ask(world.bob, 'Mine?'))
    await hoursPass()
    const { db } = service.services
    await sql`update workspace_memberships set mailed_until = now() where workspace_id = ${room.workspace_id}`.execute(
      db,
    )
    await hoursPass()
    await pass()
    expect(await textsTo(world.bob)).toEqual([expect.stringContaining('- Mine?')])
    await hoursPass()
    await pass()
    expect(await textsTo(world.bob)).toEqual([])
  })

  it('come again from a server that was away, and none of a time without mails', async () => {
    server.behave({ recipient: [450, 'Later'] })
    await answer(await ask(world.bob, 'Mine?'))
    await hoursPass()
    await pass()
    server.behave({})
    await hoursPass()
    await pass()
    expect(await textsTo(world.bob)).toEqual([expect.stringContaining('- Mine?')])
    await choose(world.bob, 'off')
    await answer(await ask(world.bob, 'Unheard?'))
    await hoursPass()
    await choose(world.bob, 'at_once')
    await hoursPass()
    await pass()
    expect(await textsTo(world.bob)).toEqual([])
  })

  it('are named up to a number, and counted beyond it', async () => {
    await answer(await ask(world.bob, 'Mine?'))
    await sql`insert into questions (workspace_id, number, group_id, group_name, group_number, status, subject, text, asked_by,
        answered_at)
      select workspace_id, number + n, group_id, group_name, group_number + n, status, subject, text, asked_by, answered_at
      from questions cross join generate_series(1, 22) n where workspace_id = ${room.workspace_id}`.execute(
      service.services.db,
    )
    await hoursPass()
    await pass()
    const [mail = '', ...others] = await textsTo(world.bob)
    expect(others).toEqual([])
    expect(mail).toContain('23 new answers in Room\n')
    expect(mail.match(/- Mine\?/g)).toHaveLength(20)
    expect(mail).toContain('\nand 3 more\n')
  })

  it('come with documents in the same mail, in German for a person who chose it', async () => {
    await world.bob.call(api.notifications.update, { body: { notifications: { language: 'de' } } })
    await answer(await ask(world.bob, 'Welches Recht?'))
    await room.upload(world.alice, folder, 'a.txt')
    await hoursPass()
    await pass()
    const [mail, ...others] = await textsTo(world.bob)
    expect(others).toEqual([])
    expect(mail).toContain('Ein neues Dokument und eine neue Antwort in Room\n')
    expect(mail).toContain(
      'Neue Antworten:\n- Welches Recht?\n  Von Ihrer Gruppe gestellt: eine neue oder geänderte Antwort',
    )
  })

  it('K92: neither send nor delay a mail to a bidder when others ask or are answered', async () => {
    await answer(await ask(rita, 'Theirs?'))
    await hoursPass()
    await pass()
    expect(await textsTo(world.bob)).toEqual([])
    await answer(await ask(world.bob, 'Mine?'))
    await hoursPass(4 / 60)
    await answer(await ask(rita, 'More?'))
    await hoursPass(2 / 60)
    await pass()
    expect(await textsTo(world.bob)).toEqual([expect.stringContaining('A new answer in Room')])
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    [
      'was reopened',
      (question_id) =>
        world.alice.call(api.questions.move, { params: { ...inRoom(), question_id }, body: { step: 'reopen' } }),
    ],
    ['is on a folder that the person may not view any more', () => room.revoke(folder, 'view')],
    ['is of a group whose access has ended', () => expire(room.group_id, '2020-01-01')],
    ['is of a group that the person has left', () => removeBob()],
    ['awaits terms', () => issueTerms(world.alice, room.workspace_id)],
  ])('do not tell an answer that %s', async (_, meanwhile) => {
    const id = await ask(world.bob, 'Secret?', { folder_id: folder })
    await answer(id)
    await meanwhile(id)
    await hoursPass()
    await pass()
    expect((await textsTo(world.bob)).join('\n')).not.toContain('Secret?')
  })
})

test('the members of a batch are claimed, read and noted by the same statements, whatever their number', async () => {
  const { alice, bob } = world
  const inRoom = { workspace_id: room.workspace_id }
  await alice.call(api.questions.updateSettings, {
    params: inRoom,
    body: { groups: [{ group_id: room.group_id, may_ask: true }] },
  })
  const news = async (name: string) => {
    const question = { subject: `Who pays for ${name}?` }
    const { id } = await bob.call(api.questions.ask, { params: inRoom, body: { question } })
    const params = { ...inRoom, question_id: id }
    await alice.call(api.questions.update, { params, body: { question: { draft: 'The seller.' } } })
    await alice.call(api.questions.answer, { params, body: {} })
    await room.upload(alice, folder, `${name}.txt`)
    await room.grant(folder, 'download')
    await hoursPass()
    let count = 0
    const counted = service.services.db.withPlugin({
      transformQuery: ({ node }) => (count++, node),
      transformResult: async ({ result }) => result,
    })
    const sent = await sendNews({ ...meansOf(), db: counted }, new Date(), new AbortController().signal)
    return { sent, count }
  }
  await choose(bob, 'at_once')
  const one = await news('one')
  for (let n = 0; n < 9; n++) {
    const person = await createPerson(service, `many${n}of${room.workspace_id}`)
    await addMember(alice, room.workspace_id, room.group_id, person)
    await person.call(api.workspaces.get, { params: { id: room.workspace_id } })
    await choose(person, 'at_once')
  }
  await hoursPass()
  await pass()
  const many = await news('many')
  expect([one.sent, many.sent]).toEqual([1, 10])
  expect(many.count).toBe(one.count)
})

test('K89: names in a mail of news are neither links nor markup nor headers', async () => {
  await choose(world.bob, 'at_once')
  const hostile = '<img src=x> www.evil.example a@evil.example'
  const inside = await room.folder(hostile, folder)
  await world.alice.call(api.workspaces.update, {
    params: { id: room.workspace_id },
    body: { workspace: { name: hostile } },
  })
  await room.upload(world.alice, inside, `${hostile}.txt`)
  const question = { subject: hostile, text: '', answer: 'Yes.' }
  await world.alice.call(api.questions.writeFaq, {
    params: { workspace_id: room.workspace_id },
    body: { question, reach: 'all' },
  })
  await hoursPass()
  await pass()
  expect(server.received).toHaveLength(1)
  const mail = await PostalMime.parse(server.received[0]?.text ?? '')
  expect(mail.html).not.toContain('<img')
  for (const part of [mail.text, mail.html])
    expect(String(part).replaceAll(/https?:\/\/dashboard\.test[^\s"]*/g, '')).not.toMatch(/\w\.example|\w@\w/)
  expect(mail.to).toHaveLength(1)
})

test('K89: 200 random changes of rights: no mail to 50 people names what was not theirs when it was sent', async () => {
  const random = numbersFrom(20_311)
  const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T
  const { alice } = world
  const { workspace_id } = room
  const groups = [room.group_id]
  for (let n = 0; n < 5; n++)
    groups.push((await alice.call(api.groups.create, { body: { group: { name: `G${n}`, workspace_id } } })).id)
  const folders = [folder]
  for (let n = 0; n < 9; n++) folders.push(await room.folder(`Folder ${n}`, pick([0, ...folders])))
  const people: Person[] = []
  for (let n = 0; n < 50; n++) {
    const person = await createPerson(service, `reader${n}of${workspace_id}`)
    await alice.call(api.groups.addMember, {
      params: { id: pick(groups) },
      body: { workspace_id, email: person.email, send_email: false },
    })
    await person.call(api.workspaces.get, { params: { id: workspace_id } })
    await person.call(api.notifications.setForWorkspace, {
      params: { id: workspace_id },
      body: { frequency: 'at_once' },
    })
    people.push(person)
  }
  const change = async () => {
    const kind = random()
    const id = pick(groups)
    if (kind < 0.7) {
      const body = {
        workspace_id,
        group_id: id,
        verb: pick(['grant', 'grant', 'revoke'] as const),
        folder_action: pick(['view', 'download'] as const),
      }
      await alice.call(api.permissions.set, { params: { id: pick(folders) }, body })
    } else if (kind < 0.85) {
      await alice.call(api.groups.addMember, {
        params: { id },
        body: { workspace_id, email: pick(people).email, send_email: false },
      })
    } else if (kind < 0.95) {
      await alice.statusOf(api.groups.removeMember, {
        params: { id },
        query: { workspace_id, user_id: pick(people).id },
      })
    } else {
      await expire(id, pick([null, '2020-01-01', '2099-01-01']))
    }
  }
  await alice.call(api.questions.updateSettings, {
    params: { workspace_id },
    body: { groups: groups.map((group_id) => ({ group_id, may_ask: true, most: 500 })) },
  })
  const asked = new Map<string, string>()
  /** Lets a person ask for a group of theirs, and tells the answer to some groups. @returns the subject, if one was asked */
  const talk = async (step: number): Promise<string | undefined> => {
    const subject = `question-${step}-end`
    const question = { subject, group_id: pick(groups), ...(random() < 0.7 && { folder_id: pick(folders) }) }
    const status = await pick(people).statusOf(api.questions.ask, { params: { workspace_id }, body: { question } })
    if (status >= 300) return undefined
    const [{ id } = { id: '' }] = (await alice.call(api.questions.list, { params: { workspace_id } })).questions.filter(
      (each) => each.subject === subject,
    )
    asked.set(subject, id)
    const at = { params: { workspace_id, question_id: id } }
    await alice.call(api.questions.update, { ...at, body: { question: { draft: 'Yes.' } } })
    const reach = pick(['group', 'groups', 'all'] as const)
    await alice.call(api.questions.answer, {
      ...at,
      body: { reach, group_ids: reach === 'groups' ? [pick(groups), pick(groups)] : [] },
    })
    if (random() < 0.2) await alice.call(api.questions.move, { ...at, body: { step: 'reopen' } })
    return subject
  }
  const mayReadAnswer = async (person: Person, subject: string) => {
    const call = { params: { workspace_id, question_id: asked.get(subject) ?? '' } }
    if ((await person.statusOf(api.questions.get, call)) !== 200) return false
    return (await person.call(api.questions.get, call)).status === 'answered'
  }
  const titles = new Map<string, number>()
  const named = { files: 0, answers: 0 }
  let missed = 0
  for (let step = 0; step < 200; step++) {
    const title = `paper-${step}-end.txt`
    const uploaded = await room.upload(alice, pick(folders), title)
    titles.set(title, uploaded.id)
    const subject = await talk(step)
    await change()
    await hoursPass()
    const told = new Map<string, string>()
    const send = async ({ to, text }: { to: string; text: string }) => void told.set(to, text.replaceAll('\u2060', ''))
    await sendNews(meansOf(send), new Date(), new AbortController().signal)
    for (const person of people) {
      const text = told.get(person.email) ?? ''
      for (const [each] of text.matchAll(/paper-\d+-end\.txt/g)) {
        named.files++
        const call = { params: { id: titles.get(each) ?? 0 }, query: { workspace_id } }
        expect([step, each, await person.statusOf(api.files.get, call)]).toEqual([step, each, 200])
      }
      for (const [each] of text.matchAll(/question-\d+-end/g)) {
        named.answers++
        expect([step, each, await mayReadAnswer(person, each)]).toEqual([step, each, true])
      }
    }
    const reader = pick(people)
    const sees =
      (await reader.statusOf(api.files.get, { params: { id: uploaded.id }, query: { workspace_id } })) === 200
    if (sees && !(told.get(reader.email) ?? '').includes(title)) missed++
    if (subject && (await mayReadAnswer(reader, subject)) && !(told.get(reader.email) ?? '').includes(subject)) missed++
  }
  expect(named.files).toBeGreaterThan(200)
  expect(named.answers).toBeGreaterThan(200)
  expect(missed).toBe(0)
}, 240_000)

function numbersFrom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

// The last of this file: later tests would carry its rows along.
describe('K112: thousands of changes since the last mail', () => {
  const MANY = 6000
  let theirs: number
  beforeEach(async () => {
    theirs = await room.folder('Of others')
    // Bob got his last mail of this room a day ago, and gets none of others.
    const { db } = service.services
    const here = sql`workspace_id = ${room.workspace_id}`
    await sql`update workspace_memberships set mailed_until = now() - interval '1 day', joined_at = now() - interval '2 days'
      where ${here}`.execute(db)
    await sql`update workspace_memberships set mail_frequency = 'off' where not (${here})`.execute(db)
    await sql`update group_memberships set created_at = now() - interval '2 days' where ${here}`.execute(db)
    await sql`update activities set created_at = now() - interval '2 days' where ${here}`.execute(db)
    await choose(world.bob, 'at_once')
  })

  /** Adds files as an import does, by Alice, some minutes ago. */
  async function add(folderId: number, count: number, minutes: number): Promise<void> {
    await sql`
      with file as (
        insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id)
        select ${room.workspace_id}::int, ${folderId}::int, title, title, 1000 + n + (select coalesce(max(id), 0) from files), 1, 'text/plain',
          '\\x00', 'many ' || ${folderId}::int || ' ' || ${minutes}::int || ' ' || n
        from generate_series(1, ${count}::int) n cross join lateral (select ${minutes}::int || '-' || n || '.txt' as title) named
        returning id
      )
      insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id, created_at)
      select ${room.workspace_id}::int, ${world.alice.id}::int, 'Alice', 'created', 'added', 'Asset', id,
        now() - ${minutes}::int * interval '1 minute' from file`.execute(service.services.db)
  }
  const told = async () => {
    await pass()
    return (await mails())
      .filter(({ to }) => to === world.bob.email)
      .map(({ subject, text }) => [subject, text.match(/and \d+ more/)?.[0]])
  }

  it.each(['at_once', 'daily'] as const)(
    'are all counted in a mail %s, as far as its reader may view them',
    async (frequency) => {
      await choose(world.bob, frequency)
      await add(folder, MANY, 20 * 60)
      await add(folder, 3, 19 * 60)
      await add(theirs, MANY, 18 * 60)
      expect(await told()).toEqual([['6003 new documents in Room', 'and 5983 more']])
      await hoursPass()
      expect(await told()).toHaveLength(1)
    },
  )

  it.each([
    ['after', 8],
    ['before', 14],
  ])(
    'that a member may not see leave text and time of a mail as they are, %s what the member sees',
    async (_, minutes) => {
      await add(theirs, MANY, minutes)
      await add(folder, 2, 10)
      expect(await told()).toEqual([['2 new documents in Room', undefined]])
      await hoursPass(20 / 60)
      await add(theirs, MANY, 12)
      await add(folder, 1, 3)
      expect(await told()).toHaveLength(1)
      await hoursPass(4 / 60)
      expect(await told()).toEqual([
        ['2 new documents in Room', undefined],
        ['A new document in Room', undefined],
      ])
    },
  )

  it('of the access of others leave that of a member as it is', async () => {
    const grant = (group_id: number, count: number, minutes: number) =>
      sql`
      insert into activities (workspace_id, user_id, user_name, verb, act, message, subject_type, subject_id, created_at)
      select ${room.workspace_id}::int, ${world.alice.id}::int, 'Alice', 'added', 'view_granted', 'granted', 'Group', ${group_id}::int,
        now() - ${minutes}::int * interval '1 minute' - n * interval '1 ms'
      from generate_series(1, ${count}::int) n`.execute(service.services.db)
    await grant(room.group_id, 1, 10)
    const others = await room.group('Others')
    await grant(others, MANY, 8)
    expect((await told()).map(([subject]) => subject)).toEqual(['Your access to Room has changed'])
  })
})
