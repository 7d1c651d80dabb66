import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { api } from '../src/contract/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible, newestMailTo, untilStored } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// An admin prepares a group that a reader, who will be in it, does not learn of until it is published.
test.describe.configure({ mode: 'serial' })

const mark = randomBytes(3).toString('hex')
const name = `Lenders ${mark}`
const guest = `guest.${mark}@rooms.example`
let room: Room
let admin: Page
let reader: Page
let groupId: number

test.beforeAll(async ({ browser }) => {
  test.setTimeout(seconds(120))
  room = await makeRoom()
  admin = await enterAs(browser, room.addresses['workspace admin'])
  reader = await enterAs(browser, room.addresses.reader)
  for (const page of [admin, reader]) await page.goto(paths.groups(room.workspaceId))
})
test.afterAll(async () => {
  for (const page of [admin, reader]) await page?.context().close()
})

const dialog = () => admin.getByRole('dialog')
const main = () => admin.getByRole('main')

async function add(email: string) {
  const field = admin.getByRole('combobox', { name: 'Name or e-mail addresses' })
  await field.fill(email)
  await field.press('Enter')
  await expect(admin.getByRole('radiogroup', { name: 'Invitation' })).toHaveCount(0)
  await admin.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(admin.getByText(new RegExp(`gets in once ${name} is published`)).last()).toBeVisible()
}

test('a group begins as a draft, to which people are added without a mail', async () => {
  await admin.getByRole('button', { name: 'New group' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog().getByRole('checkbox', { name: 'Begin as a draft' }).check()
  await expectAccessible(admin)
  await dialog().getByRole('button', { name: 'Create group' }).click()
  await expect(admin.getByRole('heading', { level: 1, name })).toBeVisible()
  groupId = Number(new URL(admin.url()).pathname.split('/').at(-1))
  await expect(admin.getByRole('note')).toContainText('Only workspace admins know of this group')
  for (const email of [guest, room.addresses.reader]) await add(email)
  await expect(main()).toContainText('2 people are to get in')
  await expectAccessible(admin)
  await admin.goto(paths.groups(room.workspaceId))
  await expect(admin.getByRole('row').filter({ hasText: name })).toContainText('Draft')
  await expectAccessible(admin)
  await reader.reload()
  await expect(reader.getByRole('link', { name: 'Group reader' })).toBeVisible()
  await expect(reader.getByText(name)).toHaveCount(0)
})

test('its rights are set in the grid, and only say who will see what', async () => {
  await admin.goto(paths.permissions(room.workspaceId, { group: groupId }))
  await expect(admin.getByRole('columnheader', { name }).first()).toContainText('Draft')
  await untilStored(admin, () => admin.getByRole('checkbox', { name: `Download, ${name}, Papers` }).click())
  await expect(admin.getByRole('checkbox', { name: `View, ${name}, Papers` })).toBeChecked()
  await expectAccessible(admin)
  await admin.goto(paths.files(room.workspaceId, room.folderId))
  await admin.getByRole('button', { name: 'Who, and why?' }).click()
  const waiting = dialog().getByRole('list', { name: 'Once groups are published' })
  await expect(waiting).toContainText(`When ${name} is published`)
  await expect(waiting).toContainText('2 people')
  await expectAccessible(admin)
  await waiting.getByRole('link', { name: `View as ${name}` }).click()
  await expect(admin.getByRole('note')).toContainText('The group is a draft: nobody sees this until it is published.')
  await expect(main().getByRole('row').filter({ hasText: 'Memo.pdf' })).toBeVisible()
})

test('publishing says what its people will see, lets them in and invites', async () => {
  await admin.goto(paths.group(room.workspaceId, groupId))
  await admin.getByRole('button', { name: 'Publish…' }).click()
  await expect(dialog()).toContainText('2 people get in')
  await expect(dialog()).toContainText('They will see 1 folder and 1 file')
  await dialog()
    .getByRole('textbox', { name: /^Your words in the mail/ })
    .fill('The room is open.')
  await expectAccessible(admin)
  await dialog()
    .getByRole('button', { name: /^Publish and invite/ })
    .click()
  await expect(admin.getByText(new RegExp(`${name} is published\\.`))).toBeVisible()
  await expect(main()).toContainText('2 members')
  await expect(main().getByText('Draft', { exact: true })).toHaveCount(0)
  await expect(async () => expect(await newestMailTo(guest)).toContain('The room is open.')).toPass({
    timeout: seconds(30),
  })
  await reader.reload()
  await expect(reader.getByRole('link', { name })).toBeVisible()
})

test('a group that nobody has come in with becomes a draft, also on a phone', async () => {
  const workspace_id = room.workspaceId
  const group = { name: `Advisers ${mark}`, workspace_id }
  const { id } = await asAdmin().call(api.groups.create, { body: { group } })
  const body = { workspace_id, email: `adviser.${mark}@rooms.example`, send_email: false }
  await asAdmin().call(api.groups.addMember, { params: { id }, body })
  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.goto(paths.group(workspace_id, id))
  await admin.getByRole('button', { name: 'Make draft…' }).click()
  await expect(dialog()).toContainText('invitations that were sent stop working')
  await expectAccessible(admin)
  await dialog().getByRole('button', { name: 'Make draft' }).click()
  await expect(main()).toContainText('1 person is to get in')
  await admin.getByRole('button', { name: 'Publish…' }).click()
  await expect(dialog()).toContainText('They will see no folder yet')
  expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(admin)
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await admin.goto(paths.group(workspace_id, groupId))
  await expect(admin.getByRole('button', { name: 'Make draft…' })).toHaveCount(0)
})
