import type { Page } from '@playwright/test'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { signInAs } from './people.ts'

// Every switch of the product is pressed: what it shows afterwards is what a fresh page shows.

const switches = (page: Page) => page.getByRole('main').getByRole('switch')
/** The switch of each place that comes last; of account, the first of the rooms that other journeys have added to. */
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

for (const place of Object.keys(LAST) as Place[]) {
  test(`each switch of ${place} shows only what is stored`, async ({ page }) => {
    page.on('dialog', (dialog) => dialog.accept().catch(() => {}))
    await signInAs(page, 'Ines Carvalho')
    await go(page, place)
    const before = await shownStates(page)
    const all = before.map((state) => state.replace(/: (on|off)$/, ''))
    for (const name of place === 'account' ? [LAST.account] : all) {
      for (const press of ['first', 'second']) {
        const sent = page.waitForRequest((request) => request.method() !== 'GET').catch(() => undefined)
        await page.getByRole('main').getByRole('switch', { name, exact: true }).click()
        // A switch that asks first sends nothing; a busy service may take long to store what is sent.
        const stored = await (await Promise.race([sent, handled(page)]))?.response()
        expect(stored?.status() ?? 200, `the ${press} press of ${name}`).toBeLessThan(300)
        await page.keyboard.press('Escape')
        const shown = await shownStates(page)
        await page.reload()
        await settled(page, place)
        await expect.poll(() => shownStates(page), `after the ${press} press of ${name}`).toEqual(shown)
      }
    }
    expect(await shownStates(page)).toEqual(before)
  })
}

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
