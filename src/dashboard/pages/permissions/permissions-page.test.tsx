import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { group, workspace } from '../../testing/samples.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { NaiveRights, readingOf } from './testing/naive-rights.ts'

const bidders = group({ id: 7, name: 'Bidders' })
const lenders = group({ id: 8, name: 'Lenders' })
const admins = group({ id: 3, name: 'Workspace Admins', kind: 'workspace_admins' })

/** All Folders > Corporate (1) > Finance (3), Legal (4); All Folders > Property (2). */
const NAMES = ['All Folders', 'Corporate', 'Property', 'Finance', 'Legal']

let fake: FakeApi
let rights: NaiveRights

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 500
  rights = new NaiveRights([0, 0, 1, 1])
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.groups.list, [bidders, lenders, admins])
    .on(api.permissions.sheet, ({ query: { group_ids, ...reading } }) => {
      const { rows, next } = rights.page(readingOf(reading))
      const named = rows.map((row) => ({
        ...row,
        name: NAMES[row.id] ?? '',
        rights: group_ids.flatMap(() => row.rights),
      }))
      return { rows: named, next }
    })
    .on(api.permissions.reach, [])
    .on(api.drafts.list, { drafts: [], groups: [], schedule: null })
    .on(api.stagedRights.list, { changes: [], digest: '' })
    .on(api.permissions.change, ({ body }) => ({ effects: [], inverse: rights.change(body.changes) }))
})

const open = async (address = '/workspaces/5/permissions') => {
  const view = renderAt(address)
  await screen.findByRole('treegrid')
  await screen.findByText('Corporate')
  return view
}
const cell = (name: string) => screen.getByRole('checkbox', { name })
const checked = (name: string) => cell(name).getAttribute('aria-checked')
const posts = () => fake.calls.filter((call) => call.startsWith('POST'))

