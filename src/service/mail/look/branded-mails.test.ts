import { sql } from 'kysely'
import PostalMime, { type Email } from 'postal-mime'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { api } from '../../../contract/index.ts'
import { type MailServer, startMailServer } from '../../../mail/testing/mail-server.ts'
import { createMailer, type Mailer } from '../../../mail/transport.ts'
import { LOGO } from '../../../contract/endpoints/looks/logo-limits.ts'
import { takeMails } from '../../testing/jobs.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createPerson, createWorld, type World } from '../../testing/world.ts'
import { enqueueDamageMail } from '../damage.ts'
import { remindOfQuestions } from '../question-reminders.ts'
import { sendNews } from '../send-news.ts'
import { openUnsubscribeTokens } from '../unsubscribe-token.ts'
import { sendWeeklyReports } from '../weekly/send-weekly-reports.ts'
import { findLook } from '../../store/branding/sender.ts'

let service: TestService
let world: World
let room: Room
let server: MailServer
let mailer: Mailer
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  server = await startMailServer()
  mailer = createMailer({ smtpUrl: server.url, from: 'Strongroom <no-reply@rooms.test>', outbox: '/nonexistent' })
  for (const table of ['brandings', 'mail_budgets', 'weekly_reports', 'questions'])
    await run(sql`delete from ${sql.table(table)}`)
  await run(sql`update users set mail_frequency = 'off', language = 'en', time_zone = 'UTC'`)
  room = await createRoom(world)
  await run(sql`delete from jobs`)
})
afterEach(() => {
  vi.restoreAllMocks()
  mailer.close()
  return server.close()
})

const run = (statement: { execute(db: unknown): Promise<unknown> }) => statement.execute(service.services.db as never)
const inRoom = () => ({ params: { id: room.workspace_id } })
const NAME = 'Northgate & "Partners"'
const ACCENT = '#7a1f3d'

const brand = () =>
  world.alice.call(api.brandings.update, {
    ...inRoom(),
    body: { branding: { display_name: NAME, accent_light: ACCENT, accent_dark: '#ffcc00' } },
  })

const pngOf = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: ACCENT } })
    .png()
    .toBuffer()

/** The header of a PNG of some size in pixels, and bytes behind it. */
function pictureOf(width: number, height: number, bytes: number): Buffer {
  const png = Buffer.alloc(bytes)
  png.write('89504e470d0a1a0a0000000d49484452', 'hex')
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}

async function giveLogo(scheme: 'light' | 'dark' = 'light', picture?: Buffer): Promise<void> {
  const image = (picture ?? (await pngOf(480, 120))).toString('base64')
  await world.alice.call(api.brandings.setLogo, { ...inRoom(), body: { logo: { scheme, image } } })
}

const meansOf = () => ({
  db: service.services.db,
  tokens: openUnsubscribeTokens(service.services.vault),
  publicUrl: 'http://dashboard.test',
  send: mailer.send,
  log: { info() {}, warn() {} },
})
const never = new AbortController().signal

/** Each kind of mail of a room, up to the mail server. */
const MAILS = {
  async invitation() {
    const guest = await createPerson(service, `guest${room.workspace_id}`)
    await run(sql`delete from jobs`)
    const body = { workspace_id: room.workspace_id, email: guest.email, send_email: true }
    await world.alice.call(api.groups.addMember, { params: { id: room.group_id }, body })
    await sendQueued()
  },
  async 'test of an invitation'() {
    await world.alice.call(api.brandings.sendTest, { ...inRoom(), body: { language: 'de' } })
    await sendQueued()
  },
  async news() {
    const folder = await room.folder('Contracts')
    await room.grant(folder, 'view')
    await world.bob.call(api.workspaces.get, inRoom())
    await world.bob.call(api.notifications.setForWorkspace, { ...inRoom(), body: { frequency: 'at_once' } })
    await run(
      sql`update workspace_memberships set joined_at = now() - interval '3 hours', mailed_until = now() - interval '2 hours'`,
    )
    // The hour of the daily mails of others may have been in between.
    await run(sql`update users set mail_frequency = 'off' where id <> ${world.bob.id}`)
    await run(sql`update group_memberships set created_at = now() - interval '3 hours'`)
    await room.upload(world.alice, folder, 'a.txt')
    await run(sql`update activities set created_at = created_at - interval '1 hour'`)
    await sendNews(meansOf(), new Date(), never)
  },
  async 'weekly report'() {
    const folder = await room.folder('Contracts')
    const { id } = await room.upload(world.alice, folder, 'a.txt')
    await world.alice.call(api.notifications.setWeeklyReport, { ...inRoom(), body: { weekly_report: true } })
    await run(sql`insert into activities (workspace_id, user_id, user_name, verb, message, subject_type, subject_id, created_at)
      values (${room.workspace_id}, ${world.bob.id}, 'Bob', 'viewed', 'viewed', 'Asset', ${id}, '2031-03-05T09:00:00Z')`)
    await sendWeeklyReports(meansOf(), new Date('2031-03-10T08:02:00Z'), never)
  },
  async 'reminder of questions'() {
    await ask({ assignee_id: world.alice.id, due_on: '2026-03-10' })
    await run(sql`update users set mail_frequency = 'daily' where id = ${world.alice.id}`)
    await run(sql`delete from jobs`)
    await remindOfQuestions(service.services.db, 'http://dashboard.test', new Date('2026-03-09T09:00:00Z'))
    await sendQueued()
  },
  async 'mail to an expert'() {
    const eva = await createPerson(service, `eva${room.workspace_id}`)
    const { id: group } = await world.alice.call(api.groups.create, {
      body: { group: { name: 'Advisers', workspace_id: room.workspace_id } },
    })
    await addMember(world.alice, room.workspace_id, group, eva)
    await eva.call(api.workspaces.get, inRoom())
    const params = { workspace_id: room.workspace_id }
    await world.alice.call(api.experts.add, { params, body: { user_id: eva.id } })
    const question_id = await ask({})
    await run(sql`delete from jobs`)
    const body = { user_ids: [eva.id], text: 'Please look.' }
    await world.alice.call(api.experts.pass, { params: { ...params, question_id }, body })
    await sendQueued()
  },
  async 'notice of damage'() {
    const { db } = service.services
    const look = await findLook(db, room.workspace_id)
    if (!look) throw new Error('no room')
    const to_admin = { workspace_id: room.workspace_id, user_id: world.alice.id }
    const notice = { to: world.alice.email, workspace_name: 'Room', titles: ['a.txt'], url: 'http://dashboard.test' }
    await enqueueDamageMail(db, { ...notice, to_admin, look })
    await sendQueued()
  },
}

