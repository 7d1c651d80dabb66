import type { Page } from 'playwright'
import { FLAGS } from '../../../contract/endpoints/permissions.ts'
import { heapOf, scrollThrough } from './frames.ts'
import type { WebFigure } from './report.ts'
import { growFolders, makeGroup, makeWorkspace } from './room.ts'
import { ADMIN, type Stand } from './stand.ts'

const GROUPS = 5
const SHAPE = [10, 100, 100]
const GRANTS = 60
const SETTINGS = 11
const SURFACE = '[role="treegrid"]'

/** Measures the permission grid with over a hundred thousand folders and five groups. */
export async function measureGrid(stand: Stand): Promise<WebFigure[]> {
  const workspace = await makeWorkspace(stand, 'Grid')
  for (const [at, each] of SHAPE.entries())
    await growFolders(stand, workspace, { depth: at + 1, each, name: `Folder of level ${at + 1}` })
  const groups: number[] = []
  for (let at = 1; at <= GROUPS; at++) groups.push(await makeGroup(stand, workspace, `Group ${at}`))
  await grantSome(stand, workspace, groups)

  const page = await stand.open(ADMIN)
  const query = groups.map((id) => `group=${id}`).join('&')
  await page.goto(`/workspaces/${workspace}/permissions?${query}`, { waitUntil: 'commit' })
  await page.locator('[role="treegrid"] [role="checkbox"]').first().waitFor()
  const opened = await page.evaluate(() => performance.now())
  const figures: WebFigure[] = [{ work: 'permission grid: opened, cold', unit: 'ms', ours: opened }]
  figures.push(...(await expandAll(page)))
  const still = await scrollThrough(page, { selector: SURFACE, step: 0, seconds: 2 })
  const moving = await scrollThrough(page, { selector: SURFACE, step: 120, seconds: 8 })
  const far = await scrollThrough(page, { selector: SURFACE, step: 30_000, seconds: 4 })
  const heap = await heapOf(page)
  const changed = await change(page)
  await page.context().close()
  figures.push(...(await measureService(stand, workspace, groups)))
  return [
    ...figures,
    { work: 'permission grid: frame while nothing moves, 95 of 100', unit: 'ms', ours: still.p95 },
    { work: 'permission grid: scroll frame, 95 of 100', unit: 'ms', ours: moving.p95, goal: { atMost: 25 } },
    { work: 'permission grid: processor time of a frame', unit: 'ms', ours: moving.work },
    { work: 'permission grid: long tasks while scrolling', unit: 'count', ours: moving.longTasks, goal: { atMost: 0 } },
    { work: 'permission grid: every row new, frame, 95 of 100', unit: 'ms', ours: far.p95 },
    { work: 'permission grid: every row new, processor time of a frame', unit: 'ms', ours: far.work },
    { work: 'permission grid: a right on all folders, until it is shown', unit: 'ms', ours: changed },
    { work: 'permission grid: memory of the page', unit: 'MiB', ours: heap },
  ]
}

/** Grants scattered rights, so that cells are mixed. */
async function grantSome({ admin }: Stand, workspace_id: number, groups: number[]): Promise<void> {
  const home = await admin.call<{ immediate_subfolders: { id: number }[] }>('GET', `/workspaces/${workspace_id}/home`)
  const tops = home.immediate_subfolders.map(({ id }) => id)
  const below = await Promise.all(
    tops.map((id) =>
      admin.call<{ immediate_subfolders: { id: number }[] }>('GET', `/folders/${id}?workspace_id=${workspace_id}`),
    ),
  )
  const folders = below.flatMap((folder) => folder.immediate_subfolders.map(({ id }) => id))
  for (let at = 0; at < GRANTS; at++) {
    const body = { workspace_id, group_id: groups[at % GROUPS], verb: 'grant', folder_action: FLAGS[at % FLAGS.length] }
    await admin.call('PUT', `/permissions/folders/${folders[(at * 37) % folders.length]}`, body)
  }
}

