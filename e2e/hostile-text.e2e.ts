import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import PostalMime from 'postal-mime'
import { expect, seconds, test } from './journey.ts'
import { api } from '../src/client/index.ts'
import { openApi } from '../src/contract/openapi.ts'
import { paths } from '../src/dashboard/paths.ts'
import { ASKED, attack, FILLED, type HostileRoom, makeHostileRoom, MARKER } from './hostile-room.ts'
import { PAGES } from './pages.ts'
import { stack } from './people.ts'
import { asAdmin, enterAs } from './room.ts'
import { expectOnlyText, watch } from './watch-page.ts'

// Checks every text that a user can write on every page, in every mail and in every export.

let room: HostileRoom
let page: Page
let findings: string[]

test.beforeAll(async ({ browser }) => {
  test.setTimeout(seconds(120))
  room = await makeHostileRoom()
  const { email } = await asAdmin().call(api.users.me)
  const userAgent = `Mozilla/5.0 <img class=${MARKER} src=x onerror=alert(1)>`
  // A second device of the admin, whose user agent is an attack.
  await (await enterAs(browser, email, { userAgent })).context().close()
  page = await enterAs(browser, email, { reducedMotion: 'reduce', acceptDownloads: true })
  findings = await watch(page)
})
test.afterAll(async () => {
  await room?.restore()
  await page?.context().close()
})
test.afterEach(() => expect(findings.splice(0)).toEqual([]))

async function show(path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await untilLoaded()
}

const untilLoaded = () => expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)

/** Names of `opened` entries that show only the dashboard's own texts. */
const OWN_TEXTS =
  /^(shortcuts|account menu|Make organization admin|the secret|unsaved changes|a wrong code|apart from its document|New |Upload|Expand all|More|people who were refused)/

test('G1: every text field of the contract is listed in FILLED or ASKED', () => {
  expect(textFields().filter((field) => !FILLED.has(field) && !ASKED.has(field))).toEqual([])
})

for (const each of PAGES) {
  test(`G1: ${each.module} shows hostile input as plain text`, async () => {
    test.setTimeout(seconds(30) * (2 + (each.opened ?? []).length))
    await show(each.path(room))
    await expectOnlyText(page)
    for (const { name, open } of (each.opened ?? []).filter((one) => !OWN_TEXTS.test(one.name))) {
      await test.step(name, async () => {
        await show(each.path(room))
        await open(page, (english) => english, room)
        await untilLoaded()
        await expectOnlyText(page)
      })
    }
  })
}

test('G1: the pages show hostile input unchanged', async () => {
  const shown: [path: string, field: string][] = [
    [paths.home(), 'Workspace'],
    [paths.files(room.workspaceId, room.folderId), 'Folder'],
    [paths.files(room.workspaceId, room.folderId), 'Text'],
    [paths.group(room.workspaceId, room.groupId), 'Group'],
    [paths.team(room.teamId), 'Team'],
    [paths.organization(), 'Organization'],
    [paths.account(), 'Key'],
  ]
  for (const [path, field] of shown) {
    await show(path)
    await expect(page.locator('body')).toContainText(attack(field))
  }
})

test('G1: the text of a file stays plain text in its pages, search results and snippets', async () => {
  await expect
    .poll(
      async () => {
        await show(paths.search(room.workspaceId, 'memo'))
        return page.getByRole('main').textContent()
      },
      { timeout: seconds(60) },
    )
    .toContain('Content <img')
  await expectOnlyText(page)
  await show(paths.view(room.workspaceId, room.textFileId))
  await expect(page.locator('[data-page] img').first()).toBeVisible({ timeout: seconds(60) })
  await expectOnlyText(page)
  await page.emulateMedia({ media: 'print' })
  await expectOnlyText(page)
  await page.emulateMedia({ media: null })
})

/** Those of the pages of mails themselves. */
const MAIL_TAGS = ['meta', 'style', 'table', 'tbody', 'tr', 'td', 'p', 'br', 'a']
const MAIL_ATTRIBUTES = ['charset', 'name', 'content', 'role', 'class', 'style', 'href']

