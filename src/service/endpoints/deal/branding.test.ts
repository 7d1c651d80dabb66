import PostalMime from 'postal-mime'
import sharp from 'sharp'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { requestOf } from '../../../client/request.ts'
import { api } from '../../../contract/index.ts'
import { type MailServer, startMailServer } from '../../../mail/testing/mail-server.ts'
import { createMailer } from '../../../mail/transport.ts'
import { deliverMail } from '../../mail/invitation.ts'
import { takeMails } from '../../testing/jobs.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { createPerson, createWorld, type World } from '../../testing/world.ts'

let service: TestService
let world: World
let room: Room
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  await service.services.db.deleteFrom('brandings').execute()
  await service.services.db.deleteFrom('mail_budgets').execute()
})

const { brandings } = api
const inRoom = () => ({ params: { id: room.workspace_id } })
const set = (branding: Record<string, string | null>) =>
  world.alice.call(brandings.update, { ...inRoom(), body: { branding } })
const setForAll = (branding: Record<string, string | null>) =>
  world.olivia.call(brandings.updateForOrganization, { body: { branding } })
const lookOf = async () => (await world.bob.call(api.workspaces.get, inRoom())).look
const refusalOf = async (branding: Record<string, string>) => {
  const { code, details } = await world.alice.refused(brandings.update, { ...inRoom(), body: { branding } })
  return [code, details?.[0]?.rule]
}

describe('a branding', () => {
  it('is that of the organization until the workspace has its own, and is seen by readers', async () => {
    expect(await lookOf()).toBeNull()
    await setForAll({ display_name: 'Northgate Partners', accent_light: '#7A1F3D' })
    expect(await lookOf()).toMatchObject({ display_name: 'Northgate Partners', accent_light: '#7a1f3d' })
    await set({ display_name: 'Project Harbour' })
    expect(await lookOf()).toMatchObject({ display_name: 'Project Harbour', accent_light: '#7a1f3d' })
    expect(await world.alice.call(brandings.get, inRoom())).toMatchObject({
      display_name: 'Project Harbour',
      accent_light: null,
      inherited: { display_name: 'Northgate Partners', accent_light: '#7a1f3d' },
    })
    await set({ display_name: null })
    expect(await lookOf()).toMatchObject({ display_name: 'Northgate Partners' })
  })

  it('keeps what is not given, and records only what changed', async () => {
    await set({ display_name: 'One', sender_name: 'One by mail' })
    await set({ display_name: 'Two' })
    expect(await world.alice.call(brandings.get, inRoom())).toMatchObject({ sender_name: 'One by mail' })
    const entries = await service.services.db.selectFrom('audit_inbox').select('entry').orderBy('id', 'desc').execute()
    expect(JSON.parse(entries[0]?.entry ?? '')).toMatchObject({
      verb: 'updated',
      changes: { display_name: { before: 'One', after: 'Two' } },
    })
  })

  it('refuses a colour that cannot be read, and names the nearest that can', async () => {
    const call = { ...inRoom(), body: { branding: { accent_light: '#ffcc00' } } }
    const [detail] = (await world.alice.refused(brandings.update, call)).details ?? []
    expect(detail).toMatchObject({ field: 'branding.accent_light', rule: 'contrast' })
    await set({ accent_light: detail?.params?.['readable'] ?? '' })
    expect(await refusalOf({ accent_dark: '#101010' })).toEqual([422, 'contrast'])
    await set({ accent_dark: '#ffcc00' })
  })
})

