import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, seconds, test } from './journey.ts'
import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { type DashboardPage, FORBIDDEN, NOTHING, PAGES, WITH_SWITCHES, type Words } from './pages.ts'
import { expectAccessible, openAs, signInAs } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'
import { collectData, inPseudo, plainEnglish } from './words.ts'

// Opens every page with its dialogs, menus and panels. axe must find no violation in light and dark, and every text
// must come from the catalogue, which the pseudo language shows.

let room: Room
let page: Page
let data: Set<string>

test.beforeAll(async ({ browser }) => {
  test.setTimeout(seconds(120))
  room = await roomOfHer()
  // A second device for the list in her account.
  await (await openAs(browser, 'Ines Carvalho')).context().close()
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  page = await context.newPage()
  data = collectData(page)
  // A page with unsaved input asks before it is left.
  page.on('dialog', (dialog) => dialog.accept().catch(() => {}))
  await signInAs(page, 'Ines Carvalho')
})
test.afterAll(() => page?.context().close())

/** Makes a room that Ines administers, and a team that she owns. */
async function roomOfHer(): Promise<Room> {
  const made = await makeRoom()
  const team = { name: `Own team of ${made.name}` }
  const { id: teamId, name: teamName } = await asAdmin().call(api.teams.create, { body: { team } })
  await asAdmin().call(api.teams.addMember, { params: { id: teamId }, body: { email: made.addresses.reader } })
  await asAdmin().call(api.apiKeys.create, { body: { name: 'Nightly export', scopes: ['files:read'] } })
  return { ...made, teamId, teamName }
}

const speak = (language: string) => page.evaluate((code) => localStorage.setItem('language', code), language)

async function show({ path }: DashboardPage, words: Words): Promise<void> {
  await page.goto(path(room))
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await untilLoaded(words('Loading'))
}

const untilLoaded = (name: string) => expect(page.getByRole('status', { name })).toHaveCount(0)

test('PAGES lists every page of routes.tsx', async () => {
  const routes = await readFile(join(import.meta.dirname, '../src/dashboard/routes.tsx'), 'utf8')
  const modules = [...routes.matchAll(/import\('\.\/pages\/(.+?)\.tsx'\)/g)].map(([, module]) => module)
  expect(PAGES.map(({ module }) => module).toSorted()).toEqual(modules.toSorted())
})

for (const each of PAGES) {
  test(`${each.module} and everything that opens on it`, async () => {
    test.setTimeout(seconds(60) * (2 + (each.opened ?? []).length))
    await speak('pseudo')
    const bypassed = new Set<string>()
    const hasSwitches = WITH_SWITCHES.includes(each.module)
    const look = async () => {
      await expectAccessible(page)
      // A dialog stores nothing before its button is pressed.
      await expect(page.getByRole('dialog').getByRole('switch')).toHaveCount(0)
      if (!hasSwitches) await expect(page.getByRole('switch')).toHaveCount(0)
      for (const text of await plainEnglish(page, data)) bypassed.add(text)
    }
    await show(each, inPseudo)
    await look()
    for (const { name, open } of each.opened ?? []) {
      await test.step(name, async () => {
        await show(each, inPseudo)
        await open(page, inPseudo, room)
        await untilLoaded(inPseudo('Loading'))
        await look()
      })
    }
    expect([...bypassed]).toEqual([])
  })
}

test('the console stays empty on every page that an admin or a reader may open', async ({ browser }) => {
  test.setTimeout(seconds(600))
  for (const role of ['workspace admin', 'reader'] as const) {
    const visitor = await enterAs(browser, room.addresses[role])
    const said: string[] = []
    let at = ''
    visitor.on('console', (message) => {
      said.push(`${role} on ${at}: ${message.type()} ${message.text()} ${message.location().url}`)
    })
    visitor.on('pageerror', (error) => said.push(`${role} on ${at}: ${error.message}`))
    // A page that refuses is opened by its address only, and has to ask.
    const open = PAGES.filter(({ headings }) => ![FORBIDDEN, NOTHING].includes(headings(room)[role]))
    for (const { module, path } of open) {
      at = module
      await test.step(`${role}: ${module}`, async () => {
        await visitor.goto(path(room))
        await expect(visitor.getByRole('heading', { level: 1 }).first()).toBeVisible()
        await untilLoaded('Loading')
        await visitor.waitForLoadState('networkidle')
      })
    }
    expect(said).toEqual([])
    await visitor.context().close()
  }
})