test('G1: mails show hostile input as plain text and link only to our origin', async () => {
  test.setTimeout(seconds(240))
  const mails = await expect
    .poll(async () => (await mailsTo(room.invited)).length, { timeout: seconds(180) })
    .toBe(2)
    .then(() => mailsTo(room.invited))
  const blank = await page.context().newPage()
  for (const { subject = '', html = '', text = '', headers } of mails) {
    expect(`${subject}${text}`).toContain('<img')
    expect(
      headers.filter(({ key }) => !/^(from|to|subject|message-id|date|mime-version|content-type)$/.test(key)),
    ).toEqual([])
    const elements = await blank.evaluate((markup) => {
      const { body, head } = new DOMParser().parseFromString(markup, 'text/html')
      return [...head.children, ...body.querySelectorAll('*')].map((element) => ({
        tag: element.localName,
        attributes: element.getAttributeNames(),
        href: element.getAttribute('href') ?? '',
        look: `${element.className} ${element.getAttribute('style')} ${element.localName === 'style' ? element.textContent : ''}`,
      }))
    }, html)
    for (const { tag, attributes, href, look } of elements) {
      expect(MAIL_TAGS).toContain(tag)
      expect(MAIL_ATTRIBUTES).toEqual(expect.arrayContaining(attributes))
      expect(look).not.toMatch(/url\(|@import|hostile/)
      if (tag === 'a') expect(new URL(href).origin).toBe(stack().url)
    }
  }
  await blank.close()
})

test('G1: exports contain hostile input but no formula that a spreadsheet would run', async () => {
  await show(paths.permissions(room.workspaceId))
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const permissions = await download('Export as CSV')
  expect(permissions).toContain('<img')
  expectNoFormula(permissions)
  await show(paths.activities(room.workspaceId))
  const activities = await download('Export CSV')
  expect(activities).toContain('<img')
  expectNoFormula(activities)
})

async function download(name: string): Promise<string> {
  const saving = page.waitForEvent('download')
  const choice = page.getByRole('menuitem', { name }).or(page.getByRole('button', { name }))
  await choice.first().click()
  return readFile(await (await saving).path(), 'utf8')
}

/** Splits cells at every separator that some locale uses. */
function expectNoFormula(csv: string): void {
  const cells = csv.replace(/^\ufeff/, '').split(/[,;\t\r\n]/)
  expect(cells.length).toBeGreaterThan(10)
  expect(cells.filter((cell) => /^[\s"]*[=+@]/.test(cell))).toEqual([])
}

async function mailsTo(addresses: string[]) {
  const outbox = join(stack().dataDir, 'outbox')
  const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))))
  return mails.filter(({ to }) => addresses.includes(to?.[0]?.address ?? ''))
}

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  $ref?: string
}

/** Lists the fields of all endpoints that take text without an enum, a format or a pattern. */
function textFields(): string[] {
  const document = openApi()
  const schemas = document.components.schemas as Record<string, Schema>
  const inside = (schema: Schema, name: string): string[] => {
    if (schema.$ref) return inside(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, name)
    const isText = [schema.type].flat().includes('string') && !schema.enum && schema.const === undefined
    const own = isText && !schema.format && !schema.pattern ? [name] : []
    const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    return [
      ...own,
      ...parts.flatMap((part) => inside(part, name)),
      ...Object.entries(schema.properties ?? {}).flatMap(([key, part]) => inside(part, `${name}.${key}`)),
      ...(schema.items ? inside(schema.items, `${name}[]`) : []),
    ]
  }
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  return operations.flatMap(({ operationId, parameters, requestBody }) => [
    ...parameters.flatMap((each) => inside(each.schema as Schema, `${operationId} ${each.in}:${each.name}`)),
    ...inside((requestBody?.content['application/json']?.schema ?? {}) as Schema, `${operationId} body`),
  ])
}
