import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { type MailServer, type Reaction, startMailServer } from '../../mail/testing/mail-server.ts'
import { createMailer, type Mailer } from '../../mail/transport.ts'
import { codeMail } from '../../proxy/sign-in/code-mail.ts'
import { enqueue, MAX_MAIL_ATTEMPTS } from '../jobs/queue.ts'
import { runNextJob, type Runners } from '../jobs/run.ts'
import { wholeTurn } from '../jobs/turn.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

const from = 'Strongroom <no-reply@rooms.test>'

let service: TestService
let world: World
let server: MailServer
let mailer: Mailer
let runners: Runners
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  server = await startMailServer()
  mailer = createMailer({ smtpUrl: server.url, from, outbox: '/nonexistent' })
  runners = {
    mail: mailer.send,
    email_code: async () => {},
    expert_mail: async () => {},
    open_drafts: async () => {},
    examine: async () => {},
    zip: async () => {},
    ingest: async () => {},
  }
  await service.services.db.deleteFrom('jobs').execute()
})
afterEach(() => {
  mailer.close()
  return server.close()
})

/** Runs the due jobs, as the worker would. */
async function work(): Promise<void> {
  while (await runNextJob(service.services.db, runners));
}
const jobs = () => service.services.db.selectFrom('jobs').select(['kind', 'attempts', 'error', 'parked_at']).execute()
const makeDue = () => sql`update jobs set run_at = now()`.execute(service.services.db)

async function received() {
  return Promise.all(
    server.received.map(async ({ from, to, text }) => ({ from, to, mail: await PostalMime.parse(text) })),
  )
}

/** Returns the only received mail and checks that no job is left. */
async function onlyMail() {
  await work()
  expect(await jobs()).toEqual([])
  const mails = await received()
  expect(mails).toHaveLength(1)
  return mails[0] as (typeof mails)[number]
}

const invite = (email: string, message?: string) =>
  enqueue(service.services.db, 'mail', { to: email, subject: 'Hello', text: message ?? 'Hello', html: '<p>Hello</p>' })

