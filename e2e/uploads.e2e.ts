import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, seconds, test } from './journey.ts'
import { drop, dropFiles, expectAccessible, openAs, signInAs } from './people.ts'

// Uploads when connections are cut and pages are closed.

const SIZE = 60_000_000
const CHUNKS = '**/api/v1/uploads/chunk?**'

test.beforeEach(async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await page.getByRole('button', { name: 'New workspace' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(`Uploads ${randomBytes(3).toString('hex')}`)
  await dialog.getByRole('button', { name: /Create/ }).click()
  await expect(page.getByRole('heading', { name: /^Uploads /, level: 1 })).toBeVisible()
})

const row = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('row', { name: new RegExp(name.replace(/[.()]/g, '\\$&')) })

const tray = (page: Page, heading: string | RegExp) => page.getByRole('heading', { name: heading, level: 2 })

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

async function largeFile(name: string) {
  const content = randomBytes(SIZE)
  const path = test.info().outputPath(name)
  await writeFile(path, content)
  return { path, sha256: sha256(content) }
}

/** Downloads the only file of the workspace and returns its SHA-256 hash. */
async function storedHash(page: Page): Promise<string> {
  const workspace_id = /workspaces\/(\d+)/.exec(page.url())?.[1] ?? ''
  const home = (await (await page.request.get(`/api/v1/workspaces/${workspace_id}/home`)).json()) as {
    immediate_subfiles: { id: number; file_size: string }[]
  }
  expect(home.immediate_subfiles).toEqual([expect.objectContaining({ file_size: String(SIZE) })])
  const id = home.immediate_subfiles[0]?.id
  const link = await page.request.get(`/api/v1/downloads/file/${id}?workspace_id=${workspace_id}`)
  const { expiring_url } = (await link.json()) as { expiring_url: string }
  return sha256(await (await page.request.get(expiring_url)).body())
}

test('a large upload resumes where the connection was cut, and the file arrives intact', async ({ page, context }) => {
  test.setTimeout(seconds(180))
  const file = await largeFile('film.bin')
  let chunks = 0
  await page.route(CHUNKS, async (route) => {
    chunks += 1
    if (chunks !== 3) return route.continue()
    await context.setOffline(true)
    return route.abort('connectionreset')
  })
  await page.getByLabel('Files to upload').setInputFiles(file.path)
  await expect(tray(page, /^Waiting for the connection/)).toBeVisible({ timeout: seconds(60) })
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(tray(page, '1 file uploaded')).toBeVisible({ timeout: seconds(120) })
  // Eight chunks, and the second attempt for the chunk that was cut off.
  expect(chunks).toBe(9)
  expect(await storedHash(page)).toBe(file.sha256)
})

test('a reloaded page lists the unfinished upload and resumes it', async ({ page }) => {
  test.setTimeout(seconds(180))
  const file = await largeFile('film.bin')
  page.on('dialog', (dialog) => dialog.accept().catch(() => {}))
  let chunks = 0
  const stands = new Promise<void>((resolve) => {
    // The third chunk never gets an answer.
    void page.route(CHUNKS, (route) => {
      chunks += 1
      return chunks === 3 ? resolve() : route.continue()
    })
  })
  await page.getByLabel('Files to upload').setInputFiles(file.path)
  await stands
  await page.reload()
  await page.unroute(CHUNKS)
  await expect(tray(page, '1 file not uploaded yet')).toBeVisible()
  await expectAccessible(page)

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose the files again' }).click(),
  ])
  const next = page.waitForRequest(CHUNKS)
  await chooser.setFiles(file.path)
  expect(Number(new URL((await next).url()).searchParams.get('offset'))).toBe(2 * 8 * 1024 ** 2)
  await expect(tray(page, '1 file uploaded')).toBeVisible({ timeout: seconds(120) })
  expect(await storedHash(page)).toBe(file.sha256)

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the report' }).click()
  expect((await saved).suggestedFilename()).toBe('uploads.csv')
  await page.reload()
  await expect(row(page, 'film.bin')).toBeVisible()
  await expect(tray(page, '1 file not uploaded yet')).toHaveCount(0)
})

/** Writes small files that contain their own names. */
async function smallFiles(...names: string[]): Promise<string[]> {
  const paths = names.map((name) => test.info().outputPath(name))
  for (const [at, path] of paths.entries()) await writeFile(path, `This is ${names[at]}.`)
  return paths
}

const UPLOADS = '**/api/v1/files/upload?**'

