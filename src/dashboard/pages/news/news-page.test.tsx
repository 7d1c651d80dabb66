import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { daysOf, type NewsItem } from './news-days.ts'

const item = (facts: Partial<NewsItem>): NewsItem => ({
  workspace_id: 5,
  at: '2026-11-20T09:00:00.000Z',
  unread: true,
  file: null,
  question: null,
  access: null,
  ...facts,
})
const file = (file_id: number, title: string, version = 1) => ({
  file_id,
  folder_id: 3,
  folder_name: 'Finance',
  title,
  kind: 'pdf' as const,
  version,
})
const NEWS = [
  item({ file: file(7, 'Accounts.pdf', 2) }),
  item({
    question: { id: '3f2b8c1e-5d47-4a90-b6a2-7c0d9e81f354', subject: 'Who pays?', status: 'answered', expert: null },
  }),
  item({ workspace_id: 6, access: 'group', unread: false }),
]

const times = { created_at: '2026-11-01T09:00:00.000Z', updated_at: '2026-11-01T09:00:00.000Z' }
const workspace = (id: number, name: string) => ({
  id,
  name,
  team_id: 1,
  team_name: 'Deal team',
  admin: false,
  team_member: false,
  terms_await: false,
  members: null,
  last_activity_at: null,
  favourite: false,
  ...times,
})
const counts = (workspace_id: number, unread_files: number) => ({
  workspace_id,
  new_since: '2026-11-01T09:00:00.000Z',
  new_files: 0,
  unread_files,
  unread_questions: 0,
  unread_passed: 0,
  unread_access: 0,
  to_do: null,
})

let server: FakeApi
let read: object[]
beforeEach(() => {
  read = []
  server = fakeApi()
    .on(api.users.workspaces, { workspaces: [workspace(5, 'Harbour'), workspace(6, 'Board')] })
    .on(api.users.news, { workspaces: [counts(5, 2), counts(6, 0)] })
    .on(api.news.list, ({ query }) => ({
      items: NEWS.filter(({ workspace_id }) => [undefined, workspace_id].includes(query.workspace_id)).map((each) =>
        read.length > 0 ? { ...each, unread: false } : each,
      ),
    }))
    .on(api.news.markRead, ({ body }) => void read.push(body) as never)
})

test('news are grouped by day and workspace', () => {
  const days = daysOf([...NEWS, item({ at: '2026-11-19T09:00:00.000Z', access: 'end' })])
  expect(
    days.map(({ day, rooms }) => [day, rooms.map(({ workspaceId, items }) => [workspaceId, items.length])]),
  ).toEqual([
    [
      '20 Nov 2026',
      [
        [5, 2],
        [6, 1],
      ],
    ],
    ['19 Nov 2026', [[5, 1]]],
  ])
})

test('a line leads to what is new, and says whether it is unread', async () => {
  renderAt('/news')
  const link = await screen.findByRole('link', { name: 'Accounts.pdf' })
  expect(link.getAttribute('href')).toBe('/workspaces/5/files/7/view')
  expect(link.closest('li')?.textContent).toMatch(/Finance.*Unread.*Version 2/)
  expect(screen.getByRole('link', { name: 'Who pays?' }).getAttribute('href')).toMatch(/questions\?question=3f2b8c1e/)
  expect(screen.getByText('You were added to a group').closest('li')?.textContent).not.toContain('Unread')
})

test('the news of one workspace are marked as read up to the newest that is listed', async () => {
  const { user } = renderAt('/news')
  const rooms = await screen.findByRole('navigation', { name: 'Workspaces with news' })
  await user.click(within(rooms).getByRole('link', { name: /Harbour/ }))
  await waitFor(() => expect(screen.queryByText('You were added to a group')).toBeNull())
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Mark all as read' })
  await user.click(button)
  expect(await screen.findByText('All news are marked as read')).toBeTruthy()
  expect(read).toEqual([{ until: '2026-11-20T09:00:00.000Z', workspace_id: 5 }])
  await waitFor(() => expect(button.disabled).toBe(true))
})

test('a person without news is told what will appear', async () => {
  server.on(api.news.list, { items: [] })
  renderAt('/news')
  expect(await screen.findByText('Nothing new')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull()
})

test('says that only the workspaces visited last are listed', async () => {
  const others = Array.from({ length: 12 }, (_, n) => workspace(10 + n, `Room ${n}`))
  server.on(api.users.workspaces, { workspaces: [workspace(5, 'Harbour'), workspace(6, 'Board'), ...others] })
  renderAt('/news')
  expect(await screen.findByText(/the news of the 2 workspaces that you visited last/)).toBeTruthy()
})
