import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { drop, expectAccessible, openAs, signInAs } from './people.ts'
import { ACCOUNTS, expectSeen, openFolder, row, shownPage } from './viewing.ts'

// Viewing documents: with the mouse, with the keyboard alone, and the messages for documents without pages.

// The worker may read the documents of the demo first.
test.setTimeout(seconds(180))

/** Uploads a file with the header of a PDF but no valid content. */
async function uploadBroken(page: Page, name: string): Promise<void> {
  const path = test.info().outputPath(name)
  await writeFile(path, `%PDF-1.7\n${'nothing of a document '.repeat(40)}`)
  await drop(page, [path])
  await expect(row(page, name)).toBeVisible()
}

test('with the mouse: open, turn, zoom, go to a thumbnail, close', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await openFolder(page, 'Finance', 'Audited accounts')
  await row(page, ACCOUNTS).dblclick()
  await expectSeen(page, 1)
  await expect(page).toHaveTitle(new RegExp(`^[\\d.]+ ${ACCOUNTS.replaceAll('.', '\\.')} – Strongroom$`))
  await expectAccessible(page)

  const before = await shownPage(page, 1).boundingBox()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect(async () => {
    const after = await shownPage(page, 1).boundingBox()
    expect(after?.width).toBeGreaterThan((before?.width ?? 0) * 1.1)
  }).toPass()
  await page.getByRole('navigation', { name: 'Thumbnails' }).getByRole('button', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expectSeen(page, 2)
  await page.reload()
  await expectSeen(page, 2)
  await expect(page.getByRole('textbox', { name: 'Page' })).toHaveValue('2')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(row(page, ACCOUNTS)).toHaveAttribute('aria-selected', 'true')
})

test('with the keyboard alone: find by command, read, rotate, go on to the next file, close', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await openFolder(page, 'Finance')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Type a command or a name' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('audited accounts 2025')
  await expect(page.getByRole('option', { name: /Audited accounts 2025/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expectSeen(page, 1)
  await page.keyboard.press('End')
  await expect(page).toHaveURL(/page=4/)
  await page.keyboard.press('Home')
  await expect(page).not.toHaveURL(/page=/)
  await page.keyboard.press('f')
  await page.keyboard.press('r')
  await expect(async () => {
    const box = await shownPage(page, 1).boundingBox()
    expect(box?.width).toBeGreaterThan(box?.height ?? 0)
  }).toPass()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Rotate')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('n')
  await expect(page.getByRole('heading', { name: ACCOUNTS })).toHaveCount(0)
  const next = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.keyboard.press('Escape')
  await expect(row(page, next)).toHaveAttribute('aria-selected', 'true')
})

test('a page whose image fails to load says so, and can be tried again', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await openFolder(page, 'Finance', 'Audited accounts')
  await page.route('**/content/**', (route) => route.abort())
  await row(page, ACCOUNTS).dblclick()
  const failed = page.getByRole('group', { name: 'Page 1', exact: true })
  await expect(failed).toBeVisible()
  await page.unroute('**/content/**')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expectSeen(page, 1)
})

test('a file opens where it was left', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await openFolder(page, 'Finance', 'Audited accounts')
  await row(page, ACCOUNTS).dblclick()
  await expectSeen(page, 1)
  await page.getByRole('button', { name: 'Zoom: Fit width' }).click()
  await page.getByRole('menuitem', { name: '75 %' }).click()
  await page.getByRole('textbox', { name: 'Page' }).fill('3')
  await page.keyboard.press('Enter')
  await expectSeen(page, 3)
  await page.keyboard.press('Escape')
  await row(page, ACCOUNTS).dblclick()
  await expectSeen(page, 3)
  await expect(page.getByRole('textbox', { name: 'Page' })).toHaveValue('3')
  await expect(page.getByRole('button', { name: 'Zoom: 75 %' })).toBeVisible()
})

/** Returns the bytes of a page's image as decimal numbers, joined by commas. */
const imageBytes = (page: Page, number: number): Promise<string> =>
  shownPage(page, number).evaluate(async (image) => {
    const bytes = new Uint8Array(await (await fetch((image as HTMLImageElement).src)).arrayBuffer())
    return [...bytes].join()
  })

test('the page images of a buyer carry a mark, those of an admin do not', async ({ browser }) => {
  const [ines, tom] = [await openAs(browser, 'Ines Carvalho'), await openAs(browser, 'Tom Becker')]
  for (const page of [ines, tom]) {
    await openFolder(page, 'Finance', 'Audited accounts')
    await row(page, ACCOUNTS).dblclick()
    await expectSeen(page, 1)
  }
  expect((await imageBytes(tom, 1)) === (await imageBytes(ines, 1))).toBe(false)
  await expect(tom.getByRole('button', { name: 'Versions' })).toHaveCount(0)
  for (const page of [ines, tom]) await page.context().close()
})

