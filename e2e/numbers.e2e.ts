import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { api } from '../src/client/index.ts'
import { expect, test } from './journey.ts'
import { expectAccessible } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// The numbers of folders and files, as an admin and two readers with different rights see them.

let room: Room
let annexesId: number
test.beforeAll(async () => {
  room = await makeRoom()
  const { workspaceId: workspace_id, groupId: group_id, folderId } = room
  const admin = asAdmin()
  const secret = await admin.call(api.folders.create, { body: { workspace_id, parent_id: 0, name: 'Secret' } })
  const hide = { workspace_id, group_id, verb: 'revoke' as const, folder_action: 'view' as const }
  await admin.call(api.permissions.set, { params: { id: secret.id }, body: hide })
  const first = { workspace_id, folder: { index: 1 } }
  await admin.call(api.folders.update, { params: { id: secret.id }, body: first })
  const annexes = { workspace_id, parent_id: folderId, name: '2.1 Annexes' }
  annexesId = (await admin.call(api.folders.create, { body: annexes })).id
})

const numbersIn = (page: Page) =>
  page
    .getByRole('grid')
    .locator('.line')
    .evaluateAll((all) =>
      all.map((each) => [...each.querySelectorAll('.outline, .title')].map((part) => part.textContent).join(' ')),
    )

async function choose(page: Page, name: string): Promise<void> {
  await page.goto(`/workspaces/${room.workspaceId}/settings`)
  const stored = page.waitForResponse((reply) => reply.request().method() === 'PUT')
  await page.getByRole('radio', { name }).click()
  await stored
  await page.reload()
  await expect(page.getByRole('radio', { name })).toBeChecked()
}

test('an admin chooses whether readers see gaps, and each reader sees only their own numbers', async ({ browser }) => {
  const admin = await enterAs(browser, room.addresses['workspace admin'])
  const reader = await enterAs(browser, room.addresses.reader)
  const downloader = await enterAs(browser, room.addresses.downloader)
  const top = `/workspaces/${room.workspaceId}/files`
  const papers = `${top}/${room.folderId}`
  const seen = async (page: Page, address: string, numbers: string[]) => {
    await page.goto(address)
    await expect.poll(() => numbersIn(page)).toEqual(numbers)
  }
  await seen(reader, top, ['2 Papers'])
  await seen(reader, papers, ['2.1 Annexes', '2.2 Memo.pdf'])

  await choose(admin, 'Counted for each reader')
  await expectAccessible(admin)
  await seen(admin, top, ['1 Secret', '2 Papers'])
  await seen(downloader, papers, ['2.1 Annexes', '2.2 Memo.pdf'])
  await seen(reader, top, ['1 Papers'])
  await seen(reader, papers, ['1.1 Annexes', '1.2 Memo.pdf'])
  await expect(reader.getByRole('treeitem', { name: /^1 Papers/ })).toBeVisible()
  await reader.goto(`${papers.replace(`files/${room.folderId}`, 'search')}?q=memo`)
  await expect(reader.getByRole('main').getByText('1.2', { exact: true })).toBeVisible()
  await expect(reader.getByRole('link', { name: '/1 Papers', exact: true })).toBeVisible()
  await reader.goto(`${top}/${annexesId}`)
  await expect(reader.getByRole('heading', { level: 1, name: '1.1 Annexes', exact: true })).toBeVisible()
  await expect(reader).toHaveTitle('1.1 Annexes – Strongroom')
  await expect(reader.getByRole('navigation', { name: 'Folders above' })).toContainText('1 Papers')
  await expect(reader.getByRole('main')).not.toContainText('2.1')
  await reader.goto(`${top}/${room.fileId}/view`)
  await expect(reader.getByRole('main').getByText('1.2', { exact: true })).toBeVisible()
  const asReader = `/workspaces/${room.workspaceId}/view-as/${room.folderId}?group=${room.groupId}`
  await seen(admin, asReader, ['1.1 Annexes', '1.2 Memo.pdf'])
  await expect(admin.getByRole('treeitem', { name: /^1 Papers/ })).toBeVisible()

  await choose(admin, 'The same for everyone')
  await seen(reader, papers, ['2.1 Annexes', '2.2 Memo.pdf'])
})

test('a reader exports the index of what they can see', async ({ browser }) => {
  const reader = await enterAs(browser, room.addresses.reader)
  await reader.goto(`/workspaces/${room.workspaceId}/files`)
  await expect(reader.getByRole('grid')).toBeVisible()
  const save = async (format: RegExp) => {
    await reader.getByRole('button', { name: 'Export index…' }).click()
    await reader.getByRole('dialog').getByRole('radio', { name: format }).check()
    const saving = reader.waitForEvent('download')
    await reader.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    return readFile(await (await saving).path())
  }
  const csv = (await save(/CSV/)).toString()
  expect(csv).toContain('2.2,Memo.pdf,/Papers,File,')
  expect(csv).toContain(`/workspaces/${room.workspaceId}/files/${room.fileId}/view`)
  const parts = unzipSync(new Uint8Array(await save(/XLSX/)))
  const sheet = new TextDecoder().decode(parts['xl/worksheets/sheet1.xml'])
  expect(sheet).toContain('Memo.pdf')
  expect(csv + sheet).not.toContain('Secret')
  const pdf = (await save(/PDF/)).toString('latin1')
  const links = [...pdf.matchAll(/\/URI\(([^)]*)\)/g)].map(([, address = '']) => new URL(address).pathname)
  const files = `/workspaces/${room.workspaceId}/files`
  expect(links).toContain(`${files}/${room.fileId}/view`)
  expect(links).toHaveLength(csv.trim().split('\n').length - 1)
})

