import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../../testing/fake-api.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { group, member, workspace } from '../../../testing/samples.ts'
import type { Member } from './foresee-expiry.ts'
import type { GroupInfo } from '../group-info.ts'
import { utcDay } from './utc-days.ts'

const everyone = group({ id: 1, name: 'All Members', kind: 'all_members' })
const lenders = group({ id: 8, name: 'Lenders' })
const gone = group({ id: 9, name: 'Gone', expired: true, expire_workspace_access_at: '2026-01-05' })

const inGroups = (id: number, first_name: string, groups: GroupInfo[], more: Partial<Member> = {}): Member =>
  member({ id, user: { id, first_name, last_name: '' }, groups: [everyone, ...groups], ...more })

let fake: FakeApi
let stored: GroupInfo
let members: Member[]
/** Whether All Members may view anything. */
let everyoneViews: boolean

beforeEach(() => {
  stored = group()
  members = [
    inGroups(21, 'Bob', [stored]),
    inGroups(22, 'Carol', [stored, lenders]),
    inGroups(23, 'Dan', [stored, gone]),
    inGroups(24, 'Alice', [stored], { admin: true }),
    inGroups(25, 'Erin', [lenders]),
  ]
  everyoneViews = false
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.groups.list, () => [stored, lenders, gone, everyone])
    .on(api.groups.get, () => stored)
    .on(api.groups.listMembers, [])
    .on(api.workspaces.listMembers, () => members)
    .on(api.permissions.list, () => [allFolders(everyoneViews)])
    .on(api.groups.setAccessExpiry, ({ body }) => {
      const { expire_workspace_access_at } = body.group
      return (stored = { ...stored, expire_workspace_access: 'true', expire_workspace_access_at })
    })
    .on(api.groups.removeAccessExpiry, () => {
      return (stored = {
        ...stored,
        expired: false,
        expire_workspace_access: 'false',
        expire_workspace_access_at: null,
      })
    })
})

const allFolders = (is_mixed_view: boolean) => ({
  id: 0,
  name: 'All Folders',
  id_tree: 0,
  position: 1,
  index: 1,
  id_path: '0',
  outline: '0',
  parent_id: 0,
  children: 1,
  view: false,
  download: false,
  upload: false,
  is_mixed_view,
  is_mixed_download: false,
  is_mixed_upload: false,
})

const open = async () => {
  const view = renderAt('/workspaces/5/groups/7')
  await screen.findByRole('heading', { name: 'Security' })
  return view
}
const toggle = () => screen.getByRole('switch', { name: 'Access ends' })
const isOn = () => (toggle() as HTMLInputElement).checked
const affected = async () => {
  const list = await screen.findByRole('list', { name: 'Members affected' })
  return within(list)
    .getAllByRole('listitem')
    .map((line) => line.textContent)
}

describe('the end of the access of a group', () => {
  it('tells who will lose access and who will keep it, before the day is set', async () => {
    const { user } = await open()
    await user.click(toggle())
    await expect
      .poll(affected)
      .toEqual([
        expect.stringMatching(/^2 members lose access on .*, 00:00 UTCBob, Dan$/),
        '1 member keeps what other groups grantCarol (Lenders)',
        '1 workspace admin keeps every rightAlice',
      ])
    expect(stored.expire_workspace_access).toBe('false')
  })

  it('leaves the switch off until the day is stored', async () => {
    const { user } = await open()
    await user.click(toggle())
    await screen.findByText(/Not stored yet/)
    expect(isOn()).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Set' }))
    await waitFor(() => expect(isOn()).toBe(true))
    expect(stored.expire_workspace_access).toBe('true')
    expect(screen.queryByText(/Not stored yet/)).toBeNull()
  })

  it('is not set by looking at it: cancelling closes the choice, leaving asks', async () => {
    const { user, address, router } = await open()
    for (const close of [() => screen.getByRole('button', { name: 'Cancel' }), toggle]) {
      await user.click(toggle())
      await user.click(close())
      expect(screen.queryByLabelText('Ends on')).toBeNull()
    }
    await user.click(toggle())
    void router.navigate('/workspaces/5/groups')
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(address()).toBe('/workspaces/5/groups/7')
    expect(stored.expire_workspace_access).toBe('false')
  })

  it('counts what All Members grant, and another group only as long as it grants anything', async () => {
    everyoneViews = true
    members = members.slice(0, 2)
    const ending = { ...lenders, expire_workspace_access_at: utcDay(30) }
    fake.on(api.groups.list, () => [stored, ending, gone, everyone])
    const { user } = await open()
    await user.click(toggle())
    await expect
      .poll(affected)
      .toEqual(['2 members keep what other groups grantBob (All Members), Carol (All Members)'])
  })

  it('shows no effect of a refused day, and follows the chosen day', async () => {
    const { user } = await open()
    await user.click(toggle())
    const field = await screen.findByLabelText('Ends on')
    await screen.findByRole('list', { name: 'Members affected' })
    await user.clear(field)
    await user.type(field, '2026-01-05')
    expect(screen.getByText('Tomorrow or later')).toBeTruthy()
    expect(screen.queryByRole('list', { name: 'Members affected' })).toBeNull()
    await user.clear(field)
    await user.type(field, '2095-03-03')
    expect((await affected())[0]).toContain('on 3 Mar 2095, 00:00 UTC')
  })

  it('is removed, which is said of the group, and can be set again', async () => {
    stored = group({ expire_workspace_access: 'true', expire_workspace_access_at: '2095-03-03' })
    const { user } = await open()
    await user.click(toggle())
    await screen.findByText('Bidders keeps access, without an end')
    expect(stored.expire_workspace_access).toBe('false')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(stored.expire_workspace_access_at).toBe('2095-03-03'))
  })

  it('that has passed is removed only after the dialog says who gets access back', async () => {
    stored = group({ expired: true, expire_workspace_access: 'true', expire_workspace_access_at: '2026-03-03' })
    const { user } = await open()
    expect((await affected())[0]).toBe('2 members have had no access since 3 Mar 2026Bob, Dan')
    await user.click(toggle())
    const dialog = await screen.findByRole('dialog', { name: 'Give access back?' })
    await within(dialog).findByText('2 members get access back at once')
    expect(stored.expired).toBe(true)
    await user.click(within(dialog).getByRole('button', { name: 'Give access back' }))
    await screen.findByText('Bidders has access again')
    expect(stored.expired).toBe(false)
  })

  it('shows the first names of many, and all on request', async () => {
    members = Array.from({ length: 12 }, (_, at) => inGroups(30 + at, `Person ${at + 1}`, [stored]))
    const { user } = await open()
    await user.click(toggle())
    await expect.poll(affected).toEqual([expect.stringContaining('Person 6Show all 12')])
    await user.click(screen.getByRole('button', { name: 'Show all 12' }))
    expect((await affected())[0]).toContain('Person 6, Person 7')
  })

  it('says why the affected members cannot be shown', async () => {
    fake.fail(api.workspaces.listMembers, 500, 'The database is away.')
    const { user } = await open()
    await user.click(toggle())
    expect(await screen.findByText('The database is away.')).toBeTruthy()
  })
})
