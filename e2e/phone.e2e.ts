import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible, signInAs } from './people.ts'

// A buyer on a phone, by touch.

let page: Page

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  page = await context.newPage()
  await signInAs(page, 'Tom Becker')
})
test.afterAll(() => page?.context().close())

const row = (name: string) => page.getByRole('main').getByRole('row').filter({ hasText: name })
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** Goes from the list of rooms down to a folder of the deal room. */
async function browseTo(...names: string[]): Promise<void> {
  await page.goto('/')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Project Harbour/ })
    .first()
    .tap()
  await page.getByRole('link', { name: 'Open files' }).tap()
  for (const name of names) {
    await row(name).tap()
    await expect(heading(name)).toBeVisible()
  }
}

/** Expects the page to be no wider than the phone. */
async function expectFits(): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
}

test('folders are browsed, and a file is read page by page', async () => {
  await browseTo('Finance', 'Audited accounts')
  await expectFits()
  await expectAccessible(page)
  await row('Audited accounts 2025.pdf').tap()
  await expect(heading('Audited accounts 2025.pdf')).toBeVisible()
  const first = page.getByRole('img', { name: 'Page 1', exact: true })
  await expect(first).toHaveJSProperty('complete', true, { timeout: seconds(60) })
  await page.getByRole('button', { name: 'Next page' }).tap()
  await expect(page).toHaveURL(/page=2/)
  await expectFits()
  await page.getByRole('button', { name: 'Close' }).tap()
  await expect(row('Audited accounts 2025.pdf')).toBeVisible()
})

test('a file is found by its name', async () => {
  await browseTo('Overview')
  await page.getByRole('combobox', { name: 'Search files' }).tap()
  await page.keyboard.type('articles')
  await page.getByRole('option', { name: /Articles of association/ }).tap()
  await expect(page).toHaveURL(/\/files\/\d+\/view/)
  await expect(page.getByText('Articles of association.pdf').first()).toBeVisible()
  await expectFits()
})

test('a file is saved on the phone', async () => {
  await browseTo('Corporate')
  await row('Articles of association.pdf')
    .getByRole('button', { name: /^Actions for/ })
    .tap()
  const saved = page.waitForEvent('download', { timeout: seconds(60) })
  await page.getByRole('menuitem', { name: /^Download/ }).tap()
  expect((await saved).suggestedFilename()).toBe('Articles of association.pdf')
})

test('an offer is uploaded', async () => {
  await browseTo('Bids')
  const name = `Offer by phone ${Date.now()}.txt`
  const path = test.info().outputPath(name)
  await writeFile(path, 'We offer more.')
  await page.getByRole('button', { name: 'Upload', exact: true }).tap()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Files…' }).tap()
  await (await chooser).setFiles(path)
  await expect(page.getByRole('region', { name: '1 file uploaded' })).toBeVisible()
  await expect(row(name)).toBeVisible()
  await expectFits()
  await expectAccessible(page)
})

test('another page is reached through the menu', async () => {
  await browseTo()
  await page.getByRole('button', { name: 'Menu' }).tap()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }).tap()
  await expect(heading('Your activity')).toBeVisible()
  await expectFits()
  await page.getByRole('button', { name: 'Menu' }).tap()
  await expectAccessible(page)
})
