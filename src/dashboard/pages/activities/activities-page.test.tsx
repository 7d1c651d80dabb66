import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { activity, member, workspace } from '../../testing/samples.ts'
import { filtersOf } from './activity-filters.ts'

let fake: FakeApi
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const page = (events: ReturnType<typeof activity>[], total = events.length) => ({
  pagination: { total_items: total, total_pages: Math.ceil(total / 50), page: 1, per_page: 50 },
  events,
})
const reads = () => fake.calls.filter((call) => call.includes('/activities/')).map((call) => call.split('?')[1])

beforeEach(() => {
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.workspaces.listMembers, [member()])
    .on(api.activities.list, page([activity()]))
})

describe('the activity feed', () => {
  it('reads as sentences, by day, newest first', async () => {
    fake.on(
      api.activities.list,
      page([
        activity({ id: 2, created_at: minutesAgo(0) }),
        activity({ id: 1, created_at: '2026-02-01T08:00:00.000Z' }),
      ]),
    )
    renderAt('/workspaces/5/activities')
    const today = await screen.findByRole('region', { name: 'Today' })
    expect(within(today).getByText('Bob Brown').parentElement?.textContent).toBe('Bob Brown viewed the file: Lease.pdf')
    const older = screen.getByRole('region', { name: '1 Feb 2026' })
    expect(within(older).getByTitle(/1 February 2026 at 08:00:00/)).toBeTruthy()
  })

  it('is filtered by person, kind and day, in the address, from the first page', async () => {
    const { user, address } = renderAt('/workspaces/5/activities?page=3&per_page=25')
    await user.click(await screen.findByRole('combobox', { name: 'Person' }))
    await user.click(await screen.findByRole('option', { name: 'Bob Brown' }))
    expect(address()).toBe('/workspaces/5/activities?per_page=25&user_id=21')
    await user.click(screen.getByRole('combobox', { name: 'Action' }))
    await user.click(await screen.findByRole('option', { name: 'Downloaded' }))
    expect(reads().at(-1)).toBe('page=1&per_page=25&user_id=21&verb=downloaded')
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(address()).toBe('/workspaces/5/activities?per_page=25')
  })

  it('tells empty from nothing that matches', async () => {
    fake.on(api.activities.list, page([]))
    const { user } = renderAt('/workspaces/5/activities?verb=moved')
    expect(await screen.findByText('Nothing matches')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Clear the filters' }))
    expect(await screen.findByText('Nothing has happened yet')).toBeTruthy()
  })

  it('turns pages', async () => {
    fake.on(api.activities.list, page([activity()], 130))
    const { user, address } = renderAt('/workspaces/5/activities')
    await user.click(await screen.findByRole('button', { name: 'Go to page 2' }))
    expect(address()).toBe('/workspaces/5/activities?page=2')
    expect(screen.getByText('130 events')).toBeTruthy()
  })

  it('does not offer people to plain members, who see only their own acts', async () => {
    fake.on(api.workspaces.get, workspace({ admin: false }))
    renderAt('/workspaces/5/activities')
    expect(await screen.findByRole('heading', { name: 'Your activity' })).toBeTruthy()
    expect(screen.queryByRole('combobox', { name: 'Person' })).toBeNull()
  })

  it('offers another try when it cannot be read', async () => {
    fake.fail(api.activities.list, 500, 'The database is away.')
    renderAt('/workspaces/5/activities')
    expect(await screen.findByText('The database is away.')).toBeTruthy()
  })
})

describe('filters of an address', () => {
  it.each([
    ['page=0&per_page=1000', {}],
    ['page=-3&per_page=abc&user_id=1e3&from=yesterday', {}],
    ['from=2026-02-31&to=2026-99-99', { from: '2026-02-31' }],
    ['verb=<script>&subject_type=constructor', {}],
    ['user_id=21&verb=viewed&subject_type=Asset', { user_id: 21, verb: 'viewed', subject_type: 'Asset' }],
  ])('%s', (text, filters) => {
    expect(filtersOf(new URLSearchParams(text))).toEqual({ page: 1, per_page: 50, ...filters })
  })
})
