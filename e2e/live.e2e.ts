import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { POLL_MS } from '../src/dashboard/shared/live/follow-workspace.ts'
import { expect, seconds, test } from './journey.ts'
import { drop, expectAccessible, openAs } from './people.ts'

// Two users look at the same workspace in separate browsers and see each other's changes without a reload.
test.describe.configure({ mode: 'serial' })

const room = `Project Echo ${randomBytes(3).toString('hex')}`
let ines: Page
let tom: Page
let address: string

test.beforeAll(async ({ browser }) => {
  ines = await openAs(browser, 'Ines Carvalho')
  tom = await openAs(browser, 'Tom Becker')
})
test.afterAll(async () => {
  await ines?.context().close()
  await tom?.context().close()
})

const rail = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })

async function upload(page: Page, name: string): Promise<void> {
  const path = test.info().outputPath(name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, 'what two people see')
  await drop(page, [path])
  await expect(page.getByRole('region', { name: '1 file uploaded' })).toBeVisible()
}

test('an admin creates a workspace with a group', async () => {
  await ines.getByRole('button', { name: 'New workspace' }).first().click()
  await ines.getByRole('dialog').getByLabel('Name').fill(room)
  await ines
    .getByRole('dialog')
    .getByRole('button', { name: /Create/ })
    .click()
  await expect(ines.getByRole('heading', { name: room, level: 1 })).toBeVisible()
  address = new URL(ines.url()).pathname.replace(/\/files.*/, '')
  await upload(ines, 'first.txt')
  await rail(ines, 'Groups').click()
  await ines.getByRole('button', { name: 'New group' }).click()
  await ines.getByRole('dialog').getByLabel('Name').fill('Buyers')
  await ines
    .getByRole('dialog')
    .getByRole('button', { name: /Create/ })
    .click()
  await ines.getByLabel('Name or e-mail address').fill('tom.becker@northgate.example')
  await ines.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(ines.getByRole('listitem').filter({ hasText: 'tom.becker@northgate.example' })).toBeVisible()
})

test('granting a right shows the files in the other browser', async () => {
  await tom.goto(`${address}/files`)
  await expect(tom.getByRole('heading', { name: room, level: 1 })).toBeVisible()
  await expect(tom.getByText('Nothing is shared with you')).toBeVisible()
  await expect(tom.getByText('first.txt')).toHaveCount(0)
  await rail(ines, 'Access').click()
  await ines.getByRole('treegrid').getByRole('checkbox', { name: 'Download, Buyers, All Folders' }).click()
  await expect(tom.getByRole('row', { name: /first\.txt/ })).toBeVisible()
})

test('an uploaded file appears in the other browser', async () => {
  await rail(ines, 'Files').click()
  await expect(ines.getByRole('row', { name: /first\.txt/ })).toBeVisible()
  const arrived = tom
    .getByRole('row', { name: /second\.txt/ })
    .waitFor({ timeout: seconds(60) })
    .then(() => Date.now())
  await upload(ines, 'second.txt')
  const shown = Date.now()
  const after = Math.max(0, (await arrived) - shown)
  console.log(`It was in the other browser ${after} ms after it was in this one.`)
  expect(after).toBeLessThan(seconds(20))
})

test('an admin sees the acts of others as they happen', async () => {
  await rail(ines, 'Activity').click()
  await expect(ines.getByRole('img', { name: /^Activity from/ })).toBeVisible()
  const told = ines.getByText('downloaded the file: second.txt')
  await expect(ines.getByText('added the file: second.txt')).toBeVisible()
  await expect(told).toHaveCount(0)
  await tom.getByRole('row', { name: /second\.txt/ }).click()
  const saved = tom.waitForEvent('download')
  await tom.getByRole('button', { name: 'Download' }).first().click()
  await saved
  await expect(told).toBeVisible()
})

test('the activity page lists the most viewed files and the most active people, in both colour schemes', async () => {
  await ines.reload()
  const files = ines.getByRole('table', { name: 'Most viewed files' })
  await expect(files.getByRole('row', { name: /second\.txt/ })).toBeVisible()
  await expectAccessible(ines)
  await ines.getByRole('table', { name: 'Most active people' }).getByRole('link', { name: 'Tom Becker' }).click()
  await expect(ines.getByRole('heading', { name: 'What Tom Becker read' })).toBeVisible()
  await expectAccessible(ines)
})

test('the activity page lists the files that a group has not opened yet', async () => {
  await ines.goto(`${address}/activities?show=unread`)
  await expect(ines.getByText('1 of 2 files opened by 1 member')).toBeVisible()
  await expect(ines.getByRole('row', { name: /first\.txt/ })).toBeVisible()
  await expect(ines.getByRole('row', { name: /second\.txt/ })).toHaveCount(0)
  await expectAccessible(ines)
})

test('the filtered activity feed is exported as CSV', async () => {
  await ines.goto(`${address}/activities?verb=downloaded`)
  const saved = ines.waitForEvent('download')
  await ines.getByRole('button', { name: 'Export CSV' }).click()
  expect((await saved).suggestedFilename()).toBe(`${room} activity.csv`)
})

test('revoking a right hides the files in the other browser', async () => {
  await rail(ines, 'Access').click()
  await ines
    .getByRole('treegrid')
    .getByRole('checkbox', { name: 'View, Buyers, All Folders' })
    .click({ modifiers: ['Alt'] })
  await expect(tom.getByText('Nothing is shared with you')).toBeVisible()
  await expect(tom.getByRole('row', { name: /second\.txt/ })).toHaveCount(0)
})

test('typed input stays when another browser changes the same value', async ({ browser }) => {
  const other = await openAs(browser, 'Ines Carvalho')
  for (const page of [ines, other]) {
    await page.goto(`${address}/groups`)
    await page.getByRole('link', { name: 'Buyers' }).click()
    await page.getByRole('switch', { name: 'Access ends' }).click()
  }
  await ines.getByLabel('Ends on').fill('2199-03-04')
  await other.getByLabel('Ends on').fill('2198-01-02')
  await other.getByRole('button', { name: 'Set' }).click()
  await expect(ines.getByText('Somebody changed this to “2 Jan 2198” meanwhile.')).toBeVisible()
  await expect(ines.getByLabel('Ends on')).toHaveValue('2199-03-04')
  await expectAccessible(ines)
  await ines.getByRole('button', { name: 'Set' }).click()
  await expect(ines.getByRole('button', { name: 'Set' })).toHaveCount(0)
  await other.reload()
  await expect(other.getByLabel('Ends on')).toHaveValue('2199-03-04')
  await other.context().close()
})

test('a removed member no longer sees the workspace', async () => {
  await tom.clock.install()
  await tom.goto(`${address}/files`)
  await expect(tom.getByRole('heading', { name: room, level: 1 })).toBeVisible()
  await rail(ines, 'People').click()
  await ines.getByRole('button', { name: 'Actions for Tom Becker' }).click()
  await expect(ines.getByRole('menuitem', { name: 'What they did' })).toBeVisible()
  await expectAccessible(ines)
  await ines.getByRole('menuitem', { name: 'Remove from the workspace' }).click()
  const refused = tom.waitForResponse((reply) => reply.url().endsWith('/events') && reply.status() === 404, {
    timeout: seconds(60),
  })
  await ines.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(ines.getByText('tom.becker@northgate.example')).toHaveCount(0)
  await refused
  await tom.clock.fastForward(POLL_MS)
  await expect(tom.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible({
    timeout: seconds(60),
  })
})