describe('K98: nothing of a branding', () => {
  test.each(['red', 'red;}', '#fff', '#12345g', '#123456;', 'url(//evil)', '#0b5d66}*{display:none', '\u202e#0b5d66'])(
    'is a colour that says more: %s',
    async (accent_light) =>
      expect(await refusalOf({ accent_light })).toEqual([422, expect.stringMatching(/colour|max/)]),
  )

  test.each(['a\r\nBcc: b@evil.example', 'Bank\u0000', 'ceo@bank.example', 'https://bank.example', 'abc\u202egnp.exe'])(
    'is a name that begins a header or poses as another: %j',
    async (sender_name) => {
      expect((await refusalOf({ sender_name }))[0]).toBe(422)
      expect((await refusalOf({ display_name: sender_name }))[0]).toBe(422)
    },
  )

  test.each(['{secret}', '{{room}}', '{', '{constructor}', '{__proto__}'])('fills braces such as %s', async (text_en) =>
    expect(await refusalOf({ text_en })).toEqual([422, 'known_placeholders']),
  )

  it('is markup or a link in a mail, whatever names contain', async () => {
    const hostile = '<script>alert(1)</script> https://evil.example {room}'
    await world.alice.call(api.users.updateMe, { body: { user: { first_name: '<img src=x>' } } })
    const { html, text } = await world.alice.call(brandings.preview, {
      ...inRoom(),
      body: { language: 'en', branding: { text_en: `${hostile} {name}`, subject_en: '{inviter}: {room}' } },
    })
    await world.alice.call(api.users.updateMe, { body: { user: { first_name: 'Alice' } } })
    expect(html).not.toMatch(/<script|<img/)
    expect(html).toContain('&lt;img src=x&gt;')
    expect(html.match(/<a\s/g)).toHaveLength(1)
    expect(text).not.toContain('https://evil.example')
  })
})

