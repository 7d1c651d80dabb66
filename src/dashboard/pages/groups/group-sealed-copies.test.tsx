import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { group, workspace } from '../../testing/samples.ts'
import type { SealedCopy } from '../../shared/sealed-copies/sealed-copies.ts'

const COPY = 'b2830056-6d5f-49f3-940c-131c0d4ac4ad'
const AT = '2026-03-03T10:00:00.000Z'

let fake: FakeApi
let stored: SealedCopy[]

beforeEach(() => {
  stored = [
    {
      copy_id: COPY,
      workspace_id: 5,
      file_id: 9,
      title: 'Plan.pdf',
      version: 1,
      pages: 3,
      user_id: 21,
      user_name: 'Bob Brown',
      groups: [{ id: 7, name: 'Bidders' }],
      openings: 2,
      refusals: 1,
      last_opened_at: AT,
      created_at: AT,
      revoked_at: null,
      revoked_by_id: null,
    },
  ]
  const change = (revoked_at: string | null) => {
    stored = stored.map((copy) => ({ ...copy, revoked_at }))
    return stored[0]!
  }
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.groups.get, group({ drm_enabled: true }))
    .on(api.groups.listMembers, [])
    .on(api.sealedCopies.list, ({ query }) => (query.group_id === 7 ? stored : []))
    .on(api.sealedCopies.revoke, () => change(AT))
    .on(api.sealedCopies.restore, () => change(null))
    .on(api.sealedCopies.openings, [
      { id: 2, user_id: 22, user_name: 'Carol', opened: false, refusal: 'other_person', created_at: AT },
      { id: 1, user_id: 21, user_name: 'Bob Brown', opened: true, refusal: null, created_at: AT },
    ])
})

const open = async () => {
  const view = renderAt('/workspaces/5/groups/7')
  await screen.findByRole('heading', { name: 'Security' })
  return view
}

describe('the sealed copies of a group', () => {
  it('are listed with their readers and how often they were opened', async () => {
    await open()
    const list = await screen.findByRole('list', { name: 'Sealed copies' })
    within(list).getByText('Plan.pdf')
    within(list).getByText(/Bob Brown · version 1/)
    expect(within(list).getByText(/Opened 2 times, last .* · refused once/)).toBeDefined()
  })

  it('are listed to the last one, page by page', async () => {
    const [copy] = stored
    const all = Array.from({ length: 52 }, (_, n) => ({ ...copy!, copy_id: `copy-${n}` }))
    fake.on(api.sealedCopies.list, ({ query: { page, per_page } }) => all.slice((page - 1) * per_page, page * per_page))
    const { user } = await open()
    const { children } = await screen.findByRole('list', { name: 'Sealed copies' })
    for (const shown of [25, 50]) {
      await waitFor(() => expect(children).toHaveLength(shown))
      await user.click(screen.getByText('Show more'))
    }
    await waitFor(() => expect(children).toHaveLength(52))
    expect(screen.queryByText('Show more')).toBeNull()
  })

  it('are revoked with one click and restored with another', async () => {
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Revoke the copy of Plan.pdf' }))
    await screen.findByText('Revoked')
    await user.click(screen.getByRole('button', { name: 'Restore the copy of Plan.pdf' }))
    await waitFor(() => expect(screen.queryByText('Revoked')).toBeNull())
  })

  it('show who opened a copy, and who was refused', async () => {
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Openings of the copy of Plan.pdf' }))
    await screen.findByText(/was refused: it was made for somebody else/)
    expect(await screen.findByText(/opened it/)).toBeDefined()
  })

  it('report why openings cannot be read, and why a copy is not revoked', async () => {
    fake
      .fail(api.sealedCopies.openings, 500, 'The database is away.')
      .fail(api.sealedCopies.revoke, 403, 'This is for workspace admins.')
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Openings of the copy of Plan.pdf' }))
    await screen.findByText('The database is away.')
    await user.click(screen.getByRole('button', { name: 'Revoke the copy of Plan.pdf' }))
    await screen.findByText('This is for workspace admins.')
    expect(screen.queryByText('Revoked')).toBeNull()
    fake.on(api.sealedCopies.openings, [])
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Nobody has opened it yet.')).toBeTruthy()
  })

  it('are not mentioned if DRM is off and no copy was made', async () => {
    stored = []
    fake.on(api.groups.get, group())
    await open()
    await waitFor(() => expect(fake.calls.some((call) => call.includes('/sealed_copies?'))).toBe(true))
    expect(screen.queryByRole('heading', { name: 'Sealed copies' })).toBeNull()
  })
})
