import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { type MailServer, startMailServer } from '../../../mail/testing/mail-server.ts'
import { readMails, type ReadMail, tokenIn } from '../../../mail/testing/read-mails.ts'
import { createMailer, type Mailer } from '../../../mail/transport.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../../testing/world.ts'
import { readRecipients } from '../../store/notifications/due-reports.ts'
import { openUnsubscribeTokens } from '../unsubscribe-token.ts'
import { sendWeeklyReports } from './send-weekly-reports.ts'

/** The week of UTC and the morning after it. */
const WEEK = { from: '2031-03-03', to: '2031-03-09' }
const MONDAY = '2031-03-10T08:02:00Z'
const LATER = '2031-03-10T08:30:00Z'

let service: TestService
let world: World
let room: Room
let server: MailServer
let mailer: Mailer
let file: number
let warnings: object[]
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  warnings = []
  server = await startMailServer()
  mailer = createMailer({ smtpUrl: server.url, from: 'Strongroom <no-reply@rooms.test>', outbox: '/nonexistent' })
  await run(sql`delete from weekly_reports`)
  await run(sql`update users set language = 'en', time_zone = 'UTC', mail_refused_at = null`)
  room = await createRoom(world)
  const folder = await room.folder('Contracts')
  await room.grant(folder, 'view')
  file = (await room.upload(world.alice, folder, 'Lease.pdf')).id
  await world.bob.call(api.workspaces.get, { params: { id: room.workspace_id } })
  await wants(world.alice, true)
})
afterEach(() => {
  mailer.close()
  return server.close()
})

const run = (statement: { execute(db: unknown): Promise<unknown> }) => statement.execute(service.services.db as never)

const wants = (person: Person, weekly_report: boolean) =>
  person.call(api.notifications.setWeeklyReport, { params: { id: room.workspace_id }, body: { weekly_report } })

const meansOf = (db = service.services.db) => ({
  db,
  tokens: openUnsubscribeTokens(service.services.vault),
  publicUrl: 'http://dashboard.test',
  send: mailer.send,
  log: { info() {}, warn: (facts: object) => void warnings.push(facts) },
})
const pass = (now = MONDAY) => sendWeeklyReports(meansOf(), new Date(now), new AbortController().signal)

const mails = () => readMails(server)
async function theMail(): Promise<ReadMail> {
  const received = await mails()
  expect(received).toHaveLength(1)
  return received[0] as ReadMail
}

/** bob reads the file for some minutes on a day, views it and downloads it. */
async function reads(minutes = 10, day = '2031-03-05'): Promise<void> {
  const { workspace_id } = room
  await run(sql`insert into reading_times (workspace_id, user_id, file_id, version, page, day, ms)
    values (${workspace_id}, ${world.bob.id}, ${file}, 1, 1, ${day}, ${minutes * 60_000})`)
  await run(sql`insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id, created_at)
    select ${workspace_id}, ${world.bob.id}, 'Bob', verb, verb, 'Asset', ${file}, ${`${day}T09:00:00Z`}::timestamptz
    from unnest(array['viewed', 'viewed', 'downloaded']) verb`)
}

async function admin(name: string, time_zone = 'UTC'): Promise<Person> {
  const { workspace_id } = room
  const person = await createPerson(service, `${name}${workspace_id}`)
  const groups = await world.alice.call(api.groups.list, { query: { workspace_id } })
  await addMember(world.alice, workspace_id, groups.find(({ kind }) => kind === 'workspace_admins')?.id ?? 0, person)
  await person.call(api.users.updateMe, { body: { user: { time_zone } } })
  await wants(person, true)
  return person
}

async function adminGroup(): Promise<number> {
  const groups = await world.alice.call(api.groups.list, { query: { workspace_id: room.workspace_id } })
  return groups.find(({ kind }) => kind === 'workspace_admins')?.id ?? 0
}