async function expandAll(page: Page): Promise<WebFigure[]> {
  const wanted = 1 + SHAPE.reduce((all, _each, at) => all + SHAPE.slice(0, at + 1).reduce((a, b) => a * b, 1), 0)
  await page.evaluate(() => (window.notes.longTasks.length = 0))
  const begun = performance.now()
  await page.getByRole('button', { name: 'Expand all' }).click()
  await page.waitForFunction(
    ({ selector, rows }) => Number(document.querySelector(selector)?.getAttribute('aria-rowcount')) - 2 >= rows,
    { selector: SURFACE, rows: wanted },
  )
  const took = (performance.now() - begun) / 1000
  const longTasks = await page.evaluate(() => window.notes.longTasks)
  const rows = wanted.toLocaleString('en')
  return [
    { work: `permission grid: "Expand all", until ${rows} rows are open`, unit: 's', ours: took, goal: { atMost: 5 } },
    { work: 'permission grid: longest task until then', unit: 'ms', ours: Math.max(0, ...longTasks) },
    { work: 'permission grid: long tasks until then', unit: 'count', ours: longTasks.length },
  ]
}

/** Measures how long the API takes to set a right on 101, 10,101 and all folders, and to read the sheet. */
async function measureService({ admin }: Stand, workspace_id: number, groups: number[]): Promise<WebFigure[]> {
  const below = async (id: number) => {
    const path = id === 0 ? `/workspaces/${workspace_id}/home` : `/folders/${id}?workspace_id=${workspace_id}`
    const { immediate_subfolders } = await admin.call<{ immediate_subfolders: { id: number }[] }>('GET', path)
    return immediate_subfolders[0]?.id ?? 0
  }
  const top = await below(0)
  const set = (id: number) => (turn: number) => {
    const verb = turn % 2 === 0 ? 'revoke' : 'grant'
    const body = { workspace_id, group_id: groups[0], verb, folder_action: 'download' }
    return admin.call('PUT', `/permissions/folders/${id}`, body)
  }
  const asked = `workspace_id=${workspace_id}&group_ids=${groups.join(',')}`
  const read = (query: string) => () =>
    admin.call<{ next: string | null }>('GET', `/permissions/sheet?${asked}&${query}`)
  const readAll = async () => {
    for (let after: string | null = '0'; after !== null;) after = (await read(`below=0&after=${after}`)()).next
  }
  const figures: [work: string, ms: number][] = [
    ['set a right on 101 folders', await median(SETTINGS, set(await below(top)))],
    ['set a right on 10,101 folders', await median(SETTINGS, set(top))],
    ['set a right on all folders', await median(SETTINGS, set(0))],
    ['read a level of 100 folders', await median(SETTINGS, read(`folder_ids=${top}`))],
    ['read the 10,100 folders in one', await median(SETTINGS, read(`below=${top}`))],
    ['read all folders', await median(3, readAll)],
  ]
  return figures.map(([work, ours]) => ({ work: `permission grid: ${work}, by the API`, unit: 'ms', ours }))
}

async function median(times: number, run: (turn: number) => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let turn = 0; turn < times; turn++) {
    const begun = performance.now()
    await run(turn)
    took.push(performance.now() - begun)
  }
  return took.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0
}

/** Returns the milliseconds from a click with Alt to the next frame, with all rows loaded. */
async function change(page: Page): Promise<number> {
  await page.locator(SURFACE).evaluate((surface) => (surface.scrollTop = 0))
  const cell = page.locator(`${SURFACE} [data-folder="0"] [role="checkbox"]`).first()
  await cell.click()
  const before = await page.evaluate(() => Object.keys(window.notes.interactions).length)
  await cell.click({ modifiers: ['Alt'] })
  await page.waitForFunction((known) => Object.keys(window.notes.interactions).length > known, before)
  return page.evaluate(() => Object.values(window.notes.interactions).at(-1) ?? 0)
}
