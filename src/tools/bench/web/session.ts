import type { Page } from 'playwright'
import { paths } from '../../../dashboard/paths.ts'
import { percentile, type WebFigure } from './report.ts'
import { makeFolder, makeWorkspace, putFiles } from './room.ts'
import { ADMIN, type Stand } from './stand.ts'

/** Shorter events are not reported. Milliseconds. */
const NOTICED = 16
const PACE = 120

/** Works like a person with pointer and keys, and measures how long each press takes to show. */
export async function measureSession(stand: Stand): Promise<WebFigure[]> {
  const workspace = await makeWorkspace(stand, 'Session')
  const folder = await makeFolder(stand, workspace, 'Reports')
  await putFiles(stand, workspace, { folderId: folder, total: 1000 })
  const { workspaces } = await stand.admin.call<{ workspaces: { id: number; name: string }[] }>(
    'GET',
    '/users/me/workspaces',
  )
  const room = workspaces.find(({ name }) => name === 'Project Harbour')?.id ?? 0
  const page = await stand.open(ADMIN)
  await page.goto(paths.files(workspace, folder))
  await amongFiles(page)
  const first = await durations(page)
  await page.goto(paths.files(room))
  await aroundTheRoom(page)
  const all = [...first, ...(await durations(page))]
  await page.context().close()
  return [
    {
      work: `INP over ${all.length} interactions, 98 of 100`,
      unit: 'ms',
      ours: percentile(all, 98),
      goal: { atMost: 50 },
    },
    { work: `INP over ${all.length} interactions, median`, unit: 'ms', ours: percentile(all, 50) },
    { work: `INP over ${all.length} interactions, slowest`, unit: 'ms', ours: Math.max(...all) },
  ]
}

async function amongFiles(page: Page): Promise<void> {
  const list = page.getByRole('main').getByRole('grid')
  const row = (name: string) => list.getByRole('row', { name }).first()
  await row('Report 1.pdf').waitFor()
  for (const name of ['Report 2.pdf', 'Report 5.pdf', 'Report 9.pdf']) await step(page, () => row(name).click())
  for (let at = 0; at < 30; at++) await press(page, 'ArrowDown')
  for (let at = 0; at < 6; at++) await press(page, 'Shift+ArrowDown')
  for (const key of ['PageDown', 'PageDown', 'End', 'Home', 'Control+a', 'Escape']) await press(page, key)
  await step(page, () => row('Report 3.pdf').click({ modifiers: ['ControlOrMeta'] }))
  await step(page, () => row('Report 7.pdf').click({ modifiers: ['Shift'] }))
  await step(page, () => row('Report 4.pdf').click({ button: 'right' }))
  await press(page, 'Escape')
  await step(page, () => page.getByRole('button', { name: 'New folder' }).first().click())
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  await type(page, 'Quarterly reports')
  await press(page, 'Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press(page, 'Control+k')
  await type(page, 'groups')
  await press(page, 'Escape')
}

async function aroundTheRoom(page: Page): Promise<void> {
  const rail = (name: string) =>
    step(page, () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click())
  await page.getByRole('main').getByRole('grid').getByRole('row', { name: 'Finance' }).first().waitFor()
  await rail('Access')
  const grid = page.getByRole('treegrid')
  await grid.getByRole('checkbox').first().waitFor()
  await step(page, () => page.getByRole('button', { name: 'Expand all' }).click())
  await step(page, () =>
    grid
      .getByRole('checkbox', { name: /^View, .*, Finance$/ })
      .first()
      .click(),
  )
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'Space', 'Space', 'ArrowDown', 'Space', 'Space'])
    await press(page, key)
  await rail('Groups')
  await page.getByRole('link', { name: 'Buyers' }).first().waitFor()
  await step(page, () => page.getByRole('link', { name: 'Buyers' }).first().click())
  for (const name of ['People', 'Activity', 'Settings', 'Files']) await rail(name)
  await step(page, () =>
    page.getByRole('main').getByRole('grid').getByRole('row', { name: 'Finance' }).first().dblclick(),
  )
  await press(page, '/')
  await type(page, 'accounts')
  await press(page, 'Enter')
}

async function type(page: Page, text: string): Promise<void> {
  for (const letter of text) await press(page, letter === ' ' ? 'Space' : letter)
}

const press = (page: Page, key: string) => step(page, () => page.keyboard.press(key))

/** Acts, then waits for the moment that people take between two presses. */
async function step(page: Page, act: () => Promise<void>): Promise<void> {
  await act()
  await page.waitForTimeout(PACE)
}

/** Returns the duration of every interaction so far, in milliseconds. Unreported ones count as the threshold. */
async function durations(page: Page): Promise<number[]> {
  for (const slow of await page.evaluate(() => window.notes.slow)) console.log(`  ${slow}`)
  return page.evaluate((noticed) => {
    const { interactionCount } = performance as unknown as { interactionCount: number }
    const told = Object.values(window.notes.interactions)
    return [...told, ...Array.from({ length: Math.max(0, interactionCount - told.length) }, () => noticed)]
  }, NOTICED)
}