describe('an invitation', () => {
  const invitedBy = async (workspaceName: string, email: string) => {
    const { alice, team_id } = world
    const { id: workspace_id } = await alice.call(api.workspaces.create, {
      body: { workspace: { name: workspaceName, team_id } },
    })
    const { id } = await alice.call(api.groups.create, { body: { group: { name: 'Bidders', workspace_id } } })
    await alice.call(api.groups.addMember, { params: { id }, body: { workspace_id, email } })
    return workspace_id
  }

  it('comes from the configured sender to the invited user, as text and HTML', async () => {
    await invitedBy('Projekt Größe 🚢', 'new.person@example.com')
    const { from, to, mail } = await onlyMail()
    expect([from, to]).toEqual(['no-reply@rooms.test', ['new.person@example.com']])
    expect(mail.from).toMatchObject({ name: 'Strongroom', address: 'no-reply@rooms.test' })
    expect(mail.to).toMatchObject([{ address: 'new.person@example.com' }])
    expect(mail.subject).toBe('Alice Tester invites you to Projekt Größe 🚢')
    expect(mail.text).toContain('Come in: http://dashboard.test')
    expect(mail.html).toContain('<a href="http://dashboard.test')
    expect(mail.headers.filter(({ key }) => ['cc', 'bcc', 'reply-to'].includes(key))).toEqual([])
  })

  it('that is sent again carries the message of the reminder', async () => {
    const workspace_id = await invitedBy('Harbour', 'late@example.com')
    await work()
    server.received.length = 0
    const members = await world.alice.call(api.workspaces.listMembers, { params: { id: workspace_id } })
    const id = members.find(({ user }) => user.email === 'late@example.com')?.user.id ?? 0
    const message = 'Please come.\n.\n\nBcc: eve@example.com\n<b>Now</b>'
    await world.alice.call(api.users.remind, { params: { id }, body: { workspace_id, message } })
    const { to, mail } = await onlyMail()
    expect(to).toEqual(['late@example.com'])
    // Word joiners keep mail programs from making links of it.
    expect(String(mail.text).replaceAll('\u2060', '')).toContain(message)
    expect(String(mail.html).replaceAll('\u2060', '')).toContain('&lt;b&gt;Now&lt;/b&gt;')
    expect(mail.bcc ?? []).toEqual([])
  })

  it.each([
    '"><img src=x>',
    'To: eve@example.com',
    '=?utf-8?B?QmNjOiBldmU=?=',
    `${'x'.repeat(250)}é`,
    'a;b, c <d@e.f>',
  ])('from a workspace called %j has no extra header or recipient', async (name) => {
    await invitedBy(name, 'guest@example.com')
    const { to, mail } = await onlyMail()
    expect(to).toEqual(['guest@example.com'])
    expect(mail.subject).toBe(`Alice Tester invites you to ${name}`)
    expect(mail.headers.map(({ key }) => key).toSorted()).toEqual([
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
    expect(mail.html).not.toContain('<img')
  })
})

it('a sign-in code comes as text and HTML', async () => {
  await runners.mail(codeMail('bob@example.com', '012345', 'https://rooms.test'), wholeTurn())
  const { to, mail } = await onlyMail()
  expect(to).toEqual(['bob@example.com'])
  expect(mail.subject).not.toContain('012345')
  expect([mail.text, mail.html]).toEqual([expect.stringContaining('012345'), expect.stringContaining('012345')])
})

describe('a server', () => {
  it('that is down is retried after a pause', async () => {
    const { url } = server
    await server.close()
    await invite('bob@example.com')
    await work()
    expect(await jobs()).toMatchObject([
      { attempts: 1, parked_at: null, error: expect.stringContaining('ECONNREFUSED') },
    ])
    server = await startMailServer(Number(new URL(url).port))
    await work()
    expect(server.received).toEqual([])
    await makeDue()
    expect((await onlyMail()).to).toEqual(['bob@example.com'])
  })

  it.each<[string, { recipient?: Reaction; mail?: Reaction }]>([
    ['at the recipient', { recipient: [450, 'Greylisted, come again'] }],
    ['after the mail', { mail: [451, 'Greylisted, come again'] }],
    ['because it closes', { recipient: [421, 'Greylisted, come again'] }],
  ])('that refuses temporarily %s is retried', async (_, reaction) => {
    server.behave(reaction)
    await invite('bob@example.com')
    await work()
    expect(await jobs()).toMatchObject([{ attempts: 1, parked_at: null, error: expect.stringContaining('Greylisted') }])
    server.behave({})
    await makeDue()
    expect((await onlyMail()).to).toEqual(['bob@example.com'])
  })

  it.each<[string, { recipient?: Reaction; mail?: Reaction }]>([
    ['the recipient', { recipient: [550, 'No such user here'] }],
    ['the mail', { mail: [554, 'No such user here'] }],
  ])('that refuses %s permanently is not retried', async (_, reaction) => {
    server.behave(reaction)
    await invite('nobody@example.com')
    await work()
    await makeDue()
    await work()
    expect(server.asked()).toBe(1)
    expect(await jobs()).toMatchObject([
      { attempts: 1, parked_at: expect.any(String), error: expect.stringContaining('No such user here') },
    ])
  })

  it.each(['short', 'long '.repeat(100_000)])('that disconnects before it has the mail gets it again', async (text) => {
    server.behave({ recipient: 'drop' })
    await invite('bob@example.com', text)
    await work()
    expect(await jobs()).toMatchObject([{ attempts: 1, parked_at: null }])
    server.behave({})
    await makeDue()
    expect((await onlyMail()).to).toEqual(['bob@example.com'])
  })

  it.each(['short', 'long '.repeat(100_000)])(
    'that disconnects after it has taken the mail does not get it twice',
    async (text) => {
      server.behave({ mail: 'drop' })
      await invite('bob@example.com', text)
      await work()
      server.behave({})
      await makeDue()
      await work()
      expect(server.received).toHaveLength(1)
      expect(await jobs()).toMatchObject([
        { attempts: 1, parked_at: expect.any(String), error: expect.stringContaining('may have been delivered') },
      ])
    },
  )

  it('that never accepts the mail is given up after some hours', async () => {
    server.behave({ recipient: [450, 'Later'] })
    await invite('bob@example.com')
    let seconds = 0
    for (let attempt = 0; attempt < MAX_MAIL_ATTEMPTS; attempt++) {
      await work()
      const { rows } = await sql<{
        pause: number
      }>`select extract(epoch from run_at - now())::int as pause from jobs`.execute(service.services.db)
      seconds += Math.max(0, rows[0]?.pause ?? 0)
      await makeDue()
    }
    await work()
    expect(server.asked()).toBe(MAX_MAIL_ATTEMPTS)
    expect(seconds).toBeGreaterThan(4 * 3600)
    expect(await jobs()).toMatchObject([{ parked_at: expect.any(String), error: expect.stringContaining('Later') }])
  })
})

it('an invalid address is given up at once', async () => {
  await invite('bob@example.com\r\nBcc: eve@example.com')
  await work()
  expect(server.asked()).toBe(0)
  expect(await jobs()).toMatchObject([
    { attempts: 1, parked_at: expect.any(String), error: expect.stringContaining('no e-mail address') },
  ])
})
