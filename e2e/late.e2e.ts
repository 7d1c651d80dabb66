import type { Locator, Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { signInAs } from './people.ts'

// The code of a dialog arrives long after the press that opens it.

const row = (page: Page, name: string): Locator => page.getByRole('main').getByRole('row', { name: new RegExp(name) })

test.beforeEach(async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await page
    .getByRole('link', { name: /Project Harbour/ })
    .first()
    .click()
  await expect(row(page, 'Finance')).toBeVisible()
})

/** Makes a press whose code is held until the returned function is called. */
async function pressLate(page: Page, press: () => Promise<void>): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue().catch(() => undefined)
  })
  await press()
  await expect(opening(page)).toBeVisible()
  return resolve
}

/** The cover of the page. Parts of the page that are loading too say "Loading" within `main`. */
const opening = (page: Page): Locator => page.locator('[data-opening]')

test('keys pressed while a dialog is loading do not reach the page, and confirm nothing', async ({ page }) => {
  await row(page, 'Finance').click()
  const address = page.url()
  const letGo = await pressLate(page, () => page.keyboard.press('Delete'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  letGo()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Delete “Finance”?')
  await expect(opening(page)).toHaveCount(0)
  expect(page.url()).toBe(address)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('grid')).toBeFocused()
  await expect(row(page, 'Finance')).toHaveAttribute('aria-selected', 'true')
})

test('a name typed while its dialog is loading stands in the field', async ({ page }) => {
  const newFolder = page.getByRole('button', { name: 'New folder' })
  await newFolder.focus()
  const letGo = await pressLate(page, () => page.keyboard.press('Enter'))
  await page.keyboard.type('Minutesx')
  await page.keyboard.press('Backspace')
  letGo()
  const name = page.getByRole('dialog').getByLabel('Name')
  await expect(name).toHaveValue('Minutes')
  await page.keyboard.type(' of May')
  await expect(name).toHaveValue('Minutes of May')
  await expect(page.getByRole('button', { name: 'Create folder' })).toBeEnabled()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(newFolder).toBeFocused()
})

test('Escape cancels a dialog that is loading', async ({ page }) => {
  const letGo = await pressLate(page, () => page.getByRole('button', { name: 'New folder' }).click())
  await page.keyboard.press('Escape')
  await expect(opening(page)).toHaveCount(0)
  letGo()
  await row(page, 'Finance').dblclick()
  await expect(page.getByRole('heading', { name: 'Finance', level: 1 })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
