import type { Page } from '@playwright/test'
import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// What is new for a reader and for an admin: the bell, the page of news, and the marks in Files and on the first page.

test.setTimeout(seconds(150))

let room: Room
test.beforeAll(async () => {
  test.setTimeout(seconds(120))
  room = await makeRoom()
  await addSecondRoom()
})

/** Another workspace of the reader, with one document. */
async function addSecondRoom(): Promise<void> {
  const ines = asAdmin()
  const name = `Second ${room.name}`
  const { id } = await ines.call(api.workspaces.create, { body: { workspace: { name, team_id: room.teamId } } })
  const { id: group_id } = await ines.call(api.groups.create, {
    body: { group: { name: 'Readers', workspace_id: id } },
  })
  const grant = { workspace_id: id, group_id, verb: 'grant', folder_action: 'view' } as const
  await ines.call(api.permissions.set, { params: { id: 0 }, body: grant })
  const member = { workspace_id: id, email: room.addresses.reader, send_email: false }
  await ines.call(api.groups.addMember, { params: { id: group_id }, body: member })
  await upload('Budget.txt', 0, id)
}

const upload = (file_name: string, folder_id: number, workspace_id = room.workspaceId) =>
  asAdmin().call(api.files.upload, { query: { workspace_id, folder_id, file_name } }, file_name)

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'News' })
const main = (page: Page) => page.getByRole('main')
const line = (page: Page, text: string) => main(page).getByRole('listitem').filter({ hasText: text })

test('a reader sees what is new in Files, opens it from the bell, and marks the rest as read', async ({ browser }) => {
  const page = await enterAs(browser, room.addresses.reader)
  await page.goto(paths.files(room.workspaceId))
  await expect(main(page).getByRole('row', { name: /Papers Has unread documents/ })).toBeVisible()
  await expect(page.getByRole('treeitem', { name: /Papers Has unread documents/ })).toBeVisible()
  await expect(bell(page)).toContainText('4 unread')

  await bell(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'News', level: 1 })).toBeVisible()
  await expect(line(page, 'Memo.pdf')).toContainText('Unread')
  await expect(line(page, 'Budget.txt')).toContainText('Unread')
  await expect(line(page, 'You were added to a group')).toHaveCount(2)
  await expectAccessible(page)

  await main(page).getByRole('link', { name: room.name, exact: false }).first().click()
  await expect(line(page, 'Budget.txt')).toHaveCount(0)
  await page.getByRole('link', { name: 'Memo.pdf' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('img', { name: 'Page 1', exact: true })).toBeVisible({ timeout: seconds(60) })
  await page.goto(paths.news())
  await expect(line(page, 'Memo.pdf')).not.toContainText('Unread')
  await expect(bell(page)).toContainText('3 unread')

  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('button', { name: 'Mark all as read' })).toBeDisabled()
  await expect(bell(page)).toHaveText('News')
  await page.reload()
  await expect(line(page, 'Budget.txt')).toBeVisible()
  await expect(main(page).getByText('Unread')).toHaveCount(0)
  await page.context().close()
})

test('a document that an admin adds is marked at once, and one that the reader may not see is nowhere', async ({
  browser,
}) => {
  const { workspaceId: workspace_id, groupId: group_id } = room
  const page = await enterAs(browser, room.addresses.reader)
  await page.goto(paths.files(workspace_id))
  await expect(main(page).getByRole('row', { name: /Papers/ })).toBeVisible()
  const hidden = { workspace_id, parent_id: 0, name: 'Secret matters' }
  const { id } = await asAdmin().call(api.folders.create, { body: hidden })
  const revoke = { workspace_id, group_id, verb: 'revoke', folder_action: 'view' } as const
  await asAdmin().call(api.permissions.set, { params: { id }, body: revoke })
  await upload('Secret price.txt', id)
  await upload('Appendix.txt', 0)
  await expect(main(page).getByRole('row', { name: /Appendix\.txt Unread/ })).toBeVisible({ timeout: seconds(30) })

  await page.goto(paths.news())
  await expect(line(page, 'Appendix.txt')).toContainText('Unread')
  await expect(page.getByText('Secret')).toHaveCount(0)
  await page.goto(paths.home())
  await expect(
    main(page)
      .getByRole('link', { name: `${room.name} , unread` })
      .first(),
  ).toBeVisible()
  await page.context().close()
})

test('an admin is told of a question, on a phone and in German too', async ({ browser }) => {
  const { workspaceId: workspace_id, groupId: group_id } = room
  const questions = [{ group_id, subject: 'Who pays for the quay?' }]
  await asAdmin().call(api.questions.import, { params: { workspace_id }, body: { questions } })
  const viewport = { width: 390, height: 844 }
  const page = await enterAs(browser, room.addresses['workspace admin'], { viewport, locale: 'de-DE' })
  await page.goto(paths.home())
  await page.getByRole('banner').getByRole('link', { name: 'Neuigkeiten' }).click()
  await expect(page.getByRole('heading', { name: 'Neuigkeiten', level: 1 })).toBeVisible()
  await expect(line(page, 'Who pays for the quay?')).toContainText('Diese Frage wartet auf eine Antwort')
  await expectAccessible(page)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(viewport.width)
  await page.getByRole('link', { name: 'Who pays for the quay?' }).click()
  await expect(page.getByRole('heading', { name: 'Who pays for the quay?' })).toBeVisible()
  await page.goto(paths.news())
  await expect(line(page, 'Who pays for the quay?')).not.toContainText('Ungelesen')
  await page.context().close()
})
