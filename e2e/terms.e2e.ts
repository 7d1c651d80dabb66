import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { expect, seconds, test } from './journey.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expectAccessible, stack } from './people.ts'
import { enterAs, makeRoom, type Role, type Room } from './room.ts'

// Terms stand before everything of a workspace: an admin issues them, a member reads, declines and accepts them.

const FIRST = '1 What is confidential\nEverything in this room.\n\n2 Who may read it\nOnly you.'

let room: Room
let admin: Page
test.beforeAll(async ({ browser }) => {
  room = await makeRoom()
  admin = await enterKnown(browser, 'workspace admin')
})
test.afterAll(() => admin?.context().close())

/** Enters as somebody whose profile is complete. */
async function enterKnown(browser: Browser, role: Role): Promise<Page> {
  const page = await enterAs(browser, room.addresses[role])
  const data = { user: { company: 'Northgate Capital' } }
  const { url } = stack()
  expect(await page.request.put('/api/v1/users/me', { data, headers: { origin: url } })).toBeOK()
  return page
}

async function issue(text: string, version: number): Promise<void> {
  await admin.goto(paths.settings(room.workspaceId))
  await admin.getByRole('link', { name: 'Write and issue terms' }).click()
  await expect(admin.getByRole('heading', { name: 'Terms', level: 1 })).toBeVisible()
  await admin.getByRole('textbox', { name: 'Title' }).fill('Confidentiality terms')
  await admin.getByRole('textbox', { name: 'Text' }).fill(text)
  const switched = admin.getByRole('switch', { name: 'Ask for the typed name' })
  if (!(await switched.isChecked())) await switched.click()
  await admin.getByRole('button', { name: `Issue version ${version}` }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true }).click()
  await expect(admin.getByText(`Version ${version} is in force`)).toBeVisible()
  await expect(admin.getByRole('dialog')).toHaveCount(0)
}

async function accept(page: Page, version: number): Promise<void> {
  const button = page.getByRole('button', { name: 'Accept and enter' })
  await expect(button).toBeDisabled()
  await page.getByRole('checkbox', { name: `I have read version ${version}` }).check()
  await page.getByRole('checkbox', { name: 'I may accept it for Northgate Capital' }).check()
  await expect(button).toBeDisabled()
  await page.getByRole('textbox', { name: 'Your full name, typed' }).fill('Rita Reader')
  await button.click()
}

test('a member meets the terms before anything, declines, accepts, and meets the next version', async ({ browser }) => {
  test.setTimeout(seconds(150))
  await issue(FIRST, 1)
  const page = await enterKnown(browser, 'reader')
  await page.goto(paths.home())
  await expect(page.getByText('Terms await your answer')).toBeVisible()
  await page.goto(paths.view(room.workspaceId, room.fileId))
  await expect(page.getByRole('heading', { name: 'Confidentiality terms', level: 1 })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByText('Memo.pdf')).toHaveCount(0)
  await expect(page.getByText('Group reader')).toHaveCount(0)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByRole('heading', { name: 'You have declined' })).toBeVisible()
  await accept(page, 1)
  await expect(page).toHaveURL(paths.view(room.workspaceId, room.fileId))
  await expect(page.getByRole('heading', { name: 'Memo.pdf', level: 1 })).toBeVisible()

  await page.goto(paths.files(room.workspaceId, room.folderId))
  await expect(page.getByText('Memo.pdf').first()).toBeVisible()
  await issue(`${FIRST}\n\n3 Advisers\nThey are named.`, 2)
  await page
    .getByRole('row', { name: /Memo\.pdf/ })
    .first()
    .dblclick()
  await expect(page.getByText('Version 2 of')).toBeVisible()
  await expect(page.getByText('You accepted version 1')).toBeVisible()
  await expect(page.locator('section.new')).toHaveText(/3 Advisers/)
  await expectAccessible(page)
  await accept(page, 2)
  await expect(page.getByText('Memo.pdf').first()).toBeVisible()
  await page.context().close()
})

test('an admin sees who has answered, and withdraws', async () => {
  await admin.goto(paths.issuedTerms(room.workspaceId))
  const table = admin.getByRole('table', { name: 'Answers' })
  await expect(table.getByRole('row', { name: /Rita Reader/ })).toHaveCount(2)
  await expect(table.getByRole('row', { name: /Declined/ })).toHaveCount(1)
  await expect(table.getByRole('row', { name: /Awaited/ })).toHaveCount(4)
  await expectAccessible(admin)
  for (const [name, begin] of [
    ['Excel (XLSX)', 'PK'],
    ['PDF', '%PDF-'],
  ] as const) {
    const saved = admin.waitForEvent('download')
    await admin.getByRole('button', { name, exact: true }).click()
    const bytes = await readFile(await (await saved).path())
    expect(bytes.toString('latin1').slice(0, begin.length)).toBe(begin)
    expect(bytes.length).toBeGreaterThan(1000)
  }
  await admin.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(admin.getByText('Withdrawn', { exact: true })).toBeVisible()
  await expect(admin.getByText('No answer is awaited.')).toBeVisible()
})
