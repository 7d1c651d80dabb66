import { expect, test } from './journey.ts'
import { expectAccessible, openAs, signInAs, untilStored } from './people.ts'

// The protections and members of a group, as a workspace admin manages them.

test('each protection is one switch, and its setting is saved', async ({ page }) => {
  await signInAs(page, 'Marta Nowak')
  await page.goto('/workspaces/1/groups')
  await page.getByRole('button', { name: 'New group' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Valuers')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Create/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Valuers', level: 1 })).toBeVisible()

  await untilStored(page, () => page.getByRole('switch', { name: 'Watermark' }).click())
  await untilStored(page, () => page.getByRole('switch', { name: 'DRM' }).click())
  await page.getByLabel('Opens until').fill('2199-12-31')
  await page.getByRole('button', { name: 'Set' }).click()
  await expect(page.getByRole('button', { name: 'Remove', exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/workspaces/1/groups')
  await expect(page.getByRole('row', { name: /Valuers/ })).toContainText('Watermark')
  await expect(page.getByRole('row', { name: /Valuers/ })).toContainText(/DRM to 31 Dec 2199/)
})

test('a list of addresses is added at once, as copied from a mail', async ({ page }) => {
  await signInAs(page, 'Marta Nowak')
  await page.goto('/workspaces/1/groups')
  await page.getByRole('button', { name: 'New group' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Surveyors')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Create/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Surveyors', level: 1 })).toBeVisible()
  const field = page.getByRole('combobox', { name: 'Name or e-mail addresses' })
  await field.fill('Tom Becker <tom.becker@northgate.example>; nobody; new.surveyor@survey.example')
  await page.getByRole('radio', { name: 'Invite later' }).check()
  await page.getByRole('button', { name: 'Add 3' }).click()
  const members = page.getByRole('list', { name: 'Members' })
  await expect(members.getByRole('listitem')).toHaveCount(2)
  await expect(members).toContainText('Tom Becker')
  await expect(members).toContainText('new.surveyor@survey.example')
  await expect(page.getByText('nobody · No e-mail address')).toBeVisible()
  await expect(page.getByText(/1 person could not be added/)).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Groups', level: 1 })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a past date is refused with a message, and the old date stays', async ({ page }) => {
  await signInAs(page, 'Marta Nowak')
  await page.goto('/workspaces/1/groups')
  await page.getByRole('link', { name: 'Buyers' }).click()
  const end = page.getByLabel('Ends on')
  const before = await end.inputValue()
  await end.fill('2020-01-01')
  await expect(page.getByText('Tomorrow or later')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set' })).toBeDisabled()
  await page.reload()
  await expect(page.getByLabel('Ends on')).toHaveValue(before)
})

test('a built-in group can neither be deleted nor use DRM', async ({ page }) => {
  await signInAs(page, 'Marta Nowak')
  await page.goto('/workspaces/1/groups')
  await page.getByRole('link', { name: 'Workspace Admins' }).click()
  await expect(page.getByRole('heading', { name: 'Workspace Admins', level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await expect(page.getByRole('switch', { name: 'DRM' })).toHaveCount(0)
  await expectAccessible(page)
})

test('a refused removal of a member is explained', async ({ browser }) => {
  const marta = await openAs(browser, 'Marta Nowak')
  await marta.goto('/workspaces/1/groups')
  await marta.getByRole('link', { name: 'Workspace Admins' }).click()
  await marta.getByRole('button', { name: /Remove Ines Carvalho/ }).click()
  await marta.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(marta.getByRole('dialog')).toContainText(/team/i)
  await marta.context().close()
})
