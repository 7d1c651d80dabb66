import type { Page } from '@playwright/test'
import { api } from '../src/contract/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// An admin takes in rights that somebody has written in a spreadsheet: a row for each folder, a column for each group.

let room: Room
let page: Page

test.beforeAll(async ({ browser }) => {
  test.setTimeout(seconds(120))
  room = await makeRoom()
  for (const name of ['Finance', 'Legal'])
    await asAdmin().call(api.folders.create, { body: { workspace_id: room.workspaceId, parent_id: 0, name } })
  page = await enterAs(browser, room.addresses['workspace admin'])
})
test.afterAll(() => page?.context().close())

const dialog = () => page.getByRole('dialog', { name: 'Import permissions' })

async function choose(lines: readonly string[]): Promise<void> {
  const buffer = Buffer.from(['Number,Folder,Group reader,Group downloader', ...lines].join('\n'))
  await dialog().getByLabel('CSV file').setInputFiles({ name: 'rights.csv', mimeType: 'text/csv', buffer })
}

/** The rights of the two groups by folder. */
async function rights() {
  const rows = await asAdmin().call(api.permissions.matrix, { query: { workspace_id: room.workspaceId } })
  const of = (path: string, name: string) => {
    const group = rows.find((row) => row.path === path)?.groups.find(({ group_name }) => group_name === name)
    return ['view', 'download'].filter((flag) => group?.[flag as 'view' | 'download']).join(' ')
  }
  return ['/Finance', '/Legal', '/Papers'].map((path) => [of(path, 'Group reader'), of(path, 'Group downloader')])
}

test('a matrix with folders by path and number is imported once every line is valid', async () => {
  const before = await rights()
  expect(before).toEqual(Array.from({ length: 3 }, () => ['view', 'view download']))
  await page.goto(paths.permissions(room.workspaceId))
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import from CSV…' }).click()

  const good = [',/Finance,"view, download",none', '3,,none,view']
  await choose([...good, ',/Nowhere,view,view'])
  await expect(dialog()).toContainText('Line 4: no folder /Nowhere')
  await expect(dialog()).toContainText('Nothing is imported, because not all lines are valid.')
  await expect(dialog().getByRole('button', { name: 'Make 4 changes' })).toBeDisabled()
  await expectAccessible(page)

  await choose(good)
  await expect(dialog().getByRole('status')).toContainText('4 changes would be made.')
  expect(await rights()).toEqual(before)
  await dialog().getByRole('button', { name: 'Make 4 changes' }).click()
  await expect(dialog()).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: 'Download, Group reader, Finance' })).toBeChecked()
  expect(await rights()).toEqual([
    ['view download', ''],
    ['', 'view'],
    ['view', 'view download'],
  ])
})