test('a user who may download can print, a user who gets only sealed copies cannot', async ({ browser }) => {
  const [tom, ayesha] = [await openAs(browser, 'Tom Becker'), await openAs(browser, 'Ayesha Rahman')]
  for (const page of [tom, ayesha]) {
    await openFolder(page, 'Finance', 'Audited accounts')
    await row(page, ACCOUNTS).dblclick()
    await expectSeen(page, 1)
    await page.emulateMedia({ media: 'print' })
  }
  await expect(tom.getByRole('region', { name: /^Pages of/ })).toBeVisible()
  await expect(ayesha.getByRole('region', { name: /^Pages of/ })).toBeHidden()
  await tom.emulateMedia({ media: 'screen' })
  await ayesha.emulateMedia({ media: 'screen' })
  await expect(tom.getByRole('button', { name: 'Print' })).toBeVisible()
  await expect(ayesha.getByRole('button', { name: 'Print' })).toHaveCount(0)
  for (const page of [tom, ayesha]) await page.context().close()
})

test('all pages are printed, not only those that were viewed', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await signInAs(page, 'Ines Carvalho')
  await openFolder(page, 'Finance', 'Audited accounts')
  await row(page, ACCOUNTS).dblclick()
  await expectSeen(page, 1)
  await page.keyboard.press('Control+p')
  await expect(page.locator('html[data-printed]')).toHaveCount(1, { timeout: seconds(60) })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1')
  expect(paper.match(/\/Type \/Page\b/g)).toHaveLength(4)
  await expect(page.getByTestId('sheets')).toHaveCount(0)
})

test('a page is printed in light colours also from the dark scheme', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(paths.signIn())
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const schemes = await page.evaluate(() => {
    const scheme = () => getComputedStyle(document.body).backgroundColor
    const before = scheme()
    window.dispatchEvent(new Event('beforeprint'))
    const printed = scheme()
    window.dispatchEvent(new Event('afterprint'))
    return { before, printed, after: scheme() }
  })
  expect(schemes.printed).not.toBe(schemes.before)
  expect(schemes.after).toBe(schemes.before)
})

test('on a phone the viewer fills the screen and a tap turns the page', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await signInAs(page, 'Ines Carvalho')
  await page
    .getByRole('link', { name: /Project Harbour/ })
    .first()
    .tap()
  for (const name of ['Finance', 'Audited accounts']) {
    await row(page, name).tap()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  }
  await row(page, ACCOUNTS).tap()
  await expectSeen(page, 1)
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Next page' }).tap()
  await expect(page).toHaveURL(/page=2/)
  await expectAccessible(page)
  await context.close()
})

test('an unreadable document says why, and admins find it among the failed documents', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await openFolder(page, 'Bids')
  await uploadBroken(page, 'broken.pdf')
  await expect(row(page, 'broken.pdf').getByText('No preview')).toBeVisible({ timeout: seconds(60) })
  await row(page, 'broken.pdf').dblclick()
  await expect(page.getByRole('heading', { name: 'The pages could not be made' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('link', { name: /failed$/ }).click()
  await expect(page.getByRole('heading', { name: 'Documents', level: 1 })).toBeVisible()
  await expect(row(page, 'broken.pdf')).toBeVisible()
  await expectAccessible(page)
  await row(page, 'broken.pdf').getByRole('button', { name: 'Try broken.pdf again' }).click()
  await expect(page.getByText('“broken.pdf” will be read again.')).toBeVisible()
})

test('a zip is made, saved, fetched again after a reload and deleted', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await openFolder(page)
  await row(page, 'Corporate').click()
  const [first] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('main').getByRole('button', { name: 'Download' }).click(),
  ])
  expect(first.suggestedFilename()).toMatch(/\.zip$/)
  const tray = page.getByRole('region', { name: 'Downloads' })
  await expect(tray.getByText('“Corporate”')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  const again = tray.getByRole('button', { name: /^Download / }).first()
  const [second] = await Promise.all([page.waitForEvent('download'), again.click()])
  expect(second.suggestedFilename()).toBe(first.suggestedFilename())
  await tray
    .getByRole('button', { name: /^Delete / })
    .first()
    .click()
  await expect(tray.getByText('“Corporate”')).toHaveCount(0)
})
