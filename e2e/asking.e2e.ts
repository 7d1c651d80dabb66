import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { formatWorkbook } from '../src/dashboard/ui/words/workbook.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible, untilStored } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// A question from its asker to its answer, and what another bidder sees of it.

test.setTimeout(seconds(150))

let room: Room
test.beforeAll(async () => {
  room = await makeRoom()
})

/** Another bidder, whose group sees the files of the room as well. @returns the address */
async function addRival(name: string): Promise<string> {
  const { workspaceId: workspace_id } = room
  const { id: group_id } = await asAdmin().call(api.groups.create, {
    body: { group: { name, workspace_id } },
  })
  const email = `${name}-${workspace_id}@example.com`.toLowerCase()
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

/** Pages of askers read their questions every 30 seconds, because no event tells them. */
const READ_AGAIN = { timeout: seconds(40) }

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
  const rival = await addRival('Rivals')
  const { email } = await asAdmin().call(api.users.me)
  const asker = await firstVisit(browser, room.addresses.reader)
  await asker.goto(paths.files(workspaceId, folderId))
  await expect(asker.getByRole('row').filter({ hasText: 'Memo.pdf' })).toBeVisible()
  await expect(asker.getByRole('navigation', { name: 'Main' }).getByText('Questions')).toHaveCount(0)

  const admin = await enterAs(browser, email)
  await admin.goto(paths.group(workspaceId, groupId))
  await untilStored(admin, () => admin.getByRole('switch', { name: 'Members may ask questions' }).click())
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

  await expect(asker.getByText('The seller bears them until 2030.')).toBeVisible(READ_AGAIN)
  await expect(asker.getByText('Ask the port authority first')).toHaveCount(0)
  await expect(other.getByText('There are no questions yet')).toBeHidden(READ_AGAIN)
  await other.getByRole('button').filter({ hasText: 'Who bears the dredging costs?' }).click()
  await expect(other.getByText('The seller bears them until 2030.')).toBeVisible()
  await expect(other.getByText('Asked by')).toHaveCount(0)
  await expect(other.getByText('Question 1')).toHaveCount(0)
  await asker.setViewportSize({ width: 390, height: 844 })
  await asker.getByRole('button', { name: 'Hide the question' }).click()
  await expect(own).toBeVisible()
})

test('a bidder asks from a page of a document, and reads the answer with the document that an admin uploads for it', async ({
  browser,
}) => {
  const { workspaceId: workspace_id, groupId: group_id, fileId } = room
  const groups = [{ group_id, may_ask: true }]
  await asAdmin().call(api.questions.updateSettings, { params: { workspace_id }, body: { groups } })
  const asker = await firstVisit(browser, room.addresses.reader)
  await asker.goto(paths.view(workspace_id, fileId, { page: 2 }))
  await asker.getByRole('button', { name: 'Ask about this' }).click()
  const asking = asker.getByRole('dialog')
  await expect(asking.getByText('On Memo.pdf')).toBeVisible()
  await asking.getByLabel('Subject').fill('Which berth is this?')
  await asking.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(asker.getByText('Your question was asked.')).toBeVisible()

  const admin = await enterAs(browser, (await asAdmin().call(api.users.me)).email)
  await admin.goto(paths.questions(workspace_id))
  await admin.getByRole('button').filter({ hasText: 'Which berth is this?' }).click()
  await admin.getByRole('textbox', { name: 'Answer' }).fill('Berth 3, by this plan.')
  await admin.getByRole('button', { name: 'Save draft' }).click()
  await admin.getByRole('button', { name: 'Attach documents' }).click()
  const attaching = admin.getByRole('dialog')
  await attaching.getByLabel('Upload to the folder').fill('Pap')
  await admin.getByRole('option', { name: 'Papers' }).click()
  const plan = { name: 'Plan of berths.txt', mimeType: 'text/plain', buffer: Buffer.from('berth 3') }
  await attaching.getByLabel('Documents to upload').setInputFiles(plan)
  await expect(attaching.getByRole('button', { name: 'Remove Plan of berths.txt' })).toBeVisible()
  await attaching.getByLabel('Find a document of the workspace').fill('Memo')
  await admin.getByRole('option', { name: 'Memo.pdf' }).click()
  await expectAccessible(admin)
  await attaching.getByRole('button', { name: 'Save documents' }).click()
  await expect(admin.getByRole('link', { name: 'Plan of berths.txt' })).toBeVisible()
  await admin.getByRole('button', { name: 'Approve and give the answer' }).click()
  await expect(admin.getByText('Given to')).toBeVisible()

  await asker.goto(paths.questions(workspace_id))
  await asker.getByRole('button').filter({ hasText: 'Which berth is this?' }).click()
  await expect(asker.getByRole('link', { name: 'Plan of berths.txt' })).toBeVisible()
  await asker.getByRole('link', { name: 'Memo.pdf, page 2' }).click()
  await expect(asker.getByRole('textbox', { name: 'Page', exact: true })).toHaveValue('2')
})