describe('a logo', () => {
  const png = (width = 20, height = 10) =>
    sharp({ create: { width, height, channels: 4, background: '#7a1f3d' } })
      .png()
      .withMetadata()
      .toBuffer()
  const uploading = (picture: Buffer | null) => ({
    ...inRoom(),
    body: { logo: { scheme: 'light' as const, image: picture?.toString('base64') ?? null } },
  })
  const upload = (picture: Buffer | null) => world.alice.call(brandings.setLogo, uploading(picture))
  const ruleOf = async (picture: Buffer) =>
    (await world.alice.refused(brandings.setLogo, uploading(picture))).details?.[0]?.rule
  const shown = async (query = {}) => {
    const { image } = await world.bob.call(brandings.getLogo, { ...inRoom(), query })
    return Buffer.from(image, 'base64')
  }

  it('is drawn again as a PNG in its box, and belongs to the workspace', async () => {
    await upload(await png(2000, 500))
    const { format, width, height } = await sharp(await shown()).metadata()
    expect({ format, width, height }).toEqual({ format: 'png', width: 480, height: 120 })
    expect(await world.mallory.statusOf(brandings.getLogo, inRoom())).toBe(404)
    expect(await world.bob.statusOf(brandings.getLogo, { ...inRoom(), query: { scheme: 'dark' } })).toBe(404)
    await upload(null)
    expect(await world.bob.statusOf(brandings.getLogo, inRoom())).toBe(404)
  })

  it('is drawn before its transaction begins', async () => {
    const { renderer, db } = service.services
    const draw = renderer.drawLogo.bind(renderer)
    const waiting: unknown[] = []
    const drawing = vi.spyOn(renderer, 'drawLogo').mockImplementation(async (...picture) => {
      const idle = db
        .selectFrom(sql<object>`pg_stat_activity`.as('activity'))
        .where(sql`datname`, '=', sql`current_database()`)
        .where(sql`state`, '=', 'idle in transaction')
      waiting.push(...(await idle.select(sql`query`.as('query')).execute()))
      return draw(...picture)
    })
    await upload(await png())
    expect(drawing).toHaveBeenCalledTimes(1)
    drawing.mockRestore()
    expect(waiting).toEqual([])
  })

  it('may be kept by the browser under its hash only', async () => {
    await upload(await png())
    const version = (await lookOf())?.logo_light ?? ''
    const cacheOf = async (query: { version?: string }) => {
      const { path, init } = requestOf(brandings.getLogo, { ...inRoom(), query }, 'bytes')
      return (await world.bob.fetch(path, init)).headers.get('cache-control')
    }
    expect(await cacheOf({ version })).toBe('private, max-age=31536000, immutable')
    expect(await cacheOf({ version: 'f'.repeat(64) })).toBe('private, no-store')
    expect(await cacheOf({})).toBe('private, no-store')
  })

  it('K98: keeps nothing of an upload but its pixels', async () => {
    const secret = '<script>alert(1)</script>'
    await upload(Buffer.concat([await png(), Buffer.from(secret)]))
    expect((await shown()).toString('latin1')).not.toContain('script')
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20"
      onload="alert(1)"><script>alert(1)</script><rect width="40" height="20" fill="#7a1f3d"/>
      <image xlink:href="file:///etc/passwd" width="9" height="9"/><image href="http://127.0.0.1:1/x.png" width="9" height="9"/></svg>`
    await upload(Buffer.from(svg))
    const drawn = await shown()
    expect(drawn.subarray(1, 4).toString()).toBe('PNG')
    expect(drawn.toString('latin1')).not.toMatch(/script|alert|svg/)
  })

  it('K98: is refused if it is no picture, too large or a bomb', async () => {
    expect(await ruleOf(Buffer.from('<!doctype html><script>alert(1)</script>'))).toBe('logo_format')
    expect(await ruleOf(Buffer.from('GIF89a'))).toBe('logo_format')
    expect(await ruleOf(Buffer.from('\x89PNG\r\n\x1a\nno picture', 'latin1'))).toBe('logo_readable')
    expect(await ruleOf(await png(5000, 10))).toBe('logo_pixels')
    expect(await ruleOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"/>'))).toBe(
      'logo_pixels',
    )
    expect(await ruleOf(Buffer.concat([await png(), Buffer.alloc(200 * 1024)]))).toBe('max_text_length')
    const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')
    const bomb = `<!DOCTYPE svg [<!ENTITY e0 "x">${entities}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&e9;</text></svg>`
    expect(await ruleOf(Buffer.from(bomb))).toBe('logo_readable')
    await upload(await png())
  })

  it('is taken as a set: an own one for light hides that of the organization for dark', async () => {
    const image = (await png()).toString('base64')
    await world.olivia.call(brandings.setLogoForOrganization, { body: { logo: { scheme: 'dark', image } } })
    expect(await lookOf()).toMatchObject({ logo_light: null, logo_dark: expect.stringMatching(/^[0-9a-f]{64}$/) })
    await upload(await png(30, 30))
    expect(await lookOf()).toMatchObject({ logo_dark: null, logo_light: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })
})

describe('an invitation', () => {
  let server: MailServer
  beforeEach(async () => {
    server = await startMailServer()
  })

  /** Sends what is queued to a mail server, and returns what arrives. */
  async function arrived() {
    const mailer = createMailer({ smtpUrl: server.url, from: 'Rooms <rooms@rooms.test>', outbox: '/nonexistent' })
    for (const mail of await takeMails(service)) await deliverMail({ db: service.services.db, send: mailer.send }, mail)
    mailer.close()
    await server.close()
    return Promise.all(
      server.received.map(async ({ to, text }) => ({ to, raw: text, mail: await PostalMime.parse(text) })),
    )
  }

  const TEXTS = {
    sender_name: 'Müller "M&A", Partner',
    subject_de: '{organization}: {room}',
    text_de: 'Guten Tag {name},\n{inviter} erwartet Sie in {room}.',
    invitation_language: 'de',
    accent_light: '#7a1f3d',
  }

  it('has the sender, language, words and colour of the room, and replies go to its contact', async () => {
    await setForAll({ display_name: 'Northgate Partners' })
    await set({ ...TEXTS, replies: 'contact' })
    const body = { welcome: { contact_user_id: world.alice.id } }
    await world.alice.call(api.workspaces.updateWelcome, { ...inRoom(), body })
    const guest = await createPerson(service, 'invited')
    await service.services.db.updateTable('users').set({ status: 'invited' }).where('id', '=', guest.id).execute()
    await takeMails(service)
    await world.alice.call(api.groups.addMember, {
      params: { id: room.group_id },
      body: { workspace_id: room.workspace_id, email: guest.email, send_email: true },
    })
    const [{ mail, to } = { mail: undefined, to: [] }] = await arrived()
    expect(to).toEqual([guest.email])
    expect(mail?.from).toEqual({ address: 'rooms@rooms.test', name: TEXTS.sender_name })
    expect(mail?.replyTo).toEqual([{ address: world.alice.email, name: '' }])
    expect(mail?.subject).toBe('Northgate Partners: Room')
    const text = mail?.text?.replaceAll('\u2060', '')
    expect(text).toMatch(/Guten Tag .*,\nAlice .* erwartet Sie in Room\.\n\nIhr Zugriff hat kein Enddatum\./)
    expect(text).toMatch(/Eintreten: http.*\/invitation\//)
    expect(mail?.html).toContain('background: #7a1f3d; color: #ffffff')
  })

  it('is shown as it is sent, and mailed as a test to the admin only, five times an hour', async () => {
    await takeMails(service)
    const call = { ...inRoom(), body: { language: 'de' as const, branding: { ...TEXTS, sender_name: 'Draft' } } }
    const preview = await world.alice.call(brandings.preview, call)
    expect(await takeMails(service)).toEqual([])
    await world.alice.call(brandings.sendTest, call)
    const [{ mail, to } = { mail: undefined, to: [] }] = await arrived()
    expect(to).toEqual([world.alice.email])
    expect(mail?.from?.name).toBe('Draft')
    expect(mail?.subject).toBe(`Test: ${preview.subject}`)
    expect(mail?.text?.trim()).toBe(preview.text.trim())
    expect(mail?.html?.trim()).toBe(preview.html.trim())
    for (let sent = 1; sent < 5; sent++) await world.alice.call(brandings.sendTest, call)
    expect(await world.alice.statusOf(brandings.sendTest, call)).toBe(429)
    expect(await world.alice.call(brandings.get, inRoom())).toMatchObject({ text_de: null })
  })

  it('shows the branding of the room to its holder', async () => {
    await set({ display_name: 'Northgate Partners' })
    const guest = await createPerson(service, 'holder')
    await takeMails(service)
    await world.alice.call(api.groups.addMember, {
      params: { id: room.group_id },
      body: { workspace_id: room.workspace_id, email: guest.email, send_email: true },
    })
    const [mail] = await takeMails(service)
    const secret = mail?.text.match(/\/invitation\/\d+#([\w-]{43})\n/)?.[1]
    const { invitation } = await world.olivia.call(api.signInCodes.invitation, {
      body: { token: `${room.workspace_id}.${secret}` },
    })
    expect(invitation).toMatchObject({
      look: { display_name: 'Northgate Partners' },
      logos: { light: null, dark: null },
    })
  })
})

describe('people to contact', () => {
  it('are typed, and readers see them', async () => {
    const contacts = [{ name: 'Tom Weiss', role: 'Legal', email: 'tom@example.com', phone: '+49 30 1' }]
    await world.alice.call(api.workspaces.updateWelcome, { ...inRoom(), body: { welcome: { contacts } } })
    expect(await world.bob.call(api.workspaces.getWelcome, inRoom())).toMatchObject({ contacts })
    const refused = { welcome: { contacts: [{ name: 'Tom', email: 'javascript:alert(1)' }] } }
    expect(await world.alice.statusOf(api.workspaces.updateWelcome, { ...inRoom(), body: refused })).toBe(422)
  })
})
