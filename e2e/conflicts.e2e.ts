import { api } from '../src/client/index.ts'
import type { Page } from '@playwright/test'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// Names that are taken where files are moved, copied or restored to, and Undo.

let room: Room
let page: Page
let archive: number

test.beforeAll(async ({ browser }) => {
  test.setTimeout(seconds(120))
  room = await makeRoom()
  const ines = asAdmin()
  const workspace_id = room.workspaceId
  archive = (await ines.call(api.folders.create, { body: { workspace_id, name: 'Archive' } })).id
  for (const name of ['Memo.pdf', 'Notes.txt']) {
    await ines.call(api.files.upload, { query: { workspace_id, folder_id: archive, file_name: name } }, 'archived')
  }
  const query = { workspace_id, folder_id: room.folderId, file_name: 'Notes.txt' }
  await ines.call(api.files.upload, { query }, 'newer notes')
  page = await enterAs(browser, room.addresses['workspace admin'])
})
test.afterAll(() => page?.context().close())

const rows = (name: string | RegExp) => page.getByRole('main').getByRole('row', { name })

async function open(folder: number) {
  await page.goto(`/workspaces/${room.workspaceId}/files/${folder}`)
  await expect(rows(/Notes/).first()).toBeVisible()
}

/** Chooses both files and moves or copies them to the archive. */
async function send(verb: 'Move' | 'Copy') {
  await open(room.folderId)
  await rows(/Memo/).click()
  await rows(/Notes/).click({ modifiers: ['ControlOrMeta'] })
  await page
    .getByRole('button', { name: `${verb} to…` })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('treeitem', { name: /Archive/ }).click()
  await dialog.getByRole('button', { name: new RegExp(`^${verb} to “[\\d.]+ Archive”$`) }).click()
}

const filesIn = async (id: number) => {
  const query = { workspace_id: room.workspaceId }
  const { immediate_subfiles } = await asAdmin().call(api.folders.get, { params: { id }, query })
  return immediate_subfiles.map(({ title, version }) => `${title} v${version}`)
}

test('files are moved over files of the same name, and Undo brings both sides back', async () => {
  await send('Move')
  const question = page.getByRole('dialog', { name: '“Memo.pdf” is already there' })
  await expect(question).toContainText('Version 1')
  await expectAccessible(page)
  await question.getByRole('checkbox', { name: /other 1 file/ }).check()
  await question.getByRole('button', { name: 'New version' }).click()
  await expect(page.getByText(/^2 files moved to “[\d.]+ Archive”\. 2 became new versions\.$/)).toBeVisible()
  expect(await filesIn(archive)).toEqual(['Memo.pdf v2', 'Notes.txt v2'])
  expect(await filesIn(room.folderId)).toEqual([])

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 files moved back.')).toBeVisible()
  expect(await filesIn(archive)).toEqual(['Memo.pdf v3', 'Notes.txt v3'])
  expect(await filesIn(room.folderId)).toEqual(['Memo.pdf v1', 'Notes.txt v1'])
  await page.goto(`/workspaces/${room.workspaceId}/activities`)
  await expect(page.getByText(/undid version 2 of the file: Memo.pdf/).first()).toBeVisible()
})

test('with the keyboard, one file is skipped and the other is copied under another name', async () => {
  const before = await filesIn(archive)
  await send('Copy')
  await expect(page.getByRole('dialog', { name: '“Memo.pdf” is already there' })).toBeVisible()
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: '“Notes.txt” is already there' })
  await question.getByRole('button', { name: 'Keep both' }).focus()
  await page.keyboard.press('Enter')
  await expect(
    page.getByText(/^“Notes\.txt” copied to “[\d.]+ Archive” as “Notes \(2\)\.txt”\. 1 was skipped\.$/),
  ).toBeVisible()
  expect(await filesIn(archive)).toEqual([...before, 'Notes (2).txt v1'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('“Notes.txt”: copy undone.')).toBeVisible()
  expect(await filesIn(archive)).toEqual(before)
})

test('a restored file becomes a version of the file that took its name', async () => {
  const query = { workspace_id: room.workspaceId, folder_id: room.folderId, file_name: 'Draft.txt' }
  await asAdmin().call(api.files.upload, { query }, 'second thoughts')
  await page.goto(`/workspaces/${room.workspaceId}/trash`)
  await page.getByRole('button', { name: 'Restore Draft.txt' }).click()
  const question = page.getByRole('dialog', { name: '“Draft.txt” is already there' })
  await question.getByRole('button', { name: 'New version' }).click()
  await expect(page.getByText('“Draft.txt” restored as a new version of “Draft.txt”.')).toBeVisible()
  expect(await filesIn(room.folderId)).toContain('Draft.txt v2')
})