/** The dashboard keeps what is left to upload a moment after it shows it. */
async function untilKept(page: Page, amount: number): Promise<void> {
  const count = () =>
    page.evaluate(() => {
      const { promise, resolve } = Promise.withResolvers<number>()
      const opening = indexedDB.open('strongroom-uploads')
      // Making it is left to the dashboard.
      opening.addEventListener('upgradeneeded', () => opening.transaction?.abort())
      opening.addEventListener('error', () => resolve(0))
      opening.addEventListener('success', () => {
        const database = opening.result
        const counting = database.transaction('uploads')
        const kept = counting.objectStore('uploads').count()
        const end = () => {
          database.close()
          resolve(kept.result)
        }
        counting.addEventListener('complete', end)
        counting.addEventListener('abort', end)
      })
      return promise
    })
  await expect.poll(count).toBe(amount)
}

/** Holds every upload until the returned function is called. */
async function holdUploads(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(UPLOADS, async (route) => {
    await promise
    // The page that sent the request may be gone by now.
    await route.continue().catch(() => undefined)
  })
  return resolve
}

test('a file that is deleted or changed before its turn is reported; the others arrive', async ({ page }) => {
  const paths = await smallFiles('a.txt', 'b.txt', 'c.txt', 'd.txt')
  const letGo = await holdUploads(page)
  await page.getByLabel('Files to upload').setInputFiles(paths)
  await expect(tray(page, 'Uploading, 0 of 4 files done')).toBeVisible()
  await rm(paths[1] ?? '')
  await writeFile(paths[2] ?? '', 'Something else, and longer.')
  // Browsers compare modification times by the second.
  await utimes(paths[2] ?? '', new Date(), new Date(Date.now() + 60_000))
  letGo()
  await expect(tray(page, '2 files uploaded, 2 files failed')).toBeVisible()
  await expect(page.getByText('Changed or deleted since. Add it again.')).toHaveCount(2)
  await expectAccessible(page)
  await page
    .getByRole('region', { name: /uploaded/ })
    .getByRole('link', { name: 'd.txt' })
    .click()
  await expect(page).toHaveURL(/file=\d+/)
})

test('another tab leaves running uploads alone, and takes them over once their tab is closed', async ({
  page,
  context,
}) => {
  const paths = await smallFiles('a.txt', 'b.txt')
  await holdUploads(page)
  await page.getByLabel('Files to upload').setInputFiles(paths)
  await expect(tray(page, 'Uploading, 0 of 2 files done')).toBeVisible()
  await untilKept(page, 2)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(/^Uploads /)
  await other.getByLabel('Files to upload').setInputFiles(await smallFiles('c.txt'))
  await expect(tray(other, '1 file uploaded')).toBeVisible()
  await page.close()
  await expect(tray(other, '2 files not uploaded yet, 1 file uploaded')).toBeVisible()
  await other.getByLabel('The same files again').setInputFiles(paths)
  await expect(tray(other, '3 files uploaded')).toBeVisible()
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await expect(row(other, name)).toBeVisible()
})

test('uploads continue after the user had to sign in again', async ({ page, context }) => {
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt']
  let sent = 0
  await page.route(UPLOADS, async (route) => {
    sent += 1
    if (sent === 2) await context.clearCookies()
    await route.continue()
  })
  await page.getByLabel('Files to upload').setInputFiles(await smallFiles(...names))
  await page.getByRole('button', { name: 'Continue as Ines Carvalho' }).click()
  await expect(tray(page, '4 files uploaded')).toBeVisible()
  for (const name of names) await expect(row(page, name)).toBeVisible()
})

test('the folder of an interrupted upload is chosen again, and its files go where they belong', async ({ page }) => {
  page.on('dialog', (dialog) => dialog.accept().catch(() => {}))
  const folder = test.info().outputPath('Deal')
  await mkdir(join(folder, '2024'), { recursive: true })
  await mkdir(join(folder, '2025'))
  for (const year of ['2024', '2025']) await writeFile(join(folder, year, 'plan.txt'), `In ${year}.`)
  await holdUploads(page)
  await drop(page, [folder])
  await expect(tray(page, 'Uploading, 0 of 2 files done')).toBeVisible()
  await untilKept(page, 2)
  await page.reload()
  await page.unroute(UPLOADS)
  await expect(tray(page, '2 files not uploaded yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose the files again' })).toHaveCount(0)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose the folder again' }).click(),
  ])
  await chooser.setFiles(folder)
  await expect(tray(page, '2 files uploaded')).toBeVisible()
  await row(page, 'Deal').dblclick()
  for (const year of ['2024', '2025']) await expect(row(page, year)).toBeVisible()
})

/** Drops a file in one task, before React can render where it hovers. */
function dropAtOnce(on: Locator, name: string) {
  return on.evaluate((place, title) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['content'], title))
    for (const type of ['dragenter', 'dragover', 'drop']) {
      place.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
    }
  }, name)
}

