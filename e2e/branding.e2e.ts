import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import PostalMime, { type Email } from 'postal-mime'
import sharp from 'sharp'
import { api, type ApiFailure } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible, newestMailTo, openAs, untilStored } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'
import { watch } from './watch-page.ts'

// A workspace gets the look of the firm that invites into it: inherited from the organization, then its own, seen by
// readers in the dashboard and by invited people in their mail and on the page that it leads to.
test.describe.configure({ mode: 'serial' })
test.setTimeout(seconds(180))

const [PALE, ACCENT] = ['#ffcc00', '#7a1f3d']
const ON_DARK = '#f2a7c0'
const PHONE = { width: 390, height: 844 }
const NAME = 'Northgate Partners'

let room: Room
let admin: Page
test.beforeAll(async ({ browser }) => {
  test.setTimeout(seconds(120))
  room = await makeRoom()
  admin = await enterAs(browser, room.addresses['workspace admin'])
})
test.afterAll(async () => {
  const branding = { display_name: null, accent_light: null, accent_dark: null, sender_name: null }
  await asAdmin().call(api.brandings.updateForOrganization, { body: { branding } })
  await setSharedLogo(null)
  await admin?.context().close()
})

const main = (page: Page) => page.getByRole('main')
const part = () => main(admin).locator('#branding')
const field = (name: string) => part().getByRole('textbox', { name, exact: true })
const group = (name: string) => part().getByRole('group', { name })

async function openSettings(): Promise<void> {
  await admin.goto(paths.settings(room.workspaceId))
  await expect(field('Display name')).toBeVisible()
}

/** A picture with a word of its own width, so that two logos differ. */
const logoOf = (width: number, colour: string) =>
  sharp({ create: { width, height: 80, channels: 4, background: colour } })
    .png()
    .toBuffer()

async function setSharedLogo(width: number | null): Promise<void> {
  const image = width === null ? null : (await logoOf(width, '#204080')).toString('base64')
  await asAdmin().call(api.brandings.setLogoForOrganization, { body: { logo: { scheme: 'light', image } } })
}

/** The width of a picture itself, which tells logos apart; 0 until it is loaded. */
const widthOf = (picture: Locator) =>
  picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : -1))
const expectLogo = (picture: Locator, width: number) => expect.poll(() => widthOf(picture)).toBe(width)

