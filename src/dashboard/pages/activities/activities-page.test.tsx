import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { ApiFailure } from '../../api/failures.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { feedEvent, group, member, workspace } from '../../testing/samples.ts'
import { filtersOf } from './activity-filters.ts'

let fake: FakeApi
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const page = (events: ReturnType<typeof feedEvent>[], next: string | null = null) => ({ events, next })
const summary = {
  from: '2026-01-03',
  to: '2026-02-01',
  total: 9,
  reading: { views: 5, downloads: 2, people: 2, last_at: '2026-02-01T08:00:00.000Z' },
  days: [{ day: '2026-02-01', views: 5, downloads: 2, others: 2 }],
  files: [
    { file_id: 90, folder_id: 3, title: 'Lease.pdf', deleted: false, views: 4, downloads: 1, people: 2 },
    { file_id: 91, folder_id: null, title: null, deleted: false, views: 1, downloads: 1, people: 1 },
  ],
  people: [
    {
      user_id: 21,
      user_name: 'Bob Brown',
      views: 5,
      downloads: 2,
      others: 1,
      files: 2,
      last_active_at: '2026-02-01T08:00:00.000Z',
    },
  ],
}
/** The queries of the feed, without the time zone of this machine. */
const reads = () =>
  fake.calls
    .filter((call) => call.includes('/feed?'))
    .map((call) => {
      const query = new URLSearchParams(call.split('?')[1])
      query.delete('time_zone')
      return query.toString()
    })

beforeEach(() => {
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.workspaces.listMembers, [member()])
    .on(api.activities.feed, page([feedEvent()]))
    .on(api.activities.summary, summary)
})

