import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from './journey.ts'
import { drop, expectAccessible, openAs, signInAs, untilStored } from './people.ts'

// One deal from an empty workspace to its activity feed. Each test continues where the previous one ended.
test.describe.configure({ mode: 'serial' })

const room = `Project Lantern ${randomBytes(3).toString('hex')}`
let ines: Page
let tom: Page
let address: string
let folder: string

const names = { offer: 'Offer 2026 – final.pdf', plan: '事業計画 📈.docx', notes: 'notes.txt', empty: 'empty.txt' }

/** Writes a nested folder with a PDF, a Word document with a non-Latin name, a text file and an empty file. */
async function makeFolder(): Promise<string> {
  const path = test.info().outputPath('Dossier')
  await mkdir(join(path, 'Bids', 'Round 1'), { recursive: true })
  await mkdir(join(path, 'Legal'), { recursive: true })
  const pages = '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\n'
  const pdf = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n${pages}trailer<</Root 1 0 R>>\n%%EOF\n`
  const docx = zipSync({ '[Content_Types].xml': strToU8('<Types/>'), 'word/document.xml': strToU8('<document/>') })
  await writeFile(join(path, 'Bids', 'Round 1', names.offer), pdf)
  await writeFile(join(path, 'Legal', names.plan), docx)
  await writeFile(join(path, names.notes), 'to be read by nobody')
  await writeFile(join(path, names.empty), '')
  return path
}

test.beforeAll(async ({ browser }) => {
  folder = await makeFolder()
  ines = await openAs(browser, 'Ines Carvalho')
  tom = await openAs(browser, 'Tom Becker')
})
test.afterAll(async () => {
  await ines?.context().close()
  await tom?.context().close()
})

const rail = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
const list = (page: Page) => page.getByRole('main')

test('an admin creates a workspace and finds it empty', async () => {
  await ines.getByRole('button', { name: 'New workspace' }).first().click()
  const dialog = ines.getByRole('dialog')
  await dialog.getByLabel('Name').fill(room)
  await dialog.getByRole('button', { name: /Create/ }).click()
  await expect(ines.getByRole('heading', { name: room, level: 1 })).toBeVisible()
  address = new URL(ines.url()).pathname.replace(/\/files.*/, '')
  await expectAccessible(ines)
})

test('the admin drops a nested folder of real files and sees it', async () => {
  await drop(ines, [folder])
  await expect(ines.getByRole('region', { name: '4 files uploaded' })).toBeVisible()
  await expect(list(ines).getByText('Dossier').first()).toBeVisible()
  await ines.goto(`${address}/files`)
  await list(ines)
    .getByRole('row', { name: /Dossier/ })
    .dblclick()
  for (const name of ['Bids', 'Legal', names.notes, names.empty]) {
    await expect(list(ines).getByRole('row', { name: new RegExp(name.replace('.', '\\.')) })).toBeVisible()
  }
  await expectAccessible(ines)
})

test('the admin creates a group with a member', async () => {
  await rail(ines, 'Groups').click()
  await ines.getByRole('button', { name: 'New group' }).click()
  const dialog = ines.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Buyers')
  await dialog.getByRole('button', { name: /Create/ }).click()
  await expect(ines.getByRole('heading', { name: 'Buyers', level: 1 })).toBeVisible()
  await ines.getByLabel('Name or e-mail address').fill('tom.becker@northgate.example')
  await ines.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(ines.getByRole('listitem').filter({ hasText: 'tom.becker@northgate.example' })).toBeVisible()
  await expectAccessible(ines)
})

test('the admin grants download on one folder with the mouse and view on another with the keyboard', async () => {
  await rail(ines, 'Access').click()
  const grid = ines.getByRole('treegrid')
  await grid.getByText('Dossier').click()
  const download = grid.getByRole('checkbox', { name: 'Download, Buyers, Dossier, Bids' })
  await untilStored(ines, () => download.click())
  await expect(download).toHaveAttribute('aria-checked', 'true')
  await expect(grid.getByRole('checkbox', { name: 'View, Buyers, Dossier', exact: true })).toHaveAttribute(
    'aria-checked',
    'mixed',
  )

  // From the Download cell of Bids: down to Legal, left to View, then Space.
  await ines.keyboard.press('ArrowDown')
  await ines.keyboard.press('ArrowLeft')
  await untilStored(ines, () => ines.keyboard.press('Space'))
  await expect(grid.getByRole('checkbox', { name: 'View, Buyers, Dossier, Legal' })).toHaveAttribute(
    'aria-checked',
    'true',
  )
  await expect(grid.getByRole('checkbox', { name: 'Download, Buyers, Dossier, Legal' })).toHaveAttribute(
    'aria-checked',
    'false',
  )
  await expectAccessible(ines)
})

test('the member sees only these folders, and downloads one file unchanged', async () => {
  await tom.goto('/')
  await tom
    .getByRole('link', { name: new RegExp(room) })
    .first()
    .click()
  await tom.getByRole('link', { name: 'Open files' }).click()
  await list(tom)
    .getByRole('row', { name: /Dossier/ })
    .dblclick()
  await expect(list(tom).getByRole('row', { name: /Bids/ })).toBeVisible()
  await expect(list(tom).getByRole('row', { name: /Legal/ })).toBeVisible()
  await expect(tom.getByText(names.notes)).toHaveCount(0)
  await expect(tom.getByRole('button', { name: 'Upload' })).toHaveCount(0)

  await list(tom).getByRole('row', { name: /Bids/ }).dblclick()
  await list(tom)
    .getByRole('row', { name: /Round 1/ })
    .dblclick()
  await list(tom)
    .getByRole('row', { name: /Offer 2026/ })
    .click()
  const [saved] = await Promise.all([
    tom.waitForEvent('download'),
    tom.getByRole('button', { name: 'Download' }).first().click(),
  ])
  expect(saved.suggestedFilename()).toBe(names.offer)
  const sha256 = async (path: string) =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  expect(await sha256(await saved.path())).toBe(await sha256(join(folder, 'Bids', 'Round 1', names.offer)))
  await expectAccessible(tom)
})

test('the member is refused the download of a view-only file', async () => {
  await tom.goto(`${address}/files`)
  await list(tom)
    .getByRole('row', { name: /Dossier/ })
    .dblclick()
  await list(tom).getByRole('row', { name: /Legal/ }).dblclick()
  await list(tom)
    .getByRole('row', { name: /事業計画/ })
    .click()
  await expect(list(tom).getByRole('heading', { name: names.plan })).toBeVisible()
  await expect(tom.getByRole('button', { name: 'Download', exact: true })).toHaveCount(0)

  const content = await tom.request.get(`/api/v1${await legalFolder()}`)
  const { immediate_subfiles } = (await content.json()) as { immediate_subfiles: { id: number }[] }
  const query = `workspace_id=${address.split('/').at(-1)}`
  const refused = await tom.request.get(`/api/v1/downloads/file/${immediate_subfiles[0]?.id}?${query}`)
  expect(refused.status()).toBe(403)
  expect(await refused.json()).toMatchObject({ error: { code: 403 } })
})

async function legalFolder(): Promise<string> {
  const folderId = /files\/(\d+)/.exec(tom.url())?.[1]
  return `/folders/${folderId}?workspace_id=${address.split('/').at(-1)}`
}

test('the member is refused the pages of admins', async () => {
  await tom.goto(`${address}/permissions`)
  await expect(tom.getByText('Only workspace admins change permissions.')).toBeVisible()
  for (const page of ['people', 'settings']) {
    await tom.goto(`${address}/${page}`)
    await expect(tom.getByRole('main')).toContainText('You may not see this')
  }
})

test('the activity feed lists the acts', async () => {
  await rail(ines, 'Activity').click()
  const feed = list(ines)
  for (const sentence of [
    'added the folder: Dossier',
    `added the file: ${names.plan}`,
    'added the group: Buyers',
    'granted download access to Bids for group: Buyers',
    'granted view access to Legal for group: Buyers',
    'added Tom Becker to group Buyers',
    'joined this Workspace',
    `downloaded the file: ${names.offer}`,
  ]) {
    await expect(feed.getByText(sentence).first()).toBeVisible()
  }
  await expectAccessible(ines)
})

test('a revoked right takes effect on the next page', async () => {
  await rail(ines, 'Access').click()
  const grid = ines.getByRole('treegrid')
  const dossier = grid.getByRole('checkbox', { name: 'View, Buyers, Dossier', exact: true })
  await untilStored(ines, () => dossier.click({ modifiers: ['Alt'] }))
  await expect(dossier).toHaveAttribute('aria-checked', 'false')
  await tom.goto(`${address}/files`)
  await expect(tom.getByRole('heading', { name: room, level: 1 })).toBeVisible()
  await expect(tom.getByText('Nothing is shared with you')).toBeVisible()
  await expect(tom.getByText('Dossier')).toHaveCount(0)
})

test('signing out ends the session', async ({ page }) => {
  await signInAs(page, 'Tom Becker')
  await page.getByRole('button', { name: /account of Tom Becker/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('button', { name: 'Continue as Tom Becker' })).toBeVisible()
  await page.goto(`${address}/files`)
  await expect(page).toHaveURL(/sign-in/)
})
