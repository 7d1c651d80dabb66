import type { Page } from 'playwright'
import { paths } from '../../../dashboard/paths.ts'
import { median } from '../measure.ts'
import type { WebFigure } from './report.ts'
import { untilRead } from './room.ts'
import { ADMIN, type Stand } from './stand.ts'

const ROUNDS = 7
/** The time that people need from pointing at something to pressing it, in milliseconds. */
const AIM = 250

/** Measures how long Activity and a document take to open in a page that is in use, and what moved meanwhile. */
export async function measureOpening(stand: Stand): Promise<WebFigure[]> {
  const { workspaces } = await stand.admin.call<{ workspaces: { id: number; name: string }[] }>(
    'GET',
    '/users/me/workspaces',
  )
  const room = workspaces.find(({ name }) => name === 'Project Harbour')?.id ?? 0
  const files = await stand.admin.call<{ id: number }[]>('GET', `/files/search?workspace_id=${room}&q=pdf`)
  for (const { id } of files) await untilRead(stand, room, id)
  const page = await stand.open(ADMIN)
  await page.goto(paths.files(room))
  await page.locator('[role="grid"] [role="row"]').nth(1).waitFor()
  const activity: number[] = []
  const viewer: number[] = []
  const shifts: number[] = []
  const shiftHere = async () => shifts.push(await page.evaluate(() => window.notes.shift))
  for (let round = 0; round < ROUNDS; round++) {
    activity.push(await openActivity(page))
    await shiftHere()
    viewer.push(await openDocument(page, room))
    await shiftHere()
    await page.goto(paths.files(room))
    await page.locator('[role="grid"] [role="row"]').nth(1).waitFor()
  }
  await page.context().close()
  return [
    { work: 'Activity opens, warm', unit: 'ms', ours: median(activity.slice(1)), goal: { atMost: 100 } },
    { work: "a document's first sharp page, warm", unit: 'ms', ours: median(viewer.slice(1)), goal: { atMost: 300 } },
    { work: 'layout shift (CLS) meanwhile', unit: 'score', ours: Math.max(...shifts), goal: { atMost: 0.005 } },
  ]
}

async function openActivity(page: Page): Promise<number> {
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' })
  await link.hover()
  await page.waitForTimeout(AIM)
  const time = await timeFrom(page, 'main section > ol > li time', () => link.click())
  await page.goBack()
  await page.locator('[role="grid"] [role="row"]').nth(1).waitFor()
  return time
}

async function openDocument(page: Page, room: number): Promise<number> {
  await page.goto(paths.search(room, 'pdf'))
  const result = page.getByRole('main').getByRole('listitem').getByRole('link').first()
  await result.hover()
  await page.waitForTimeout(AIM)
  return timeFrom(page, '[data-page] > img', () => result.click())
}

async function timeFrom(page: Page, sign: string, press: () => Promise<void>): Promise<number> {
  await page.evaluate((wanted) => {
    window.shownAt = undefined as unknown as number
    let pressed = 0
    window.addEventListener('pointerdown', (event) => (pressed = event.timeStamp), { capture: true, once: true })
    const look = () => {
      const found = document.querySelector(wanted)
      const isThere = found instanceof HTMLImageElement ? found.complete && found.naturalWidth > 0 : found !== null
      if (pressed > 0 && isThere) window.shownAt = performance.now() - pressed
      else requestAnimationFrame(look)
    }
    look()
  }, sign)
  await press()
  const time = await page.waitForFunction(() => window.shownAt)
  return (await time.jsonValue()) ?? Number.NaN
}
