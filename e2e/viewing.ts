import type { Locator, Page } from '@playwright/test'
import { expect, seconds } from './journey.ts'

// The documents of the demo in the viewer.

export const ACCOUNTS = 'Audited accounts 2025.pdf'

export async function openFolder(page: Page, ...names: string[]): Promise<void> {
  await page
    .getByRole('link', { name: /Project Harbour/ })
    .first()
    .click()
  // Readers begin with the welcome page.
  await page.waitForURL(/\/(files|welcome)$/)
  if (page.url().endsWith('/welcome')) await page.getByRole('link', { name: 'Open files' }).click()
  for (const name of names) {
    await row(page, name).dblclick()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  }
}

export const row = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('row', { name: new RegExp(name.replace(/[.()]/g, '\\$&')) })

export const shownPage = (page: Page, number: number): Locator =>
  page.getByRole('img', { name: `Page ${number}`, exact: true })

/** Expects the image to be loaded, not just its placeholder. */
export const expectSeen = (page: Page, number: number): Promise<void> =>
  expect(async () => {
    const width = await shownPage(page, number).evaluate((image) => (image as HTMLImageElement).naturalWidth)
    expect(width).toBeGreaterThan(100)
  }).toPass({ timeout: seconds(60) })