describe('the weekly report', () => {
  it('tells what was read in the week, with the figures of the engagement', async () => {
    await reads(10)
    await reads(25, '2031-03-09')
    await reads(99, '2031-03-10')
    await reads(99, '2031-03-02')
    expect(await pass()).toBe(1)
    const { to, subject, text, html, headers } = await theMail()
    expect([to, subject]).toEqual([world.alice.email, 'Weekly report of Room, 3 – 9 March 2031'])
    expect(text).toContain('Reading: 35 min\nReaders: 1\nViews: 4\nDownloads: 2')
    expect(text).toContain('- Bidders (35 min)\n  1 of 1 person active · 4 views · 2 downloads')
    expect(text).toContain('- Lease.pdf (35 min)\n  1 reader · 4 views · 2 downloads')
    expect(html).toContain(`/workspaces/${room.workspace_id}/activities/engagement`)
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(headers['auto-submitted']).toBe('auto-generated')
    const call = { params: { id: room.workspace_id }, query: WEEK }
    const { groups } = await world.alice.call(api.engagement.groups, call)
    const { files } = await world.alice.call(api.engagement.documents, call)
    const read = { ms: 35 * 60_000, views: 4, downloads: 2 }
    expect(groups).toMatchObject([{ name: 'Bidders', active: 1, members: 1, ...read }])
    expect(files.map(({ cells }) => cells[0])).toMatchObject([{ readers: 1, ...read }])
  })

  it('comes only to admins who chose it, and once a week', async () => {
    await reads()
    await run(sql`update weekly_reports set reported_until = '2031-03-10T07:59:00Z'`)
    const { wendy } = world
    await addMember(world.alice, room.workspace_id, await adminGroup(), wendy)
    expect(await pass('2031-03-10T08:00:00Z')).toBe(0)
    expect(await pass()).toBe(1)
    expect((await theMail()).to).toBe(world.alice.email)
    expect(await pass(LATER)).toBe(0)
    await reads(5, '2031-03-12')
    expect(await pass('2031-03-16T20:00:00Z')).toBe(0)
    expect(await pass('2031-03-17T08:02:00Z')).toBe(1)
    await wants(world.alice, false)
    await reads(5, '2031-03-19')
    expect(await pass('2031-03-24T08:02:00Z')).toBe(0)
    expect(await world.bob.statusOf(api.notifications.setWeeklyReport, chosen())).toBe(403)
  })

  it('does not come again in the week to an admin whose time zone changes, and comes in the next', async () => {
    await reads()
    await run(sql`update weekly_reports set reported_until = '2031-03-05T00:00:00Z'`)
    const moveTo = (time_zone: string) => world.alice.call(api.users.updateMe, { body: { user: { time_zone } } })
    await moveTo('Pacific/Auckland')
    expect(await pass('2031-03-09T19:02:00Z')).toBe(1)
    await moveTo('America/Los_Angeles')
    await reads(5, '2031-03-10')
    for (const time of ['2031-03-10T15:02:00Z', '2031-03-10T19:10:00Z', '2031-03-12T12:00:00Z'])
      expect([time, await pass(time)]).toEqual([time, 0])
    expect(await pass('2031-03-17T15:02:00Z')).toBe(1)
    await moveTo('UTC')
  })

  it('K89: comes once from several workers', async () => {
    await reads()
    await Promise.all(Array.from({ length: 6 }, () => pass()))
    expect(await mails()).toHaveLength(1)
  })

  it('K89: does not come to an admin who is none any more, also not later', async () => {
    await reads()
    const carol = await admin('carol')
    const [id, query] = [await adminGroup(), { workspace_id: room.workspace_id, user_id: carol.id }]
    await world.alice.call(api.groups.removeMember, { params: { id }, query })
    await addMember(world.alice, room.workspace_id, room.group_id, carol)
    expect((await choices(carol))?.weekly_report).toBeNull()
    await pass()
    expect((await theMail()).to).toBe(world.alice.email)
    await addMember(world.alice, room.workspace_id, id, carol)
    expect(await pass(LATER)).toBe(0)
  })

  it('K89: does not come to an admin who has ended it while it was read', async () => {
    const readers = () => readRecipients(service.services.db, room.workspace_id, [world.alice.id])
    expect(await readers()).toHaveLength(1)
    await wants(world.alice, false)
    expect(await readers()).toEqual([])
  })

  it('comes on the Monday of each admin, in their language, about whole days in UTC', async () => {
    await reads(10, '2031-03-02')
    await reads(25, '2031-03-09')
    await world.alice.call(api.users.updateMe, { body: { user: { time_zone: 'America/New_York' } } })
    const carol = await admin('carol', 'Pacific/Auckland')
    await carol.call(api.notifications.update, { body: { notifications: { language: 'de' } } })
    await run(sql`update weekly_reports set reported_until = '2031-03-05T00:00:00Z'`)
    expect(await pass('2031-03-09T18:59:00Z')).toBe(0)
    expect(await pass('2031-03-09T19:02:00Z')).toBe(1)
    const early = await theMail()
    expect([early.to, early.subject]).toEqual([carol.email, 'Wochenbericht über Room, 2.–8. März 2031'])
    expect(early.text).toContain('- Bidders (10 min)\n  1 von 1 Person aktiv · 2 Ansichten · 1 Download')
    // Clocks in New York were changed on Sunday.
    expect(await pass('2031-03-10T11:59:00Z')).toBe(0)
    expect(await pass('2031-03-10T12:02:00Z')).toBe(1)
    const [, late] = await mails()
    expect([late?.to, late?.subject]).toEqual([world.alice.email, 'Weekly report of Room, 3 – 9 March 2031'])
    expect(late?.text).toContain('- Bidders (25 min)')
  })

  it('has no reading times where they are not measured', async () => {
    await reads()
    const body = { workspace: { measures_reading: false } }
    await world.alice.call(api.workspaces.update, { params: { id: room.workspace_id }, body })
    await pass()
    const { text, html } = await theMail()
    expect(text).toContain('Views: 2\nDownloads: 1\n\nGROUPS\n- Bidders\n  1 of 1 person active · 2 views · 1 download')
    for (const part of [text, html]) expect(part).not.toMatch(/\d\smin\b|Reading time|Most read/)
  })

  it('reads what it says once for all admins of a room, whatever their number', async () => {
    await reads()
    const statements = async () => {
      let count = 0
      const counted = service.services.db.withPlugin({
        transformQuery: ({ node }) => (count++, node),
        transformResult: async ({ result }) => result,
      })
      await run(sql`update weekly_reports set reported_until = '2031-03-01T00:00:00Z', reported_at = null`)
      const sent = await sendWeeklyReports(meansOf(counted), new Date(MONDAY), new AbortController().signal)
      return { sent, count }
    }
    const one = await statements()
    for (let n = 0; n < 8; n++) await admin(`admin${n}of`)
    const many = await statements()
    expect([one.sent, many.sent]).toEqual([1, 9])
    expect(many.count).toBe(one.count)
  })

  it('comes later from a server that was away, and not where the server or the team refuses', async () => {
    await reads()
    server.behave({ recipient: [450, 'Later'] })
    expect(await pass()).toBe(0)
    expect(warnings).toMatchObject([{ mails: 1, err: { responseCode: 450 } }])
    server.behave({})
    expect(await pass('2031-03-10T08:10:00Z')).toBe(0)
    expect(await pass(LATER)).toBe(1)
    server.behave({ recipient: [550, 'No such user'] })
    await run(sql`update weekly_reports set reported_until = '2031-03-01T00:00:00Z'`)
    expect(await pass()).toBe(0)
    const asked = server.asked()
    await run(sql`update weekly_reports set reported_until = '2031-03-01T00:00:00Z'`)
    expect(await pass()).toBe(0)
    expect(server.asked()).toBe(asked)
    await run(sql`update users set mail_refused_at = null`)
    await suppress(true)
    expect(await pass()).toBe(0)
    await suppress(false)
    expect(await pass(LATER)).toBe(0)
  })
})