test('the sign-in, before and after a session, and its message about a wrong code', async ({ browser }) => {
  test.setTimeout(seconds(240))
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const outside = await context.newPage()
  const shown = collectData(outside)
  await outside.goto('/')
  await outside.evaluate(() => localStorage.setItem('language', 'pseudo'))
  const look = async () => {
    await expectAccessible(outside)
    expect(await plainEnglish(outside, shown)).toEqual([])
  }
  await outside.goto('/account')
  await outside.getByRole('button').nth(1).waitFor()
  await look()
  const unknown = 'nobody@elsewhere.example'
  shown.add(unknown)
  await outside.getByRole('textbox').fill(unknown)
  await outside.keyboard.press('Enter')
  await outside.getByRole('textbox', { name: inPseudo('Code') }).fill('000000')
  await outside.keyboard.press('Enter')
  await outside.getByRole('alert').waitFor()
  await look()
  await outside.goto('/account')
  await outside.getByRole('button', { name: /Tom Becker/ }).click()
  await outside.getByRole('heading', { level: 1, name: inPseudo('Account') }).waitFor()
  await context.clearCookies()
  const ended = outside.getByRole('note')
  // A read that was still under way leads to the sign-in before the link is pressed.
  await outside.getByRole('banner').getByRole('link').first().or(ended).first().click()
  await ended.waitFor()
  await look()
  const spaces = await ended.evaluate((note) => {
    const boxOf = (name: string) => document.querySelector(name)?.getBoundingClientRect()
    const { top, bottom } = note.getBoundingClientRect()
    return { above: top - (boxOf('h1')?.bottom ?? 0), below: (boxOf('form')?.top ?? 0) - bottom }
  })
  expect(spaces).toEqual({ above: 16, below: 16 })
  await context.close()
})

const MAIN_PAGES = ['home/home-page', 'files/files-page', 'viewer/view-page', 'permissions/permissions-page']
  .concat(['groups/group-page', 'people/people-page', 'activities/activities-page', 'teams/team-page'])
  .concat(['organization/organization-page', 'account/account-page', 'search/search-page'])

/** CSS pixels: a phone, a window at 200 % zoom, a tablet held upright, a small and a very wide window. */
const WIDTHS = [390, 720, 1024, 2200]

test('in windows of 390 to 2200 pixels nothing is cut off, and with reduced motion nothing moves', async () => {
  test.setTimeout(seconds(480))
  // German has the longer words.
  await speak('de')
  const wide: string[] = []
  for (const each of PAGES) {
    await test.step(each.module, async () => {
      await page.setViewportSize({ width: 720, height: 450 })
      await show(each, () => 'Wird geladen')
      if (MAIN_PAGES.includes(each.module)) await expectAccessible(page)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 450 })
        for (const what of await stillTooWide(page)) wide.push(`${each.module} at ${width} px: ${what}`)
      }
      await expect.poll(() => moving(page)).toEqual([])
    })
  }
  expect(wide).toEqual([])
})

/** Folders of the demo whose lines have the longest chips: those of its root, and those of Finance. */
const FOLDERS = (['ROOT', 'Finance'] as const).map((name) => ({
  module: `files/files-page of ${name}`,
  path: ({ workspaceId }: Room) => paths.files(workspaceId, name === 'ROOT' ? 0 : finance),
}))
let finance = 0

