import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { workspace } from '../../testing/samples.ts'
import type { EngagedGroup } from './engaged.ts'

const none = { ms: 0, readers: 0, views: 0, downloads: 0 }
const days = { from: '2026-11-11', to: '2026-11-24' }
const pagination = { total_items: 2, total_pages: 1, page: 1, per_page: 25 }
const at = { first_at: '2026-11-12T08:00:00.000Z', last_at: '2026-11-24T08:50:00.000Z' }

const group = (more: Partial<EngagedGroup>): EngagedGroup => ({
  group_id: 3,
  name: 'Northgate',
  members: 8,
  active: 7,
  ms: 18 * 3_600_000 + 40 * 60_000,
  former_ms: 10 * 3_600_000,
  days: [{ day: '2026-11-20', ms: 3_600_000 }],
  viewable: 186,
  opened: 178,
  views: 300,
  downloads: 61,
  ...at,
  ...more,
})

const pages = {
  file_id: 7,
  version: 1,
  pages: 20,
  ms: 490_000,
  readers: 1,
  ...days,
  groups: [
    {
      group_id: 3,
      name: 'Northgate',
      access: true,
      ms: 490_000,
      readers: 2,
      page_times: [{ page_number: 17, ms: 490_000 }],
      stops: [{ page_number: 19, readers: 2 }],
    },
  ],
  people: [
    {
      user_id: 21,
      user_name: 'Tom Becker',
      group_ids: [3],
      ms: 490_000,
      views: 2,
      downloads: 1,
      pages: 1,
      last_page: 19,
      ...at,
    },
  ],
}

const file = { file_id: 7, folder_id: 4, outline: '1.2', title: 'Memorandum.pdf', kind: 'pdf' as const, pages: 20 }

let fake: FakeApi
beforeEach(() => {
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.engagement.groups, {
      ...days,
      groups: [group({}), group({ group_id: 4, name: 'Lenders', ms: 0, former_ms: 0 })],
    })
    .on(api.engagement.documents, {
      ...days,
      pagination,
      files: [
        {
          ...file,
          cells: [
            { ...none, group_id: 3, access: true, ms: 490_000, readers: 2, views: 3 },
            { ...none, group_id: 4, access: true },
          ],
        },
        {
          ...file,
          file_id: 8,
          title: 'Lease.pdf',
          cells: [
            { ...none, group_id: 3, access: true, views: 1 },
            { ...none, group_id: 4, access: false },
          ],
        },
      ],
    })
    .on(api.engagement.file, pages)
    .on(api.engagement.people, { ...days, pagination, people: pages.people })
})

test('groups stand side by side, and words tell what is not opened from what has no access', async () => {
  renderAt('/workspaces/5/activities/engagement')
  const cards = within(await screen.findByRole('list', { name: 'Groups by reading time' })).getAllByRole('button')
  expect(cards.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Northgate8 people, 7 active18 h 40reading · \+87%178 of 186 documents opened61 downloads/),
    expect.stringMatching(/^Lenders.*0 sreading 178 of/),
  ])
  const table = await screen.findByRole('table', { name: 'Reading times by document' })
  const rows = within(table).getAllByRole('row').slice(1)
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ),
  ).toEqual([
    ['1.2', '8 min', 'not opened'],
    ['1.2', 'opened', 'no access'],
  ])
})

test('the document that is read most is shown page by page, with where its readers stop', async () => {
  renderAt('/workspaces/5/activities/engagement')
  expect(await screen.findByText('page 17 (8:10 min)', { exact: false })).toBeTruthy()
  expect(screen.getByRole('img', { name: 'Northgate: nobody past page 19' })).toBeTruthy()
  expect(screen.getByText('20 pages · read for 8 min by 1 person')).toBeTruthy()
  const readers = screen.getByRole('table', { name: 'Readers' })
  expect(within(readers).getByRole('row', { name: /Tom Becker 8 min 19 2 1/ })).toBeTruthy()
})

