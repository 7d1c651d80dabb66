import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { api } from '../src/contract/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible, newestMailTo } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// An admin prepares a folder that a reader of another window does not see, until it is published.
test.describe.configure({ mode: 'serial' })

const name = `Forecasts ${randomBytes(3).toString('hex')}`
let room: Room
let admin: Page
let reader: Page

test.beforeAll(async ({ browser }) => {
  test.setTimeout(seconds(120))
  room = await makeRoom()
  admin = await enterAs(browser, room.addresses['workspace admin'])
  reader = await enterAs(browser, room.addresses.reader)
  for (const page of [admin, reader]) await page.goto(paths.files(room.workspaceId, room.folderId))
})
test.afterAll(async () => {
  for (const page of [admin, reader]) await page?.context().close()
})

const row = (page: Page, named: string) => page.getByRole('main').getByRole('row').filter({ hasText: named })
const dialog = () => admin.getByRole('dialog')

/** Opens the menu of the line, or of the folder beside the lines, with the keyboard or the mouse. */
async function choose(item: string, line?: string) {
  if (line === undefined) await row(admin, 'Memo.pdf').click()
  else await row(admin, line).click({ button: 'right' })
  await admin.getByRole('menuitem', { name: item }).click()
}

test('a new draft is marked for admins, and hidden from readers', async () => {
  await expect(row(reader, 'Memo.pdf')).toBeVisible()
  await admin.getByRole('grid').click({ button: 'right', position: { x: 300, y: 260 } })
  await admin.getByRole('menuitem', { name: 'New draft folder' }).click()
  await expect(dialog()).toContainText('Only workspace admins see the folder and everything in it')
  await dialog().getByLabel('Name').fill(name)
  await expectAccessible(admin)
  await dialog().getByRole('button', { name: 'Create draft' }).click()
  await expect(row(admin, name)).toContainText('Draft')
  const details = admin.getByRole('complementary', { name: 'Details' })
  await expect(details).toContainText('Draft')
  await expect(details).not.toContainText('May view')
  await expect(row(admin, name)).toContainText('Admins only')
  await admin.getByRole('treeitem', { name: 'Papers' }).locator('[data-chevron]').click()
  await expect(admin.getByRole('treeitem', { name })).toContainText('Draft')
  await expectAccessible(admin)
  await expect(row(reader, 'Memo.pdf')).toBeVisible()
  await expect(reader.getByText(name)).toHaveCount(0)
})