describe('the activity feed', () => {
  it('shows sentences by day, newest first', async () => {
    fake.on(
      api.activities.feed,
      page([
        feedEvent({ id: 2, created_at: minutesAgo(0) }),
        feedEvent({ id: 1, created_at: '2026-02-01T08:00:00.000Z' }),
      ]),
    )
    renderAt('/workspaces/5/activities')
    const today = await screen.findByRole('region', { name: 'Today' })
    expect(within(today).getByRole('listitem').querySelector('.text')?.textContent).toBe(
      'Bob Brown viewed the file: Lease.pdf',
    )
    const older = screen.getByRole('region', { name: '1 Feb 2026' })
    expect(within(older).getByTitle(/1 February 2026 at 08:00:00/)).toBeTruthy()
  })

  it('reads on where a page of a large folder has no events', async () => {
    fake.on(api.activities.feed, ({ query }) =>
      query.after === '2_2' ? page([feedEvent({ id: 1 })]) : page([], query.after ? '2_2' : '1_1'),
    )
    renderAt('/workspaces/5/activities?folder_id=3')
    expect(await screen.findByRole('listitem')).toBeTruthy()
    expect(reads().map((query) => new URLSearchParams(query).get('after'))).toEqual([null, '1_1', '2_2'])
  })

  it('keeps filters by person, kind and day in the address, and goes back to the first page', async () => {
    const { user, address } = renderAt('/workspaces/5/activities?after=9_3&per_page=25')
    await user.click(await screen.findByRole('combobox', { name: 'Person' }))
    await user.click(await screen.findByRole('option', { name: 'Bob Brown' }))
    expect(address()).toBe('/workspaces/5/activities?per_page=25&user_id=21')
    await user.click(screen.getByRole('combobox', { name: 'Action' }))
    await user.click(await screen.findByRole('option', { name: 'Downloaded' }))
    expect(reads().at(-1)).toBe('user_id=21&verb=downloaded&per_page=25')
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(address()).toBe('/workspaces/5/activities?per_page=25')
  })

  it('links to the subject of each activity, and to the other activities of the person', async () => {
    fake.on(
      api.activities.feed,
      page([
        feedEvent({ id: 5 }),
        feedEvent({ id: 4, verb: 'deleted', message: 'deleted the file: Old.pdf' }),
        feedEvent({ id: 3, verb: 'moved', message: 'moved the folder', subject_type: 'Folder', subject_id: 8 }),
        feedEvent({ id: 2, verb: 'added', message: 'granted view access', subject_type: 'Group', subject_id: 7 }),
        feedEvent({ id: 1, verb: 'joined', message: 'joined this Workspace', subject_type: null, subject_id: null }),
      ]),
    )
    const { user, address } = renderAt('/workspaces/5/activities?verb=viewed')
    await screen.findByText('joined this Workspace')
    const hrefOf = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href')
    expect(hrefOf('viewed the file: Lease.pdf')).toBe('/workspaces/5/files/90/view')
    expect(hrefOf('deleted the file: Old.pdf')).toBeUndefined()
    expect(hrefOf('moved the folder')).toBe('/workspaces/5/files/8')
    expect(hrefOf('granted view access')).toBe('/workspaces/5/groups/7')
    expect(hrefOf('joined this Workspace')).toBeUndefined()
    await user.click(screen.getAllByRole('link', { name: 'Bob Brown' }).at(-1)!)
    expect(address()).toBe('/workspaces/5/activities?verb=viewed&user_id=21')
  })

  it('tells how often a person viewed the workspace on a day', async () => {
    const viewed = { verb: 'viewed', subject_type: 'Workspace', subject_id: 5, message: 'viewed this workspace' }
    fake.on(api.activities.feed, page([feedEvent({ id: 4, ...viewed, times: 2 }), feedEvent({ id: 2 })]))
    renderAt('/workspaces/5/activities')
    const feed = await screen.findByText('2 times')
    const lines = within(feed.closest('ol')!).getAllByRole('listitem')
    expect(lines.map((line) => line.querySelector('.text')?.textContent)).toEqual([
      'Bob Brown viewed this workspace2 times',
      'Bob Brown viewed the file: Lease.pdf',
    ])
  })

  it('shows a zip as one line that opens into its files, which are read only then, page by page', async () => {
    const downloaded = { verb: 'downloaded', act: 'file_downloaded' as const }
    const folder = { act: 'folder_downloaded', params: { name: 'Finance' }, subject_type: 'Folder', subject_id: 3 }
    const head = feedEvent({ id: 3, ...downloaded, ...folder, zip: { id: 3, folders: 1, files: 2 } })
    const [lease, tax] = ['Lease.pdf', 'Tax.pdf'].map((title, at) =>
      feedEvent({ id: 4 + at, ...downloaded, params: { title } }),
    )
    const several = feedEvent({ id: 1, ...downloaded, zip: { id: 1, folders: 2, files: 14 } })
    fake.on(api.activities.feed, ({ query }) => {
      if (query.zip_id === undefined) return page([head, several])
      return query.after === undefined ? page([{ ...head, zip: null }, lease!], '9_4') : page([tax!])
    })
    const { user } = renderAt('/workspaces/5/activities?verb=downloaded')
    expect(await screen.findByText('downloaded 2 folders and 14 files')).toBeTruthy()
    expect(reads()).toEqual(['verb=downloaded&per_page=50'])
    const zip = screen.getByText('downloaded the folder: Finance (2 files)')
    await user.click(zip)
    const inside = within(zip.closest('details')!)
    await user.click(await inside.findByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(inside.queryByRole('button', { name: 'Show more' })).toBeNull())
    expect(inside.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'downloaded the folder: Finance',
      'downloaded the file: Lease.pdf',
      'downloaded the file: Tax.pdf',
    ])
    expect(reads().at(-1)).toBe('verb=downloaded&zip_id=3&per_page=50&after=9_4')
  })

  it('finds the one group that it is filtered by', async () => {
    fake.on(api.groups.list, [group({ id: 6, name: 'Lenders' }), group()]).on(api.groups.get, group())
    const { user, address } = renderAt('/workspaces/5/activities?subject_type=Group')
    await user.type(await screen.findByRole('combobox', { name: 'Group' }), 'bid')
    await waitFor(() => expect(screen.queryByRole('option', { name: 'Lenders' })).toBeNull())
    await user.click(await screen.findByRole('option', { name: 'Bidders' }))
    expect(address()).toBe('/workspaces/5/activities?subject_type=Group&subject_id=7')
  })

  it('can be of today, or of the last days, until all are wanted again', async () => {
    const { user, address } = renderAt('/workspaces/5/activities?to=2026-03-01')
    const week = await screen.findByRole('button', { name: '7 days' })
    await user.click(week)
    const from = new URLSearchParams(address().split('?')[1]).get('from') ?? ''
    const days = (Date.parse(new Date().toISOString().slice(0, 10)) - Date.parse(from)) / 86_400_000
    expect(Math.abs(days - 6)).toBeLessThanOrEqual(1)
    expect(address()).not.toContain('to=')
    await waitFor(() => expect(week.getAttribute('aria-pressed')).toBe('true'))
    await user.click(week)
    expect(address()).toBe('/workspaces/5/activities')
  })

  it('can be of one group, which it names, until the kind of subject is changed', async () => {
    fake.on(api.groups.get, group({ name: 'Bidders' }))
    const { user, address } = renderAt('/workspaces/5/activities?subject_type=Group&subject_id=7')
    await screen.findByText('Bidders')
    expect(reads().at(-1)).toBe('group_id=7&per_page=50')
    await user.click(screen.getByRole('combobox', { name: 'About' }))
    await user.click(await screen.findByRole('option', { name: 'Folders' }))
    expect(address()).toBe('/workspaces/5/activities?subject_type=Folder')
  })

  it('applies a day only once its year is typed', async () => {
    const { user, address } = renderAt('/workspaces/5/activities')
    await user.click(await screen.findByRole('button', { name: 'Choose days' }))
    const field = await screen.findByLabelText('From')
    for (const day of ['0002-03-04', '0020-03-04', '0202-03-04', '2026-03-04']) {
      fireEvent.change(field, { target: { value: day } })
      expect(field).toHaveProperty('value', day)
    }
    await waitFor(() => expect(reads().at(-1)).toBe('from=2026-03-04&per_page=50'))
    expect(reads().filter((query) => query?.includes('from=')).length).toBe(1)
    fireEvent.change(field, { target: { value: '' } })
    await waitFor(() => expect(address()).toBe('/workspaces/5/activities'))
  })

  it('reports a first day that is after the last day', async () => {
    fake.on(api.activities.feed, page([]))
    const { user } = renderAt('/workspaces/5/activities?from=2026-03-04&to=2026-03-01')
    await user.click(await screen.findByRole('button', { name: '4 Mar 2026 – 1 Mar 2026' }))
    expect(await screen.findByText('After the last day')).toBeTruthy()
  })

  it('takes a range of days from a month, by mouse and by keyboard', async () => {
    const { user, address } = renderAt('/workspaces/5/activities?from=2026-03-04')
    await user.click(await screen.findByRole('button', { name: 'Since 4 Mar 2026' }))
    const days = within(await screen.findByRole('dialog', { name: 'Days' }))
    await user.click(days.getByRole('button', { name: '10 Mar 2026' }))
    expect(address()).toBe('/workspaces/5/activities?from=2026-03-10')
    await user.keyboard('{ArrowDown}{ArrowRight}{Enter}')
    expect(address()).toBe('/workspaces/5/activities?from=2026-03-10&to=2026-03-18')
    await waitFor(() => expect(days.getAllByRole('gridcell', { selected: true })).toHaveLength(9))
    await user.keyboard('{PageDown}')
    expect(days.getByRole('grid', { name: 'April 2026' })).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(screen.getByRole('button', { name: '10 Mar 2026 – 18 Mar 2026' })).toBeTruthy()
  })

  it('distinguishes an empty feed from filters that match nothing', async () => {
    fake.on(api.activities.feed, page([]))
    const { user } = renderAt('/workspaces/5/activities?verb=moved')
    expect(await screen.findByText('Nothing matches')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Clear the filters' }))
    expect(await screen.findByText('Nothing has happened yet')).toBeTruthy()
  })

  it('leads to older events and back to the newest', async () => {
    fake.on(api.activities.feed, ({ query }) =>
      query.after === undefined ? page([feedEvent()], '9_1') : page([feedEvent({ user_name: 'Ann Older' })]),
    )
    const { user, address } = renderAt('/workspaces/5/activities?verb=viewed')
    await user.click(await screen.findByRole('button', { name: 'Older' }))
    expect(address()).toBe('/workspaces/5/activities?verb=viewed&after=9_1')
    expect(await screen.findByText('Ann Older')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Older' })).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Newest' }))
    expect(address()).toBe('/workspaces/5/activities?verb=viewed')
  })

  it('of a folder is of everything below it; once it is gone, of itself', async () => {
    fake.fail(api.folders.get, 404, 'Folder not found').on(api.activities.feed, ({ query }) => {
      if (query.folder_id !== undefined) throw new ApiFailure(404, 'Folder not found')
      return page([feedEvent({ message: 'deleted the folder: Old' })])
    })
    renderAt('/workspaces/5/activities?subject_type=Folder&subject_id=8')
    expect(await screen.findByText('deleted the folder: Old')).toBeTruthy()
    expect(reads()).toEqual(['folder_id=8&per_page=50', 'subject_type=Folder&subject_id=8&per_page=50'])
    expect(await screen.findByText('Something that was deleted')).toBeTruthy()
  })

  it('offers no filter by person to plain members, who see only their own activities', async () => {
    fake.on(api.workspaces.get, workspace({ admin: false }))
    renderAt('/workspaces/5/activities')
    expect(await screen.findByRole('heading', { name: 'Your activity' })).toBeTruthy()
    expect(screen.queryByRole('combobox', { name: 'Person' })).toBeNull()
  })

  it('offers a retry when it cannot be read', async () => {
    fake.fail(api.activities.feed, 500, 'The database is away.')
    renderAt('/workspaces/5/activities')
    expect(await screen.findByText('The database is away.')).toBeTruthy()
  })
})

