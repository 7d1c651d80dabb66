import type { Locator, Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { expectAccessible, openAs, untilStored } from './people.ts'

// A team's watermark, from the editor to the copy that a member of a watermarked group downloads.

const room = async (page: Page) => {
  const get = async <T>(path: string) => (await (await page.request.get(`/api/v1${path}`)).json()) as T
  const { workspaces } = await get<{ workspaces: { id: number; name: string; team_id: number }[] }>(
    '/users/me/workspaces',
  )
  const workspace = workspaces.find(({ name }) => name === 'Project Harbour')
  if (!workspace) throw new Error('the demo has no deal room')
  return { ...workspace, get }
}

const picture = (page: Page) => page.getByRole('img', { name: /sample page|sees it/ })

test('a placement is drawn while it is edited, and is saved', async ({ browser }) => {
  const ines = await openAs(browser, 'Ines Carvalho')
  const { team_id } = await room(ines)
  await ines.goto(`/teams/${team_id}`)
  const before = await picture(ines).getAttribute('src')
  await ines.getByRole('button', { name: 'Add a placement' }).click()
  await ines.getByLabel('Text').fill('CONFIDENTIAL')
  await ines.getByRole('radio', { name: 'Bottom right' }).check()
  await expect.poll(() => picture(ines).getAttribute('src')).not.toBe(before)
  await expectAccessible(ines)
  await ines.getByRole('button', { name: 'Add placement' }).click()
  await expect(ines.getByRole('list', { name: 'Placements' })).toContainText('“CONFIDENTIAL”')
  await ines.getByRole('button', { name: 'Dark page' }).click()
  await expectAccessible(ines)
  await ines.getByRole('button', { name: 'Delete Bottom right' }).click()
  await expect(ines.getByText('“CONFIDENTIAL”')).toHaveCount(0)
  await ines.context().close()
})

test('the pages and copies of a member carry the mark, the copies of an admin do not', async ({ browser }) => {
  const [marta, tom] = [await openAs(browser, 'Marta Nowak'), await openAs(browser, 'Tom Becker')]
  const { id, get } = await room(tom)
  await marta.goto(`/workspaces/${id}/groups`)
  await marta.getByRole('link', { name: 'Buyers' }).click()
  const watermark = marta.getByRole('switch', { name: 'Watermark' })
  const drm = marta.getByRole('switch', { name: 'DRM' })
  const were = { watermark: await watermark.isChecked(), drm: await drm.isChecked() }
  const set = async (each: Locator, on: boolean) => {
    if ((await each.isChecked()) !== on) await untilStored(marta, () => each.setChecked(on))
  }
  await set(watermark, true)
  await set(drm, false)
  await expect(picture(marta)).toHaveAttribute('alt', 'A page as Tom Becker sees it')

  const files = await get<{ id: number; title: string }[]>(`/files/search?workspace_id=${id}&q=articles`)
  const articles = files.find(({ title }) => title === 'Articles of association.pdf')?.id ?? 0
  const copyOf = async (page: Page) => {
    const answer = await page.request.get(`/api/v1/downloads/file/${articles}?workspace_id=${id}`)
    const { expiring_url } = (await answer.json()) as { expiring_url: string }
    return (await page.request.get(expiring_url)).body()
  }
  const [marked, plain] = [await copyOf(tom), await copyOf(marta)]
  expect(marked.subarray(0, 5).toString()).toBe('%PDF-')
  expect(marked.equals(plain)).toBe(false)

  await set(watermark, were.watermark)
  await set(drm, were.drm)
  await marta.context().close()
  await tom.context().close()
})
