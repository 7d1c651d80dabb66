import type { Page } from '@playwright/test'
import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { signInAs } from './people.ts'
import { asAdmin } from './room.ts'

// Every switch of the product is pressed: what it shows afterwards is what a fresh page shows.

/** Account has a switch for each room, and each journey adds a "Room 1a2b3c", also while this one runs. */
const switches = (page: Page) => page.getByRole('main').getByRole('switch', { name: /^(?!Room [0-9a-f]{6}$)/ })
/** The switch of each place that is read last. */
const LAST = {
  groups: 'Members may ask questions',
  settings: 'Personal API keys',
  team: 'E-mails to members',
  account: 'Board papers',
}

type Place = keyof typeof LAST

const settled = async (page: Page, place: Place) => {
  await expect(page.getByRole('main').getByRole('switch', { name: LAST[place] })).toBeVisible()
  await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toHaveCount(0)
}

async function go(page: Page, place: Place): Promise<void> {
  await page.goto(place === 'account' ? paths.account() : '/')
  if (place === 'account') return settled(page, place)
  if (place === 'team') await page.getByRole('link', { name: 'Deal team' }).first().click()
  else {
    await page
      .getByRole('link', { name: /Project Harbour/ })
      .first()
      .click()
    await page
      .getByRole('navigation')
      .getByRole('link', { name: place === 'groups' ? 'Groups' : 'Settings' })
      .click()
    if (place === 'groups') {
      await page.getByRole('button', { name: 'New group' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill(`Switches ${Date.now()}`)
      await page.getByRole('button', { name: 'Create group' }).click()
    }
  }
  await settled(page, place)
}

/** Waits until the page has handled a press: what it sends at all, it has sent by then. */
const handled = (page: Page) =>
  page
    .evaluate((ms) => new Promise<void>((done) => setTimeout(() => requestIdleCallback(() => done()), ms)), seconds(1))
    .catch(() => undefined)

const shownStates = (page: Page) =>
  switches(page).evaluateAll((all) =>
    all.map((each) => `${each.getAttribute('aria-label')}: ${(each as HTMLInputElement).checked ? 'on' : 'off'}`),
  )

async function pressed(page: Page, at: number, what: string): Promise<void> {
  const sent = page.waitForRequest((request) => request.method() !== 'GET').catch(() => undefined)
  await switches(page).nth(at).click()
  // A switch that asks first sends nothing; a busy service may take long to store what is sent.
  const stored = await (await Promise.race([sent, handled(page)]))?.response()
  expect(stored?.status() ?? 200, what).toBeLessThan(300)
  await page.keyboard.press('Escape')
}

for (const place of Object.keys(LAST) as Place[]) {
  test(`each switch of ${place} shows only what is stored`, async ({ page }) => {
    page.on('dialog', (dialog) => dialog.accept().catch(() => {}))
    await signInAs(page, 'Ines Carvalho')
    await go(page, place)
    const before = await shownStates(page)
    for (const [at, name] of before.entries()) {
      for (const press of ['first', 'second']) {
        await pressed(page, at, `the ${press} press of ${name}`)
        const shown = await shownStates(page)
        await page.reload()
        await settled(page, place)
        await expect.poll(() => shownStates(page), `after the ${press} press of ${name}`).toEqual(shown)
      }
    }
    expect(await shownStates(page)).toEqual(before)
  })
}

test('the end of access is stored with its day, and nothing is stored where it is left halfway', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await go(page, 'groups')
  const group = page.url()
  const ends = page.getByRole('switch', { name: 'Access ends' })
  const stored = async () => {
    const [, workspace_id = 0, id = 0] = /workspaces\/(\d+)\/groups\/(\d+)/.exec(group)?.map(Number) ?? []
    return (await asAdmin().call(api.groups.get, { params: { id }, query: { workspace_id } }))
      .expire_workspace_access_at
  }
  await ends.click()
  await expect(page.getByText('Not stored yet. It applies once you press Set.')).toBeVisible()
  await expect(ends).not.toBeChecked()
  await page.getByLabel('Ends on').fill('2199-03-04')
  await page.getByRole('navigation').getByRole('link', { name: 'People' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeVisible()
  expect(await stored()).toBeNull()
  await page.goto(group)
  await expect(ends).not.toBeChecked()
  await expect(page.getByLabel('Ends on')).toHaveCount(0)

  await ends.click()
  await page.getByLabel('Ends on').fill('2199-03-04')
  await page.getByRole('button', { name: 'Set' }).click()
  await expect(ends).toBeChecked()
  await expect.poll(stored).toBe('2199-03-04')
  await page.reload()
  await expect(ends).toBeChecked()
  await expect(page.getByText('The access of this group ends on 4 Mar 2199, 00:00 UTC.')).toBeVisible()
})

for (const place of Object.keys(LAST) as Place[]) {
  test(`a switch of ${place} that cannot be stored goes back and says why`, async ({ page }) => {
    await signInAs(page, 'Ines Carvalho')
    await go(page, place)
    const message = 'Refused in this journey.'
    const body = JSON.stringify({ error: { code: 403, message, details: [] } })
    await page.route('**/api/v1/**', (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({ status: 403, contentType: 'application/json', body }),
    )
    const before = await shownStates(page)
    await page.getByRole('main').getByRole('switch', { name: LAST[place], exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible()
    await expect.poll(() => shownStates(page)).toEqual(before)
  })
}
