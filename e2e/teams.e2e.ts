import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { expectAccessible, openAs } from './people.ts'

// A team from its creation until its founder is removed. Each test continues where the previous one ended.
test.describe.configure({ mode: 'serial' })

const name = `Litigation ${randomBytes(3).toString('hex')}`
let ines: Page
let marta: Page
let address: string

test.beforeAll(async ({ browser }) => {
  ines = await openAs(browser, 'Ines Carvalho')
  marta = await openAs(browser, 'Marta Nowak')
})
test.afterAll(async () => {
  await ines?.context().close()
  await marta?.context().close()
})

const members = (page: Page) => page.getByRole('list', { name: 'Members' })

test('an organization admin creates a team and opens it from the spaces', async () => {
  await ines.getByRole('button', { name: 'New team' }).click()
  await ines.getByRole('dialog').getByLabel('Name').fill(name)
  await ines.getByRole('dialog').getByRole('button', { name: 'Create team' }).click()
  await ines.getByRole('link', { name }).click()
  await expect(ines.getByRole('heading', { name, level: 1 })).toBeVisible()
  await expect(ines.getByText('You own this team')).toBeVisible()
  address = new URL(ines.url()).pathname
  await expectAccessible(ines)
})

test('another user cannot see the team', async () => {
  await marta.goto(address)
  await expect(marta.getByText('There is nothing at this address')).toBeVisible()
})

test('limits and features are saved', async () => {
  await ines.getByLabel('Workspaces at most').fill('3')
  await ines.getByRole('button', { name: 'Save' }).click()
  await expect(ines.getByText('The team is saved')).toBeVisible()
  await ines.getByRole('switch', { name: 'E-mails to members' }).click()
  await expect(ines.getByRole('switch', { name: 'E-mails to members' })).not.toBeChecked()
  await expect
    .poll(async () => (await (await ines.request.get(`/api/v1${address}`)).json()) as object)
    .toMatchObject({ allowed_workspaces: 3, suppress_emails: true })
  await ines.reload()
  await expect(ines.getByLabel('Workspaces at most')).toHaveValue('3')
  await expect(ines.getByRole('switch', { name: 'E-mails to members' })).not.toBeChecked()
})

test('a member is added by name and sees the team, but cannot hand it over', async () => {
  await ines.getByRole('combobox', { name: 'Name or e-mail address' }).fill('marta')
  await ines.getByRole('option', { name: /Marta Nowak/ }).click()
  await ines.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(members(ines).getByText('Marta Nowak')).toBeVisible()
  await marta.reload()
  await expect(marta.getByText('You are a member of this team')).toBeVisible()
  await expect(members(marta).getByText('Owner')).toBeVisible()
  await expect(marta.getByRole('button', { name: 'Hand over' })).toHaveCount(0)
})

test('the owner hands the team over by typing its name', async () => {
  await ines.getByRole('button', { name: 'Hand over' }).click()
  const dialog = ines.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'New owner' }).click()
  await ines.getByRole('option', { name: 'Marta Nowak' }).click()
  await expect(dialog.getByRole('button', { name: 'Hand over' })).toBeDisabled()
  await dialog.getByLabel(/Type/).fill(name)
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await expect(ines.getByText('You are a member of this team')).toBeVisible()
  await expect(ines.getByRole('button', { name: 'Hand over' })).toHaveCount(0)
})

test('an organization admin outside the team sees it read-only, with the reason', async () => {
  await marta.reload()
  await marta.getByRole('button', { name: 'Remove Ines Carvalho' }).click()
  await marta.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(members(marta).getByText('Ines Carvalho')).toHaveCount(0)
  await ines.reload()
  await expect(ines.getByRole('note')).toContainText('because you are an organization admin')
  await expect(ines.getByText('3 in the whole team')).toBeVisible()
  await expect(ines.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await expectAccessible(ines)
})
