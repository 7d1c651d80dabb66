import { paths } from '../../../dashboard/paths.ts'
import { median } from '../measure.ts'
import { heapOf, scrollThrough } from './frames.ts'
import type { WebFigure } from './report.ts'
import { makeFolder, makeWorkspace, putFiles } from './room.ts'
import { ADMIN, type Stand } from './stand.ts'

const ROUNDS = 5
const SURFACE = '[role="grid"]'

/** Measures a folder of a thousand files in a fresh browser, and scrolling in a folder of a hundred thousand. */
export async function measureList(stand: Stand): Promise<WebFigure[]> {
  const workspace = await makeWorkspace(stand, 'Lists')
  const [few, many] = [await makeFolder(stand, workspace, 'Few'), await makeFolder(stand, workspace, 'Many')]
  await putFiles(stand, workspace, { folderId: few, total: 1000 })
  await putFiles(stand, workspace, { folderId: many, total: 100_000 })
  return [
    ...(await coldLoads(stand, paths.files(workspace, few))),
    ...(await longList(stand, paths.files(workspace, many))),
  ]
}

async function coldLoads(stand: Stand, path: string): Promise<WebFigure[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await firstRow(stand, path))
  return [{ work: 'first rows of 1,000 files, cold', unit: 'ms', ours: median(times), goal: { atMost: 800 } }]
}

async function firstRow(stand: Stand, path: string): Promise<number> {
  const page = await stand.open(ADMIN)
  await page.goto(path, { waitUntil: 'commit' })
  const time = await page.waitForFunction(() => window.notes.firstRow)
  const value = (await time.jsonValue()) ?? Number.NaN
  await page.context().close()
  return value
}

async function longList(stand: Stand, path: string): Promise<WebFigure[]> {
  const page = await stand.open(ADMIN)
  await page.goto(path, { waitUntil: 'commit' })
  const opened = (await (await page.waitForFunction(() => window.notes.firstRow)).jsonValue()) ?? Number.NaN
  await page.waitForLoadState('networkidle')
  const rows = Number(await page.locator(SURFACE).getAttribute('aria-rowcount')) - 1
  const still = await scrollThrough(page, { selector: SURFACE, step: 0, seconds: 2 })
  const moving = await scrollThrough(page, { selector: SURFACE, step: 120, seconds: 6 })
  const heap = await heapOf(page)
  await page.context().close()
  const work = `list of ${rows.toLocaleString('en')} rows`
  return [
    { work: `${work}: first rows`, unit: 'ms', ours: opened },
    { work: `${work}: pictures while nothing moves`, unit: 'per s', ours: still.perSecond },
    { work: `${work}: pictures while scrolling`, unit: 'per s', ours: moving.perSecond, goal: { atLeast: 57 } },
    { work: `${work}: scroll frame, 95 of 100`, unit: 'ms', ours: moving.p95 },
    { work: `${work}: processor time of a frame`, unit: 'ms', ours: moving.work },
    { work: `${work}: long tasks while scrolling`, unit: 'count', ours: moving.longTasks, goal: { atMost: 0 } },
    { work: `${work}: memory of the page`, unit: 'MiB', ours: heap },
  ]
}