const rgb = (colour: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)).join(', ')})`
/** The filled button, as nobody has read the document yet. */
const reading = (page: Page, german = false) =>
  main(page).getByRole('link', { name: german ? 'Das neue Dokument lesen' : 'Read the new document' })
const expectFilled = (button: Locator, colour: string) => expect(button).toHaveCSS('background-color', rgb(colour))

async function openWelcome(browser: Parameters<typeof enterAs>[0], options: BrowserContextOptions = {}): Promise<Page> {
  const page = await enterAs(browser, room.addresses.reader, { reducedMotion: 'reduce', ...options })
  await page.goto(paths.welcome(room.workspaceId))
  await expect(page.getByRole('heading', { name: room.name, level: 1 })).toBeVisible()
  return page
}

async function expectFits(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
}

async function mailTo(address: string, subject: RegExp): Promise<Email> {
  let mail: Email | undefined
  await expect(async () => {
    mail = await PostalMime.parse(await newestMailTo(address))
    expect(mail.subject).toMatch(subject)
  }).toPass({ timeout: seconds(30) })
  return mail as Email
}

test('a workspace wears what the organization sets', async ({ browser }) => {
  const ines = await openAs(browser, 'Ines Carvalho')
  await ines.goto(paths.organization())
  await ines.getByRole('textbox', { name: 'Display name' }).fill('Northgate Group')
  await ines.getByRole('textbox', { name: 'Accent in light', exact: true }).fill('#204080')
  await ines.getByRole('button', { name: 'Save branding' }).click()
  await expect(ines.getByText('The branding is saved')).toBeVisible()
  const choosing = ines.waitForEvent('filechooser')
  const logos = ines.getByRole('group', { name: 'Logo on light backgrounds' })
  await logos.getByRole('button', { name: 'Choose a picture' }).click()
  await (await choosing).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await logoOf(160, '#204080') })
  await expectLogo(logos.getByRole('img'), 160)
  await expectAccessible(ines)
  await ines.context().close()

  const page = await openWelcome(browser)
  await expect(main(page).getByText('Northgate Group')).toBeVisible()
  await expectLogo(main(page).getByRole('img', { name: 'Northgate Group' }), 160)
  await expectFilled(reading(page), '#204080')
  await page.context().close()
  await openSettings()
  await expect(field('Display name')).toHaveValue('')
  await expect(field('Display name')).toHaveAttribute('placeholder', 'Northgate Group')
  await expectLogo(group('Logo on light backgrounds').getByRole('img'), 160)
})

test('an admin is refused a pale accent, with the reason, and takes the nearest that can be read', async () => {
  await openSettings()
  await field('Display name').fill(NAME)
  await field('Sender of mails').fill('Northgate by mail')
  await field('Accent in light').fill(PALE)
  await expect(part().getByText(/^Contrast 1\.\d:1 is too low to read; 4\.5:1 is needed$/)).toBeVisible()
  await expect(part().getByRole('button', { name: 'Save branding' })).toBeDisabled()
  await part()
    .getByRole('button', { name: /^Take #[0-9a-f]{6} instead$/ })
    .click()
  await expect(part().getByText(/^Contrast [4-9]\.\d:1$/)).toBeVisible()
  await part().getByRole('button', { name: 'Save branding' }).click()
  await expect(admin.getByText('The branding is saved')).toBeVisible()
  await field('Accent in light').fill(ACCENT)
  await field('Accent in dark').fill(ON_DARK)
  await untilStored(admin, () => field('Accent in dark').press('Enter'))
  await expect(part().getByRole('button', { name: 'Save branding' })).toBeDisabled()
})

test('an admin uploads a logo; what is no picture is refused', async () => {
  await openSettings()
  const choose = async (name: string, mimeType: string, buffer: Buffer) => {
    const choosing = admin.waitForEvent('filechooser')
    await group('Logo on light backgrounds')
      .getByRole('button', { name: /^(Choose a picture|Replace)$/ })
      .click()
    await (await choosing).setFiles({ name, mimeType, buffer })
  }
  await choose('logo.png', 'image/png', Buffer.from('<script>alert(1)</script>'))
  await expect(group('Logo on light backgrounds').getByRole('alert')).toBeVisible()
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" onload="alert(1)"><script>alert(1)</script>
    <rect width="240" height="80" rx="8" fill="${ACCENT}"/></svg>`
  await choose('logo.svg', 'image/svg+xml', Buffer.from(svg))
  await expectLogo(group('Logo on light backgrounds').getByRole('img'), 480)
  await expect(group('Logo on light backgrounds').getByRole('alert')).toHaveCount(0)
  await expect(group('Logo on dark backgrounds').getByText('Drop a picture here')).toBeVisible()
})

test('an admin names people to contact', async () => {
  await openSettings()
  await main(admin).getByRole('button', { name: 'Add a person to contact' }).click()
  const person = main(admin).getByRole('group', { name: 'Person 1' })
  await person.getByRole('textbox', { name: 'Name' }).fill('Tom Weiss')
  await person.getByRole('textbox', { name: 'Role' }).fill('Legal')
  await person.getByRole('textbox', { name: 'E-mail' }).fill('tom.weiss@northgate.example')
  await person.getByRole('textbox', { name: 'Telephone' }).fill('+49 30 901820')
  await main(admin).getByRole('button', { name: 'Save people' }).click()
  await expect(admin.getByText('The welcome page is saved')).toBeVisible()
})