describe('the overview', () => {
  it('counts activities by day, file and person, as a chart and as tables', async () => {
    renderAt('/workspaces/5/activities')
    const chart = await screen.findByRole('img', {
      name: /Activity from 3 Jan 2026 to 1 Feb 2026: 5 views, 2 downloads/,
    })
    expect(chart.querySelectorAll('g.views rect')).toHaveLength(1)
    const days = screen.getByRole('table', { name: 'Activity over time' })
    expect(within(days).getByRole('row', { name: '1 Feb 2026 5 2 2' })).toBeTruthy()
    const files = screen.getByRole('table', { name: 'Most viewed files' })
    expect(within(files).getByRole('row', { name: 'Lease.pdf 4 1' })).toBeTruthy()
    expect(within(files).getByRole('row', { name: 'A file that is gone 1 1' })).toBeTruthy()
    const link = within(files).getByRole('link', { name: 'Lease.pdf' })
    expect(link.getAttribute('href')).toBe('/workspaces/5/files/3?file=90')
  })

  it('links to what one person read, and how often', async () => {
    const { user, address } = renderAt('/workspaces/5/activities?verb=viewed')
    const people = await screen.findByRole('table', { name: 'Most active people' })
    await user.click(within(people).getByRole('link', { name: 'Bob Brown' }))
    expect(address()).toBe('/workspaces/5/activities?verb=viewed&user_id=21')
    expect(await screen.findByRole('heading', { name: 'What Bob Brown read' })).toBeTruthy()
    expect(screen.getByText(/5 views and 2 downloads of 2 files, last active/)).toBeTruthy()
    expect(screen.queryByRole('table', { name: 'Most active people' })).toBeNull()
  })

  it('is hidden from plain members', async () => {
    fake.on(api.workspaces.get, workspace({ admin: false }))
    renderAt('/workspaces/5/activities')
    expect(await screen.findByRole('heading', { name: 'Your activity' })).toBeTruthy()
    expect(fake.calls.some((call) => call.includes('/summary'))).toBe(false)
  })
})

