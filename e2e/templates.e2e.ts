import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { expectAccessible, openAs } from './people.ts'

// A workspace from a template, a template from a workspace, and another workspace like it.
test.describe.configure({ mode: 'serial' })

const suffix = randomBytes(3).toString('hex')
const [first, template, second] = [`Sale ${suffix}`, `Our sales ${suffix}`, `Next sale ${suffix}`]
const third = `Board ${suffix}`
let ines: Page
let room: string

test.beforeAll(async ({ browser }) => {
  ines = await openAs(browser, 'Ines Carvalho')
})
test.afterAll(() => ines?.context().close())

const dialog = () => ines.getByRole('dialog')
const row = (name: string) => ines.getByRole('main').getByRole('row', { name: new RegExp(name) })

async function beginWith(name: string) {
  await dialog().getByRole('combobox', { name: 'Begin with' }).click()
  await ines.getByRole('option', { name, exact: true }).click()
}

async function create(name: string) {
  await dialog().getByLabel('Name').fill(name)
  await dialog().getByRole('button', { name: 'Create workspace' }).click()
  await expect(ines.getByRole('heading', { name, level: 1 })).toBeVisible()
}

test('a workspace begins with the folders and groups that the dialog names', async () => {
  await ines.getByRole('button', { name: 'New workspace' }).first().click()
  await beginWith('Due diligence')
  await expect(dialog().getByText('Overview, Corporate, Finance', { exact: false })).toBeVisible()
  await expect(
    dialog().getByText('People and the contact, files, drafts, dates, terms, questions and API access are not.', {
      exact: false,
    }),
  ).toBeVisible()
  await expectAccessible(ines)
  await create(first)
  room = new URL(ines.url()).pathname.replace(/\/files.*/, '')
  await expect(row('Corporate')).toBeVisible()
  await expect(row('Bids')).toBeVisible()
  await ines.goto(`${room}/permissions`)
  const grid = ines.getByRole('treegrid')
  await expect(grid.getByRole('checkbox', { name: 'View, Bidders, Finance' })).toBeChecked()
  await expect(grid.getByRole('checkbox', { name: 'View, Bidders, Transaction' })).not.toBeChecked()
})

test('its folders begin as drafts if wished, and are published together', async () => {
  const name = `Prepared ${suffix}`
  await ines.goto('/')
  await ines.getByRole('button', { name: 'New workspace' }).first().click()
  await beginWith('Due diligence')
  await dialog().getByRole('checkbox', { name: 'The folders begin as drafts' }).check()
  await expectAccessible(ines)
  await create(name)
  const note = ines.getByRole('note').filter({ hasText: 'Only workspace admins see 15 folders of this list' })
  await expect(note).toBeVisible()
  await expectAccessible(ines)
  await note.getByRole('button', { name: 'Publish…' }).click()
  await expect(
    dialog().getByText('The groups that may see something of it have no people yet: 61 folders.'),
  ).toBeVisible()
  await dialog().getByRole('button', { name: 'Publish now' }).click()
  await expect(ines.getByText(/^Published: /)).toBeVisible()
  await expect(note).toHaveCount(0)
})

test('its settings save it as a template of the team', async () => {
  await ines.goto(`${room}/settings`)
  await ines.getByRole('button', { name: 'Save as template' }).click()
  await dialog().getByLabel('Name').fill(template)
  await dialog().getByRole('button', { name: 'Save template' }).click()
  await expect(ines.getByText(`Saved as the template ${template}`)).toBeVisible()
  await expectAccessible(ines)
})

test('another workspace begins like it', async () => {
  await ines.getByRole('link', { name: 'New workspace like this one' }).click()
  await expect(dialog().getByRole('combobox', { name: 'Begin with' })).toHaveText(first)
  await create(second)
  await expect(row('Corporate')).toBeVisible()
})

test('another workspace takes over its files as well', async () => {
  await ines.goto('/')
  await ines.getByRole('link', { name: 'Board papers' }).first().click()
  await ines.getByRole('link', { name: 'Settings' }).click()
  await ines.getByRole('link', { name: 'New workspace like this one' }).click()
  await expect(dialog()).toContainText('files, drafts')
  await dialog().getByRole('checkbox', { name: 'Take the files over too' }).check()
  await expect(dialog()).toContainText('former versions, drafts')
  await expectAccessible(ines)
  await create(third)
  await row('Meetings').getByText('Meetings').dblclick()
  await expect(row('Agenda.pdf')).toBeVisible()
})

test('the team lists the template, and deletes it', async () => {
  await ines.goto('/')
  await ines.getByRole('link', { name: 'Deal team' }).click()
  const listed = ines.getByRole('region', { name: 'Templates' }).getByRole('listitem').filter({ hasText: template })
  await expect(listed).toContainText('4 groups')
  await listed.getByRole('button', { name: `Delete ${template}` }).click()
  await dialog().getByRole('button', { name: 'Delete template' }).click()
  await expect(listed).toHaveCount(0)
})
