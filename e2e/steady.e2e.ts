import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { expect, seconds, test } from './journey.ts'
import { PAGES } from './pages.ts'
import { signInAs } from './people.ts'
import { asAdmin, makeRoom } from './room.ts'
import { ACCOUNTS, expectSeen, openFolder, row } from './viewing.ts'

// Nothing on a page moves while its data arrives.

test.setTimeout(seconds(180))

/** The layout shift score of a page. */
const AT_MOST = 0.005
/** Milliseconds by which each reply is late, so that every placeholder shows. */
const LATE = 250

declare global {
  interface Window {
    shifts?: { value: number; moved: string[] }[]
  }
}

test('nothing moves while a page loads, however late its data is', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await openFolder(page, 'Finance', 'Audited accounts')
  await row(page, ACCOUNTS).dblclick()
  // The worker may make the pages of the demo first.
  await expectSeen(page, 1)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/file=/)
  const details = new URL(page.url())
  const [workspaceId, fileId] = [Number(details.pathname.split('/')[2]), Number(details.searchParams.get('file'))]
  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  await page.getByRole('link', { name: 'Buyers', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Buyers', level: 1 })).toBeVisible()
  const group = new URL(page.url()).pathname

  await page.addInitScript(noteShifts)
  await delayReplies(page)
  const asked = [details.pathname + details.search, paths.view(workspaceId, fileId), paths.home(), group]
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const address of asked) {
      await page.goto(address)
      await settled(page)
      const shifts = await shiftsOf(page)
      expect(scoreOf(shifts), `${address} at ${width}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(AT_MOST)
    }
  }
})

test('nothing moves on any page while its data arrives', async ({ page }) => {
  test.setTimeout(seconds(480))
  const room = await makeRoom()
  await signInAs(page, 'Ines Carvalho')
  await page.addInitScript(noteShifts)
  await delayReplies(page)
  const moved: string[] = []
  for (const { module, path } of PAGES) {
    // Two rankings below a chart, only in a window of this width.
    const between = module.startsWith('activities/') ? [820] : []
    for (const width of [1440, ...between, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(path(room))
      await settled(page)
      const shifts = await shiftsOf(page)
      if (scoreOf(shifts) > AT_MOST) moved.push(`${module} at ${width}: ${JSON.stringify(shifts)}`)
    }
  }
  expect(moved).toEqual([])
})

test('nothing on the account page moves, whichever of its lists arrives last', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await page.addInitScript(noteShifts)
  for (const last of ['/user/sessions', '/user/api_keys', '/users/me/notifications']) {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await delayReplies(page, (path) => (path.endsWith(last) ? 4 * LATE : 0))
    for (const [width, height] of [
      [1440, 900],
      [820, 1180],
      [390, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(paths.account())
      await settled(page)
      const shifts = await shiftsOf(page)
      expect(scoreOf(shifts), `${last} last at ${width}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(AT_MOST)
    }
  }
})

test('a long name of a team does not wrap anew when what the team uses arrives', async ({ page }) => {
  await asAdmin().call(api.teams.create, { body: { team: { name: 'Wide '.repeat(50).trim() } } })
  await signInAs(page, 'Ines Carvalho')
  await page.addInitScript(noteShifts)
  await delayReplies(page, (path) => (path.endsWith('/usage') ? 4 * LATE : 0))
  for (const width of [1440, 1280, 1000, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(paths.home())
    await expect(page.getByRole('region', { name: 'Wide Wide' }).getByText('0 stored versions')).toBeVisible()
    const shifts = await shiftsOf(page)
    expect(scoreOf(shifts), `at ${width}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(AT_MOST)
  }
})

test('the switch between the views of Activity stays where it is', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  const views = page.getByRole('main').getByRole('group', { name: 'Show' })
  for (const width of [1280, 1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(paths.activities(1))
    const places: unknown[] = []
    for (const view of ['What happened', 'Engagement', 'Not yet opened']) {
      await views.getByRole('button', { name: view }).click()
      await expect(views.getByRole('button', { name: view, pressed: true })).toBeVisible()
      await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toHaveCount(0)
      places.push(await views.boundingBox())
    }
    expect(places, `at ${width}`).toEqual([places[0], places[0], places[0]])
  }
})

type Shifts = NonNullable<typeof window.shifts>

const shiftsOf = async (page: Page): Promise<Shifts> => (await page.evaluate(() => window.shifts)) ?? []

const scoreOf = (shifts: Shifts) => shifts.reduce((sum, { value }) => sum + value, 0)

const delayReplies = (page: Page, late = (_path: string) => LATE) =>
  page.route('**/api/v1/**', async (route) => {
    await setTimeout(late(new URL(route.request().url()).pathname))
    await route.continue().catch(() => undefined)
  })

/** Waits until the data of the page is shown: no request for half a second, and no placeholder. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(async () => {
    const count = () => page.evaluate(() => performance.getEntriesByType('resource').length)
    const before = await count()
    await setTimeout(2 * LATE)
    expect(await count()).toBe(before)
    await expect(page.locator('[aria-busy=true], [role=status][aria-label=Loading]')).toHaveCount(0)
  }).toPass({ intervals: [0] })
}

/** Runs in the page. */
function noteShifts() {
  const shifts: NonNullable<typeof window.shifts> = []
  window.shifts = shifts
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Element | null }[]
    })[]) {
      if (entry.hadRecentInput) continue
      const moved = entry.sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? '')
      shifts.push({ value: entry.value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
