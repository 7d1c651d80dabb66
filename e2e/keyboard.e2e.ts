import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, seconds, test } from './journey.ts'
import { paths } from '../src/dashboard/paths.ts'
import { untilStored } from './people.ts'
import { enterAs, makeRoom, type Room } from './room.ts'

// Journeys with the keyboard alone.

let room: Room
let page: Page

test.beforeAll(async ({ browser }) => {
  test.setTimeout(seconds(120))
  room = await makeRoom()
  page = await enterAs(browser, room.addresses['workspace admin'])
})
test.afterAll(() => page?.context().close())

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement)

/** Presses the key until the target has the focus. */
async function go(key: string, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not come to ${target}`)
}

async function press(target: Locator, key = 'Enter'): Promise<void> {
  await go('Tab', target)
  await page.keyboard.press(key)
}

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const list = () => page.getByRole('main').getByRole('grid')
const row = (name: string) => page.getByRole('main').getByRole('row').filter({ hasText: name })

test('a file is browsed to, opened, read and closed', async () => {
  await page.goto('/')
  await press(
    page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(room.name) })
      .first(),
  )
  await expect(heading(room.name)).toBeVisible()
  await expect(row('Papers')).toBeVisible()
  await go('Tab', list())
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(heading('1 Papers')).toBeVisible()
  await expect(row('Memo.pdf')).toBeVisible()
  await go('Tab', list())
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(heading('Memo.pdf')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Page 1', exact: true })).toBeVisible({ timeout: seconds(60) })
  await page.keyboard.press('End')
  await expect(page).toHaveURL(/page=3/)
  await page.keyboard.press('Escape')
  await expect(row('Memo.pdf')).toHaveAttribute('aria-selected', 'true')
})

test('a right is granted in the grid, and revoked by Undo', async () => {
  await page.goto(paths.permissions(room.workspaceId, { group: room.groupId }))
  const grid = page.getByRole('treegrid')
  const right = (label: string) => grid.getByRole('checkbox', { name: `${label}, Group reader, All Folders` })
  await expect(right('Download')).toHaveAttribute('aria-checked', 'false')
  await go('Tab', grid.locator('[tabindex="0"]').first())
  await page.keyboard.press('Control+Home')
  await go('ArrowRight', right('Download'))
  await page.keyboard.press('Space')
  await expect(right('Download')).toHaveAttribute('aria-checked', 'true')
  await press(page.getByRole('button', { name: 'Undo', exact: true }))
  await expect(page.getByText(/^Undone: /)).toBeVisible()
  await expect(right('Download')).toHaveAttribute('aria-checked', 'false')
  await expect(right('View')).toHaveAttribute('aria-checked', 'true')
})

test('a group is protected with switches and a date', async () => {
  await page.goto(paths.group(room.workspaceId, room.groupId))
  const [drm, watermark] = ['DRM', 'Watermark'].map((name) => page.getByRole('switch', { name }))
  if (!drm || !watermark) throw new Error('the page has no switches')
  await press(drm, 'Space')
  await expect(drm).toBeChecked()
  await go('Tab', page.getByLabel('Opens until'))
  // Day and month are equal, so the order of the browser's date field does not matter.
  await page.keyboard.type('12122199')
  await press(page.getByRole('button', { name: 'Set', exact: true }))
  await expect(page.getByRole('button', { name: 'Remove', exact: true })).toBeVisible()
  await untilStored(page, () => press(watermark, 'Space'))
  await expect(watermark).toBeChecked()
  await page.reload()
  await expect(page.getByLabel('Opens until')).toHaveValue('2199-12-12')
  await expect(watermark).toBeChecked()
})

test('files are chosen and uploaded, and the question about taken names is answered', async () => {
  const files = ['one.txt', 'two.txt'].map((name) => test.info().outputPath(name))
  for (const path of files) await writeFile(path, `content of ${path}`)
  await page.goto(paths.files(room.workspaceId, room.folderId))
  const choose = async () => {
    await press(page.getByRole('button', { name: 'Upload', exact: true }))
    const chooser = page.waitForEvent('filechooser')
    await press(page.getByRole('menuitem', { name: 'Files…' }))
    await (await chooser).setFiles(files)
  }
  const tray = (name: string) => page.getByRole('region', { name })
  await choose()
  await expect(tray('2 files uploaded')).toBeVisible()
  await choose()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('“one.txt” is already there')
  await press(dialog.getByRole('checkbox'), 'Space')
  await press(dialog.getByRole('button', { name: 'Keep both' }))
  await expect(row('two (2).txt')).toBeVisible()
  await expect(tray('2 files uploaded')).toBeVisible()
  await press(tray('2 files uploaded').getByRole('button', { name: 'Hide files' }))
  await expect(tray('2 files uploaded').getByText('one.txt')).toHaveCount(0)
  await press(tray('2 files uploaded').getByRole('button', { name: /^Close/ }))
  await expect(tray('2 files uploaded')).toHaveCount(0)
})
