import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { api } from '../src/client/index.ts'
import { expect, seconds, test } from './journey.ts'
import { paths } from '../src/dashboard/paths.ts'
import { samplePdf } from '../src/service/testing/documents/sample-pdf.ts'
import { expectAccessible, stack } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Role, type Room } from './room.ts'

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

/** Returns a list that will have the path of each request that the console of the page reports as failed. */
function collectRefusals(page: Page): string[] {
  const paths: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Failed to load resource')) paths.push(new URL(message.location().url).pathname)
  })
  return paths
}

async function issue(text: string, version: number): Promise<void> {
  await admin.goto(paths.settings(room.workspaceId))
  await admin.getByRole('link', { name: 'Write and issue terms' }).click()
  await expect(admin.getByRole('heading', { name: 'Terms', level: 1 })).toBeVisible()
  await admin.getByRole('textbox', { name: 'Title' }).fill('Confidentiality terms')
  await admin.getByRole('textbox', { name: 'Text' }).fill(text)
  await admin.getByRole('checkbox', { name: 'Ask for the typed name' }).check()
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
  const refused = collectRefusals(page)
  await page.goto(paths.home())
  await expect(page.getByText('Terms await your answer')).toBeVisible()
  await page.getByRole('link', { name: room.name }).first().click()
  const terms = page.getByRole('heading', { name: 'Confidentiality terms', level: 1 })
  await expect(terms).toBeVisible()
  expect(refused).toEqual([])
  await page.goto(paths.view(room.workspaceId, room.fileId))
  await expect(terms).toBeVisible()
  // The page is new and knows no list of workspaces. It asks for the workspace, once, and for nothing in it.
  expect(refused).toEqual([`/api/v1/workspaces/${room.workspaceId}`])
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByText('Memo.pdf')).toHaveCount(0)
  await expect(page.getByText('Group reader')).toHaveCount(0)
  // The reader's own company is no issuer of the terms.
  await expect(page.getByRole('article')).not.toContainText('Northgate Capital')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByRole('heading', { name: 'You have declined' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to your workspaces' }).click()
  await page.getByRole('link', { name: room.name }).first().click()
  await expect(page.getByRole('heading', { name: 'You have declined' })).toBeVisible()
  await page.goto(paths.terms(room.workspaceId, paths.view(room.workspaceId, room.fileId)))
  await accept(page, 1)
  await expect(page).toHaveURL(paths.view(room.workspaceId, room.fileId))
  await expect(page.getByRole('heading', { name: 'Memo.pdf', level: 1 })).toBeVisible()

  expect(refused).toHaveLength(1)

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

const pdfOf = (...pages: string[]) =>
  samplePdf(pages.map((words) => ({ content: `BT /F 24 Tf 60 700 Td (${words}) Tj ET` })))
const FIRST_PDF = pdfOf('Keep everything secret for two years', 'Tell nobody')
const SECOND_PDF = pdfOf('Keep everything secret for three years', 'Tell nobody')

async function issuePdf(pdf: Buffer, name: string, version: number): Promise<void> {
  await admin.goto(paths.issuedTerms(room.workspaceId))
  await admin.getByRole('radio', { name: 'PDF' }).check()
  await admin.getByLabel('PDF of the terms').setInputFiles({ name, mimeType: 'application/pdf', buffer: pdf })
  await expect(admin.getByText(name, { exact: true }).first()).toBeVisible()
  await admin.getByRole('button', { name: 'Look at the pages' }).click()
  await expectDrawn(admin, 2)
  await admin.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await admin.getByRole('button', { name: `Issue version ${version}` }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true }).click()
  await expect(admin.getByText(`Version ${version} is in force`)).toBeVisible()
}

/** The pages have arrived as images, whose text is there for screen readers. */
async function expectDrawn(page: Page, pages: number): Promise<void> {
  const images = page.locator('figure img')
  await expect(images).toHaveCount(pages)
  for (let at = 0; at < pages; at++) {
    await images.nth(at).scrollIntoViewIfNeeded()
    await expect.poll(() => images.nth(at).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  }
  await expect(page.locator('figure').last()).toContainText('Tell nobody')
}

async function savedBytes(page: Page): Promise<Buffer> {
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the PDF' }).click()
  return readFile(await (await saved).path())
}

test('a member reads terms that are a PDF, also on a phone, accepts them, and sees what the next version changes', async ({
  browser,
}) => {
  test.setTimeout(seconds(150))
  await admin.goto(paths.issuedTerms(room.workspaceId))
  await admin.getByRole('radio', { name: 'PDF' }).check()
  const scripted = samplePdf([{}], { catalog: '/OpenAction<</S/JavaScript/JS(1)>>' })
  await admin
    .getByLabel('PDF of the terms')
    .setInputFiles({ name: 'Bad.pdf', mimeType: 'application/pdf', buffer: scripted })
  await expect(admin.getByText('must not carry scripts')).toBeVisible()
  await issuePdf(FIRST_PDF, 'First NDA.pdf', 3)

  const page = await enterKnown(browser, 'reader')
  await page.goto(paths.view(room.workspaceId, room.fileId))
  await expect(page.getByText('First NDA.pdf, version 3')).toBeVisible()
  await expectDrawn(page, 2)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectDrawn(page, 2)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Show the text' }).click()
  await expect(page.locator('figure img')).toHaveCount(0)
  await expect(page.getByText('Keep everything secret for two years')).toBeVisible()
  await expectAccessible(page)
  expect((await savedBytes(page)).equals(FIRST_PDF)).toBe(true)
  await accept(page, 3)
  await expect(page.getByRole('heading', { name: 'Memo.pdf', level: 1 })).toBeVisible()

  await issuePdf(SECOND_PDF, 'Second NDA.pdf', 4)
  await page.goto(paths.files(room.workspaceId, room.folderId))
  await expect(page.getByText('You accepted version 3')).toBeVisible()
  await page.getByRole('button', { name: 'What changed since version 3' }).click()
  await expect(page.locator('del')).toHaveText('two')
  await expect(page.locator('ins')).toHaveText('three')
  await expectAccessible(page)
  await accept(page, 4)
  await expect(page.getByText('Memo.pdf').first()).toBeVisible()
  await page.context().close()
})

test('an admin sees the hash of the PDF that was accepted, opens former versions and compares them', async () => {
  await admin.goto(paths.issuedTerms(room.workspaceId))
  const table = admin.getByRole('table', { name: 'Answers' })
  await expect(table.getByRole('row', { name: /Accepted.*Second NDA\.pdf.*Rita Reader/ })).toBeVisible()
  await admin.getByRole('button', { name: 'Read version 4' }).click()
  const dialog = admin.getByRole('dialog')
  await expect(dialog).toContainText(createHash('sha256').update(SECOND_PDF).digest('hex'))
  await dialog.getByRole('button', { name: 'What changed since version 3' }).click()
  await expect(dialog.locator('ins')).toHaveText('three')
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await admin.getByRole('button', { name: 'Read version 3' }).click()
  await expectDrawn(admin, 2)
  expect((await savedBytes(admin)).equals(FIRST_PDF)).toBe(true)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)
})

test('an admin whose draft another one has overtaken reads the other, and saves over it on purpose', async () => {
  const params = { id: room.workspaceId }
  const save = (text: string) => asAdmin().call(api.terms.saveDraft, { params, body: { title: 'Next terms', text } })
  await save('1 Scope\nEverything.')
  await admin.goto(paths.settings(room.workspaceId))
  await admin.getByRole('link', { name: 'Write and issue terms' }).click()
  await expect(admin.getByRole('heading', { name: 'Terms', level: 1 })).toBeVisible()
  await admin.getByRole('radio', { name: 'Text' }).check()
  const text = admin.getByRole('textbox', { name: 'Text' })
  await expect(text).toHaveValue('1 Scope\nEverything.')
  await text.fill('1 Scope\nEverything, also on the phone.')
  await save('1 Scope\nNothing.')
  await admin.getByRole('button', { name: 'Save draft' }).click()
  await expect(admin.getByText('Somebody saved this draft after you had read it.')).toBeVisible()
  await expect(text).toHaveValue('1 Scope\nEverything, also on the phone.')
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Read the other draft' }).click()
  await expect(admin.getByRole('dialog', { name: 'Next terms' })).toContainText('Nothing.')
  await admin.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await admin.getByRole('button', { name: 'Save mine anyway' }).click()
  await expect(admin.getByRole('button', { name: 'Save draft' })).toBeDisabled()
  const { draft } = await asAdmin().call(api.terms.getDraft, { params })
  expect(draft?.text).toBe('1 Scope\nEverything, also on the phone.')
})