test('the draft says who sees it, also when it is open', async () => {
  await row(admin, name).dblclick()
  await expect(admin.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(admin.getByRole('note')).toContainText('Only workspace admins see this folder')
  await expectAccessible(admin)
  const draft = Number(new URL(admin.url()).pathname.split('/').at(-1))
  await reader.goto(paths.files(room.workspaceId, draft))
  await expect(reader.getByText('There is no such folder')).toBeVisible()
  await reader.goto(paths.files(room.workspaceId, room.folderId))
})

test('publishing shows who will see what, and readers see it at once', async () => {
  await admin.getByRole('note').getByRole('button', { name: 'Publish…' }).click()
  const line = dialog().getByRole('row').filter({ hasText: name })
  await expect(line.getByRole('checkbox')).toBeChecked()
  await expect(dialog().getByRole('columnheader', { name: /Group reader/ })).toContainText('1 person')
  await expect(line).toContainText('View')
  await expect(dialog()).toContainText(/groups may see something of it, with \d+ people: 1 folder/)
  await expectAccessible(admin)
  await line.getByRole('checkbox').focus()
  await admin.keyboard.press('Space')
  await expect(dialog()).toContainText('Choose at least one draft.')
  await expect(dialog().getByRole('button', { name: 'Publish now' })).toBeDisabled()
  await admin.keyboard.press('Space')
  await admin.keyboard.press('Enter')
  await expect(admin.getByText(/^Published: /)).toBeVisible()
  await expect(admin.getByRole('note')).toHaveCount(0)
  await expect(row(reader, name)).toBeVisible({ timeout: seconds(15) })
})

test('a folder that is published is made a draft again', async () => {
  await admin.goto(paths.files(room.workspaceId, room.folderId))
  await choose('Make draft…', name)
  await expect(dialog()).toContainText('The rights of groups there are kept')
  await expectAccessible(admin)
  await dialog().getByRole('button', { name: 'Make draft' }).click()
  await expect(row(admin, name)).toContainText('Draft')
  await expect(row(reader, name)).toHaveCount(0, { timeout: seconds(15) })
})

test('on a phone, each draft names its groups below it', async () => {
  await admin.setViewportSize({ width: 390, height: 844 })
  await row(admin, name).click({ button: 'right' })
  await admin.getByRole('menuitem', { name: 'Publish…' }).click()
  await expect(dialog()).toContainText(/Group reader: View/)
  expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(admin)
  await dialog().getByRole('button', { name: 'Cancel' }).click()
})

test('publishing invites the people who are not invited yet, with the words of the admin', async () => {
  const email = `guest.${randomBytes(3).toString('hex')}@rooms.example`
  await asAdmin().call(api.groups.addMember, {
    params: { id: room.groupId },
    body: { workspace_id: room.workspaceId, email, send_email: false },
  })
  await admin.setViewportSize({ width: 1440, height: 900 })
  await row(admin, name).click({ button: 'right' })
  await admin.getByRole('menuitem', { name: 'Publish…' }).click()
  await dialog()
    .getByRole('checkbox', { name: /^Invite \d+ (person|people) among them/ })
    .check()
  await dialog()
    .getByRole('textbox', { name: /^Your words in the mail/ })
    .fill('The forecasts are ready.')
  await expectAccessible(admin)
  await dialog().getByRole('button', { name: 'Publish now' }).click()
  await expect(admin.getByText(/^Published: .*invitations? (is|are) on (its|their) way/)).toBeVisible()
  await expect(async () => expect(await newestMailTo(email)).toContain('The forecasts are ready.')).toPass({
    timeout: seconds(30),
  })
})

test('an opening is planned, which no reader learns of, and comes at its time', async () => {
  await choose('Make draft…', name)
  await dialog().getByRole('button', { name: 'Make draft' }).click()
  await expect(row(reader, name)).toHaveCount(0, { timeout: seconds(15) })
  await admin.getByRole('note').getByRole('button', { name: 'Publish…' }).click()
  await dialog().getByRole('radio', { name: 'At a time' }).check()
  await expect(dialog()).toContainText('In your time zone: ')
  await dialog().getByLabel('Day').fill('2020-01-01')
  await expect(dialog()).toContainText('This time has passed.')
  await expect(dialog().getByRole('button', { name: 'Plan publishing' })).toBeDisabled()
  await dialog()
    .getByLabel('Day')
    .fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10))
  await dialog().getByLabel('Time', { exact: true }).fill('09:00')
  await expectAccessible(admin)
  await dialog().getByRole('button', { name: 'Plan publishing' }).click()
  await expect(admin.getByRole('note')).toContainText(/Opens on .*09:00/)
  await expectAccessible(admin)
  await expect(reader.getByText(name)).toHaveCount(0)

  await admin.getByRole('note').getByRole('button', { name: 'Publish…' }).click()
  await expect(dialog()).toContainText(/1 draft opens on .* has planned\./)
  await dialog().getByRole('button', { name: 'Cancel the plan' }).click()
  await expect(dialog().getByRole('button', { name: 'Publish now' })).toBeVisible()
  await dialog().getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(admin.getByRole('note')).not.toContainText('Opens on')

  const params = { id: room.workspaceId }
  const { drafts } = await asAdmin().call(api.drafts.list, { params })
  const opens_at = new Date(Date.now() + seconds(4)).toISOString()
  const body = { folder_ids: drafts.map(({ folder_id }) => folder_id), opens_at }
  await asAdmin().call(api.drafts.setSchedule, { params, body })
  await expect(row(reader, name)).toBeVisible({ timeout: seconds(30) })
  await expect(admin.getByRole('note')).toHaveCount(0, { timeout: seconds(15) })
  expect((await asAdmin().call(api.drafts.getSchedule, { params })).schedule).toBeNull()
})