test('files dropped on a folder, in the list or in the tree, go into it', async ({ page }) => {
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Inbox')
  await page.keyboard.press('Enter')
  await expect(row(page, 'Inbox')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const [first = '', second = '', third = ''] = await smallFiles('a.txt', 'b.txt', 'c.txt')
  const inTree = page.getByRole('treeitem', { name: /Inbox/ })
  for (const [path, on] of [
    [first, row(page, 'Inbox')],
    [second, inTree],
    [third, undefined],
  ] as const) {
    await drop(page, [path], on)
    await expect(tray(page, '1 file uploaded')).toBeVisible()
    await page.getByRole('button', { name: 'Close uploads' }).click()
  }
  await dropAtOnce(inTree, 'd.txt')
  await expect(tray(page, '1 file uploaded')).toBeVisible()
  await expect(row(page, 'c.txt')).toBeVisible()
  await inTree.click()
  for (const name of ['a.txt', 'b.txt', 'd.txt']) await expect(row(page, name)).toBeVisible()
  await expect(row(page, 'c.txt')).toHaveCount(0)
})

test('dropping a file on a page that takes no files does not leave the page', async ({ page }) => {
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
  await drop(page, await smallFiles('a.txt'), page.getByRole('main'))
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/account')
})

test('the dashboard asks about taken names before it sends a file', async ({ page }) => {
  const paths = ['a.txt', 'b.txt', 'c.txt'].map((name) => test.info().outputPath(name))
  for (const path of paths) await writeFile(path, `content of ${path}`)
  const choose = (files: string[]) => page.getByLabel('Files to upload').setInputFiles(files)
  await choose(paths)
  await expect(tray(page, '3 files uploaded')).toBeVisible()
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await expect(row(page, name)).toBeVisible()

  await choose(paths)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('“a.txt” is already there')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'New version' }).click()
  await expect(dialog).toContainText('“b.txt” is already there')
  await dialog.getByRole('checkbox', { name: /the other 1 file/ }).check()
  await dialog.getByRole('button', { name: 'Keep both' }).click()
  await expect(tray(page, '3 files uploaded, 1 as a new version')).toBeVisible()
  await expect(row(page, 'b (2).txt')).toBeVisible()
  await expect(row(page, 'c (2).txt')).toBeVisible()
  await expect(row(page, 'a.txt')).toHaveCount(1)
  await expect(row(page, 'a (2).txt')).toHaveCount(0)

  await choose(paths.slice(0, 1))
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(tray(page, '3 files uploaded, 1 as a new version')).toBeVisible()
})

/** Reloads the page, with the replies of an address late, and leaves it while it waits for them. */
async function reloadLate(page: Page, address: RegExp, url = page.url()): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route(address, async (route) => {
    await setTimeout(2500)
    await route.continue().catch(() => undefined)
  })
  const asked = page.waitForRequest(address)
  await page.goto(url, { waitUntil: 'commit' })
  await asked
}

const SESSION = /\/auth\/session/
const FOLDER = /\/api\/v1\/folders\/\d+\?/

test('files dropped while their folder is being read are uploaded once it is', async ({ page }) => {
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Offers')
  await page.getByRole('button', { name: 'Create folder' }).click()
  await row(page, 'Offers').dblclick()
  await expect(page.getByRole('heading', { name: 'Offers', level: 1 })).toBeVisible()
  const [early, late] = ['early.txt', 'late.txt'].map((name) => test.info().outputPath(name))
  for (const path of [early, late]) await writeFile(path ?? '', 'An offer')

  await reloadLate(page, SESSION)
  await expect(page.getByRole('main')).toHaveCount(0)
  await dropFiles(page, [early ?? ''])
  await expect(tray(page, '1 file uploaded')).toBeVisible()

  await reloadLate(page, FOLDER)
  await expect(page.getByRole('main')).toBeVisible()
  await expect(row(page, 'early.txt')).toHaveCount(0)
  await dropFiles(page, [late ?? ''])
  await expect(tray(page, '1 file uploaded')).toBeVisible()
  for (const name of ['early.txt', 'late.txt']) await expect(row(page, name)).toBeVisible()
})

test('files dropped on a folder that takes none are refused with the reason, also before it is read', async ({
  page,
  browser,
}) => {
  await page.goto('/')
  await page
    .getByRole('link', { name: /Project Harbour/ })
    .first()
    .click()
  await row(page, 'Finance').dblclick()
  await expect(page.getByRole('heading', { name: 'Finance', level: 1 })).toBeVisible()
  const path = test.info().outputPath('offer.txt')
  await writeFile(path, 'An offer')
  const tom = await openAs(browser, 'Tom Becker')
  const refusal = tom.getByText(/^You may not upload to [\d.]+ Finance$/)
  await reloadLate(tom, FOLDER, page.url())
  await expect(tom.getByRole('main')).toBeVisible()
  await dropFiles(tom, [path])
  await expect(refusal).toBeVisible()
  await tom.reload()
  await expect(row(tom, 'Audited accounts')).toBeVisible()
  await dropFiles(tom, [path])
  await expect(refusal.last()).toBeVisible()
  await expect(tray(tom, /upload/i)).toHaveCount(0)
  await tom.context().close()
})
