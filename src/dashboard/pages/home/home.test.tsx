import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { refresh } from '../../api/query.ts'
import { queryClient } from '../../api/query-client.ts'
import { newsCounts } from '../../shared/news/news-counts.ts'
import { alice, fakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { daysUntil, latestOf, viewedOf } from './latest.ts'
import type { WorkspaceNews } from './news.ts'
import type { EnterableWorkspace, Team } from './spaces.ts'
import { tasksOf } from './tasks.ts'

const times = { created_at: '2026-11-01T09:00:00.000Z', updated_at: '2026-11-01T09:00:00.000Z' }

const team = (facts: Partial<Team>): Team => ({
  id: 1,
  name: 'Deal team',
  team_owner_id: 1,
  creator_id: 1,
  allowed_workspaces: 100,
  allowed_admins: 10,
  drm_enabled: true,
  watermarking: true,
  page_pictures: true,
  pdf_delivery: 'woven',
  suppress_emails: false,
  owner: true,
  member: true,
  ...times,
  ...facts,
})

const workspace = (facts: Partial<EnterableWorkspace>): EnterableWorkspace => ({
  id: 5,
  name: 'Project Harbour',
  team_id: 1,
  team_name: 'Deal team',
  admin: true,
  team_member: true,
  terms_await: false,
  members: 5,
  last_activity_at: null,
  favourite: false,
  ...times,
  ...facts,
})

const activity = (id: number, verb: string) => ({
  id,
  user_id: 21,
  user_name: 'Bob Brown',
  workspace_id: 5,
  verb,
  message: `${verb} something`,
  act: null,
  params: {},
  subject_type: 'Asset',
  subject_id: 1,
  created_at: `2026-11-20T09:00:${String(id).padStart(2, '0')}.000Z`,
})

test('workspaces are listed below their team, including teams that the user is not in', async () => {
  const workspaces = [
    workspace({}),
    workspace({ id: 6, name: 'Bid', team_id: 2, team_name: 'Northgate', admin: false }),
  ]
  fakeApi()
    .on(api.users.workspaces, { workspaces })
    .on(api.teams.list, [team({})])
  renderAt('/')

  const own = await screen.findByRole('region', { name: 'Deal team' })
  expect(
    within(own)
      .getByRole('link', { name: /Project Harbour/ })
      .getAttribute('href'),
  ).toBe('/workspaces/5')
  const foreign = screen.getByRole('region', { name: 'Northgate' })
  expect(within(foreign).getByRole('link', { name: /Bid/ })).toBeTruthy()
})

test('a user without any workspace is told what will happen', async () => {
  fakeApi().on(api.users.workspaces, { workspaces: [] }).on(api.teams.list, [])
  renderAt('/')
  expect(await screen.findByText('No workspace is open to you yet')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'New workspace' })).toBeNull()
})

test('only an organization admin creates teams', async () => {
  const server = fakeApi().on(api.users.workspaces, { workspaces: [] }).on(api.teams.list, [])
  server.session({ user: { ...alice, organization_admin: true } })
  server.on(api.teams.create, ({ body }) => team({ name: body.team.name }))
  const { user } = renderAt('/')
  await user.click(await screen.findByRole('button', { name: 'New team' }))
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Litigation{Enter}')
  expect(await screen.findByText(/Team “Litigation” is created/)).toBeTruthy()
})

const teamIsFull = {
  code: 422,
  message: 'The request has a value that cannot be accepted.',
  details: [
    { field: 'workspace.team_id', message: 'has no room', rule: 'team_with_free_workspaces', params: { limit: '2' } },
  ],
}

test('a refused workspace keeps the dialog open with the reason', async () => {
  const server = fakeApi()
    .on(api.users.workspaces, { workspaces: [] })
    .on(api.teams.list, [team({})])
  server.raw('POST', '/api/v1/workspaces', () => ({ status: 422, body: { error: teamIsFull } }))
  const { user } = renderAt('/')
  await user.click(await screen.findByRole('button', { name: 'New workspace' }))
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Another{Enter}')
  expect((await screen.findByRole('alert')).textContent).toMatch(/^This team has as many workspaces as it may have/)
  expect(screen.getByRole('dialog')).toBeTruthy()
})