test('an admin imports a workbook, finds the questions on the board by keys, and everybody exports what they may see', async ({
  browser,
}) => {
  const { workspaceId: workspace_id, groupId: group_id } = room
  await asAdmin().call(api.questions.updateSettings, {
    params: { workspace_id },
    body: { groups: [{ group_id, may_ask: true }] },
  })
  const lines = [
    ['Group reader', '=Who insures the cranes?', 'By contract.'],
    ['Group reader', 'Who inspects the cranes?', ''],
    ['Nobody', 'Who paints the cranes?', ''],
  ]
  const head = ['Group', 'Subject', 'Draft answer']
  const sheet = { name: 'Questions', widths: [20], head, count: 3, row: (at: number) => ({ cells: lines[at] ?? [] }) }
  const buffer = Buffer.from(await (await formatWorkbook('Questions', [sheet])).arrayBuffer())

  const admin = await enterAs(browser, (await asAdmin().call(api.users.me)).email)
  await admin.goto(paths.questions(workspace_id))
  await admin.getByRole('button', { name: 'More about questions' }).click()
  await admin.getByRole('menuitem', { name: 'Import questions' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Workbook', { exact: true }).setInputFiles({ name: 'cranes.xlsx', mimeType: '', buffer })
  await expect(dialog.getByText('Line 4: There is no group “Nobody”.')).toBeVisible()
  await expect(dialog.getByText('Nothing is imported')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Import only the valid lines' }).click()
  await expectAccessible(admin)
  // The answer to the first attempt is lost.
  await admin.route(
    '**/questions/import/lines*',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await dialog.getByRole('button', { name: 'Import 2 questions' }).click()
  await expect(dialog.getByText('The server cannot be reached.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Import 2 questions' }).click()
  await expect(dialog).toBeHidden()
  expect(
    (await asAdmin().call(api.questions.list, { params: { workspace_id }, query: { q: 'cranes' } })).questions,
  ).toHaveLength(2)
  await admin.getByRole('button', { name: 'Board' }).click()
  const drafts = admin.getByRole('region', { name: 'Draft answer' })
  const open = admin.getByRole('region', { name: 'Open' })
  await expect(drafts.getByRole('button', { name: 'Who insures the cranes?' })).toBeVisible()
  await open.getByRole('button', { name: 'Who inspects the cranes?' }).focus()
  await admin.keyboard.press('ArrowRight')
  await expect(drafts.locator('button:focus')).toBeVisible()
  await drafts.getByRole('button', { name: 'Who insures the cranes?' }).press('Enter')
  await admin.getByRole('radio', { name: /Everybody/ }).click()
  await admin.getByRole('button', { name: 'Approve and give the answer' }).click()
  await expect(admin.getByText('Given to')).toBeVisible()
  await expectAccessible(admin)

  const asker = await firstVisit(browser, room.addresses.downloader)
  await asker.setViewportSize({ width: 390, height: 844 })
  await asker.goto(paths.questions(workspace_id))
  await asker.getByRole('button', { name: 'FAQ' }).click()
  await expect(asker.getByRole('article').filter({ hasText: 'insures the cranes' })).toContainText('By contract.')
  await expect(asker.getByRole('button', { name: 'Board' })).toHaveCount(0)
  await expectAccessible(asker)
  await asker.getByRole('button', { name: 'More about questions' }).click()
  const [saved] = await Promise.all([
    asker.waitForEvent('download'),
    asker.getByRole('menuitem', { name: 'Export as Excel (XLSX)' }).click(),
  ])
  const parts = unzipSync(new Uint8Array(await readFile(await saved.path())))
  const text = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  expect(text).toContain('insures the cranes')
  expect(text).not.toContain('inspects the cranes')
  expect(text).not.toContain('Group reader')
})

test('an admin writes and orders the FAQ for groups, and each bidder reads in place what is for their group', async ({
  browser,
}) => {
  const { workspaceId: workspace_id, groupId: group_id } = room
  const params = { workspace_id }
  const rival = await addRival('Competitors')
  const body = { categories: ['Property', 'Process'], groups: [{ group_id, may_ask: true }] }
  await asAdmin().call(api.questions.updateSettings, { params, body })
  const question = { subject: 'When are bids due?', answer: 'On 1 March.', category: 'Process' }
  await asAdmin().call(api.questions.writeFaq, { params, body: { question, reach: 'all' } })

  const admin = await enterAs(browser, (await asAdmin().call(api.users.me)).email)
  await admin.goto(paths.questions(workspace_id))
  await admin.getByRole('button', { name: 'FAQ', exact: true }).click()
  await admin.getByRole('button', { name: 'Add to the FAQ' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Question', { exact: true }).fill('Who may visit the site?')
  await dialog.getByRole('textbox', { name: 'Answer' }).fill('Two people of each group.')
  await dialog.getByLabel('Category').click()
  await admin.getByRole('option', { name: 'Process' }).click()
  await expect(dialog.getByRole('button', { name: 'Publish' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Group reader' }).click()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  const process = admin.getByRole('region', { name: 'Process' })
  await expect(process.getByRole('article')).toHaveText([/When are bids due/, /Who may visit/])
  await process.getByRole('button', { name: /Who may visit/ }).click()
  await admin.getByRole('menuitem', { name: 'Move up' }).click()
  await expect(process.getByRole('article')).toHaveText([/Who may visit/, /When are bids due/])
  await process.getByRole('button', { name: /When are bids due/ }).click()
  await admin.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog.getByRole('textbox', { name: 'Answer' }).fill('On 8 March.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await process.getByText('When are bids due?').click()
  await process.getByRole('button', { name: 'Show with documents' }).click()
  await expect(admin.getByRole('region', { name: 'Internal notes' })).toContainText('On 1 March.')
  await expectAccessible(admin)

  const reader = await firstVisit(browser, room.addresses.reader)
  await reader.setViewportSize({ width: 390, height: 844 })
  await reader.goto(`${paths.questions(workspace_id)}?view=faq`)
  await reader.getByText('Who may visit the site?').click()
  await expect(reader.getByText('Two people of each group.')).toBeVisible()
  await expect(reader.getByRole('button', { name: 'Add to the FAQ' })).toHaveCount(0)
  await expectAccessible(reader)

  // May not ask, and reads what is for all; the search opens what it finds.
  const other = await firstVisit(browser, rival)
  await other.goto(`${paths.questions(workspace_id)}?view=faq`)
  await expect(other.getByRole('region', { name: 'Process' }).getByRole('article')).toHaveText([/When are bids due/])
  await other.getByLabel('Find in questions').fill('march')
  await expect(other.getByText('On 8 March.')).toBeVisible()
  await expect(other.getByText('Who may visit the site?')).toHaveCount(0)

  await process.getByRole('button', { name: /When are bids due/ }).click()
  await admin.getByRole('menuitem', { name: 'Take the answer back' }).click()
  await expect(process.getByRole('article')).toHaveText([/Who may visit/])
  await expect(other.getByText('No answer matches')).toBeVisible(READ_AGAIN)
})
