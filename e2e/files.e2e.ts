import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { drop, expectAccessible, signInAs } from './people.ts'

// An admin works with files, by keyboard wherever a file manager offers a key.

let address: string

test.beforeEach(async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await page.getByRole('button', { name: 'New workspace' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(`Files ${randomBytes(3).toString('hex')}`)
  await dialog.getByRole('button', { name: /Create/ }).click()
  await expect(page.getByRole('heading', { name: /^Files /, level: 1 })).toBeVisible()
  address = new URL(page.url()).pathname
})

const row = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('row', { name: new RegExp(name.replace(/[.()]/g, '\\$&')) })

async function createFolder(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  await expect(row(page, name)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function dropNew(page: Page, ...names: string[]): Promise<void> {
  const paths = names.map((name) => test.info().outputPath(name))
  for (const path of paths) await writeFile(path, `content of ${path}`)
  await drop(page, paths)
}

async function upload(page: Page, ...names: string[]): Promise<void> {
  await dropNew(page, ...names)
  for (const name of names) await expect(row(page, name)).toBeVisible()
}

test('folders and files are renamed in place, with the keyboard and from the menu', async ({ page }) => {
  await createFolder(page, 'Draft')
  await upload(page, 'notes.txt')
  await row(page, 'Draft').click()
  await page.keyboard.press('F2')
  await page.getByLabel('New name of Draft').fill('Final')
  await page.keyboard.press('Enter')
  await expect(row(page, 'Final')).toBeVisible()

  await row(page, 'notes.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await expect(page.getByLabel('New name of notes.txt')).toBeFocused()
  await page.keyboard.type('minutes')
  await page.keyboard.press('Enter')
  await expect(row(page, 'minutes.txt')).toBeVisible()
  await page.reload()
  await expect(row(page, 'minutes.txt')).toBeVisible()
  await expectAccessible(page)
})

test('an invalid folder name is refused in the dialog', async ({ page }) => {
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('a/b')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('must not contain "/"')
  await expectAccessible(page)
})

test('uploading a file again under the same name creates version 2', async ({ page }) => {
  await upload(page, 'plan.txt')
  // The question about the taken name hides the rows.
  await dropNew(page, 'plan.txt')
  await page.getByRole('dialog').getByRole('button', { name: 'New version' }).click()
  await row(page, 'plan.txt').click()
  await expect(page.getByText('Version 2').first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('row', { name: /plan\.txt/ })).toHaveCount(1)
})

test('several files are moved into a folder at once, and one is deleted', async ({ page }) => {
  await createFolder(page, 'Archive')
  await upload(page, 'a.txt', 'b.txt', 'c.txt')
  await row(page, 'a.txt').click()
  await row(page, 'b.txt').click({ modifiers: ['ControlOrMeta'] })
  await page.getByRole('button', { name: 'Move to…' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Archive').click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /Move to/ }).click()
  await expect(row(page, 'a.txt')).toHaveCount(0)
  await expect(row(page, 'b.txt')).toHaveCount(0)

  await row(page, 'c.txt').click()
  await page.keyboard.press('Delete')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete/ })
    .click()
  await expect(row(page, 'c.txt')).toHaveCount(0)

  await row(page, 'Archive').click()
  await page.keyboard.press('Enter')
  await expect(row(page, 'a.txt')).toBeVisible()
  await expect(row(page, 'b.txt')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`${address}([?#]|$)`))
  await expect(row(page, 'Archive')).toBeVisible()
})

test('folders are reordered, and the order survives a reload', async ({ page }) => {
  for (const name of ['One', 'Two', 'Three']) await createFolder(page, name)
  await row(page, 'Three').click()
  // The line moves at once. Its last place is sent once the first is stored.
  const stored = page.waitForResponse((response) => response.request().postData()?.includes('"index":1}') === true)
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(row(page, 'Three').locator('.outline')).toHaveText('1')
  await stored
  await page.reload()
  await expect(row(page, 'Three').locator('.outline')).toHaveText('1')
  await expect(row(page, 'One').locator('.outline')).toHaveText('2')
})

test('a file is found by its title from anywhere in the workspace', async ({ page }) => {
  await createFolder(page, 'Deep')
  await row(page, 'Deep').dblclick()
  await expect(page.getByRole('heading', { name: 'Deep', level: 1 })).toBeVisible()
  await upload(page, 'Harbour valuation.txt')
  await page.keyboard.press('/')
  await page.keyboard.type('valu')
  await expect(page.getByRole('option', { name: /Harbour valuation/ })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Harbour valuation.txt' })).toBeVisible()
})