test('recent activity has one line for repeats, newest first', () => {
  const latest = latestOf([activity(1, 'created'), activity(2, 'created'), activity(3, 'deleted')])
  expect(latest.map(({ id }) => id)).toEqual([3, 2])
})

const expiration = (group_id: number, kind: 'access' | 'drm') => ({
  workspace_id: 5,
  workspace_name: 'Project Harbour',
  group_id,
  group_name: `Group ${group_id}`,
  kind,
  date: '2031-03-05',
})

const withRoom = () =>
  fakeApi()
    .on(api.users.workspaces, { workspaces: [workspace({ last_activity_at: '2026-11-20T09:00:00.000Z' })] })
    .on(api.teams.list, [team({})])

const activities = (events: ReturnType<typeof activity>[]) => ({
  events,
  pagination: { page: 1, per_page: 25, total_items: events.length, total_pages: 1 },
})

test('expirations are named with their day, and lead to their group', async () => {
  withRoom()
    .on(api.activities.list, activities([activity(1, 'created')]))
    .on(api.users.expirations, { expirations: [expiration(7, 'access'), expiration(8, 'drm')] })
  renderAt('/')
  const soon = await screen.findByRole('region', { name: 'Expiring soon' })
  const [access, drm] = within(soon).getAllByRole('listitem')
  expect(access?.textContent).toMatch(/^Access of Group 7 ends on 5 Mar 2031/)
  expect(drm?.textContent).toMatch(/^Sealed documents of Group 8 open for the last time on 5 Mar 2031/)
  expect(within(soon).getByRole('link', { name: 'Group 7' }).getAttribute('href')).toBe('/workspaces/5/groups/7')
})

test('only the first of many expirations are shown, and the rest on request', async () => {
  const expirations = Array.from({ length: 9 }, (_, group) => expiration(group, 'access'))
  withRoom().on(api.activities.list, activities([])).on(api.users.expirations, { expirations })
  const { user } = renderAt('/')
  const soon = await screen.findByRole('region', { name: 'Expiring soon' })
  expect(within(soon).getAllByRole('listitem')).toHaveLength(5)
  await user.click(within(soon).getByRole('button', { name: 'Show all 9' }))
  expect(within(soon).getAllByRole('listitem')).toHaveLength(9)
})