const chosen = () => ({ params: { id: room.workspace_id }, body: { weekly_report: true } })

const choices = async (person: Person) => {
  const { workspaces } = await person.call(api.notifications.get, {})
  return workspaces.find(({ workspace_id }) => workspace_id === room.workspace_id)
}

const suppress = (suppress_emails: boolean) =>
  world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team: { suppress_emails } } })

describe('a quiet week', () => {
  it('has no report, whatever the reader did, and however long people have not come', async () => {
    await addMember(
      world.alice,
      room.workspace_id,
      room.group_id,
      await createPerson(service, `idle${room.workspace_id}`),
    )
    await run(sql`update workspace_memberships set joined_at = '2031-03-05T10:00:00Z'
      where workspace_id = ${room.workspace_id} and user_id = ${world.alice.id}`)
    expect(await pass()).toBe(0)
  })

  it('is one no more once somebody came in, access ends soon, a question waits or a mail was refused', async () => {
    await run(sql`update workspace_memberships set joined_at = '2031-03-05T10:00:00Z', awaits_invitation = false
      where workspace_id = ${room.workspace_id} and user_id = ${world.bob.id}`)
    const awaited = await createPerson(service, `awaited${room.workspace_id}`)
    await addMember(world.alice, room.workspace_id, room.group_id, awaited)
    await run(sql`update workspace_memberships set awaits_invitation = false
      where workspace_id = ${room.workspace_id} and user_id = ${awaited.id}`)
    await run(sql`update users set mail_refused_at = '2031-03-06T10:00:00Z' where id = ${awaited.id}`)
    await run(sql`update groups set expire_workspace_access_at = '2031-03-14'
      where workspace_id = ${room.workspace_id} and id = ${room.group_id}`)
    expect(await pass()).toBe(1)
    const { text } = await theMail()
    expect(text).toContain('no member of a group viewed or downloaded a document')
    expect(text).toContain('1 PERSON CAME IN FOR THE FIRST TIME\n- Bob Tester')
    expect(text).toContain('- Access of Bidders ends on 14 March 2031')
    expect(text).toContain('- 1 person was invited and has not come in\n  Awaited')
    expect(text).toContain('- Mail to 1 person was refused\n  Awaited')
  })
})

