import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, seconds, test } from './journey.ts'
import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expectAccessible } from './people.ts'
import { FORBIDDEN, follow, NOTHING, PAGES } from './pages.ts'
import { asAdmin, enterAs, makeRoom, MEMO, type Role, ROLES, type Room } from './room.ts'

// Every role visits every page, which opens or explains why not. pages.e2e.ts checks that PAGES is complete.

let room: Room
test.beforeAll(async () => {
  test.setTimeout(seconds(120))
  room = await makeRoom()
  await asAdmin().call(api.organization.addAdmin, { body: { user_id: room.adminId } })
})
test.afterAll(async () => {
  if (room) await asAdmin().call(api.organization.removeAdmin, { query: { user_id: room.adminId } })
})

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** The buttons that each role has for the file, and the kind of copy that its download saves. */
const ABILITIES: Partial<Record<Role, { buttons: string[]; saves?: 'as it is' | 'marked' | 'sealed' }>> = {
  'workspace admin': { buttons: ['New folder', 'Upload', 'Download', 'More actions'], saves: 'as it is' },
  reader: { buttons: [] },
  downloader: { buttons: ['Download'], saves: 'as it is' },
  uploader: { buttons: ['New folder', 'Upload'] },
  watermarked: { buttons: ['Download'], saves: 'marked' },
  sealed: { buttons: ['Download sealed copy'], saves: 'sealed' },
}
const ALL_BUTTONS = ['New folder', 'Upload', 'Download', 'Download sealed copy', 'More actions']

for (const role of ROLES) {
  test(`${role}: every page opens, or explains why not`, async ({ browser }) => {
    test.setTimeout(seconds(240))
    const page = await enterAs(browser, room.addresses[role])
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto('/')
    await expect(heading(page, 'Spaces')).toBeVisible()
    let former = ''
    for (const { path, headings } of PAGES) {
      const name = headings(room)[role]
      // The same heading would be that of the former page for as long as the next one loads.
      if (name === former) await expectPage(page, '/nowhere', NOTHING)
      await expectPage(page, path(room), name)
      former = name
    }
    await expectPage(page, '/nowhere', NOTHING)
    if (role !== 'workspace admin' && role in ABILITIES) {
      await follow(page, paths.permissions(room.workspaceId))
      await expect(page.getByText('Only workspace admins change permissions.')).toBeVisible()
    }
    await expectAbilities(page, role)
    expect(faults).toEqual([])
    await page.context().close()
  })
}

/** What each group gets of the file, in words. */
const GETS = {
  reader: { Pages: 'Without a watermark', Download: 'Not permitted' },
  downloader: { Pages: 'Without a watermark', Download: 'The original file' },
  watermarked: { Pages: 'With their watermark', Download: 'A copy with their watermark' },
  sealed: { Pages: 'With their watermark', Download: 'A sealed copy' },
}

test('an admin views as each group: the files page as its members have it, where nothing can be done', async ({
  browser,
}) => {
  const page = await enterAs(browser, room.addresses['workspace admin'])
  const changes: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && changes.push(request.url()))
  for (const [role, gets] of Object.entries(GETS)) {
    await page.goto(paths.groups(room.workspaceId))
    await page.getByRole('link', { name: `Group ${role}` }).click()
    await page.getByRole('link', { name: 'View as this group' }).click()
    await expect(page.getByRole('note')).toContainText(`You see this workspace as Group ${role}.`)
    await page.getByRole('treeitem', { name: 'Papers' }).click()
    await page.getByRole('row', { name: 'Memo.pdf' }).click()
    const region = page.getByRole('region', { name: 'What they get' })
    for (const [label, words] of Object.entries(gets)) {
      await expect(region.locator('div', { has: page.getByText(label, { exact: true }) }).last()).toContainText(words)
    }
    for (const name of ALL_BUTTONS) await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  }
  await expectAccessible(page)
  await page.getByRole('row', { name: 'Memo.pdf' }).dblclick()
  await expect(page.getByRole('note')).toContainText('Download: A sealed copy.')
  await expect(page.getByRole('img', { name: 'Page 1', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download', exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Leave' }).click()
  await expect(page.getByRole('button', { name: 'Upload' })).toBeVisible()
  expect(changes).toEqual([])
  await page.context().close()
})

/** Expects the heading, and neither a skeleton nor an error in place of the content. */
async function expectPage(page: Page, path: string, name: string): Promise<void> {
  await test.step(path, async () => {
    await follow(page, path)
    await expect(heading(page, name)).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    const said = await page.getByRole('main').innerText()
    expect(said).not.toMatch(/undefined|\[object|Error:|NaN|Invalid Date/)
    if (name === FORBIDDEN) expect(said).toMatch(/This is for (workspace|organization) admins\./)
  })
}

async function expectAbilities(page: Page, role: Role): Promise<void> {
  const may = ABILITIES[role]
  if (!may) return
  await follow(page, paths.files(room.workspaceId, room.folderId))
  const main = page.getByRole('main')
  await main.getByRole('row', { name: /Memo\.pdf/ }).click()
  await expect(main.getByRole('heading', { name: 'Memo.pdf' })).toBeVisible()
  for (const name of ALL_BUTTONS) {
    const shown = main.getByRole('button', { name, exact: true }).first()
    await expect(shown).toBeVisible({ visible: may.buttons.includes(name) })
  }
  if (!may.saves) return
  const [saved] = await Promise.all([
    page.waitForEvent('download', { timeout: seconds(60) }),
    main
      .getByRole('button', { name: /^Download/ })
      .first()
      .click(),
  ])
  const bytes = await readFile(await saved.path())
  if (may.saves === 'sealed') {
    expect(saved.suggestedFilename()).toBe('Memo.pdf.sealed.html')
    expect(bytes.toString('latin1')).toMatch(/^<!doctype html>/)
  }
  if (may.saves !== 'sealed') expect(bytes.equals(MEMO)).toBe(may.saves === 'as it is')
}

test('signed out: every address leads to the sign-in, which keeps the requested address', async ({ page }) => {
  await page.goto('/')
  for (const { module, path } of PAGES) {
    if (module.startsWith('sign-in/')) continue
    await follow(page, path(room))
    await expect(page).toHaveURL((url) => url.pathname === '/sign-in')
    await expect(heading(page, 'Sign in')).toBeVisible()
    expect(new URL(page.url()).searchParams.get('to') ?? '/').toBe(path(room))
  }
})