test('without expirations their section is hidden, and mere visits are not listed', async () => {
  const visit = { ...activity(1, 'viewed'), subject_type: 'Workspace' }
  withRoom()
    .on(api.activities.list, activities([visit]))
    .on(api.users.expirations, { expirations: [] })
  renderAt('/')
  expect(await screen.findByText('Nothing but visits of others lately.')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Expiring soon' })).toBeNull()
})

test('activities that cannot be read are not told as none', async () => {
  withRoom().fail(api.activities.list, 500, 'It broke').on(api.users.expirations, { expirations: [] })
  renderAt('/')
  const recent = await screen.findByRole('region', { name: 'Recent activity' })
  expect(await within(recent).findByText('It broke')).toBeTruthy()
  expect(screen.queryByText('Nothing but visits of others lately.')).toBeNull()
})

test('what one did oneself is no news, but what one viewed can be opened again', async () => {
  const own = (id: number, title: string) => ({
    ...activity(id, 'viewed'),
    user_id: alice.id,
    user_name: 'Alice Adams',
    subject_id: id % 10,
    params: { title },
  })
  withRoom()
    .on(api.activities.list, ({ query }) =>
      activities(query?.others ? [] : [own(11, 'Lease.pdf'), own(1, 'Lease.pdf')]),
    )
    .on(api.users.expirations, { expirations: [] })
  renderAt('/')
  expect(await screen.findByText('Nothing but visits of others lately.')).toBeTruthy()
  const viewed = await screen.findByRole('region', { name: 'Recently viewed' })
  const [link, ...more] = within(viewed).getAllByRole('link')
  expect([link?.textContent, link?.getAttribute('href'), more]).toEqual(['Lease.pdf', '/workspaces/5/files/1/view', []])
  expect(viewedOf([own(1, 'Old.pdf'), own(11, 'New.pdf'), own(2, 'Other.pdf')]).map(({ title }) => title)).toEqual([
    'New.pdf',
    'Other.pdf',
  ])
})

test('an admin sees who came in for the first time', async () => {
  withRoom()
    .on(api.activities.list, ({ query }) => activities(query?.verb === 'joined' ? [activity(1, 'joined')] : []))
    .on(api.users.expirations, { expirations: [] })
  renderAt('/')
  const arrivals = await screen.findByRole('region', { name: 'Came in for the first time' })
  expect(within(arrivals).getByRole('link', { name: 'Project Harbour' }).getAttribute('href')).toBe(
    '/workspaces/5/people',
  )
})

test('a guest has no news of other people', async () => {
  fakeApi()
    .on(api.users.workspaces, { workspaces: [workspace({ admin: false, last_activity_at: times.created_at })] })
    .on(api.teams.list, [])
    .on(api.activities.list, activities([]))
    .on(api.users.expirations, { expirations: [] })
  renderAt('/')
  await screen.findByRole('link', { name: /Project Harbour/ })
  expect(screen.getByText(/^you were here/)).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Recent activity' })).toBeNull()
})

test('days are counted in UTC, the time zone of the dates', () => {
  const evening = Date.parse('2026-11-20T23:30:00.000Z')
  expect(daysUntil('2026-11-20', evening)).toBe('today')
  expect(daysUntil('2026-11-21', evening)).toBe('tomorrow')
  expect(daysUntil('2026-11-25', evening)).toBe('in 5 days')
})

test('a team without a workspace offers to create one in it', async () => {
  let asked: unknown
  fakeApi()
    .on(api.users.workspaces, { workspaces: [] })
    .on(api.teams.list, [team({}), team({ id: 2, name: 'Litigation' })])
    .on(api.workspaces.create, ({ body }) => {
      asked = body.workspace
      throw new Error('enough')
    })
  const { user } = renderAt('/')
  await user.click(await screen.findByRole('button', { name: 'New workspace in Litigation' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Case 7{Enter}')
  await waitFor(() => expect(asked).toEqual({ name: 'Case 7', team_id: 2 }))
})

test('an activity leads to where it happened', async () => {
  withRoom()
    .on(api.activities.list, activities([activity(1, 'created')]))
    .on(api.users.expirations, { expirations: [] })
  renderAt('/')
  const link = await screen.findByRole('link', { name: 'created something' })
  expect(link.getAttribute('href')).toBe('/workspaces/5/files/1/view')
})

const nothing = { count: 0, names: [] }
const NOTHING_TO_DO = {
  failed_files: nothing,
  awaited_members: nothing,
  changed_names: nothing,
  overdue_questions: nothing,
  to_approve: nothing,
  to_answer: nothing,
  failed_drafts: nothing,
  unplanned_drafts: nothing,
  awaited_groups: nothing,
}

const news = (facts: Partial<WorkspaceNews>): WorkspaceNews => ({
  workspace_id: 5,
  new_since: '2026-11-19T09:00:00.000Z',
  new_files: 0,
  unread_files: 0,
  unread_questions: 0,
  unread_passed: 0,
  unread_access: 0,
  to_do: NOTHING_TO_DO,
  ...facts,
})

test('a card says what is new since the last visit, and that nothing is', async () => {
  const server = withRoom().on(api.users.news, { workspaces: [news({ new_files: 14, unread_files: 1 })] })
  const { unmount } = renderAt('/')
  const card = await screen.findByRole('listitem', { name: 'Project Harbour' })
  expect(
    within(card)
      .getAllByRole('listitem')
      .map((line) => line.textContent),
  ).toEqual([
    expect.stringMatching(/^14 new documents since 19 Nov, \d\d:\d\d$/),
    '1 unread document of the last 90 days',
  ])
  unmount()
  server.on(api.users.news, { workspaces: [news({ to_do: null })] })
  renderAt('/')
  expect(await screen.findByText(/^No new documents since/)).toBeTruthy()
  expect(screen.getByText('Nothing unread of the last 90 days')).toBeTruthy()
})

test('without news the workspaces are still listed, and what was known stays', async () => {
  const server = withRoom().fail(api.users.news, 503, 'Try again later.')
  renderAt('/')
  expect(await screen.findByRole('link', { name: 'Project Harbour' })).toBeTruthy()
  expect(screen.queryByText(/new document/)).toBeNull()
  server.on(api.users.news, { workspaces: [news({ new_files: 2 })] })
  await refresh()
  expect(await screen.findByText(/2 new documents/)).toBeTruthy()
  server.fail(api.users.news, 503, 'Try again later.')
  await refresh()
  expect(screen.getByText(/2 new documents/)).toBeTruthy()
})

test('news that are refused because the session has ended lead to the sign-in', async () => {
  const server = withRoom().on(api.users.news, { workspaces: [] })
  const { address } = renderAt('/')
  await screen.findByRole('link', { name: 'Project Harbour' })
  server.fail(api.users.news, 401, 'Sign in').session({ user: null })
  await refresh()
  await waitFor(() => expect(address()).toMatch(/^\/sign-in/))
})

test('news that the bell fails to read leave the page as it is', async () => {
  const server = withRoom().on(api.users.news, { workspaces: [news({ new_files: 2, unread_files: 3 })] })
  renderAt('/')
  expect(await screen.findByText(/2 new documents/)).toBeTruthy()
  expect(await screen.findByText(/3 unread$/)).toBeTruthy()
  server.fail(api.users.news, 404, 'Not found.')
  const readers = queryClient.getQueryCache().find(newsCounts())?.observers ?? []
  expect(readers).toHaveLength(2)
  for (const reader of readers) expect((await reader.refetch()).error).toBeNull()
  expect(screen.getByText(/2 new documents/)).toBeTruthy()
})

test.each([
  [false, 0, /^2 new answers$/],
  [false, 1, /^2 unread questions$/],
  [true, 0, /^2 unread questions$/],
])('a card tells what is unread of questions: to admins %s, of which %i passed to an expert', async (...given) => {
  const [admin, unread_passed, words] = given
  withRoom()
    .on(api.users.workspaces, { workspaces: [workspace({ admin })] })
    .on(api.users.news, { workspaces: [news({ unread_questions: 2, unread_passed })] })
  renderAt('/')
  expect(await screen.findByText(words)).toBeTruthy()
})

test('an admin sees what is to be done, and where', async () => {
  const to_do = {
    ...NOTHING_TO_DO,
    failed_files: { count: 3, names: ['Map.dwg', 'Soil.xps'] },
    awaited_members: { count: 1, names: ['Lena Brandt'] },
    changed_names: { count: 2, names: ['Kim Lee', 'Ravi Anand'] },
  }
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  withRoom()
    .on(api.users.news, { workspaces: [news({ to_do })] })
    .on(api.users.expirations, { expirations: [{ ...expiration(7, 'access'), date: soon }] })
  renderAt('/')
  const list = await screen.findByRole('region', { name: 'To do' })
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(4))
  const [failed, ending, changed, awaited] = within(list).getAllByRole('listitem')
  expect(failed?.textContent).toBe('3 documents cannot be shownMap.dwg, Soil.xps and 1 more · Project HarbourSee why')
  expect(ending?.textContent).toMatch(/^Access of Group 7 ends on .+in 3 days · Project HarbourExtend$/)
  expect(changed?.textContent).toBe(
    'Watermarks do not show the new names of 2 people yetKim Lee, Ravi Anand · Project HarbourAccept names',
  )
  expect(awaited?.textContent).toBe('1 person was invited and has not come inLena Brandt · Project HarbourRemind')
  expect(
    within(list)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/workspaces/5/documents', '/workspaces/5/groups/7', '/workspaces/5/people', '/workspaces/5/people'])
})

test('an admin is told of own questions, of drafts that no plan published and of draft groups', async () => {
  const to_do = {
    ...NOTHING_TO_DO,
    overdue_questions: { count: 1, names: ['Who pays?'] },
    to_answer: { count: 2, names: ['Which law?', 'Which berth?'] },
    to_approve: { count: 1, names: ['Which court?'] },
    failed_drafts: { count: 1, names: ['Leases'] },
    unplanned_drafts: { count: 2, names: ['Forecasts', 'Budget'] },
    awaited_groups: { count: 1, names: ['Bidders 2'] },
  }
  withRoom().on(api.users.news, { workspaces: [news({ to_do })] })
  renderAt('/')
  const list = await screen.findByRole('region', { name: 'To do' })
  const lines = within(list).getAllByRole('listitem')
  expect(lines.map((line) => line.textContent)).toEqual([
    '1 draft was not published as plannedLeases · Project HarbourSee why',
    '1 question of yours is overdueWho pays? · Project HarbourOpen',
    '1 answer awaits your approvalWhich court? · Project HarbourOpen',
    '2 questions await your answerWhich law?, Which berth? · Project HarbourOpen',
    '1 draft group with people is not publishedBidders 2 · Project HarbourOpen',
    '2 drafts are not publishedForecasts, Budget · Project HarbourOpen',
  ])
  expect(
    within(list)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')?.replace(/awaits=\d+/, 'awaits=ID')),
  ).toEqual([
    '/workspaces/5/files',
    '/workspaces/5/questions?awaits=ID',
    '/workspaces/5/questions?awaits=ID&status=to_approve',
    '/workspaces/5/questions?awaits=ID',
    '/workspaces/5/groups',
    '/workspaces/5/files',
  ])
})

test('nothing is to be done in workspaces of others, for later days, or for sealed copies', () => {
  const now = Date.parse('2031-02-26T12:00:00.000Z')
  const ends = [expiration(7, 'access'), expiration(8, 'drm')]
  const inHarbour = (admin: boolean, at = now) =>
    tasksOf({ workspaces: [workspace({ admin })], news: [news({})], expirations: ends, userId: 1 }, at).map(
      ({ key }) => key,
    )
  expect(inHarbour(true)).toEqual(['access_ends 7'])
  expect(inHarbour(false)).toEqual([])
  expect(inHarbour(true, now - 86_400_000)).toEqual([])
})

test('a favourite comes first, for its user alone, and can be taken back', async () => {
  let stored = false
  const rooms = () => ({ workspaces: [workspace({ favourite: stored }), workspace({ id: 6, name: 'Board papers' })] })
  const server = fakeApi()
    .on(api.users.workspaces, rooms)
    .on(api.teams.list, [team({})])
    .on(api.workspaces.setFavourite, ({ params, body }) => {
      expect(params.id).toBe(5)
      stored = body.favourite
    })
  const { user } = renderAt('/')
  const star = await screen.findByRole('button', { name: 'Favourite: Project Harbour', pressed: false })
  expect(screen.queryByRole('region', { name: 'Favourites' })).toBeNull()
  await user.click(star)
  const favourites = await screen.findByRole('region', { name: 'Favourites' })
  expect(
    within(favourites)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['Project Harbour'])
  await waitFor(() => expect(stored).toBe(true))
  await user.click(within(favourites).getByRole('button', { pressed: true }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Favourites' })).toBeNull())
  await waitFor(() => expect(stored).toBe(false))

  server.fail(api.workspaces.setFavourite, 503, 'Try again later.')
  await user.click(screen.getByRole('button', { name: 'Favourite: Project Harbour' }))
  expect(await screen.findByText(/Try again later/)).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Favourites' })).toBeNull()
})
