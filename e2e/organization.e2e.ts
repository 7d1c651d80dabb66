import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { expectAccessible, newestMailTo, openAs, signInAs } from './people.ts'

// The organization, as its admin manages it, and the account page of every user.
test.describe.configure({ mode: 'serial' })

const email = `dana.${randomBytes(3).toString('hex')}@harbour.example`
let ines: Page

test.beforeAll(async ({ browser }) => {
  ines = await openAs(browser, 'Ines Carvalho')
})
test.afterAll(async () => {
  await ines?.context().close()
})

const rowOf = (name: string | RegExp) => ines.getByRole('row', { name })

async function choose(person: string, action: string): Promise<void> {
  await ines.getByRole('button', { name: `Actions for ${person}` }).click()
  await ines.getByRole('menuitem', { name: action }).click()
}

test('an admin opens the organization from the account menu', async () => {
  await ines.getByRole('button', { name: /account of Ines/ }).click()
  await ines.getByRole('menuitem', { name: 'Organization' }).click()
  await expect(ines.getByRole('table', { name: 'Users' })).toBeVisible()
  await expect(rowOf(/Ines Carvalho/)).toContainText('Admin')
  await expectAccessible(ines)
})

test('the support information is saved', async () => {
  const support = ines.getByRole('region', { name: 'Support' })
  await support.getByLabel('Phone number').fill('+31 10 555 0100')
  await support.getByRole('button', { name: 'Save' }).click()
  await expect(ines.getByText('The support information is saved')).toBeVisible()
  await ines.reload()
  await expect(support.getByLabel('Phone number')).toHaveValue('+31 10 555 0100')
})

test('a new user is invited by e-mail, and reminded', async () => {
  await ines.getByRole('button', { name: 'New user' }).click()
  const dialog = ines.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill(email)
  await dialog.getByLabel('First name').fill('Dana')
  await dialog.getByLabel('Last name').fill('Ortiz')
  await expectAccessible(ines)
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await expect(rowOf(/Dana Ortiz/)).toContainText('Not yet here')
  await expect.poll(() => newestMailTo(email).catch(() => '')).toContain(email)
  await choose('Dana Ortiz', 'Remind')
  await expect(ines.getByText(/on its way to/)).toBeVisible()
})

test('the admin role is given and taken, but not from the last admin', async () => {
  await choose('Dana Ortiz', 'Make organization admin')
  await ines.getByRole('dialog').getByRole('button', { name: 'Make admin' }).click()
  await expect(rowOf(/Dana Ortiz/)).toContainText('Admin')
  await choose('Dana Ortiz', 'Take the admin role')
  await ines.getByRole('dialog').getByRole('button', { name: 'Take the role' }).click()
  await expect(rowOf(/Dana Ortiz/)).not.toContainText('Admin')

  await choose('Ines Carvalho', 'Take the admin role')
  await ines.getByRole('dialog').getByRole('button', { name: 'Give up' }).click()
  await expect(ines.getByRole('dialog').getByRole('alert')).toContainText(/last organization admin/)
  await ines.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
})

test('a user is deleted once the address is typed; a team owner is not deleted', async () => {
  await choose('Dana Ortiz', 'Delete')
  const dialog = ines.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Delete user' })).toBeDisabled()
  await dialog.getByLabel(/Type/).fill(email)
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await expect(rowOf(/Dana Ortiz/)).toHaveCount(0)

  await choose('Ines Carvalho', 'Delete')
  await dialog.getByLabel(/Type/).fill('ines.carvalho@harbour.example')
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
})

test('a user who is not an admin is refused with an explanation', async ({ page }) => {
  await signInAs(page, 'Tom Becker')
  await page.getByRole('button', { name: /account of Tom/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Account' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Organization' })).toHaveCount(0)
  await page.goto('/organization')
  await expect(page.getByText('You may not see this')).toBeVisible()
})

test('a profile is changed and saved', async ({ page }) => {
  await signInAs(page, 'Jonas Lindqvist')
  await page.getByRole('button', { name: /account of Jonas/ }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('helsinki')
  await page.getByRole('option', { name: 'Europe/Helsinki' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your profile is saved')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe/Helsinki')
  await expectAccessible(page)
})

test('the secret of an API key is shown once, and a revoked key stays in the list', async ({ page }) => {
  await signInAs(page, 'Jonas Lindqvist')
  await page.goto('/account')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Nightly export')
  await page.getByRole('checkbox', { name: 'List, search and read files' }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByLabel('Secret key', { exact: true })).toHaveValue(/^[0-9a-f]{64}$/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.reload()
  await expect(page.getByRole('row', { name: /Nightly export/ })).toContainText('Active')
  await expect(page.getByLabel('Secret key', { exact: true })).toHaveCount(0)

  await page.getByRole('button', { name: 'Revoke Nightly export' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('row', { name: /Nightly export/ })).toContainText('Revoked')
})
