import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { activity, NO_REASON } from '../../../testing/samples.ts'
import { SmallRoom } from '../testing/room.ts'

beforeEach(() => {
  window.innerWidth = 1440
})

const page = (total: number, events = [activity()]) => ({
  pagination: { total_items: total, total_pages: 1, page: 1, per_page: 25 },
  events,
})
const lastAt = new Date(Date.now() - 60_000).toISOString()
const person = (user_id: number, user_name: string, views: number, downloads = 0) => ({
  user_id,
  user_name,
  views,
  downloads,
  others: 0,
  files: 1,
  last_active_at: lastAt,
})
const summaryOf = (views: number, people: number) => ({
  from: '2026-01-19',
  to: '2026-02-01',
  total: views + 1,
  reading: { views, downloads: people && 1, people, last_at: lastAt },
  days: [{ day: '2026-01-31', views, downloads: 0, others: 0 }],
  files: [],
  people: [person(21, 'Bob Brown', views - 1, 1), { ...person(1, 'Alice Adams', 0), others: 3 }],
})
const engaged = (version: number, ms: number) => ({
  file_id: 7,
  version,
  pages: 3,
  from: '2026-01-19',
  to: '2026-02-01',
  ms,
  readers: 1,
  groups: [],
  people: [
    {
      user_id: 21,
      user_name: 'Bob Brown',
      group_ids: [],
      views: 3,
      downloads: 1,
      ms,
      pages: 2,
      last_page: 2,
      first_at: null,
      last_at: null,
    },
  ],
})

const open = async (row: RegExp) => {
  const { user } = renderAt('/workspaces/5/files/2')
  await user.click(await screen.findByRole('row', { name: row }))
  return within(await screen.findByRole('region', { name: 'Activity' }))
}

test('tells an admin who opened a file how often, on which days, and leads to all of it', async () => {
  const room = new SmallRoom().serve()
  room.on(api.activities.summary, summaryOf(12, 3)).on(api.engagement.file, engaged(1, 960_000))
  const section = await open(/Board minutes/)
  expect(await section.findByText('12 views and 1 download by 3 people')).toBeTruthy()
  expect(section.getByRole('img', { name: 'Views and downloads on each of the last 14 days' }).children).toHaveLength(
    14,
  )
  expect(section.getByTitle('31 Jan: 12')).toBeTruthy()
  const people = section.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(people).toEqual(['BBBob Browntoday11 views and 1 download, 16 min'])
  const all = section.getByRole('link', { name: 'All activity' })
  expect(all.getAttribute('href')).toBe('/workspaces/5/activities?subject_type=Asset&subject_id=7')
  expect(room.calls.some((call) => call.includes('/summary?subject_type=Asset&subject_id=7&from='))).toBe(true)
})

test('tells for how long the newest version was read, and leads to its pages', async () => {
  const room = new SmallRoom().serve().on(api.activities.summary, summaryOf(12, 3))
  room.on(api.engagement.file, engaged(2, 960_000))
  const section = await open(/Board minutes/)
  const link = await section.findByRole('link', { name: 'version 2 read for 16 min in 14 days' })
  expect(link.getAttribute('href')).toBe('/workspaces/5/activities/engagement?file=7&days=14')
  expect(section.getByText('11 views and 1 download')).toBeTruthy()
})

test('says that nobody opened a file', async () => {
  new SmallRoom().serve().on(api.activities.summary, summaryOf(0, 0)).on(api.engagement.file, engaged(1, 0))
  const section = await open(/Board minutes/)
  expect(await section.findByText('Nobody opened it in 14 days.')).toBeTruthy()
})

test('of a folder has what was done with the folder, and who read the files in it', async () => {
  const room = new SmallRoom().serve().on(api.activities.list, page(1)).on(api.activities.summary, summaryOf(4, 1))
  const section = await open(/Audited accounts/)
  expect(await section.findByText('4 views and 1 download by 1 person')).toBeTruthy()
  expect(section.getByText('of the files in it, in 14 days')).toBeTruthy()
  expect(section.getAllByRole('listitem').at(-1)?.textContent).toContain('Bob Brown viewed the file: Lease.pdf')
  expect(room.calls.some((call) => call.includes('/summary?folder_id='))).toBe(true)
})

test('of the open folder has what was done with it, without counting readers', async () => {
  const room = new SmallRoom().serve().on(api.activities.list, page(1))
  renderAt('/workspaces/5/files/2')
  const section = within(await screen.findByRole('region', { name: 'Activity' }))
  expect(await section.findByText(/viewed the file: Lease.pdf/)).toBeTruthy()
  expect(room.calls.some((call) => call.includes('subject_type=Folder&subject_id=2'))).toBe(true)
  expect(room.calls.some((call) => call.includes('/summary'))).toBe(false)
})

test('is not read for members', async () => {
  const room = new SmallRoom().serve({ admin: false })
  const { user } = renderAt('/workspaces/5/files/2')
  await user.click(await screen.findByRole('row', { name: /Board minutes/ }))
  await user.click(await screen.findByText('Technical details'))
  await screen.findByText('Virus check')
  expect(screen.queryByRole('region', { name: 'Activity' })).toBeNull()
  expect(room.calls.some((call) => call.includes('/activities'))).toBe(false)
})

test('tells how many questions there are on a file, without reading them, and leads to them', async () => {
  const counts = { to_approve: 1, open: 2, draft: 0, answered: 4, closed: 1, withdrawn: 0, overdue: 1 }
  const room = new SmallRoom().serve()
  room.on(api.activities.list, page(37)).on(api.activities.summary, summaryOf(12, 3))
  room.on(api.questions.count, { counts })
  const { user } = renderAt('/workspaces/5/files/2')
  await user.click(await screen.findByRole('row', { name: /Board minutes/ }))
  const link = await screen.findByRole('link', { name: 'Questions: 3 open, 4 answered' })
  expect(link.getAttribute('href')).toContain('file=7')
  expect(room.calls.filter((call) => call.includes('/questions'))).toEqual([
    expect.stringContaining('/questions/counts?file_id=7'),
  ])
})

test('has who uploaded the versions of a file, and leads to each', async () => {
  const version = (number: number, name: string) => ({
    version: number,
    file_size: '1',
    file_content_type: 'application/pdf',
    sha256: 'ab',
    pages: 1,
    infected: false,
    damaged: false,
    viewer_status: 'Ready' as const,
    ...NO_REASON,
    uploaded_by_id: 1,
    uploaded_by_name: name,
    created_at: `2026-01-0${number}T09:00:00.000Z`,
  })
  new SmallRoom()
    .serve()
    .on(api.files.versions, [
      version(4, 'Alice Adams'),
      version(3, ''),
      version(2, 'Bob Brown'),
      version(1, 'Bob Brown'),
    ])
  const { user } = renderAt('/workspaces/5/files/2')
  await user.click(await screen.findByRole('row', { name: /Board minutes/ }))
  const section = within(await screen.findByRole('region', { name: 'Versions' }))
  const lines = async () => (await section.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(await lines()).toEqual([
    'Version 4Alice Adams, 4 Jan 2026Current',
    'Version 33 Jan 2026',
    'Version 2Bob Brown, 2 Jan 2026',
  ])
  expect(section.getByRole('link', { name: 'Version 3' }).getAttribute('href')).toContain('/files/7/view?version=3')
  await user.click(section.getByRole('button', { name: 'All 4' }))
  expect(await lines()).toHaveLength(4)
})