test('an admin writes the invitation, sees it as it will be sent, and gets a test of it', async () => {
  await openSettings()
  await field('Subject').fill('{organization} invites you to {room}')
  await field('First words').fill('Dear {name},\n{inviter} awaits you.')
  await part().getByRole('button', { name: 'Save invitation' }).click()
  await expect(admin.getByText('The invitation is saved')).toBeVisible()
  await part().getByRole('button', { name: 'Preview' }).click()
  const preview = part().getByRole('region', { name: 'Preview of the invitation' })
  await expect(preview.getByText(`${NAME} invites you to ${room.name}`)).toBeVisible()
  await expect(preview.getByText('Northgate by mail')).toBeVisible()
  const drawing = preview.getByRole('img', { name: 'The mail with logo and colours' })
  await expect.poll(() => widthOf(drawing)).toBeGreaterThan(400)
  expect(await drawnColours(drawing)).toContain(rgb(ACCENT))
  await preview.getByRole('button', { name: 'In dark' }).click()
  await expect.poll(() => drawnColours(drawing)).toContain(rgb(ON_DARK))
  await expectAccessible(admin)

  await part().getByRole('button', { name: 'Send a test to me' }).click()
  const address = room.addresses['workspace admin']
  await expect(admin.getByText(`The test is on its way to ${address}`)).toBeVisible()
  const mail = await mailTo(address, /^Test: /)
  expect(mail.subject).toBe(`Test: ${NAME} invites you to ${room.name}`)
  expect(mail.from?.name).toBe('Northgate by mail')
  expect(mail.text).toContain('Workspace admin')
  expect(mail.html).toContain(`background: ${ACCENT}; color: #ffffff`)
  const [logo] = mail.attachments
  expect(logo?.mimeType).toBe('image/png')
  expect(mail.html).toContain(`cid:${logo?.contentId?.replaceAll(/[<>]/g, '')}`)
})

