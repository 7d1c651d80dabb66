import type { Page } from '@playwright/test'
import { api } from '../src/contract/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible, untilStored } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// An admin stages changes of access, reviews what they mean, and publishes them together.
test.describe.configure({ mode: 'serial' })

let room: Room
let admin: Page

test.beforeAll(async ({ browser }) => {
  test.setTimeout(seconds(120))
  room = await makeRoom()
  admin = await enterAs(browser, room.addresses['workspace admin'])
  await admin.goto(paths.permissions(room.workspaceId))
})
test.afterAll(async () => {
  await admin?.context().close()
})

const cell = (name: RegExp) => admin.getByRole('checkbox', { name }).first()
const bar = () => admin.getByRole('note').filter({ hasText: /staged/ })

test('what is staged is marked, and changes nothing', async () => {
  await admin.getByRole('button', { name: 'More', exact: true }).click()
  await admin.getByRole('menuitem', { name: 'Stage changes, publish them together' }).click()
  await expect(bar()).toContainText('Nothing is staged yet.')
  await cell(/^Upload, .*, Papers$/).click()
  await expect(admin.getByText(/^Once published: Upload granted for .* on Papers/)).toBeVisible()
  await expect(cell(/^Upload, .*, Papers, staged$/)).toBeChecked()
  await expect(bar()).toContainText('1 change is staged.')
  await expectAccessible(admin)
  await bar().getByRole('button', { name: 'Show today’s access' }).click()
  await expect(cell(/^Upload, .*, Papers$/)).not.toBeChecked()
  await expect(bar()).toContainText('1 change is staged. The grid shows the access of today.')
  await bar().getByRole('button', { name: 'Show staged access' }).click()
  await expect(cell(/^Upload, .*, Papers, staged$/)).toBeChecked()
})

test('the review tells who gains and loses what, and publishes all of it', async () => {
  await bar().getByRole('button', { name: 'Review and publish' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Staged changes of access' })
  await expect(dialog.getByRole('row').filter({ hasText: /\/[\d.]+ Papers/ })).toContainText('Upload')
  await expect(dialog).toContainText('will be able to upload to 1 folder')
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await expect(admin.getByText('1 change is published')).toBeVisible()
  await expect(bar()).toContainText('Nothing is staged yet.')
  await bar().getByRole('button', { name: 'Show today’s access' }).click()
  await expect(cell(/^Upload, .*, Papers$/)).toBeChecked()
})

test('a staged change of access is published with a draft', async () => {
  await admin.goto(`${paths.permissions(room.workspaceId)}?staging=`)
  await untilStored(admin, () => cell(/^Upload, .*, Papers$/).click())
  await expect(bar()).toContainText('1 change is staged.')
  await makeDraft(room)
  await admin.goto(paths.files(room.workspaceId, room.folderId))
  await admin.getByRole('main').getByRole('row').filter({ hasText: 'Forecast' }).click({ button: 'right' })
  await admin.getByRole('menuitem', { name: 'Publish…' }).click()
  await admin.getByLabel('Publish the staged change of access with them').check()
  await admin.getByRole('button', { name: 'Publish now' }).click()
  await expect(admin.getByRole('dialog')).toHaveCount(0)
  await admin.goto(`${paths.permissions(room.workspaceId)}?staging=`)
  await expect(bar()).toContainText('Nothing is staged yet.')
})

async function makeDraft({ workspaceId, folderId }: Room) {
  const body = { workspace_id: workspaceId, name: 'Forecast', parent_id: folderId }
  await asAdmin().call(api.drafts.create, { body })
}
