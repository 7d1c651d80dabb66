import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { Client } from 'pg'
import { expect, seconds, test } from './journey.ts'
import { findPostmaster } from '../src/embedded/postgres/postmaster.ts'
import { connectionString, DATABASE } from '../src/embedded/postgres/settings.ts'
import { samplePdf } from '../src/service/testing/documents/sample-pdf.ts'
import { expectAccessible, openAs, stack } from './people.ts'

// A bidder opens his sealed copy from his own disk until an admin stops it.

const TITLE = 'Merger plan.pdf'

let room: Room
let tom: Page

test.beforeAll(async ({ browser }) => {
  test.setTimeout(seconds(180))
  room = await createRoom(browser)
})
test.afterAll(() => rm(room.folder, { recursive: true, force: true }))
test.beforeEach(async ({ browser }) => {
  test.slow()
  tom = await openAs(browser, 'Tom Becker')
})
test.afterEach(() => tom.context().close())

interface Room {
  ines: Page
  workspaceId: number
  groupId: number
  /** On Tom's disk. */
  folder: string
  file: string
}

/** Calls the API from a page of the dashboard, with the session of that page. */
async function api<Reply>(page: Page, method: string, path: string, body?: unknown): Promise<Reply> {
  return page.evaluate(
    async ({ method, path, body }) => {
      const json =
        body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const response = await fetch(`/api/v1${path}`, { method, ...json })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return response.status === 204 ? undefined : response.json()
    },
    { method, path, body },
  ) as Promise<Reply>
}

async function createRoom(browser: Browser): Promise<Room> {
  const ines = await openAs(browser, 'Ines Carvalho')
  const tom = await openAs(browser, 'Tom Becker')
  const [team] = await api<{ id: number }[]>(ines, 'GET', '/teams')
  const name = `Sealed ${randomBytes(3).toString('hex')}`
  const workspace = await api<{ id: number }>(ines, 'POST', '/workspaces', { workspace: { name, team_id: team?.id } })
  const workspace_id = workspace.id
  const group = await api<{ id: number }>(ines, 'POST', '/groups', { group: { name: 'Bidders', workspace_id } })
  const { id: user_id } = await api<{ id: number }>(tom, 'GET', '/users/me')
  const member = { workspace_id, user_id, send_email: false }
  await api(ines, 'POST', `/groups/${group.id}/memberships`, member)
  await api(ines, 'PUT', '/permissions/folders/0', {
    workspace_id,
    group_id: group.id,
    verb: 'grant',
    folder_action: 'download',
  })
  await switchDrm(ines, { workspaceId: workspace_id, groupId: group.id }, true)
  const fileId = await upload(ines, workspace_id)
  const status = async () => {
    const file = await api<{ viewer_image: { status: string } }>(
      ines,
      'GET',
      `/files/${fileId}?workspace_id=${workspace_id}`,
    )
    return file.viewer_image.status
  }
  await expect.poll(status, { timeout: seconds(120) }).toBe('Ready')
  const folder = await mkdtemp(join(tmpdir(), 'sealed-e2e-'))
  const file = join(folder, `${TITLE}.sealed.html`)
  await writeFile(file, await downloadSealed(tom, workspace_id, fileId))
  await tom.context().close()
  return { ines, workspaceId: workspace_id, groupId: group.id, folder, file }
}

async function switchDrm(page: Page, { workspaceId, groupId }: Pick<Room, 'workspaceId' | 'groupId'>, on: boolean) {
  await api(page, 'PUT', `/groups/${groupId}/drm`, { workspace_id: workspaceId, group: { drm_enabled: on } })
}

async function embeddedUrl(): Promise<string> {
  const postmaster = await findPostmaster(await realpath(join(stack().dataDir, 'postgres')))
  return connectionString(postmaster?.socketDir ?? '', DATABASE)
}

/** Sets the group's last day into the past in the database, since the service refuses a last day that has passed. */
async function letLastDayPass(groupId: number): Promise<void> {
  const client = new Client({ connectionString: process.env['E2E_DATABASE_URL'] ?? (await embeddedUrl()) })
  await client.connect()
  await client.query('update groups set drm_expires_after = current_date - 2 where id = $1', [groupId])
  await client.end()
}

