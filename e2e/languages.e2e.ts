import { expect, test } from './journey.ts'
import { signInAs } from './people.ts'

// pages.e2e.ts checks that every text comes from the catalogue.

test('German, chosen in the account, stays after a reload and on other pages', async ({ page }) => {
  await signInAs(page, 'Jonas Lindqvist')
  await page.goto('/account')
  await page.getByRole('radio', { name: 'Deutsch' }).check()
  await expect(page.getByRole('heading', { name: 'Konto', level: 1 })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Konto', level: 1 })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Deutsch' })).toBeChecked()
  await page.goto('/workspaces/1/groups')
  await expect(page.getByRole('heading', { name: 'Ihre Gruppen', level: 1 })).toBeVisible()
  await page.goto('/account')
  await page.getByRole('radio', { name: 'English' }).check()
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
})