const foldersIn = async (id: number) => {
  const query = { workspace_id: room.workspaceId }
  const { immediate_subfolders } = await asAdmin().call(api.folders.get, { params: { id }, query })
  return immediate_subfolders.map(({ name }) => name)
}

test('folders whose names are taken are kept beside the others or skipped: moved, copied and restored', async () => {
  test.setTimeout(seconds(180))
  const workspace_id = room.workspaceId
  const make = (parent_id: number, name: string) =>
    asAdmin().call(api.folders.create, { body: { workspace_id, parent_id, name } })
  for (const parent of [archive, room.folderId]) for (const name of ['Audits', 'Tax']) await make(parent, name)
  const choose = async (verb: 'Move' | 'Copy') => {
    await open(room.folderId)
    await rows(/Audits/).click()
    await rows(/Tax/).click({ modifiers: ['ControlOrMeta'] })
    await rows(/Notes/).click({ modifiers: ['ControlOrMeta'] })
    await page
      .getByRole('button', { name: `${verb} to…` })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('treeitem', { name: /Archive/ }).click()
    await dialog.getByRole('button', { name: new RegExp(`^${verb} to “[\\d.]+ Archive”$`) }).click()
  }
  const question = (name: string) => page.getByRole('dialog', { name: `“${name}” is already there` })

  await choose('Copy')
  await expect(question('Audits')).toContainText('Folders are not merged')
  await expect(question('Audits').getByRole('button', { name: 'New version' })).toHaveCount(0)
  await expectAccessible(page)
  await question('Audits')
    .getByRole('checkbox', { name: /other 1 folder/ })
    .check()
  await question('Audits').getByRole('button', { name: 'Keep both' }).click()
  // The answer for folders is none for files.
  await question('Notes.txt').getByRole('button', { name: 'Skip' }).click()
  await expect(
    page.getByText(/“Audits” is now “Audits \(2\)”\. “Tax” is now “Tax \(2\)”\. 1 was skipped\./),
  ).toBeVisible()
  expect(await foldersIn(archive)).toEqual(['Audits', 'Tax', 'Audits (2)', 'Tax (2)'])

  await choose('Move')
  await question('Audits').getByRole('button', { name: 'Keep both' }).click()
  await question('Tax').getByRole('button', { name: 'Skip' }).click()
  await question('Notes.txt').getByRole('button', { name: 'Skip' }).click()
  await expect(
    page.getByText(/^“Audits” moved to “[\d.]+ Archive” as “Audits \(3\)”\. 2 were skipped\.$/),
  ).toBeVisible()
  expect(await foldersIn(archive)).toEqual(['Audits', 'Tax', 'Audits (2)', 'Tax (2)', 'Audits (3)'])
  expect(await foldersIn(room.folderId)).toEqual(['Tax'])

  const [, , , copied] = (await asAdmin().call(api.folders.get, { params: { id: archive }, query: { workspace_id } }))
    .immediate_subfolders
  await asAdmin().call(api.folders.remove, { params: { id: copied?.id ?? 0 }, query: { workspace_id } })
  await make(archive, 'Tax (2)')
  for (const [answer, words] of [
    ['Skip', 'Nothing was restored.'],
    ['Keep both', '“Tax (2)” restored as “Tax (2) (2)”: its name is taken there.'],
  ] as const) {
    await page.goto(`/workspaces/${workspace_id}/trash`)
    await page.getByRole('button', { name: 'Restore Tax (2)' }).click()
    await question('Tax (2)').getByRole('button', { name: answer }).click()
    await expect(page.getByText(words)).toBeVisible()
  }
})

test('a copy of a folder beside the folder itself asks nothing', async () => {
  await open(room.folderId)
  await rows(/Tax/).click({ button: 'right' })
  await page.getByRole('menuitem').filter({ hasText: 'Copy to…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('treeitem', { name: /Papers/ }).click()
  await dialog.getByRole('button', { name: /^Copy to “[\d.]+ Papers”$/ }).click()
  await expect(page.getByText(/^“Tax” copied to “[\d.]+ Papers” as “Tax \(2\)”\.$/)).toBeVisible()
})
