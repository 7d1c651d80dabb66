import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, seconds, test } from './journey.ts'
import { drop, expectAccessible, signInAs } from './people.ts'

// The search finds the text of a document once the worker has read it.

// The worker may read the documents of the demo first.
test.setTimeout(seconds(600))

test('a file is found by its text, the match is shown and leads to the file', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await page.getByRole('button', { name: 'New workspace' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(`Search ${randomBytes(3).toString('hex')}`)
  await dialog.getByRole('button', { name: /Create/ }).click()
  await expect(page.getByRole('heading', { name: /^Search /, level: 1 })).toBeVisible()
  const path = test.info().outputPath('minutes.md')
  await writeFile(path, 'The board agreed.\n\nThe *kittiwake* clause follows in section 9.\n')
  await drop(page, [path])
  await expect(page.getByRole('main').getByRole('row', { name: /minutes\.md/ })).toBeVisible()

  await page.keyboard.press('/')
  await page.keyboard.type('kittiw')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Results for “kittiw”' })).toBeVisible()
  const result = page.getByRole('main').getByRole('listitem').filter({ hasText: 'minutes.md' })
  await expect(async () => {
    await page.reload()
    await expect(result).toBeVisible({ timeout: seconds(10) })
  }).toPass()
  await expect(result.locator('mark')).toHaveText('kittiwake')
  await expectAccessible(page)

  await result.getByRole('link', { name: '/', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('minutes.md')
  await expect(page).toHaveURL(/file=\d+/)
})

async function openHarbour(page: Page): Promise<void> {
  await signInAs(page, 'Ines Carvalho')
  await page
    .getByRole('link', { name: /Project Harbour/ })
    .first()
    .click()
  await expect(page.getByRole('main').getByRole('row', { name: /Finance/ })).toBeVisible()
}

const ACCOUNTS = 'Audited accounts 2025.pdf'

test('by keyboard alone: from the search field through the results into a file and back', async ({ page }) => {
  await openHarbour(page)
  await page.keyboard.press('/')
  await page.keyboard.type('audited accounts 2025')
  await expect(page.getByRole('option', { name: /Audited accounts 2025/ })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: ACCOUNTS })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('main').getByRole('row', { name: /Finance/ })).toBeVisible()
  const begun = page.url()

  await page.keyboard.press('/')
  await page.keyboard.type('accounts')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Results for “accounts”' })).toBeVisible()
  const files = page.getByRole('list', { name: 'Files' }).getByRole('link', { name: /\.\w+$/ })
  await expect(files.first()).toBeVisible()
  await page.keyboard.press('End')
  await expect(files.last()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  const name = (await files.last().textContent()) ?? ''
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(files.last()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(begun)
})

test('results are narrowed by type, and the address keeps the type', async ({ page }) => {
  await openHarbour(page)
  await page.keyboard.press('/')
  await page.keyboard.type('accounts')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'PDF' }).click()
  await expect(page).toHaveURL(/type=pdf/)
  const titles = page.getByRole('list', { name: 'Files' }).getByRole('link', { name: /\.\w+$/ })
  // The results of all types stay until those of the type are read.
  await expect(async () => {
    const all = await titles.allTextContents()
    expect(all).not.toEqual([])
    expect(all.filter((title) => !title.endsWith('.pdf'))).toEqual([])
  }).toPass()
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Type' })).toHaveText('PDF')
  await expect(page.getByRole('combobox', { name: 'Search files' })).toHaveValue('accounts')
})

test('input typed while the palette is still loading is kept and finds a folder', async ({ page }) => {
  await openHarbour(page)
  const gate = Promise.withResolvers<void>()
  await page.route(/command-palette.*\.js/, async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('audited acc')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Type a command or a name' })).toHaveValue('audited acc')
  gate.resolve()
  await expect(page.getByRole('heading', { name: 'Audited accounts', level: 1 })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