async function upload(page: Page, workspaceId: number): Promise<number> {
  const pdf = samplePdf([{}, { box: [0, 0, 842, 595] }, {}]).toString('base64')
  return page.evaluate(
    async ({ pdf, url }) => {
      const body = Uint8Array.from(atob(pdf), (letter) => letter.charCodeAt(0))
      const response = await fetch(url, { method: 'PUT', body })
      return ((await response.json()) as { id: number }).id
    },
    {
      pdf,
      url: `/api/v1/files/upload?workspace_id=${workspaceId}&folder_id=0&file_name=${encodeURIComponent(TITLE)}`,
    },
  )
}

/** Asks for the file in a zip, as clients of the API get it, and takes the sealed copy out of it. */
async function downloadSealed(page: Page, workspaceId: number, fileId: number): Promise<Uint8Array> {
  const body = { workspace_id: workspaceId, download: { folder_ids: [], file_ids: [fileId] } }
  const { id } = await api<{ id: number }>(page, 'POST', '/downloads', body)
  const status = async () => {
    const list = await api<{ downloads: { id: number; status: string }[] }>(
      page,
      'GET',
      `/downloads/status/${workspaceId}`,
    )
    return list.downloads.find((each) => each.id === id)?.status
  }
  await expect.poll(status, { timeout: seconds(120) }).toBe('done')
  const { expiring_url } = await api<{ expiring_url: string }>(
    page,
    'GET',
    `/downloads/${id}?workspace_id=${workspaceId}`,
  )
  const response = await page.request.get(new URL(expiring_url).pathname)
  const files = unzipSync(await response.body())
  const sealed = files[`${TITLE}.sealed.html`]
  if (!sealed) throw new Error(`only ${Object.keys(files).join()} in the zip`)
  return sealed
}

async function openFromDisk(file = room.file): Promise<Page> {
  const page = await tom.context().newPage()
  await page.goto(pathToFileURL(file).href)
  return page
}

/** Clicks "Open document" in the reader and returns the window that asks for confirmation. */
async function askToOpen(reader: Page): Promise<Page> {
  const opening = reader.waitForEvent('popup')
  await reader.getByRole('button', { name: 'Open document' }).click()
  const popup = await opening
  await expect(popup.getByRole('heading', { name: 'Open a sealed document' })).toBeVisible()
  return popup
}

/** The file brings both, so they are there wherever it is opened. */
async function expectFontAndIcons(reader: Page): Promise<void> {
  const font = await reader.evaluate(async () => {
    await document.fonts.ready
    return [...document.fonts].map(({ family, status }) => `${family.replaceAll('"', '')}: ${status}`)
  })
  expect(font).toContain('Inter Variable: loaded')
  const buttons = await reader.getByRole('toolbar', { name: 'View' }).getByRole('button').all()
  expect(buttons).toHaveLength(5)
  for (const button of buttons) await expect(button.locator('svg')).toBeVisible()
}

async function open(reader: Page): Promise<void> {
  const popup = await askToOpen(reader)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Open document' }).click()
  await closed
  await expect(reader.getByRole('heading', { name: TITLE })).toBeVisible()
}

async function expectRefused(words: string | RegExp): Promise<void> {
  const reader = await openFromDisk()
  const popup = await askToOpen(reader)
  await popup.getByRole('button', { name: 'Open document' }).click()
  await expect(popup.getByText(words)).toBeVisible()
  await popup.close()
  await expect(reader.getByRole('status')).toHaveText(/the document was not opened/)
  await expect(reader.getByText(TITLE)).toHaveCount(0)
  await reader.close()
  const { events } = await api<{ events: { message: string }[] }>(
    room.ines,
    'GET',
    `/activities/workspace/${room.workspaceId}?per_page=25`,
  )
  expect(events[0]?.message).toBe(`was refused the sealed file: ${TITLE}`)
}