test('no name and no title is cut off in a window of 1280 or 1440 pixels', async () => {
  test.setTimeout(seconds(480))
  const demo = await demoRoom()
  const cut: string[] = []
  for (const [language, loading] of [
    ['en', 'Loading'],
    ['de', 'Wird geladen'],
  ] as const) {
    await speak(language)
    for (const each of [...PAGES, ...FOLDERS].filter(({ path }) => path(demo).startsWith('/workspaces/'))) {
      await test.step(`${each.module} in ${language}`, async () => {
        await page.setViewportSize({ width: 1280, height: 900 })
        await page.goto(each.path(demo))
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
        await untilLoaded(loading)
        for (const width of [1280, 1440]) {
          await page.setViewportSize({ width, height: 900 })
          // The protection of the lines is read once they are shown.
          await expect(page.locator('.guard:empty')).toHaveCount(0)
          for (const what of await namesCut(page)) cut.push(`${each.module} in ${language} at ${width} px: ${what}`)
        }
      })
    }
  }
  expect(cut).toEqual([])
})

/** The room of the demo, whose documents have names of an ordinary length. */
async function demoRoom(): Promise<Room> {
  const ines = asAdmin()
  const { workspaces } = await ines.call(api.users.workspaces)
  const workspaceId = workspaces.find(({ name }) => name === 'Project Harbour')?.id ?? 0
  const query = { workspace_id: workspaceId }
  const { immediate_subfolders } = await ines.call(api.folders.get, { params: { id: 0 }, query })
  finance = immediate_subfolders.find(({ name }) => name === 'Finance')?.id ?? 0
  const { id: legal = 0 } = immediate_subfolders.find(({ name }) => name === 'Legal') ?? {}
  const { immediate_subfolders: below } = await ines.call(api.folders.get, { params: { id: legal }, query })
  const { id: folderId = 0 } = below.find(({ name }) => name === 'Commercial contracts') ?? {}
  const { immediate_subfiles } = await ines.call(api.folders.get, { params: { id: folderId }, query })
  const groups = await ines.call(api.groups.list, { query })
  const groupId = groups.find(({ name }) => name === 'Insurance advisers')?.id ?? 0
  return { ...room, workspaceId, folderId, fileId: immediate_subfiles[0]?.id ?? 0, groupId }
}

/** Lists the headings and names that end in an ellipsis; those in the tree have its width, which the user sets. */
const namesCut = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main :is(h1, h2, h3, th, a, .name, [title]), main :is(th, a, .name) *')]
      // Texts for screen readers are one pixel wide.
      .filter((element) => element.clientWidth > 1 && !element.closest('[role=treeitem]') && element.textContent !== '')
      .filter((element) => {
        const { overflowX, webkitLineClamp } = getComputedStyle(element)
        const isTooHigh = webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight + 2
        return overflowX === 'hidden' && (isTooHigh || element.scrollWidth > element.clientWidth + 1)
      })
      .map((element) => element.textContent),
  )

/** What is too wide once the page has adapted to the window. */
async function stillTooWide(page: Page): Promise<string[]> {
  await expect
    .poll(() => tooWide(page), { timeout: 3000 })
    .toEqual([])
    .catch(() => {})
  return tooWide(page)
}

/** Lists the root, header and main elements whose content is wider than the element, with what reaches out of it. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const edgeOf = (element: Element) => element.getBoundingClientRect().right
    return [document.documentElement, ...document.querySelectorAll('header, main')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => {
        const outside = [...element.querySelectorAll('*')].filter((part) => edgeOf(part) > edgeOf(element) + 1)
        const named = outside.slice(-2).map((part) => part.outerHTML.slice(0, 160))
        return `${element.tagName} ${element.scrollWidth} of ${element.clientWidth}: ${named.join(' ')}`
      })
  })

const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => animation.playState === 'running')
      .map(({ effect }) => (effect as KeyframeEffect).target?.className.toString() ?? ''),
  )