/** Colours of what an image shows, as a screenshot has them. */
async function drawnColours(drawing: Locator): Promise<string[]> {
  await drawing.scrollIntoViewIfNeeded()
  const { data, info } = await sharp(await drawing.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const counts = new Map<string, number>()
  for (let at = 0; at < info.width * info.height * 3; at += 3) {
    const colour = `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > 100).map(([colour]) => colour)
}

const VIEWS: [name: string, options: BrowserContextOptions & { colorScheme: 'light' | 'dark' }, german: boolean][] = [
  ['in light', { colorScheme: 'light' }, false],
  ['in dark', { colorScheme: 'dark' }, false],
  ['on a phone, in German', { colorScheme: 'light', viewport: PHONE, locale: 'de-DE' }, true],
  ['on a phone in dark, in German', { colorScheme: 'dark', viewport: PHONE, locale: 'de-DE' }, true],
]
for (const [name, options, german] of VIEWS) {
  const { colorScheme, viewport } = options
  test(`a reader sees logo, accent, name and contacts, not those of the organization, ${name}`, async ({ browser }) => {
    const page = await openWelcome(browser, options)
    await expect(main(page).getByText(NAME)).toBeVisible()
    await expect(page.getByText('Northgate Group')).toHaveCount(0)
    await expectLogo(main(page).getByRole('img', { name: NAME }), 480)
    await expectFilled(reading(page, german), colorScheme === 'light' ? ACCENT : ON_DARK)
    const contact = main(page).getByRole('region', { name: 'Tom Weiss' })
    await expect(contact).toContainText('Legal')
    await expect(contact.getByRole('link')).toHaveAttribute('href', 'mailto:tom.weiss%40northgate.example')
    // The bar of a phone has no room for a logo; Welcome has it.
    const inBar = page.getByRole('banner').getByRole('img', { name: NAME })
    if (viewport) await expect(inBar).toBeHidden()
    else await expectLogo(inBar, 480)
    await expectFits(page)
    await expectAccessible(page)
    await page.context().close()
  })

  test(`an invited person sees them in the mail and on the page that it leads to, ${name}`, async ({ browser }) => {
    const email = `guest.${Math.random().toString(36).slice(2)}@bidders.example`
    const body = { workspace_id: room.workspaceId, email, send_email: true }
    await asAdmin().call(api.groups.addMember, { params: { id: room.groupId }, body })
    const mail = await mailTo(email, new RegExp(`^${NAME} invites you to `))
    expect(mail.attachments).toHaveLength(1)
    const link = /https?:\/\/\S+\/invitation\/\d+#[\w-]+/.exec(mail.text ?? '')?.[0] ?? ''
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    await page.goto(link)
    const panel = page.getByRole('region', { name: german ? 'Ihre Einladung' : 'Your invitation' })
    await expect(panel).toContainText(NAME)
    await expectLogo(panel.locator('img').first(), 480)
    await expectFits(page)
    await expectAccessible(page)
    await context.close()
  })
}

test('a plain member is refused the settings', async ({ browser }) => {
  const page = await enterAs(browser, room.addresses.downloader)
  await page.goto(paths.settings(room.workspaceId))
  await expect(page.getByRole('heading', { name: 'You may not see this' })).toBeVisible()
  await expect(page.getByText('Display name')).toHaveCount(0)
  await page.context().close()
})

const HOSTILE = [
  `"'><img src=x onerror=alert(1)>`,
  '</style><script>alert(1)</script>',
  'url(javascript:alert(1))',
  'javascript:alert(1)',
  '#0b5d66}*{display:none',
]
test('hostile values in any field become neither style nor script', async ({ browser }) => {
  const { workspaceId: id } = room
  const params = { id }
  const refused = await Promise.all(
    HOSTILE.flatMap((value) =>
      (['accent_light', 'accent_dark'] as const).map((accent) =>
        asAdmin()
          .call(api.brandings.update, { params, body: { branding: { [accent]: value } } })
          .catch((error: unknown) => error),
      ),
    ),
  )
  expect(refused.map((error) => (error as ApiFailure).code)).toEqual(refused.map(() => 422))
  await openSettings()
  await field('Accent in light').fill('url(//x')
  await expect(part().getByText('Six digits such as #7a1f3d')).toBeVisible()
  await expect(part().getByRole('button', { name: 'Save branding' })).toBeDisabled()
  for (const value of HOSTILE.slice(0, 3)) {
    const words = { subject_en: value, text_en: value, display_name: value, sender_name: value, accent_light: ACCENT }
    await asAdmin().call(api.brandings.update, { params, body: { branding: words } })
    const contacts = [{ name: value, role: value, email: '', phone: value }]
    await asAdmin().call(api.workspaces.updateWelcome, { params, body: { welcome: { contacts } } })
    await expectHarmless(await enterAs(browser, room.addresses.reader), value)
    await expectHarmlessMail(value)
  }
})

async function expectHarmless(page: Page, value: string): Promise<void> {
  const findings = await watch(page)
  await page.goto(paths.welcome(room.workspaceId))
  await expect(main(page).getByText(value).first()).toBeVisible()
  await expectFilled(reading(page), ACCENT)
  expect(await page.locator('[onerror], [src="x"], a[href^="javascript" i]').count()).toBe(0)
  expect(findings).toEqual([])
  await page.context().close()
}

async function expectHarmlessMail(value: string): Promise<void> {
  const findings = await previewIn(admin, value)
  expect(findings).toEqual([])
  const { html } = await asAdmin().call(api.brandings.preview, {
    params: { id: room.workspaceId },
    body: { language: 'en' },
  })
  const tags = html.replaceAll(/<img\s+src="cid:[^>]*>/g, '').match(/<[^>]*>/g) ?? []
  expect(tags.filter((tag) => /^<(script|img)|\son\w+=|javascript:|url\(/i.test(tag))).toEqual([])
  expect(tags.filter((tag) => tag === '</style>')).toHaveLength(1)
}

/** Shows the preview with the saved words, and returns what they did to the page. */
async function previewIn(page: Page, value: string): Promise<string[]> {
  const findings: string[] = []
  const note = (message: { text(): string }) =>
    /Content Security Policy|Trusted ?(Type|HTML|Script)/.test(message.text()) && findings.push(message.text())
  page.on('console', note)
  await page.reload()
  await part().getByRole('button', { name: 'Preview' }).click()
  const preview = part().getByRole('region', { name: 'Preview of the invitation' })
  await expect(preview.getByText(value).first()).toBeVisible()
  await expect.poll(() => widthOf(preview.getByRole('img'))).toBeGreaterThan(400)
  page.off('console', note)
  return findings
}