test('a sealed copy shows its pages to its reader, and is unreadable without the service', async () => {
  const text = await readFile(room.file, 'latin1')
  // The facts and three pages. Base64 of random bytes spells any four letters by chance, so the parts are decoded.
  const parts = [...text.matchAll(/data-part="\d+">([^<]*)</g)].map(([, part = '']) => Buffer.from(part, 'base64'))
  expect(parts).toHaveLength(4)
  const words = text.replaceAll(/data-part="\d+">[^<]*</g, '')
  expect(words).not.toMatch(/Merger|quick brown fox|Becker/)
  for (const part of parts)
    expect(part.toString('latin1')).not.toMatch(/Merger|quick brown fox|Becker|%PDF-1|JFIF\0|\x89PNG\r|WEBPVP8/)

  const reader = await openFromDisk()
  const problems: string[] = []
  reader.on('pageerror', (error) => problems.push(error.message))
  reader.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await expect(reader).toHaveTitle('Sealed document')
  await expectAccessible(reader)
  const popup = await askToOpen(reader)
  await expectAccessible(popup)
  await popup.close()
  await expect(reader.getByRole('status')).toHaveText(/closed/)

  await open(reader)
  await expect(reader).toHaveTitle(TITLE)
  await expect(reader.getByText(/Made for Tom Becker/)).toBeVisible()
  await expectFontAndIcons(reader)
  const first = reader.getByRole('figure', { name: 'Page 1 of 3' }).getByRole('img')
  await expect(first).toBeVisible()
  expect(await first.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(500)
  await expectAccessible(reader)
  await reader.getByRole('button', { name: 'Go to page 3' }).click()
  await expect(reader.getByText('3 / 3')).toBeVisible()
  await reader.keyboard.press('+')
  await expect(reader.getByText('125 %')).toBeVisible()
  await reader.emulateMedia({ media: 'print' })
  await expect(reader.getByRole('heading', { name: TITLE })).toBeHidden()
  expect(problems).toEqual([])
})

test('G3: a message from another source than the opened window triggers no request', async () => {
  const reader = await openFromDisk()
  const popup = await askToOpen(reader)
  const copy_id = new URL(popup.url()).searchParams.get('copy')
  const asked: string[] = []
  reader.on('request', (request) => asked.push(request.url()))
  const message = { type: 'strongroom-sealed', copy_id, code: 'forged' }
  await reader.evaluate((data) => {
    const { port1, port2 } = new MessageChannel()
    port1.postMessage(data)
    port2.close()
    window.postMessage(data, '*')
    // The message of the real window, sent by another source.
    window.dispatchEvent(new MessageEvent('message', { data, origin: location.origin, source: window }))
  }, message)
  await expect(reader.getByRole('status')).toHaveText(/Go on in the window/)
  expect(asked).toEqual([])
  await popup.close()
})

test('another user who signs in at the window is refused with the reason', async () => {
  const reader = await openFromDisk()
  const popup = await askToOpen(reader)
  await popup.getByRole('button', { name: 'Sign in as somebody else' }).click()
  await popup.getByRole('button', { name: 'Continue as Ines Carvalho' }).click()
  await popup.getByRole('button', { name: 'Open document' }).click()
  await expect(popup.getByText(/made for somebody else/)).toBeVisible()
  await expect(popup.getByText(/Signed in as Ines Carvalho/)).toBeVisible()
})

test('if the browser blocks the window, a code opens the document', async () => {
  const reader = await tom.context().newPage()
  await reader.addInitScript(() => {
    window.open = () => null
  })
  await reader.goto(pathToFileURL(room.file).href)
  await reader.getByRole('button', { name: 'Open document' }).click()
  await expect(reader.getByRole('heading', { name: 'Enter this code' })).toBeVisible()
  await expectAccessible(reader)
  const code = (await reader.locator('#user-code').textContent()) ?? ''

  await tom.goto('/sealed/open')
  await tom.getByLabel('Code').fill(code.toLowerCase())
  await tom.keyboard.press('Enter')
  await expect(tom.getByText(TITLE)).toBeVisible()
  await tom.getByRole('button', { name: 'Open document' }).click()
  await expect(tom.getByText('It opens where you saw the code')).toBeVisible()
  await expect(reader.getByRole('heading', { name: TITLE })).toBeVisible()
})

test('a browser that prefers German shows the reader in German', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'de-DE', storageState: await tom.context().storageState() })
  const reader = await context.newPage()
  await reader.goto(pathToFileURL(room.file).href)
  await expect(reader).toHaveTitle('Versiegeltes Dokument')
  await expect(reader.locator('html')).toHaveAttribute('lang', 'de')
  const host = new URL(stack().url).host
  await expect(reader.getByText(`sobald sie sich bei ${host} angemeldet hat`)).toBeVisible()
  await expectAccessible(reader)

  await reader.getByRole('button', { name: 'Stattdessen mit einem Code öffnen' }).click()
  await expect(reader.getByText(`unter ${host}/sealed/open an`)).toBeVisible()
  await reader.getByRole('button', { name: 'Abbrechen' }).click()
  await expect(reader.getByRole('status')).toHaveText('Das Dokument wurde nicht geöffnet.')

  const opening = reader.waitForEvent('popup')
  await reader.getByRole('button', { name: 'Dokument öffnen' }).click()
  const popup = await opening
  await expect(popup.getByRole('heading', { name: 'Versiegeltes Dokument öffnen' })).toBeVisible()
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Dokument öffnen' }).click()
  await closed
  const day = new Date().toLocaleDateString('de-DE', { day: 'numeric', month: 'short', year: 'numeric' })
  await expect(reader.getByText(`Am ${day} für Tom Becker gemacht.`)).toBeVisible()
  await expect(reader.getByRole('figure', { name: 'Seite 1 von 3' }).getByRole('img')).toBeVisible()
  await expectAccessible(reader)
  await reader.getByRole('button', { name: 'Zu Seite 3' }).click()
  await expect(reader.getByText('3 / 3')).toBeVisible()
  await context.close()
})