test('another document, period and view are in the address, and a card opens the people of its group', async () => {
  const { user, router } = renderAt('/workspaces/5/activities/engagement')
  await user.click(await screen.findByRole('link', { name: 'Lease.pdf' }))
  expect(router.state.location.search).toBe('?file=8')
  await user.click(screen.getByRole('button', { name: /^Northgate/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Northgate' })
  expect(await within(dialog).findByRole('row', { name: /Tom Becker/ })).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  await user.click(screen.getByRole('button', { name: 'What happened' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/workspaces/5/activities'))
})

test('a room that does not measure says so', async () => {
  fake.on(api.workspaces.get, workspace({ measures_reading: false }))
  renderAt('/workspaces/5/activities/engagement')
  expect(await screen.findByText(/does not measure reading times now/)).toBeTruthy()
})

test('nothing is said of where readers stop who stayed on no page', async () => {
  const brief = { ...pages.groups[0], group_id: 4, name: 'Lenders', readers: 1, stops: [] }
  fake.on(api.engagement.file, { ...pages, groups: [...pages.groups, brief as (typeof pages.groups)[number]] })
  renderAt('/workspaces/5/activities/engagement')
  expect(await screen.findByRole('img', { name: 'Northgate: nobody past page 19' })).toBeTruthy()
  expect(screen.queryByText(/Lenders: /)).toBeNull()
  fake.on(api.engagement.file, { ...pages, groups: [brief as (typeof pages.groups)[number]] })
  renderAt('/workspaces/5/activities/engagement?file=9')
  expect(await screen.findByRole('img', { name: /^Lenders: time on/ })).toBeTruthy()
})

test('a page behind the last one leads back, and does not say that the room is empty', async () => {
  const asked: unknown[] = []
  fake.on(api.engagement.documents, ({ query }) => {
    asked.push(query?.page)
    return { ...days, pagination: { ...pagination, page: query?.page ?? 1 }, files: [] }
  })
  const { user } = renderAt('/workspaces/5/activities/engagement?page=9&file=1e99')
  await user.click(await screen.findByRole('button', { name: 'Go to page 1' }))
  expect(screen.queryByText('This room has no files yet.')).toBeNull()
  await waitFor(() => expect(asked).toContain(1))
  renderAt('/workspaces/5/activities/engagement?page=Infinity')
  await waitFor(() => expect(asked.at(-1)).toBe(1))
  expect(new Set(asked)).toEqual(new Set([9, 1]))
})

test('the menu offers a workbook, and saves the shown days as a PDF in the language of the reader', async () => {
  const saved: [name: string, blob: Blob][] = []
  let latest = new Blob()
  URL.createObjectURL = (blob) => {
    latest = blob as Blob
    return 'blob:report'
  }
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push([this.download, latest])
  })
  fake.on(api.engagement.print, [btoa('%PDF-'), btoa('1.7')])
  const { user } = renderAt('/workspaces/5/activities/engagement?days=30')
  await user.click(await screen.findByRole('button', { name: 'Report' }))
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Excel (XLSX)',
    'PDF with plots',
  ])
  await user.click(screen.getByRole('menuitem', { name: 'PDF with plots' }))
  await waitFor(() => expect(saved.map(([name]) => name)).toEqual(['Project Harbour engagement.pdf']))
  expect(await saved[0]?.[1].text()).toBe('%PDF-1.7')
  const [asked] = fake.calls.filter((call) => call.includes('/engagement/pdf'))
  const first = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10)
  expect(asked).toMatch(new RegExp(`from=${first}&language=en&time_zone=.`))
})

test('a report that cannot be made says so', async () => {
  fake.fail(api.engagement.print, 500, 'The disk is full.')
  const { user } = renderAt('/workspaces/5/activities/engagement')
  await user.click(await screen.findByRole('button', { name: 'Report' }))
  await user.click(screen.getByRole('menuitem', { name: 'PDF with plots' }))
  expect(await screen.findByText(/The disk is full/)).toBeTruthy()
})

test('the menu of the report has it mailed every week', async () => {
  const room = { workspace_id: 5, workspace_name: 'Harbour', frequency: null, suppressed: false }
  const settings = (weekly_report: boolean) => ({
    frequency: 'daily' as const,
    language: 'en' as const,
    mail_refused: false,
    workspaces: [{ ...room, weekly_report }],
  })
  let wanted = false
  fake
    .on(api.notifications.get, () => settings(wanted))
    .on(api.notifications.setWeeklyReport, ({ body }) => settings((wanted = body.weekly_report)))
  const { user } = renderAt('/workspaces/5/activities/engagement')
  await user.click(await screen.findByRole('button', { name: 'Report' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: /By mail every week/, checked: false }))
  expect(await screen.findByText('The weekly report will be mailed to you on Mondays')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Report' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: /By mail every week/, checked: true }))
  await waitFor(() => expect(wanted).toBe(false))
})

test('the link of a weekly report shows its week, from which the last days are one choice away', async () => {
  const { user, address } = renderAt('/workspaces/5/activities/engagement?days=7&until=2026-11-22')
  await screen.findByRole('list', { name: 'Groups by reading time' })
  expect(fake.calls.filter((call) => call.includes('/5/engagement?'))).toEqual([
    'GET /api/v1/workspaces/5/engagement?from=2026-11-16&to=2026-11-22',
  ])
  const period = screen.getByRole('combobox', { name: 'Period' })
  expect(period.textContent).toBe('16 Nov – 22 Nov')
  await user.click(period)
  await user.click(screen.getByRole('option', { name: 'Last 30 days' }))
  await waitFor(() => expect(address()).toBe('/workspaces/5/activities/engagement?days=30'))
})
