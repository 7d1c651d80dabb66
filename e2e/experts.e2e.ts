import type { Browser, Page } from '@playwright/test'
import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { expectAccessible } from './people.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// A question from its asker over an expert on the phone to its answer.

test.setTimeout(seconds(150))

let room: Room
test.beforeAll(async () => {
  room = await makeRoom()
})

/** An adviser in a group that may view nothing, who comes in once. */
async function openAsAdviser(browser: Browser): Promise<Page> {
  const { workspaceId: workspace_id } = room
  const email = `tax-${workspace_id}@example.com`
  await asAdmin().call(api.users.create, { body: { user: { email, first_name: 'Tessa', last_name: 'Tax' } } })
  const { id } = await asAdmin().call(api.groups.create, { body: { group: { name: 'Advisers', workspace_id } } })
  await asAdmin().call(api.groups.addMember, { params: { id }, body: { workspace_id, email, send_email: false } })
  const page = await enterAs(browser, email)
  await page.goto(paths.files(workspace_id))
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  return page
}

test('an admin names an expert and passes a question, the expert replies on the phone, and the bidder reads an answer without a trace of the expert', async ({
  browser,
}) => {
  const { workspaceId: workspace_id, groupId: group_id, fileId: file_id } = room
  await asAdmin().call(api.questions.updateSettings, {
    params: { workspace_id },
    body: { groups: [{ group_id, may_ask: true }] },
  })
  const bidder = await enterAs(browser, room.addresses.reader)
  await bidder.goto(`${paths.questions(workspace_id)}?ask=&on=${file_id}`)
  const asking = bidder.getByRole('dialog')
  await asking.getByLabel('Subject').fill('Is VAT due on the sale?')
  await asking.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(bidder.getByRole('button').filter({ hasText: 'Is VAT due' })).toBeVisible()
  const expert = await openAsAdviser(browser)

  const admin = await enterAs(browser, (await asAdmin().call(api.users.me)).email)
  await admin.goto(paths.questions(workspace_id))
  await admin.getByRole('button', { name: 'More about questions' }).click()
  await admin.getByRole('menuitem', { name: 'Experts' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Name a member an expert').fill('reader')
  await expect(admin.getByRole('option', { name: /Reader/ })).toBeDisabled()
  await dialog.getByLabel('Name a member an expert').fill('Tessa')
  await admin.getByRole('option', { name: /Tessa Tax/ }).click()
  await expect(dialog.getByText('Nothing waits')).toBeVisible()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await admin.getByRole('button').filter({ hasText: 'Is VAT due' }).click()
  await admin.getByRole('button', { name: 'Pass to an expert' }).click()
  await dialog.getByRole('checkbox', { name: /Tessa Tax/ }).check()
  await dialog.getByLabel('Your words to the expert').fill('Is § 4 no. 9 the right one?')
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Pass the question' }).click()
  await expect(admin.getByText('With expert')).toHaveCount(2)
  await admin.getByRole('button', { name: 'More about Tessa Tax' }).click()
  await admin.getByRole('menuitem', { name: 'What this person sees' }).click()
  await expect(dialog.getByText('Is § 4 no. 9 the right one?')).toBeVisible()
  await expect(dialog.getByText('Memo.pdf')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Close' }).click()

  // The mail and the rail lead to what was passed on.
  await expert.goto(`${paths.questions(workspace_id)}?view=passed`)
  await expert.getByRole('button').filter({ hasText: 'Is VAT due' }).click()
  await expect(expert.getByText('Is § 4 no. 9 the right one?')).toBeVisible()
  await expect(expert.getByText(/Memo\.pdf|Group reader|Q-1/)).toHaveCount(0)
  await expectAccessible(expert)
  await expert.getByLabel('Your words to the answerers').fill('No VAT is due, by § 4 no. 9 UStG.')
  await expert.getByRole('button', { name: 'Send as a draft answer' }).click()
  await expect(expert.getByText('You have replied')).toBeVisible()

  const members = await asAdmin().call(api.workspaces.listMembers, { params: { id: workspace_id } })
  const user = members.find((member) => member.user.last_name === 'Tax')?.user.id
  await admin.goto(paths.viewAs(workspace_id, { user }, 'questions'))
  await expect(admin.getByRole('button', { name: 'For this person', pressed: true })).toBeVisible()
  await admin.getByRole('button').filter({ hasText: 'Is VAT due' }).click()
  await expect(admin.getByText('Tessa Tax drafted an answer')).toBeVisible()
  await expect(admin.getByText(/Memo\.pdf|Group reader|Q-1/)).toHaveCount(0)
  await expect(admin.getByRole('main').getByRole('textbox')).toHaveCount(0)
  await expectAccessible(admin)

  await admin.goto(paths.questions(workspace_id))
  await admin.getByRole('button').filter({ hasText: 'Is VAT due' }).click()
  await admin.getByRole('button', { name: 'Take over into the answer' }).click()
  const answer = admin.getByRole('textbox', { name: 'Answer' })
  await expect(answer).toHaveValue('No VAT is due, by § 4 no. 9 UStG.')
  await answer.fill('No VAT is due.')
  await admin.getByRole('button', { name: 'Save draft' }).click()
  await expect(admin.getByRole('button', { name: 'Submit for approval' })).toBeEnabled()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Approve and give the answer' }).click()
  await expect(admin.getByText('Given to')).toBeVisible()

  await bidder.reload()
  await bidder.getByRole('button').filter({ hasText: 'Is VAT due' }).click()
  await expect(bidder.getByText('No VAT is due.')).toBeVisible()
  await expect(bidder.getByText(/Tessa|expert/i)).toHaveCount(0)
  await expert.reload()
  await expect(expert.getByText('This question is settled.')).toBeVisible()

  await admin.getByRole('button', { name: 'More about Tessa Tax' }).click()
  await admin.getByRole('menuitem', { name: 'Withdraw the question' }).click()
  await expect(admin.getByRole('button', { name: 'More about Tessa Tax' })).toHaveCount(0)
  await expert.reload()
  await expect(expert.getByText('This question is not passed to you any more.')).toBeVisible()
})
