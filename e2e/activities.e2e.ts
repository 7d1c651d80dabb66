import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { api } from '../src/client/index.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// The feed of a workspace: zips and views together, by folder and by group, and undos that say that they are some.

const FILES = 55

let room: Room
let page: Page

test.beforeAll(async ({ browser }) => {
  test.setTimeout(seconds(120))
  room = await makeRoom()
  const ines = asAdmin()
  const workspace_id = room.workspaceId
  const folder = { workspace_id, parent_id: room.folderId, name: 'Annual' }
  const { id: folder_id } = await ines.call(api.folders.create, { body: folder })
  for (let at = 1; at <= FILES; at++) {
    await ines.call(api.files.upload, { query: { workspace_id, folder_id, file_name: `Report ${at}.txt` } }, `${at}`)
  }
  await ines.call(api.downloads.create, { body: { workspace_id, download: { folder_ids: [folder_id], file_ids: [] } } })
  const reader = await enterAs(browser, room.addresses['reader'])
  await reader.goto(`/workspaces/${workspace_id}/files`)
  await expect(reader.getByRole('main').getByText('Papers')).toBeVisible()
  await reader.context().close()
  page = await enterAs(browser, room.addresses['workspace admin'])
})
test.afterAll(() => page?.context().close())

const openFeed = (query = '') => page.goto(`/workspaces/${room.workspaceId}/activities${query}`)
const lines = (words: string | RegExp) => page.getByRole('main').locator('section ol > li').filter({ hasText: words })

test('a zip is one line, which the keyboard opens into its files, more and more of them', async () => {
  await openFeed('?verb=downloaded')
  await expect(lines('downloaded')).toHaveCount(1)
  const zip = page.getByText(`downloaded the folder: Annual (${FILES} files)`)
  await zip.focus()
  await page.keyboard.press('Enter')
  const files = page.getByRole('link', { name: /downloaded the file: Report/ })
  await expect(files).toHaveCount(49)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(files).toHaveCount(FILES)
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
})

test('a filter by folder has everything below it, and the export has the same acts one by one', async () => {
  await openFeed()
  await page.getByRole('combobox', { name: 'About' }).click()
  await page.getByRole('option', { name: 'Folders', exact: true }).click()
  await page.getByRole('combobox', { name: 'Folder' }).fill('Annu')
  await page.getByRole('option', { name: /Annual/ }).click()
  await expect(page.getByText('What happened with the folder and everything below it.')).toBeVisible()
  await expect(lines(`downloaded the folder: Annual (${FILES} files)`)).toHaveCount(1)
  await expect(lines('added the file: Report 55.txt')).toHaveCount(1)
  await expect(lines('Memo.pdf')).toHaveCount(0)
  await page.getByRole('button', { name: 'Older' }).click()
  await expect(lines('added the folder: Annual')).toHaveCount(1)
  await page.getByRole('button', { name: 'Newest' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const csv = await readFile(await (await saving).path(), 'utf8')
  // A line of headings, the folder and its files added, and then downloaded.
  expect(csv.trim().split('\n')).toHaveLength(1 + 2 * (FILES + 1))
})

test('a filter by group has what happened with it and what its members did', async () => {
  await openFeed()
  await page.getByRole('combobox', { name: 'About' }).click()
  await page.getByRole('option', { name: 'Groups and permissions' }).click()
  await page.getByRole('combobox', { name: 'Group' }).fill('Group reader')
  await page.getByRole('option', { name: 'Group reader' }).click()
  await expect(page.getByText(/everything its present members did/)).toBeVisible()
  await expect(lines('added the group: Group reader')).toHaveCount(1)
  await expect(lines('viewed this workspace')).toHaveCount(1)
  await expect(lines('Report')).toHaveCount(0)
  await expectAccessible(page)
})

test('the Undo of a deletion says that it is one', async () => {
  await page.goto(`/workspaces/${room.workspaceId}/files/${room.folderId}`)
  await page.getByRole('main').getByRole('row', { name: /Memo/ }).click()
  await page.keyboard.press('Delete')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete/ })
    .click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('main').getByRole('row', { name: /Memo/ })).toBeVisible()
  await expect(async () => {
    await openFeed('?verb=restored')
    await expect(lines('undid the deletion of the file: Memo.pdf')).toHaveCount(1, { timeout: seconds(2) })
  }).toPass()
})