describe('files that a group has not opened', () => {
  const unread = {
    group_id: 7,
    members: 2,
    viewable: 3,
    pagination: { total_items: 1, total_pages: 1, page: 1, per_page: 50 },
    files: [
      {
        file_id: 90,
        folder_id: 3,
        title: 'Lease.pdf',
        kind: 'pdf' as const,
        path: '/Property',
        numbered_path: '/2 Property',
        created_at: '2026-02-01T08:00:00.000Z',
        updated_at: '2026-02-01T08:00:00.000Z',
      },
    ],
  }

  it('are listed with their folder, for the first custom group', async () => {
    fake
      .on(api.groups.list, [group({ id: 6, kind: 'all_members', name: 'All Members' }), group()])
      .on(api.activities.unread, unread)
    const { user, address } = renderAt('/workspaces/5/activities')
    await user.click(await screen.findByRole('button', { name: 'Not yet opened' }))
    expect(await screen.findByRole('row', { name: /Lease.pdf \/2 Property/ })).toBeTruthy()
    expect(screen.getByText(/of 3 files opened by 2 members/)).toBeTruthy()
    await user.click(screen.getByRole('combobox', { name: 'Group' }))
    await user.click(await screen.findByRole('option', { name: 'All Members' }))
    expect(address()).toBe('/workspaces/5/activities?show=unread&group=6')
    await expect.poll(() => fake.calls.at(-1)).toContain('/unread/6?')
  })

  it('are not reported as all opened if the group may view nothing', async () => {
    fake
      .on(api.groups.list, [group()])
      .on(api.activities.unread, ({ params }) => ({ ...unread, ...params, viewable: 0, files: [] }))
    renderAt('/workspaces/5/activities?show=unread')
    expect(await screen.findByText('This group may not view any file.')).toBeTruthy()
  })
})

describe('filters in the address', () => {
  it.each([
    ['page=0&per_page=1000', {}],
    ['page=-3&per_page=abc&user_id=1e3&from=yesterday&after=now', {}],
    ['subject_type=Folder&subject_id=8', { folder_id: 8 }],
    ['subject_type=Asset&subject_id=8', { subject_type: 'Asset', subject_id: 8 }],
    ['from=2026-02-31&to=2026-99-99', {}],
    ['from=0000-01-01&to=9999-12-31', { to: '9999-12-31' }],
    ['verb=<script>&subject_type=constructor', {}],
    ['user_id=21&verb=viewed&subject_type=Asset', { user_id: 21, verb: 'viewed', subject_type: 'Asset' }],
  ])('%s', (text, filters) => {
    const { time_zone: _, ...found } = filtersOf(new URLSearchParams(text))
    expect(found).toEqual(filters)
  })
})
