import type { Browser, Page } from '@playwright/test'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible, openAs, signInAs } from './people.ts'
import { ACCOUNTS, expectSeen, openFolder, row } from './viewing.ts'

// Finding words in the pages of a document, and the text of pages, as far as the reader's groups allow it.

// The worker may read the documents of the demo first.
test.setTimeout(seconds(180))

async function openAccounts(page: Page): Promise<void> {
  await openFolder(page, 'Finance', 'Audited accounts')
  await row(page, ACCOUNTS).dblclick()
  await expectSeen(page, 1)
}

const bar = (page: Page) => page.getByRole('search', { name: 'Find in the document' })
const current = (page: Page) => page.locator('i.current')

test('words are found with the keyboard, marked on the sharp page, and the search ends with Escape', async ({
  page,
}) => {
  await signInAs(page, 'Ines Carvalho')
  await openAccounts(page)
  await page.keyboard.press('Control+f')
  await expect(bar(page).getByRole('textbox')).toBeFocused()
  await page.keyboard.type('REVENUE')
  await page.keyboard.press('Enter')
  await expect(bar(page).getByRole('status')).toHaveText(/^Hit 1 of \d+, page \d$/)
  await expect(current(page)).toBeInViewport()
  await expectAccessible(page)
  const [, total = '', first = ''] = /of (\d+), page (\d)/.exec(await bar(page).getByRole('status').innerText()) ?? []
  await expectSeen(page, Number(first))
  expect(Number(total)).toBeGreaterThan(1)
  await page.keyboard.press('F3')
  await expect(bar(page).getByRole('status')).toHaveText(new RegExp(`^Hit 2 of ${total}`))
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.press('Shift+Enter')
  await expect(bar(page).getByRole('status')).toHaveText(new RegExp(`^Hit ${total} of ${total}`))
  await expect(current(page)).toBeInViewport()
  await page.getByRole('button', { name: `Hits ${total}` }).click()
  const thumbnails = page.getByRole('navigation', { name: 'Thumbnails' }).getByRole('button', { name: /^Page \d/ })
  for (const each of await thumbnails.all()) await expect(each).toHaveAccessibleName(/^Page \d, \d hits?$/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Match case' }).click()
  await expect(bar(page).getByRole('status')).toHaveText('No hits')
  await page.keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)
  await expect(current(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: `Pages of ${ACCOUNTS}` })).toBeFocused()
})

test('on a phone the bar stands above the pages', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await signInAs(page, 'Ines Carvalho')
  await page
    .getByRole('link', { name: /Project Harbour/ })
    .first()
    .tap()
  for (const name of ['Finance', 'Audited accounts', ACCOUNTS]) {
    await page
      .getByRole('main')
      .getByRole('row', { name: new RegExp(name) })
      .tap()
  }
  await expectSeen(page, 1)
  await page.getByRole('button', { name: 'Find in the document' }).tap()
  await expect(bar(page).getByRole('textbox')).toBeFocused()
  await page.keyboard.type('revenue')
  await page.keyboard.press('Enter')
  await expect(current(page)).toBeInViewport()
  const [field, pages] = [
    await bar(page).boundingBox(),
    await page.getByRole('region', { name: /^Pages of/ }).boundingBox(),
  ]
  expect(pages?.y).toBeGreaterThanOrEqual((field?.y ?? 0) + (field?.height ?? 0))
  await expectAccessible(page)
  await context.close()
})

test('a hit of the search opens the file with its words marked, and Escape leads back to the results', async ({
  page,
}) => {
  await signInAs(page, 'Ines Carvalho')
  await page
    .getByRole('link', { name: /Project Harbour/ })
    .first()
    .click()
  await expect(page.getByRole('main').getByRole('row', { name: /Finance/ })).toBeVisible()
  await page.getByRole('combobox', { name: 'Search files' }).fill('container handling')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/search/)
  const result = page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: ACCOUNTS })
  await expect(async () => {
    await page.reload()
    await expect(result.getByText(/\d hits?/)).toBeVisible({ timeout: seconds(10) })
  }).toPass()
  await expectAccessible(page)
  await result.getByRole('link', { name: ACCOUNTS }).click()
  await expect(bar(page).getByRole('status')).toHaveText(/^Hit 1 of \d+/)
  await expect(current(page)).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(result.getByRole('link', { name: ACCOUNTS })).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('container handling')
  await page.getByRole('option', { name: ACCOUNTS }).click()
  await expect(current(page)).toBeInViewport()
  await expect(page).toHaveURL(/find=container/)
})

/** Returns a page of the person in the viewer, and the addresses under /api that ask for text or hits of a file. */
async function askedFor(browser: Browser, person: string): Promise<{ page: Page; asked: string[] }> {
  const page = await openAs(browser, person)
  const asked: string[] = []
  page.on(
    'request',
    (request) => /\/files\/\d+\/(find|pages\/\d+\/text)/.test(request.url()) && asked.push(request.url()),
  )
  await openAccounts(page)
  return { page, asked }
}

test('a reader without the text layer is offered no search, and Ctrl+F stays with the browser', async ({ browser }) => {
  const { page, asked } = await askedFor(browser, 'Ayesha Rahman')
  await expect(page.getByRole('button', { name: 'Find in the document' })).toHaveCount(0)
  const isTaken = await page.evaluate(() => {
    const press = new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true })
    return !document.body.dispatchEvent(press)
  })
  expect(isTaken).toBe(false)
  await expect(bar(page)).toHaveCount(0)
  // The text of a page is asked for once the page has rested for a quarter of a second.
  await page.waitForTimeout(1000)
  expect(asked).toEqual([])
  await page.context().close()
})

test('a reader who may download selects words over the page, and a search begins with them', async ({ browser }) => {
  const { page } = await askedFor(browser, 'Tom Becker')
  await expect(page.getByRole('group', { name: 'Text of page 1' })).toContainText('Revenue')
  const word = page.locator('.words span', { hasText: /^Revenue\s*$/ }).first()
  await word.dblclick()
  const selected = () => page.evaluate(() => getSelection()?.toString().trim())
  expect(await selected()).toBe('Revenue')
  await expectAccessible(page)
  await page.keyboard.press('Control+f')
  await expect(bar(page).getByRole('textbox')).toHaveValue('Revenue')
  await expect(bar(page).getByRole('status')).toHaveText(/^Hit 1 of \d+/)
  const [mark, text] = [await current(page).boundingBox(), await word.boundingBox()]
  expect(Math.abs((mark?.x ?? 0) - (text?.x ?? 0))).toBeLessThan(6)
  expect(Math.abs((mark?.y ?? 0) - (text?.y ?? 0))).toBeLessThan(6)
  await page.keyboard.press('Escape')
  const copied = await page.evaluate(() => {
    const words = document.querySelector('.words')
    if (words) getSelection()?.selectAllChildren(words)
    return getSelection()?.toString()
  })
  expect(copied).toMatch(/Income statement\n/)
  await page.context().close()
})
