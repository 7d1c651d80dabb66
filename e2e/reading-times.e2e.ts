import type { Page, Response } from '@playwright/test'
import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { openRenderer } from '../src/service/documents/render.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible, untilStored } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'
import { expectSeen } from './viewing.ts'

// How long pages are read: what the viewer tells the service, against what the reader did.

test.setTimeout(seconds(120))

let room: Room
test.beforeAll(async () => {
  room = await makeRoom()
})

type Batch = { pages: { page_number: number; ms: number }[] }

/** Collects what the service has counted of the batches of a page. */
function countedOn(page: Page) {
  const ms = new Map<number, number>()
  const told = { statuses: new Set<number>(), ms }
  page.on('response', (response: Response) => {
    const request = response.request()
    if (!request.url().endsWith('/reading_times')) return
    told.statuses.add(response.status())
    for (const { page_number, ms: spent } of (request.postDataJSON() as Batch).pages)
      ms.set(page_number, (ms.get(page_number) ?? 0) + spent)
  })
  return told
}

const nowIn = (page: Page) => page.evaluate(() => performance.now())

/** Hides the window from the page, or shows it, as another tab in front would. */
const setVisible = (page: Page, visible: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    visible ? 'visible' : 'hidden',
  )

test('the pages of a document are measured while they are in view, and not while the window is hidden', async ({
  browser,
}) => {
  const page = await enterAs(browser, room.addresses.reader)
  const told = countedOn(page)
  const loaded = page.waitForRequest(/measure-reading/)
  await page.goto(paths.view(room.workspaceId, room.fileId))
  await expectSeen(page, 1)
  await loaded
  await expect(page.getByRole('textbox', { name: 'Page' })).toHaveValue('1')
  // Each act takes a while on a busy machine: a page was in view at least until it began, and at most until it was done.
  const truth: [least: number, most: number][] = []
  const from = await nowIn(page)
  await page.waitForTimeout(4000)
  const turning = await nowIn(page)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('textbox', { name: 'Page' })).toHaveValue('2')
  const turned = await nowIn(page)
  truth.push([turning - from, turned - from])
  await page.waitForTimeout(3000)
  const hiding = await nowIn(page)
  await setVisible(page, false)
  truth.push([hiding - turned, (await nowIn(page)) - turning])
  await page.waitForTimeout(5000)
  await setVisible(page, true)
  const ending = await nowIn(page)
  await page.keyboard.press('End')
  await expect(page.getByRole('textbox', { name: 'Page' })).toHaveValue('3')
  const last = await nowIn(page)
  await page.waitForTimeout(3000)
  const answered = page.waitForResponse(/reading_times/)
  const closing = await nowIn(page)
  await page.getByRole('button', { name: 'Close' }).click()
  truth.push([closing - last, (await nowIn(page)) - ending])
  await answered
  await expect.poll(() => [...told.ms.keys()].toSorted()).toEqual([1, 2, 3])
  for (const [index, [least, most]] of truth.entries()) {
    const ms = told.ms.get(index + 1)
    // Half a second for the steps of the journey itself.
    expect(ms, `page ${index + 1}`).toBeGreaterThan(least * 0.95 - 500)
    expect(ms, `page ${index + 1}`).toBeLessThan(most * 1.05 + 500)
  }
  expect([...told.statuses]).toEqual([204])
})

test('admins see what was read, and by whom; readers do not', async ({ browser }) => {
  const page = await enterAs(browser, room.addresses['workspace admin'])
  await page.goto(paths.activities(room.workspaceId))
  await page.getByRole('button', { name: 'Engagement' }).click()
  const row = page.getByRole('table', { name: 'Reading times by document' }).getByRole('row', { name: /Memo\.pdf/ })
  await expect(row.getByText(/^1\d s$/)).toHaveCount(1)
  await expect(row.getByText('not opened')).toHaveCount(4)
  await expect(page.getByRole('img', { name: 'Group reader: everybody reaches the last page' })).toBeVisible()
  const card = page.getByRole('button', { name: /^Group reader/ })
  const [time = ''] = await row.getByText(/^1\d s$/).allInnerTexts()
  const [opened = ''] = (await card.innerText()).match(/\d+ of \d+(?= document)/) ?? []
  const report = await printedReport(page)
  expect(report).toMatch(new RegExp(`Memo\\.pdf ${time} 1 `))
  expect(report).toMatch(new RegExp(`Group reader last [^·]* ${time} ${opened} 1 of 1 `))
  await card.click()
  await expect(page.getByRole('dialog', { name: 'Group reader' }).getByRole('row')).toHaveCount(2)
  await expectAccessible(page)
  const reader = await enterAs(browser, room.addresses.reader)
  await reader.goto(paths.engagement(room.workspaceId))
  await expect(reader.getByText('This is for workspace admins.')).toBeVisible()
})

test('an admin has the weekly report mailed from where it is read, and ends it in the account', async ({ browser }) => {
  const page = await enterAs(browser, room.addresses['workspace admin'])
  await page.goto(paths.engagement(room.workspaceId))
  await page.getByRole('button', { name: 'Report' }).click()
  await page.getByRole('menuitemcheckbox', { name: /By mail every week/, checked: false }).click()
  await expect(page.getByText('The weekly report will be mailed to you on Mondays')).toBeVisible()
  await page.goto(paths.account())
  const part = page.getByRole('region', { name: 'Weekly reports' })
  const choice = part.getByRole('switch', { name: room.name })
  await expect(choice).toBeChecked()
  await expectAccessible(page)
  await untilStored(page, () => choice.click())
  await page.reload()
  await expect(choice).not.toBeChecked()
  const reader = await enterAs(browser, room.addresses.reader)
  await reader.goto(paths.account())
  await expect(reader.getByRole('region', { name: 'Mails of news' })).toBeVisible()
  await expect(reader.getByRole('region', { name: 'Weekly reports' })).toHaveCount(0)
})

/** Saves the report as a PDF, and reads its text. */
async function printedReport(page: Page): Promise<string> {
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Report' }).click()
  await page.getByRole('menuitem', { name: 'PDF with plots' }).click()
  const pdf = { path: await (await saved).path(), type: 'application/pdf' }
  const renderer = openRenderer({ size: 1 })
  const texts = await renderer.text(pdf, (await renderer.boxes(pdf)).length)
  await renderer.close()
  return texts.join(' ').replaceAll(/[\s\u00a0]+/g, ' ')
}

test('a room that does not measure loads no meter, and its welcome page does not say so', async ({ browser }) => {
  const params = { id: room.workspaceId }
  const page = await enterAs(browser, room.addresses.reader)
  await page.goto(paths.welcome(room.workspaceId))
  await expect(page.getByText('It is also recorded for how long each page is read.')).toBeVisible()
  await asAdmin().call(api.workspaces.update, { params, body: { workspace: { measures_reading: false } } })
  await page.reload()
  await expect(page.getByText('The admins of this room see which documents you open')).toBeVisible()
  await expect(page.getByText('for how long each page')).toHaveCount(0)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(paths.view(room.workspaceId, room.fileId))
  await expectSeen(page, 1)
  await page.waitForTimeout(1500)
  await page.getByRole('button', { name: 'Close' }).click()
  expect(asked.filter((url) => /reading/.test(url))).toEqual([])
})
