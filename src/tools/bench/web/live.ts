import type { Page } from 'playwright'
import { paths } from '../../../dashboard/paths.ts'
import { MARTA } from '../../../embedded/demo/people.ts'
import { median } from '../measure.ts'
import type { WebFigure } from './report.ts'
import { makeWorkspace } from './room.ts'
import { ADMIN, type Stand } from './stand.ts'

const ROUNDS = 9

/** Opens one folder in two browsers and measures from a click in one until the other shows the result. */
export async function measureLive(stand: Stand): Promise<WebFigure[]> {
  const workspace = await makeWorkspace(stand, 'Live')
  await inviteAsAdmin(stand, workspace, MARTA.email)
  const [one, other] = [await stand.open(ADMIN), await stand.open(MARTA.email)]
  for (const page of [one, other]) {
    await page.goto(paths.files(workspace))
    await page.getByRole('button', { name: 'New folder' }).first().waitFor()
  }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await between(one, other, `Folder ${round}`))
  await one.context().close()
  await other.context().close()
  return [
    { work: 'a change shows in another browser, median', unit: 'ms', ours: median(times), goal: { atMost: 2000 } },
    {
      work: 'a change shows in another browser, slowest',
      unit: 'ms',
      ours: Math.max(...times),
      goal: { atMost: 2000 },
    },
  ]
}

async function between(one: Page, other: Page, name: string): Promise<number> {
  await one.getByRole('button', { name: 'New folder' }).first().click()
  await one.getByRole('dialog').getByLabel('Name').fill(name)
  const seen = other.getByRole('main').getByRole('row', { name }).waitFor()
  const begun = performance.now()
  await one.keyboard.press('Enter')
  await seen
  const time = performance.now() - begun
  await one.getByRole('dialog').waitFor({ state: 'detached' })
  return time
}

async function inviteAsAdmin({ admin }: Stand, workspace_id: number, email: string): Promise<void> {
  const groups = await admin.call<{ id: number; kind: string }[]>('GET', `/groups?workspace_id=${workspace_id}`)
  const admins = groups.find(({ kind }) => kind === 'workspace_admins')
  await admin.call('POST', `/groups/${admins?.id}/memberships`, { workspace_id, email, send_email: false })
}
