import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { api, type Client } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { countPresses, type Presses } from './count-presses.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible, newestMailTo, signInCodeFor } from './people.ts'
import { asAdmin, clientOf, enterAs, MEMO } from './room.ts'
import { expectSeen } from './viewing.ts'

// A first-time admin makes a workspace ready with fewer than 15 clicks, and an invited bidder reaches the first document
// with fewer than 6. Every press of a mouse button counts, also those on fields.
test.describe.configure({ mode: 'serial' })

const mark = randomBytes(3).toString('hex')
const name = `First deal ${mark}`
const [bidder, lender] = [`bidder.${mark}@bidders.example`, `lender.${mark}@lenders.example`]

let client: Client
let admin: Page
let workspaceId: number

/** A person who has just become a member of a team, which has no workspace yet. */
async function makeNewcomer(): Promise<string> {
  const email = `newcomer.${mark}@rooms.example`
  const user = { email, first_name: 'Nora', last_name: 'Newcomer' }
  const { id, user_token } = await asAdmin().call(api.users.create, { body: { user } })
  const team = { name: `Team ${mark}`, suppress_emails: false }
  const { id: teamId } = await asAdmin().call(api.teams.create, { body: { team } })
  await asAdmin().call(api.teams.addMember, { params: { id: teamId }, body: { user_id: id } })
  client = clientOf(user_token)
  return email
}

test.beforeAll(async ({ browser }) => {
  admin = await enterAs(browser, await makeNewcomer())
})
test.afterAll(() => admin?.context().close())

const dialog = () => admin.getByRole('dialog')

test('a first-time admin makes a workspace ready with fewer than 15 clicks', async () => {
  const presses = await countPresses(admin)
  await admin.goto(paths.home())
  await createFromTemplate()
  await issueTerms()
  await inviteTwoGroups()
  await publish()
  expectFewer(presses, 15, 'admin')
})

async function createFromTemplate() {
  await admin.getByRole('button', { name: 'New workspace' }).first().click()
  await expect(dialog().getByLabel('Name')).toBeFocused()
  await admin.keyboard.type(name)
  await dialog().getByRole('combobox', { name: 'Begin with' }).click()
  await admin.getByRole('option', { name: 'Due diligence', exact: true }).click()
  await dialog().getByRole('checkbox', { name: 'The folders begin as drafts' }).click()
  await dialog().getByRole('button', { name: 'Create workspace' }).click()
  await expect(admin.getByRole('heading', { name, level: 1 })).toBeVisible()
  workspaceId = Number(/workspaces\/(\d+)/.exec(admin.url())?.[1])
}

async function issueTerms() {
  await admin.getByRole('note').getByRole('link', { name: 'Write terms' }).click()
  await expect(admin.getByRole('textbox', { name: 'Text' })).toBeFocused()
  await admin.keyboard.type('Everything in this room is confidential.')
  await admin.getByRole('button', { name: 'Issue version 1' }).click()
  await dialog().getByRole('button', { name: 'Issue', exact: true }).click()
  await expect(admin.getByText('Version 1 is in force')).toBeVisible()
  await admin.getByRole('link', { name: 'Files', exact: true }).click()
}

async function inviteTwoGroups() {
  const note = admin.getByRole('note')
  await expect(note.getByRole('link', { name: 'Terms are in force' })).toBeVisible()
  await note.getByRole('button', { name: 'Invite…' }).click()
  await expect(dialog().getByRole('combobox', { name: 'Bidders', exact: true })).toBeFocused()
  await admin.keyboard.type(bidder)
  await dialog().getByRole('combobox', { name: 'Lenders' }).click()
  await admin.keyboard.type(lender)
  await expectAccessible(admin)
  await dialog().getByRole('button', { name: 'Add 2' }).click()
  await expect(admin.getByText('2 people have been added')).toBeVisible()
  await expect(note.getByRole('button', { name: 'Invite more…' })).toBeVisible()
}

async function publish() {
  await admin.getByRole('note').getByRole('button', { name: 'Publish…' }).click()
  await expect(dialog().getByText(/\d+ groups may see something of it, with 2 people/)).toBeVisible()
  await dialog().getByRole('button', { name: 'Publish now' }).click()
  await expect(admin.getByText(/^Published: /)).toBeVisible()
}

function expectFewer({ mouse, enter }: Presses, most: number, who: string) {
  console.log(`Clicks of the ${who}: ${mouse.length}, and ${enter.length} times Enter\n  ${mouse.join('\n  ')}`)
  expect(mouse.length).toBeLessThan(most)
  expect(enter).toEqual([])
}

test('everything that the admin did has taken effect', async () => {
  const query = { workspace_id: workspaceId }
  const groups = await client.call(api.groups.list, { query })
  for (const [group, email] of [
    ['Bidders', bidder],
    ['Lenders', lender],
  ]) {
    const id = groups.find((each) => each.name === group)?.id ?? 0
    const members = await client.call(api.groups.listMembers, { params: { id }, query })
    expect(members.map((member) => member.email)).toEqual([email])
  }
  const versions = await client.call(api.terms.listVersions, { params: { id: workspaceId } })
  expect(versions).toMatchObject([{ version: 1, title: 'Confidentiality terms', in_force: true, group_id: null }])
  const { drafts } = await client.call(api.drafts.list, { params: { id: workspaceId } })
  expect(drafts).toEqual([])
})

test('an invited bidder reaches the first page of a document with fewer than 6 clicks', async ({ browser }) => {
  await uploadLetter()
  const link = await linkFor(bidder)
  const page = await browser.newPage()
  const presses = await countPresses(page)
  await page.goto(link)
  await signIn(page)
  await introduce(page)
  await acceptTerms(page)
  await page.getByRole('main').getByRole('link', { name: 'Process letter.pdf' }).click()
  await expectSeen(page, 1)
  expectFewer(presses, 6, 'bidder')
  await page.goto(paths.files(workspaceId))
  const row = (folder: string) => page.getByRole('main').getByRole('row', { name: new RegExp(folder) })
  await expect(row('Overview')).toBeVisible()
  await expect(row('Bids')).toHaveCount(0)
})

async function uploadLetter() {
  const query = { workspace_id: workspaceId }
  const root = await client.call(api.folders.get, { params: { id: 0 }, query })
  const overview = root.immediate_subfolders.find((folder) => folder.name === 'Overview')
  const file = { ...query, folder_id: overview?.id ?? 0, file_name: 'Process letter.pdf' }
  await client.call(api.files.upload, { query: file }, MEMO)
}

async function linkFor(email: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    link = /https?:\/\/\S+\/invitation\/\d+#[\w-]+/.exec(decoded(await newestMailTo(email)))?.[0]
    expect(link).toBeDefined()
  }).toPass({ timeout: seconds(30) })
  return link ?? ''
}

/** Takes the line breaks of the quoted-printable encoding out of a mail. */
const decoded = (mail: string) => mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')

async function signIn(page: Page) {
  await expect(page.getByRole('textbox', { name: 'Code from the e-mail' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type(await signInCodeFor(bidder))
}

async function introduce(page: Page) {
  await expect(page.getByRole('heading', { name: 'About you' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'First name' })).toBeFocused()
  for (const words of ['Ben', 'Bidder', 'Bidders & Sons']) {
    await page.keyboard.type(words)
    await page.keyboard.press('Tab')
  }
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function acceptTerms(page: Page) {
  await page.getByRole('checkbox', { name: 'I have read version 1' }).click()
  await page.getByRole('checkbox', { name: 'I may accept it for Bidders & Sons' }).click()
  await page.getByRole('button', { name: 'Accept and enter' }).click()
}