describe('the link in a weekly report', () => {
  it('K89: ends the weekly reports of its person of its room alone, and is audited', async () => {
    await reads()
    await pass()
    const token = tokenIn(await theMail())
    const call = { body: { token } }
    const shown = await service.admin.call(api.notifications.showUnsubscribe, call)
    const found = { workspace_name: 'Room', mails: 'weekly_report', language: 'en' }
    expect(shown.unsubscribing).toEqual({ ...found, frequency: 'weekly' })
    for (let twice = 0; twice < 2; twice++) {
      const done = await service.admin.call(api.notifications.unsubscribe, call)
      expect(done.unsubscribing).toEqual({ ...found, frequency: 'off' })
    }
    expect(await choices(world.alice)).toMatchObject({ weekly_report: false, frequency: null })
    expect(await pass('2031-03-17T08:02:00Z')).toBe(0)
    const { rows } = await sql<{ entry: string }>`select entry from audit_inbox
      where workspace_id = 0 and entry like '%ended weekly reports of the workspace%'`.execute(service.services.db)
    expect(rows.map(({ entry }) => (JSON.parse(entry) as { user_id: number }).user_id)).toEqual([world.alice.id])
  })
})

test('K89: names in a weekly report are neither links nor markup nor headers', async () => {
  const hostile = '<img src=x> www.evil.example a@evil.example'
  const { workspace_id } = room
  await reads()
  await world.alice.call(api.workspaces.update, {
    params: { id: workspace_id },
    body: { workspace: { name: hostile } },
  })
  await world.alice.call(api.groups.update, {
    params: { id: room.group_id },
    body: { workspace_id, group: { name: hostile } },
  })
  await run(sql`update users set first_name = ${hostile} where id = ${world.bob.id}`)
  await run(sql`update workspaces set name = ${`${hostile}\r\nBcc: mallory@evil.example`} where id = ${workspace_id}`)
  await run(sql`update files set title = ${hostile} where workspace_id = ${workspace_id} and id = ${file}`)
  await run(sql`update workspace_memberships set joined_at = '2031-03-05T10:00:00Z'
    where workspace_id = ${workspace_id} and user_id = ${world.bob.id}`)
  await run(sql`update groups set expire_workspace_access_at = '2031-03-14' where workspace_id = ${workspace_id}
    and id = ${room.group_id}`)
  await pass()
  const [received] = server.received
  expect(received?.to).toEqual([world.alice.email])
  const mail = await PostalMime.parse(received?.text ?? '')
  expect(mail.bcc).toBeUndefined()
  expect(mail.html).not.toContain('<img')
  expect(mail.html?.match(/&lt;img src=x&gt;/g)?.length).toBeGreaterThan(4)
  for (const part of [mail.text, mail.html])
    expect(String(part).replaceAll(/https?:\/\/dashboard\.test[^\s"]*/g, '')).not.toMatch(/\w\.example|\w@\w/)
  await run(sql`update users set first_name = 'Bob' where id = ${world.bob.id}`)
})