test('an admin numbers a folder by name, and undoes it', async ({ browser }) => {
  const admin = await enterAs(browser, room.addresses['workspace admin'])
  const { workspaceId: workspace_id, folderId: parent_id } = room
  const { id } = await asAdmin().call(api.folders.create, { body: { workspace_id, parent_id, name: 'Series' } })
  for (const name of ['Part 10', 'Part 2', 'Part 1']) {
    await asAdmin().call(api.folders.create, { body: { workspace_id, parent_id: id, name } })
  }
  await admin.goto(`/workspaces/${workspace_id}/files/${id}`)
  const before = ['2.2.1 Part 10', '2.2.2 Part 2', '2.2.3 Part 1']
  await expect.poll(() => numbersIn(admin)).toEqual(before)
  await admin.getByRole('grid').click({ button: 'right', position: { x: 300, y: 300 } })
  await admin.getByRole('menuitem', { name: 'Number by name…' }).click()
  await expectAccessible(admin)
  await admin.getByRole('dialog').getByRole('button', { name: 'Number', exact: true }).click()
  await expect.poll(() => numbersIn(admin)).toEqual(['2.2.1 Part 1', '2.2.2 Part 2', '2.2.3 Part 10'])
  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => numbersIn(admin)).toEqual(before)
  await admin.goto(`/workspaces/${workspace_id}/activities`)
  await expect(admin.getByText('undid the new numbers in the folder: Series')).toBeVisible()
})

test('from a file to who can see it, and why, to the view as one of them, with the same numbers', async ({
  browser,
}) => {
  const { workspaceId: workspace_id, groupId: group_id, folderId, fileId } = room
  const body = { workspace_id, group_id, verb: 'grant' as const, folder_action: 'download' as const }
  await asAdmin().call(api.permissions.set, { params: { id: folderId }, body })
  const admin = await enterAs(browser, room.addresses['workspace admin'])
  await admin.goto(`/workspaces/${workspace_id}/files/${folderId}`)
  const line = admin.getByRole('main').getByRole('row', { name: /Memo\.pdf/ })
  // Which number the file has depends on the tests before.
  const [number = ''] = /2\.\d+/.exec(await line.innerText()) ?? []
  await line.click({ button: 'right' })
  await admin.getByRole('menuitem').filter({ hasText: 'Who can see this?' }).click()
  const dialog = admin.getByRole('dialog', { name: `Who can see ${number} Memo.pdf?` })
  const reader = dialog.getByRole('listitem').filter({ hasText: room.addresses.reader })
  await expect(reader).toContainText('Download: Group reader, given on 2 Papers')
  await expect(reader).toContainText('View: Group reader, given on All Folders')
  await expectAccessible(admin)
  await reader.getByRole('link', { name: /^View as Reader/ }).click()
  await expect(admin).toHaveURL(new RegExp(`/view-as/${folderId}\\?.*file=${fileId}`))
  await expect(admin.getByRole('main').getByText(number, { exact: true }).first()).toBeVisible()
  await expect(admin.getByRole('main').getByText('Memo.pdf').first()).toBeVisible()
})

test('an admin searches as a reader, and is told what a download of a folder would give them', async ({ browser }) => {
  const { workspaceId: workspace_id, groupId: group_id, folderId } = room
  const body = { workspace_id, group_id, verb: 'grant' as const, folder_action: 'download' as const }
  await asAdmin().call(api.permissions.set, { params: { id: folderId }, body })
  const admin = await enterAs(browser, room.addresses['workspace admin'])
  await admin.goto(`/workspaces/${workspace_id}/view-as?group=${group_id}`)
  const papers = admin.getByRole('grid').getByText('Papers', { exact: true })
  await papers.click()
  const gets = admin.getByRole('region', { name: 'What they get' })
  await expect(gets).toContainText('A zip with 1 original file')
  await expectAccessible(admin)
  // Of what only admins see, a search in their place finds nothing.
  await admin.keyboard.press('/')
  await admin.keyboard.type('secret')
  await admin.keyboard.press('Enter')
  await expect(admin.getByText('Only files that they may view are searched. Try fewer or other words.')).toBeVisible()
  await expect(admin.getByRole('link', { name: /Secret/ })).toHaveCount(0)
  const field = admin.getByRole('searchbox', { name: 'Search as they do' })
  await field.fill('memo')
  await field.press('Enter')
  await expect(admin.getByRole('link', { name: 'Memo.pdf' })).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('link', { name: 'Memo.pdf' }).click()
  await expect(admin).toHaveURL(new RegExp(`/files/${room.fileId}/view\\?.*group=${group_id}`))
  await expect(admin.getByRole('note')).toContainText('You see this workspace as')
  const { events } = await asAdmin().call(api.activities.list, { params: { workspace_id } })
  const reader = room.addresses.reader
  expect(events.filter(({ user_name, verb }) => verb === 'viewed' && user_name.includes(reader))).toEqual([])
})