async function ask(question: object): Promise<string> {
  const params = { workspace_id: room.workspace_id }
  const groups = [{ group_id: room.group_id, may_ask: true }]
  await world.alice.call(api.questions.updateSettings, { params, body: { groups } })
  const { id } = await world.bob.call(api.questions.ask, { params, body: { question: { subject: 'Which law?' } } })
  await world.alice.call(api.questions.update, { params: { ...params, question_id: id }, body: { question } })
  return id
}

async function sendQueued(): Promise<void> {
  for (const mail of await takeMails(service)) await mailer.send(mail)
}

/** Sends a mail, and returns what arrives. */
async function sent(kind: keyof typeof MAILS): Promise<Email> {
  server.received.length = 0
  await run(sql`delete from jobs`)
  await MAILS[kind]()
  return theMail()
}

async function theMail(): Promise<Email> {
  expect(server.received).toHaveLength(1)
  return PostalMime.parse(server.received[0]?.text ?? '')
}

const KINDS = Object.keys(MAILS) as (keyof typeof MAILS)[]

describe.each(KINDS)('a mail of a room: %s', (kind) => {
  it('has the name, accent and logo of the branding, and the logo is a part of the mail', async () => {
    await brand()
    await giveLogo()
    const { html = '', text = '', attachments } = await sent(kind)
    expect(html).toContain('Northgate &amp; &quot;Partners&quot;')
    expect(html).toContain(`background: ${ACCENT}; color: #ffffff`)
    expect(html).toContain('.press { color: #000000 !important }')
    expect(html).not.toMatch(/0b5d66|5fc4ce|<!-- logo -->/)
    expect(attachments).toHaveLength(1)
    const [logo] = attachments
    expect(logo).toMatchObject({ mimeType: 'image/png', disposition: 'inline', related: true })
    expect(html).toContain(`src="cid:${logo?.contentId?.replaceAll(/[<>]/g, '')}"\n`)
    expect(html).toMatch(/width="192"\s+height="48"/)
    const { format, width } = await sharp(Buffer.from(logo?.content as ArrayBuffer)).metadata()
    expect({ format, width }).toEqual({ format: 'png', width: 480 })
    expect(text).not.toMatch(/cid:|logo/)
  })

  it('has no attachment without a logo', async () => {
    await brand()
    const { html, attachments } = await sent(kind)
    expect(attachments).toEqual([])
    expect(html).not.toMatch(/<img|cid:|<!-- logo -->/)
  })
})

test('K98: names, accents and texts that are markup, styles or addresses stay words in every mail', async () => {
  const hostile = `"><img src=x onerror=alert(1)></style><script>alert(1)</script>url(javascript:alert(1)) evil.example`
  await brand()
  await run(sql`update brandings set display_name = ${hostile}, sender_name = ${hostile}, text_de = ${hostile},
    subject_de = ${hostile} where workspace_id = ${room.workspace_id}`)
  for (const kind of KINDS) {
    const { html = '', attachments, from } = await sent(kind)
    expect(html.replaceAll(/<!--.*?-->/g, '')).not.toMatch(/<script|<img|\w\.example/)
    expect(html.match(/<\/style>/g)).toHaveLength(1)
    expect(attachments).toEqual([])
    expect(from?.address).toBe('no-reply@rooms.test')
  }
})

