import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// Who answers the questions of a category, and what a bidder sees of questions, as an admin sees it too.

test.setTimeout(seconds(150))

let room: Room
test.beforeAll(async () => {
  room = await makeRoom()
})

test('an admin routes a category, finds what it gave, and sees questions, FAQ and welcome page as the group that asks has them', async ({
  browser,
}) => {
  const { workspaceId: workspace_id, groupId: group_id, fileId } = room
  const params = { workspace_id }
  const me = await asAdmin().call(api.users.me)
  const name = `${me.first_name} ${me.last_name}`
  const body = { categories: ['Process'], groups: [{ group_id, may_ask: true }] }
  await asAdmin().call(api.questions.updateSettings, { params, body })
  const entry = { subject: 'When are bids due?', answer: 'On 1 March.', category: 'Process' }
  await asAdmin().call(api.questions.writeFaq, { params, body: { question: entry, reach: 'all' } })

  const admin = await enterAs(browser, me.email)
  await admin.goto(paths.questions(workspace_id))
  await admin.getByRole('button', { name: 'More about questions' }).click()
  await admin.getByRole('menuitem', { name: 'Categories of questions' }).click()
  const dialog = admin.getByRole('dialog')
  const process = dialog.getByRole('group', { name: 'Process' })
  await process.getByLabel('Answers').click()
  await admin.getByRole('option', { name }).click()
  await process.getByLabel('Due').click()
  await admin.getByRole('option', { name: 'after 5 days' }).click()
  await expectAccessible(admin)
  // A category that is typed anew keeps who answers.
  await dialog.getByLabel('Categories, one in each line').fill('Bidding')
  await expect(dialog.getByRole('group', { name: 'Bidding' }).getByLabel('Answers')).toHaveText(name)
  await dialog.getByRole('button', { name: 'Save categories' }).click()
  await expect(dialog).toHaveCount(0)

  const asker = await enterAs(browser, room.addresses.reader)
  await asker.goto(`${paths.questions(workspace_id)}?ask=&on=${fileId}`)
  const asking = asker.getByRole('dialog')
  await asking.getByLabel('Subject').fill('Who may bid?')
  await asking.getByLabel('Category').click()
  await asker.getByRole('option', { name: 'Bidding' }).click()
  await asking.getByRole('button', { name: 'Ask', exact: true }).click()
  await asker.getByRole('button').filter({ hasText: 'Who may bid?' }).click()
  await expect(asker.getByText('Question 1')).toBeVisible()
  await expect(asker.getByText(name)).toHaveCount(0)
  await expect(asker.getByText('Due', { exact: true })).toHaveCount(0)

  await admin.goto(paths.home())
  const toDo = admin.getByRole('region', { name: 'To do' }).getByRole('listitem').filter({ hasText: 'Who may bid?' })
  await expect(toDo).toContainText('1 question awaits your answer')
  await toDo.getByRole('link').click()
  await admin.getByRole('button').filter({ hasText: 'Who may bid?' }).click()
  await expect(admin.getByRole('region', { name: 'Internal notes' })).toContainText('Bidding')
  await expect(admin.getByLabel('Assigned to').last()).toHaveText(name)

  await admin.goto(paths.view(workspace_id, fileId))
  await admin.getByRole('link', { name: '1 open question' }).click()
  await expect(admin.getByText('On Memo.pdf')).toBeVisible()
  await expect(admin.getByRole('list', { name: 'Questions' }).getByRole('listitem')).toHaveCount(1)

  await admin.goto(paths.viewAs(workspace_id, { group: group_id }))
  const tabs = admin.getByRole('navigation', { name: 'What they see' })
  await tabs.getByRole('link', { name: 'Questions' }).click()
  await expect(admin.getByRole('note')).toContainText('You see this workspace as Group reader')
  await admin.getByRole('button').filter({ hasText: 'Who may bid?' }).click()
  await expect(admin.getByText('Question 1')).toBeVisible()
  await expect(admin.getByText('Internal notes')).toHaveCount(0)
  await expect(admin.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(admin)
  await expect(admin.getByRole('link', { name: 'Memo.pdf' })).toHaveAttribute('href', new RegExp(`group=${group_id}`))
  await admin.getByRole('button', { name: 'FAQ', exact: true }).click()
  await admin.getByText('When are bids due?').click()
  await expect(admin.getByText('On 1 March.')).toBeVisible()
  await tabs.getByRole('link', { name: 'Welcome page' }).click()
  await expect(admin.getByText('you are here with Group reader')).toBeVisible()
  await expectAccessible(admin)
  await tabs.getByRole('link', { name: 'Files' }).click()
  await expect(admin.getByRole('grid')).toBeVisible()

  await asker.goto(paths.welcome(workspace_id))
  await asker.getByRole('link', { name: 'Frequent questions' }).click()
  await expect(asker.getByText('When are bids due?')).toBeVisible()
  await asker.goto(paths.viewAs(workspace_id, { group: group_id }, 'questions'))
  await expect(asker.getByText('This is for workspace admins.').first()).toBeVisible()
})
