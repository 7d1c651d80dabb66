import type { Browser, Page } from '@playwright/test'
import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// A question from its asker to its answer, and what another bidder sees of it.

test.setTimeout(seconds(150))

let room: Room
test.beforeAll(async () => {
  room = await makeRoom()
})

/** Another bidder, whose group sees the files of the room as well. */
async function addRival(): Promise<string> {
  const { workspaceId: workspace_id } = room
  const { id: group_id } = await asAdmin().call(api.groups.create, {
    body: { group: { name: 'Rivals', workspace_id } },
  })
  const email = `rival-${workspace_id}@example.com`
  const person = { email, first_name: 'Rita', last_name: 'Rival' }
  await asAdmin().call(api.users.create, { body: { user: person } })
  await asAdmin().call(api.groups.addMember, {
    params: { id: group_id },
    body: { workspace_id, email, send_email: false },
  })
  const body = { workspace_id, group_id, verb: 'grant', folder_action: 'view' } as const
  await asAdmin().call(api.permissions.set, { params: { id: room.folderId }, body })
  return email
}

/** Another admin drafts the answer of the only question. */
async function draftElsewhere(draft: string): Promise<void> {
  const params = { workspace_id: room.workspaceId }
  const { questions } = await asAdmin().call(api.questions.list, { params })
  for (const { id: question_id } of questions)
    await asAdmin().call(api.questions.update, { params: { ...params, question_id }, body: { question: { draft } } })
}

/** Enters for the first time, when the profile is asked for. */
async function firstVisit(browser: Browser, email: string): Promise<Page> {
  const page = await enterAs(browser, email)
  await page.goto('/')
  return page
}

test('a bidder asks on a file, an admin answers it for chosen groups, and another bidder reads no more than that', async ({
  browser,
}) => {
  const { workspaceId, groupId, folderId } = room
  const rival = await addRival()
  const { email } = await asAdmin().call(api.users.me)
  const asker = await firstVisit(browser, room.addresses.reader)
  await asker.goto(paths.files(workspaceId, folderId))
  await expect(asker.getByRole('row').filter({ hasText: 'Memo.pdf' })).toBeVisible()
  await expect(asker.getByRole('navigation', { name: 'Main' }).getByText('Questions')).toHaveCount(0)

  const admin = await enterAs(browser, email)
  await admin.goto(paths.group(workspaceId, groupId))
  await admin.getByRole('switch', { name: 'Members may ask questions' }).click()
  await expect(admin.getByText('Members see each other’s questions')).toBeVisible()

  await asker.reload()
  await asker.getByRole('row').filter({ hasText: 'Memo.pdf' }).click({ button: 'right' })
  await asker.getByRole('menuitem', { name: 'Ask about this' }).click()
  const dialog = asker.getByRole('dialog')
  await dialog.getByLabel('Subject').fill('Who bears the dredging costs?')
  await dialog.getByRole('textbox', { name: 'Question' }).fill('From 2028 on, and until when?')
  await expect(dialog.getByText('Memo.pdf')).toBeVisible()
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
  const own = asker.getByRole('button').filter({ hasText: 'Who bears the dredging costs?' })
  await own.click()
  await expect(asker.getByText('Question 1')).toBeVisible()
  await expectAccessible(asker)

  const other = await firstVisit(browser, rival)
  await other.goto(paths.questions(workspaceId))
  await expect(other.getByText('There are no questions yet')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Ask' })).toHaveCount(0)

  await admin.goto(paths.questions(workspaceId))
  await admin.getByRole('button').filter({ hasText: 'Who bears the dredging costs?' }).click()
  await admin.getByRole('textbox', { name: 'Internal note' }).fill('Ask the port authority first')
  await admin.getByRole('button', { name: 'Add note' }).click()
  await expect(admin.getByText('Ask the port authority first')).toBeVisible()
  // Forgets that this page has just acted, so that the next change counts as one of another page.
  await admin.reload()
  await admin.getByRole('textbox', { name: 'Answer' }).fill('The seller bears them until 2030.')
  await admin.getByRole('button', { name: 'Hide the question' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
  await draftElsewhere('Nobody knows.')
  await expect(admin.getByText('Somebody changed this to “Nobody knows.” meanwhile.')).toBeVisible()
  await admin.getByRole('button', { name: 'Save draft' }).click()
  await expect(admin.getByRole('button', { name: 'Submit for approval' })).toBeEnabled()
  await admin.getByRole('radio', { name: /Chosen groups/ }).click()
  await admin.getByRole('checkbox', { name: 'Rivals' }).click()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Approve and give the answer' }).click()
  await expect(admin.getByText('Given to')).toBeVisible()

  await asker.reload()
  await expect(asker.getByText('The seller bears them until 2030.')).toBeVisible()
  await expect(asker.getByText('Ask the port authority first')).toHaveCount(0)
  await other.reload()
  await other.getByRole('button').filter({ hasText: 'Who bears the dredging costs?' }).click()
  await expect(other.getByText('The seller bears them until 2030.')).toBeVisible()
  await expect(other.getByText('Asked by')).toHaveCount(0)
  await expect(other.getByText('Question 1')).toHaveCount(0)
  await asker.setViewportSize({ width: 390, height: 844 })
  await asker.getByRole('button', { name: 'Hide the question' }).click()
  await expect(own).toBeVisible()
})
