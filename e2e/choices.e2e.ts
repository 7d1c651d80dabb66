import type { Locator, Page } from '@playwright/test'
import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { asAdmin, enterAs, makeRoom, type Room } from './room.ts'

// Lists and radio buttons that store what is chosen at once: what they show afterwards is what a fresh page shows.

test.setTimeout(seconds(150))

const SUBJECT = 'Who pays?'

let room: Room
test.beforeAll(async () => {
  room = await makeRoom()
  const { workspaceId: workspace_id, groupId: group_id } = room
  const group = { watermarking: true }
  await asAdmin().call(api.groups.setWatermarking, { params: { id: group_id }, body: { workspace_id, group } })
  const questions = [{ group_id, subject: SUBJECT }]
  await asAdmin().call(api.questions.import, { params: { workspace_id }, body: { questions } })
})

interface Place {
  path: () => string
  open?: (page: Page) => Promise<void>
  lists: (page: Page) => Locator[]
}

const main = (page: Page) => page.getByRole('main')
const labelled = (part: Locator, ...labels: string[]) => labels.map((label) => part.getByLabel(label, { exact: true }))

const PLACES: Record<string, Place> = {
  'a group': {
    path: () => paths.group(room.workspaceId, room.groupId),
    lists: (page) => labelled(main(page), 'PDFs are downloaded as', 'Text of pages'),
  },
  account: {
    path: () => paths.account(),
    lists: (page) => labelled(main(page), 'How often', 'Language of the mails', `How often: ${room.name}`),
  },
  'a question': {
    path: () => paths.questions(room.workspaceId),
    open: (page) => page.getByRole('button').filter({ hasText: SUBJECT }).click(),
    lists: (page) => labelled(page.getByRole('region', { name: SUBJECT }), 'Assigned to', 'Asked to approve'),
  },
}

async function open(page: Page, place: Place): Promise<void> {
  await page.goto(place.path())
  await place.open?.(page)
  for (const list of place.lists(page)) await expect(list).toBeVisible()
}

/** Chooses the option, or the first other one. Returns once the service has answered. */
async function choose(page: Page, list: Locator, text?: string): Promise<number> {
  await list.click()
  const options = page.locator('[role=option]:not([aria-selected=true]):not([aria-disabled=true])')
  const stored = page.waitForResponse((response) => response.request().method() !== 'GET')
  await (text === undefined ? options.first() : options.getByText(text, { exact: true })).click()
  return (await stored).status()
}

/** Refuses all changes from now on. */
async function refuseChanges(page: Page): Promise<string> {
  const message = 'Refused in this journey.'
  const body = JSON.stringify({ error: { code: 403, message, details: [] } })
  await page.route('**/api/v1/**', (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({ status: 403, contentType: 'application/json', body }),
  )
  return message
}

for (const [name, place] of Object.entries(PLACES)) {
  test(`each list of ${name} shows only what is stored, and one that cannot be stored goes back and says why`, async ({
    browser,
  }) => {
    const page = await enterAs(browser, room.addresses['workspace admin'])
    await open(page, place)
    for (const list of place.lists(page)) {
      const before = await list.innerText()
      for (const text of [undefined, before]) {
        const was = await list.innerText()
        expect(await choose(page, list, text), `of ${before}`).toBeLessThan(300)
        await expect(list).not.toHaveText(was)
        const shown = await list.innerText()
        await open(page, place)
        await expect(list).toHaveText(shown)
      }
      await expect(list).toHaveText(before)
    }
    const message = await refuseChanges(page)
    for (const list of place.lists(page)) {
      const before = await list.innerText()
      await choose(page, list)
      await expect(page.getByRole('alert').filter({ hasText: message }).first()).toBeVisible()
      await expect(list).toHaveText(before)
    }
    await page.context().close()
  })
}

test('the numbers of a workspace are shown as they are stored, and a refused choice goes back and says why', async ({
  browser,
}) => {
  const page = await enterAs(browser, room.addresses['workspace admin'])
  const radio = (name: string) =>
    page.getByRole('radiogroup', { name: 'Numbers of folders and files' }).getByRole('radio', { name })
  await page.goto(paths.settings(room.workspaceId))
  for (const name of ['Counted for each reader', 'The same for everyone']) {
    const stored = page.waitForResponse((response) => response.request().method() !== 'GET')
    await radio(name).click()
    expect((await stored).status()).toBeLessThan(300)
    await expect(radio(name)).toBeChecked()
    await page.reload()
    await expect(radio(name)).toBeChecked()
  }
  const message = await refuseChanges(page)
  await radio('Counted for each reader').click()
  await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible()
  await expect(radio('The same for everyone')).toBeChecked()
  await page.context().close()
})