test('the preview of an invitation is what arrives, with its logo', async () => {
  await brand()
  await giveLogo()
  const preview = await world.alice.call(api.brandings.preview, { ...inRoom(), body: { language: 'de' } })
  const { html, text, subject, attachments } = await sent('test of an invitation')
  expect(html?.trim()).toBe(preview.html.trim())
  expect(text?.trim()).toBe(preview.text.trim())
  expect(subject).toBe(`Test: ${preview.subject}`)
  const [logo] = attachments
  expect(preview.pictures).toEqual([
    {
      cid: logo?.contentId?.replaceAll(/[<>]/g, ''),
      content_type: 'image/png',
      image: Buffer.from(logo?.content as ArrayBuffer).toString('base64'),
    },
  ])
})

describe('a logo', () => {
  it('of the organization is in mails of a workspace without an own one', async () => {
    const image = (await pngOf(100, 100)).toString('base64')
    await world.olivia.call(api.brandings.setLogoForOrganization, { body: { logo: { scheme: 'light', image } } })
    const { html = '' } = await sent('invitation')
    expect(html).toMatch(/width="48"\s+height="48"/)
  })

  it('of the organization is in an invitation without a workspace, with its name', async () => {
    const image = (await pngOf(100, 100)).toString('base64')
    await world.olivia.call(api.brandings.setLogoForOrganization, { body: { logo: { scheme: 'light', image } } })
    const branding = { display_name: NAME, accent_light: ACCENT }
    await world.olivia.call(api.brandings.updateForOrganization, { body: { branding } })
    await createPerson(service, `new${room.workspace_id}`)
    await sendQueued()
    const { html = '', attachments } = await theMail()
    expect(attachments).toHaveLength(1)
    expect(html).toContain('Northgate &amp; &quot;Partners&quot;')
    expect(html).toContain(`background: ${ACCENT}; color: #ffffff`)
  })

  it('for dark backgrounds only stands on a dark one', async () => {
    await giveLogo('dark')
    const { html = '', attachments } = await sent('invitation')
    expect(attachments).toHaveLength(1)
    expect(html).toMatch(/class="logoOnDark" style="[^"]*background: #0d1314"/)
  })

  it('is that of the moment of sending', async () => {
    await giveLogo()
    const params = { id: room.group_id }
    const guest = await createPerson(service, `late${room.workspace_id}`)
    await run(sql`delete from jobs`)
    const body = { workspace_id: room.workspace_id, email: guest.email, send_email: true }
    await world.alice.call(api.groups.addMember, { params, body })
    const jobs = await service.services.db.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute()
    expect(jobs).toHaveLength(1)
    expect(JSON.stringify(jobs)).not.toContain('iVBOR')
    await world.alice.call(api.brandings.setLogo, { ...inRoom(), body: { logo: { scheme: 'light', image: null } } })
    await sendQueued()
    const { html, attachments } = await theMail()
    expect(attachments).toEqual([])
    expect(html).not.toMatch(/<img|<!-- logo -->/)
  })

  it('whose upload is full of detail gets a palette, so that mails stay small', async () => {
    const noise = Buffer.from(Array.from({ length: 480 * 160 * 3 }, (_, at) => (at * 2_654_435_761) >>> 24))
    await giveLogo(
      'light',
      await sharp(noise, { raw: { width: 480, height: 160, channels: 3 } })
        .jpeg()
        .toBuffer(),
    )
    const [logo] = (await sent('invitation')).attachments
    expect(Buffer.from(logo?.content as ArrayBuffer).length).toBeLessThanOrEqual(LOGO.maxBytes)
  })

  it('that an earlier release stored with more bytes than an upload may have now is in mails', async () => {
    await giveLogo()
    const png = pictureOf(LOGO.width, LOGO.height, 5 * LOGO.width * LOGO.height)
    await run(sql`update brandings set logo_light = ${png}`)
    const { html, attachments } = await sent('invitation')
    expect(html).toMatch(/<img\s+src="cid:/)
    expect(attachments.map(({ content }) => (content as ArrayBuffer).byteLength)).toEqual([png.length])
  })

  it('is told to readers without pictures as the name of the workspace, unless a name stands beside it', async () => {
    await giveLogo()
    await run(sql`update workspaces set name = 'Project "Birch"' where id = ${room.workspace_id}`)
    expect((await sent('notice of damage')).html).toContain('alt="Project &quot;Birch&quot;"')
    await brand()
    expect((await sent('notice of damage')).html).toContain('alt=""')
  })

  it.each([
    ['is no picture', Buffer.from('<script>alert(1)</script>')],
    ['is empty', Buffer.alloc(0)],
    ['is cut off in its header', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['is too wide', pictureOf(LOGO.width + 1, LOGO.height, 1000)],
    ['is too high', pictureOf(LOGO.width, LOGO.height + 1, 1000)],
    ['has more bytes than pixels can have', pictureOf(LOGO.width, LOGO.height, 5 * LOGO.width * LOGO.height + 1)],
    ['is lost', null],
  ])('that %s prevents no mail', async (_, png) => {
    await giveLogo()
    await run(sql`update brandings set logo_light = ${png}`)
    for (const kind of KINDS) {
      const { html, attachments } = await sent(kind)
      expect(attachments).toEqual([])
      expect(html).not.toMatch(/<img|cid:|<!-- logo -->/)
    }
  })
})