test('a page that was tampered with in the file is not shown', async () => {
  const text = await readFile(room.file, 'utf8')
  const start = text.indexOf('data-part="1">') + 'data-part="1">'.length + 400
  const other = text[start] === 'A' ? 'B' : 'A'
  const changed = join(room.folder, 'changed.html')
  await writeFile(changed, text.slice(0, start) + other + text.slice(start + 1))
  const reader = await openFromDisk(changed)
  await open(reader)
  await expect(reader.getByRole('figure', { name: 'Page 1 of 3' })).toContainText('was changed or is missing')
  await expect(reader.getByRole('figure', { name: 'Page 2 of 3' }).getByRole('img')).toBeVisible()
})

test('the next opening is refused once an admin stops it', async () => {
  const { ines, workspaceId, groupId } = room
  await open(await openFromDisk())

  await ines.goto(`/workspaces/${workspaceId}/groups/${groupId}`)
  await expect(ines.getByText(/^Opened (once|[0-9]+ times), last/)).toBeVisible()
  await ines.getByRole('button', { name: `Revoke the copy of ${TITLE}` }).click()
  await expect(ines.getByText('Revoked')).toBeVisible()
  await expectAccessible(ines)
  await expectRefused('This copy was revoked.')
  await ines.getByRole('button', { name: `Restore the copy of ${TITLE}` }).click()
  await expect(ines.getByText('Revoked')).toHaveCount(0)
  await open(await openFromDisk())

  await switchDrm(ines, room, false)
  await expectRefused(/switched off for your group/)
  await switchDrm(ines, room, true)
  await open(await openFromDisk())

  await letLastDayPass(groupId)
  await expectRefused(/last day on which it could be opened has passed/)
  await api(ines, 'PUT', `/groups/${groupId}/disable_drm_expiration`, { workspace_id: workspaceId })
  await open(await openFromDisk())

  const { id } = await api<{ id: number }>(tom, 'GET', '/users/me')
  await api(ines, 'DELETE', `/groups/${groupId}/memberships?workspace_id=${workspaceId}&user_id=${id}`)
  await expectRefused(/not a member of its workspace/)
})
