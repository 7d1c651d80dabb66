import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { activity } from '../../../testing/samples.ts'
import { SmallRoom } from '../testing/room.ts'

beforeEach(() => {
  window.innerWidth = 1440
})

const page = (total: number, events = [activity()]) => ({
  pagination: { total_items: total, total_pages: 1, page: 1, per_page: 25 },
  events,
})
const summaryOf = (views: number, people: number) => ({
  from: '2026-01-03',
  to: '2026-02-01',
  total: views + 1,
  reading: { views, downloads: 1, people, last_at: new Date(Date.now() - 7_200_000).toISOString() },
  days: [],
  files: [],
  people: [],
})

const open = async (row: RegExp) => {
  const { user } = renderAt('/workspaces/5/files/2')
  await user.click(await screen.findByRole('row', { name: row }))
  return within(await screen.findByRole('region', { name: 'Activity' }))
}

test('tells an admin who opened a file how often, what happened last, and leads to all of it', async () => {
  const room = new SmallRoom().serve()
  room.on(api.activities.list, page(37)).on(api.activities.summary, summaryOf(12, 3))
  const section = await open(/Board minutes/)
  expect(
    await section.findByText('12 views and 1 download by 3 people in the last 30 days, last 2 hours ago.'),
  ).toBeTruthy()
  expect((await section.findByRole('listitem')).textContent).toContain('Bob Brown viewed the file: Lease.pdf')
  const all = section.getByRole('link', { name: 'Show all 37 activities' })
  expect(all.getAttribute('href')).toBe('/workspaces/5/activities?subject_type=Asset&subject_id=7')
  expect(room.calls.some((call) => call.includes('/summary?subject_type=Asset&subject_id=7'))).toBe(true)
})

test('tells for how long a file was read, and leads to its pages', async () => {
  const engaged = { file_id: 7, version: 1, pages: 3, from: '2026-01-03', to: '2026-02-01', groups: [], people: [] }
  const room = new SmallRoom().serve().on(api.activities.list, page(37)).on(api.activities.summary, summaryOf(12, 3))
  room.on(api.engagement.file, { ...engaged, ms: 960_000, readers: 3 })
  const section = await open(/Board minutes/)
  const link = await section.findByRole('link', { name: 'Read for 16 min by 3 people' })
  expect(link.getAttribute('href')).toBe('/workspaces/5/activities/engagement?file=7&days=30')
})

test('says that nobody opened a file, and that nothing happened', async () => {
  new SmallRoom().serve().on(api.activities.list, page(0, [])).on(api.activities.summary, summaryOf(0, 0))
  const section = await open(/Board minutes/)
  expect(await section.findByText('Nobody opened it in the last 30 days.')).toBeTruthy()
  expect(section.getByText('Nothing has happened with it yet.')).toBeTruthy()
})

test('of a folder has what was done with the folder, and who read the files in it', async () => {
  const room = new SmallRoom().serve().on(api.activities.list, page(1)).on(api.activities.summary, summaryOf(4, 1))
  const section = await open(/Audited accounts/)
  expect(await section.findByRole('link', { name: 'Show everything that happened in it' })).toBeTruthy()
  const words = 'Files in it: 4 views and 1 download by 1 person in the last 30 days, last 2 hours ago.'
  expect(await section.findByText(words)).toBeTruthy()
  expect(room.calls.some((call) => call.includes('/summary?folder_id='))).toBe(true)
})

test('of the open folder has what was done with it, without counting readers', async () => {
  const room = new SmallRoom().serve().on(api.activities.list, page(1))
  renderAt('/workspaces/5/files/2')
  const section = within(await screen.findByRole('region', { name: 'Activity' }))
  expect(await section.findByRole('link', { name: 'Show everything that happened in it' })).toBeTruthy()
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