describe('the permission grid', () => {
  it('shows All Folders and the top level, with full names', async () => {
    await open()
    expect(screen.getAllByRole('row')).toHaveLength(5)
    expect(checked('View, Bidders, All Folders')).toBe('false')
    expect(screen.getByText('Property').textContent).toBe('2 Property')
  })

  it('marks drafts and what is in them, for admins', async () => {
    const draft = {
      folder_id: 1,
      name: 'Corporate',
      outline: '1',
      number_length: 0,
      path: '/Corporate',
      numbered_path: '/1 Corporate',
      created_at: '2026-10-01T10:00:00Z',
    }
    const about = { folders_count: 2, files_count: 0, in_draft: false, rights: [] }
    fake.on(api.drafts.list, { drafts: [{ ...draft, ...about }], groups: [], schedule: null })
    const { user } = await open()
    const marked = () => screen.getAllByText('Draft').map((chip) => chip.closest('[data-folder]')?.textContent)
    await waitFor(() => expect(marked()).toEqual(['1 CorporateDraft']))
    await user.click(screen.getByText('Corporate'))
    await screen.findByText('Finance')
    expect(marked()).toEqual(['1 CorporateDraft', '1.1 FinanceDraft', '1.2 LegalDraft'])
    await user.hover(cell('View, Bidders, Corporate'))
    expect(await screen.findByText('A draft: its rights apply once it is published.')).toBeTruthy()
  })

  it('shows the states on, off, mixed and implied', async () => {
    rights.apply({ folderId: 3, verb: 'grant', flag: 'download' })
    const { user } = await open()
    expect(checked('Download, Bidders, Corporate')).toBe('mixed')
    await user.click(screen.getByText('Corporate'))
    await screen.findByText('Finance')
    expect(checked('Download, Bidders, Corporate, Finance')).toBe('true')
    expect(cell('View, Bidders, Corporate, Finance').className).toContain('implied')
    expect(checked('Upload, Bidders, Corporate, Finance')).toBe('false')
  })

  it('leads an admin from a column and from a cell to what the group sees', async () => {
    const { user, address } = await open()
    const head = screen.getByRole('link', { name: 'View as Bidders' })
    expect(head.getAttribute('href')).toBe('/workspaces/5/view-as?group=7')
    await user.hover(cell('Download, Bidders, Corporate'))
    const eyes = () => screen.getAllByRole('link', { name: 'View as Bidders' }).map((link) => link.getAttribute('href'))
    expect(eyes()).toEqual(['/workspaces/5/view-as?group=7', '/workspaces/5/view-as/1?group=7'])
    await user.pointer({ keys: '[MouseRight]', target: cell('Download, Bidders, Corporate') })
    await user.click(await screen.findByRole('menuitem', { name: 'View as Bidders' }))
    await waitFor(() => expect(address()).toBe('/workspaces/5/view-as/1?group=7'))
    expect(posts()).toEqual([])
  })

  it('grants at once, says so, and reverts it with Undo', async () => {
    const { user } = await open()
    await user.click(cell('Download, Bidders, Corporate'))
    expect(checked('Download, Bidders, Corporate')).toBe('true')
    expect(checked('View, Bidders, Corporate')).toBe('true')
    expect(checked('View, Bidders, All Folders')).toBe('mixed')
    await screen.findByText('Download granted for Bidders on Corporate and everything in it')
    expect(rights.own(4)).toBe(0b011)
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText(/Undone/)
    expect(rights.own(4)).toBe(0)
    expect(checked('View, Bidders, All Folders')).toBe('false')
  })

  it('undoes several changes, one by one, by keyboard', async () => {
    const { user } = await open()
    await user.click(cell('View, Bidders, Corporate'))
    await screen.findByText('View granted for Bidders on Corporate and everything in it')
    await user.click(cell('Upload, Bidders, Property'))
    await screen.findByRole('button', { name: 'Undo: Upload granted for Bidders on Property' })
    await user.keyboard('{Control>}z{/Control}')
    await screen.findByText('Undone: Upload granted for Bidders on Property')
    expect([rights.own(1), rights.own(2)]).toEqual([1, 0])
    await user.click(screen.getByRole('button', { name: /^Undo: View granted/ }))
    await screen.findByText(/^Undone: View granted/)
    expect(rights.own(1)).toBe(0)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Nothing to undo' }).disabled).toBe(true)
  })

  it('rolls back with the reason when the service refuses', async () => {
    fake.fail(api.permissions.change, 403, 'This is for workspace admins.')
    const { user } = await open()
    await user.click(cell('View, Bidders, Property'))
    await screen.findByText('This is for workspace admins.')
    expect(checked('View, Bidders, Property')).toBe('false')
  })

  it('revokes with Alt where a click would grant', async () => {
    rights.apply({ folderId: 3, verb: 'grant', flag: 'view' })
    const { user } = await open()
    await user.keyboard('{Alt>}')
    await user.click(cell('View, Bidders, Corporate'))
    await user.keyboard('{/Alt}')
    await waitFor(() => expect(checked('View, Bidders, Corporate')).toBe('false'))
    expect(rights.own(3)).toBe(0)
  })

  it('says what a click will change', async () => {
    rights.apply({ folderId: 0, verb: 'grant', flag: 'upload' })
    const { user } = await open()
    await user.hover(cell('View, Bidders, Corporate'))
    const hint = await screen.findByRole('tooltip')
    expect(hint.textContent).toContain('Revoke view on Corporate and everything in it. Also revokes upload.')
  })

  it('counts all folders below where a right is mixed, also those that are not shown', async () => {
    rights.apply({ folderId: 1, verb: 'grant', flag: 'view' })
    rights.apply({ folderId: 2, verb: 'grant', flag: 'view' })
    const none = { group_id: 7, view: false, download: false, upload: false }
    fake.on(api.permissions.reach, [
      { folder_id: 0, folders: 4, documents: 26, groups: [{ ...none, below: { view: 4, download: 0, upload: 0 } }] },
    ])
    const { user } = await open()
    const view = cell('View, Bidders, All Folders')
    await waitFor(() => expect(view.parentElement?.textContent).toBe('4/4'))
    expect(screen.getByRole('rowheader', { name: /All Folders.*26 documents/ })).toBeTruthy()
    // Like the cells: with the rights that are set on drafts.
    expect(fake.calls.findLast((call) => call.includes('/reach'))).toContain('as_set=true')
    await user.hover(view)
    const hint = await screen.findByRole('tooltip')
    expect(hint.textContent).toContain('View on 4 of 4 folders below; later ones not included.')
    fake.on(api.permissions.reach, [])
    await user.click(cell('View, Bidders, Property'))
    await waitFor(() => expect(view.parentElement?.textContent).toBe(''))
  })

  it('asks members nothing about folders that they may not see', async () => {
    fake.on(api.workspaces.get, workspace({ admin: false }))
    rights.apply({ folderId: 3, verb: 'grant', flag: 'view' })
    const { user } = await open()
    await user.hover(cell('View, Bidders, Corporate'))
    await screen.findByRole('tooltip')
    expect(fake.calls.some((call) => call.includes('/reach'))).toBe(false)
  })

  it('can be used by keyboard alone', async () => {
    const { user } = await open()
    const focused = () => document.activeElement
    screen.getByRole('rowheader', { name: /All Folders/ }).focus()
    await user.keyboard('{ArrowDown}')
    expect(focused()?.textContent).toBe('1 Corporate')
    await user.keyboard('{ArrowRight}')
    await screen.findByText('Finance')
    await user.keyboard('l')
    expect(focused()?.textContent).toBe('1.2 Legal')
    await user.keyboard('{ArrowRight}{ArrowRight} ')
    expect(focused()?.getAttribute('aria-label')).toBe('Download, Bidders, Corporate, Legal')
    expect(checked('Download, Bidders, Corporate, Legal')).toBe('true')
    await waitFor(() => expect(rights.own(4)).toBe(0b011))
    await user.keyboard('{Home}{ArrowLeft}{ArrowLeft}')
    expect(screen.queryByText('Legal')).toBeNull()
    expect(focused()?.textContent).toBe('1 Corporate')
  })

  it('has one tab stop, and keeps it in view when its folder is closed', async () => {
    const { user } = await open()
    await user.click(screen.getByText('Corporate'))
    await user.click(await screen.findByText('Legal'))
    await user.click(screen.getByText('Corporate'))
    const stops = screen.getByRole('treegrid').querySelectorAll('[tabindex="0"]')
    expect([...stops].map((stop) => stop.textContent)).toEqual(['1 Corporate'])
  })

  it('filters all folders, loaded or not, and keeps their ancestors', async () => {
    const { user } = await open()
    await user.type(screen.getByRole('searchbox', { name: 'Filter folders' }), 'fin')
    await screen.findByText('Finance')
    const names = () => screen.getAllByRole('rowheader').map((row) => row.textContent)
    expect(names()).toEqual(['All Folders', '1 Corporate', '1.1 Finance'])
    await user.clear(screen.getByRole('searchbox', { name: 'Filter folders' }))
    await waitFor(() => expect(names()).toEqual(['All Folders', '1 Corporate', '2 Property']))
  })

  it('says why a filter cannot search all folders', async () => {
    const { user } = await open()
    fake.fail(api.permissions.sheet, 500, 'The database is away.')
    await user.type(screen.getByRole('searchbox', { name: 'Filter folders' }), 'fin')
    expect(await screen.findByText('The database is away.')).toBeTruthy()
  })

  it('says so if there are no folders, or none that match', async () => {
    rights = new NaiveRights([])
    const { user } = renderAt('/workspaces/5/permissions')
    await screen.findByText(/There are no folders yet/)
    await user.type(screen.getByRole('searchbox', { name: 'Filter folders' }), 'zzz')
    expect(await screen.findByText('No folder is called “zzz”.')).toBeTruthy()
  })

  it('can be read but not changed by plain members', async () => {
    fake.on(api.workspaces.get, workspace({ admin: false }))
    const { user } = await open()
    expect(screen.getByRole('note').textContent).toBe('Only workspace admins change permissions.')
    await user.click(cell('View, Bidders, Corporate'))
    expect(posts()).toEqual([])
  })

  it('shows the groups that are chosen, and names them in the address', async () => {
    const { user, address } = await open()
    await user.click(screen.getByRole('button', { name: 'Groups: Bidders' }))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Lenders' }))
    expect(screen.getByRole('menuitemcheckbox', { name: 'Lenders' }).getAttribute('aria-checked')).toBe('true')
    await user.keyboard('{Escape}')
    await screen.findByRole('checkbox', { name: 'View, Lenders, Corporate' })
    expect(address()).toBe('/workspaces/5/permissions?group=7&group=8')
    expect(screen.getAllByRole('checkbox')).toHaveLength(3 * 6)
    expect(screen.getByRole('button', { name: 'Groups: All 2 groups' })).toBeTruthy()
  })

  it('opens with all groups that fit, in their order, without those of admins', async () => {
    window.innerWidth = 1440
    const former = group({ id: 9, name: 'A former group', expired: true })
    fake.on(api.groups.list, [admins, lenders, former, bidders])
    await open()
    const names = screen.getAllByRole('columnheader').map((head) => head.title)
    expect(names.filter((name) => /group|Bidders|Lenders|Admins/.test(name))).toEqual([
      'A former group',
      'Bidders',
      'Lenders',
    ])
  })

  it('remembers the groups and the open branches of each user', async () => {
    const { user, unmount } = await open('/workspaces/5/permissions?group=7')
    await user.click(screen.getByText('Corporate'))
    await screen.findByText('Finance')
    await user.click(screen.getByRole('button', { name: 'Groups: Bidders' }))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Lenders' }))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Bidders' }))
    await user.keyboard('{Escape}')
    await screen.findByRole('button', { name: 'Groups: Lenders' })
    unmount()
    await open()
    await screen.findByText('Finance')
    expect(cell('View, Lenders, Corporate, Finance')).toBeTruthy()
    expect(screen.queryByRole('checkbox', { name: 'View, Bidders, Corporate' })).toBeNull()
  })

  it('locks groups of admins and says why', async () => {
    const { user } = await open('/workspaces/5/permissions?group=3')
    expect(screen.getByRole('note').textContent).toContain('have every right on every folder')
    expect(cell('View, Workspace Admins, Corporate').getAttribute('aria-disabled')).toBe('true')
    await user.click(cell('View, Workspace Admins, Corporate'))
    expect(posts()).toEqual([])
  })

  it('locks a group whose access has ended', async () => {
    fake.on(api.groups.list, [
      group({ ...bidders, expired: true, expire_workspace_access: 'true', expire_workspace_access_at: '2026-03-03' }),
    ])
    await open()
    expect(screen.getByRole('note').textContent).toContain('ended on 3 Mar 2026')
  })

  it('offers a retry when the rights cannot be read', async () => {
    fake.fail(api.permissions.sheet, 500, 'The database is away.')
    renderAt('/workspaces/5/permissions')
    expect((await screen.findByRole('alert')).textContent).toContain('The database is away.')
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })
})
