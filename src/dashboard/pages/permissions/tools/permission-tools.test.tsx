import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../../testing/fake-api.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { group, workspace } from '../../../testing/samples.ts'
import { NaiveRights, readingOf } from '../testing/naive-rights.ts'

const bob = { id: 21, first_name: 'Bob', last_name: 'Brown', email: 'bob@example.com' }
const nothing = { view: false, download: false, upload: false }
const matrix = [
  { folder_id: 0, path: '/', outline: '', groups: [{ group_id: 7, group_name: 'Bidders', ...nothing }] },
  { folder_id: 1, path: '/Finance', outline: '1', groups: [{ group_id: 7, group_name: 'Bidders', ...nothing }] },
]
const head = 'Folder ID,Outline,Folder,Group ID,Group,View,Download,Upload'

let fake: FakeApi
beforeEach(() => {
  const rights = new NaiveRights([0])
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.groups.list, [group()])
    .on(api.permissions.matrix, matrix)
    .on(api.permissions.reach, [])
    .on(api.permissions.sheet, ({ query }) => {
      const { rows, next } = rights.page(readingOf(query))
      return { rows: rows.map((row) => ({ ...row, name: 'Finance' })), next }
    })
})

const open = async () => {
  const view = renderAt('/workspaces/5/permissions')
  await screen.findByText('Finance')
  return view
}

describe('who can see a folder', () => {
  beforeEach(() => {
    fake.on(api.permissions.listPeople, [
      {
        user: bob,
        admin: false,
        view: true,
        download: true,
        upload: false,
        drm: false,
        watermark: true,
        marked_pages: true,
        until: null,
        ends: { view: null, download: null, upload: null },
        last_opened_at: null,
        invitation_state: 'invited',
        terms_await: true,
        reasons: [
          {
            flag: 'view',
            group_id: 7,
            group_name: 'Bidders',
            folder_id: 0,
            folder_name: 'All Folders',
            folder_outline: '',
          },
          {
            flag: 'download',
            group_id: 7,
            group_name: 'Bidders',
            folder_id: 1,
            folder_name: 'Finance',
            folder_outline: '1',
          },
        ],
      },
    ])
  })

  type User = Awaited<ReturnType<typeof open>>['user']
  const ask = async (user: User, folder: RegExp) => {
    await user.click(await screen.findByRole('rowheader', { name: folder }))
    await user.keyboard('{Control>}i{/Control}')
  }

  it('is shown from the row of the folder, with the reasons, and is in the address', async () => {
    const { user, address } = await open()
    await ask(user, /Finance/)
    const dialog = await screen.findByRole('dialog', { name: 'Who can see 1 Finance?' })
    await within(dialog).findByText('Bob Brown')
    within(dialog).getByText('Download: Bidders, given on 1 Finance')
    for (const chip of ['Watermark', 'Invited', 'Terms not accepted']) within(dialog).getByText(chip)
    expect(address()).toBe('/workspaces/5/permissions?who=1')
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await expect.poll(address).toBe('/workspaces/5/permissions')
  })

  it('says so when nobody can, and when the request fails', async () => {
    fake.on(api.permissions.listPeople, [])
    const { user } = await open()
    await ask(user, /Finance/)
    await screen.findByText('Nobody yet')
    await user.keyboard('{Escape}')
    fake.fail(api.permissions.listPeople, 500, 'The database is away.')
    await ask(user, /All Folders/)
    expect(await screen.findByText('The database is away.')).toBeTruthy()
  })

  it('is not offered to plain members', async () => {
    fake.on(api.workspaces.get, workspace({ admin: false }))
    await open()
    expect(screen.queryByRole('button', { name: 'More' })).toBeNull()
  })
})

describe('a file of permissions', () => {
  const choose = async (text: string) => {
    const view = await open()
    await view.user.click(screen.getByRole('button', { name: 'More' }))
    await view.user.click(await screen.findByRole('menuitem', { name: 'Import from CSV…' }))
    const input = await screen.findByLabelText<HTMLInputElement>('CSV file')
    await view.user.upload(input, new File([text], 'rights.csv', { type: 'text/csv' }))
    return view
  }

  it('is saved under the name of the workspace', async () => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Export as CSV' }))
    await expect.poll(() => saved).toEqual(['Project Harbour permissions.csv'])
    vi.restoreAllMocks()
  })

  it('is tried out before it is imported, and the import can be undone', async () => {
    const bodies: unknown[] = []
    const effect = {
      folder_id: 1,
      path: '/Finance',
      numbered_path: '/1 Finance',
      group_id: 7,
      group_name: 'Bidders',
      below: 0,
    }
    fake.on(api.permissions.change, ({ body }) => {
      bodies.push(body)
      const effects = [{ ...effect, before: nothing, after: { ...nothing, view: true } }]
      return { effects, inverse: [{ folder_id: 1, group_id: 7, rights: nothing }] }
    })
    const { user } = await choose(`${head}\n1,1,/Finance,7,Bidders,yes,no,no`)
    const table = await screen.findByRole('table', { name: 'What would change' })
    expect(
      within(table)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['/1 Finance', 'Bidders', 'Nothing', 'View'])
    const changes = [{ folder_id: 1, group_id: 7, rights: { view: true, download: false, upload: false } }]
    expect(bodies).toEqual([{ workspace_id: 5, changes, dry_run: true }])
    await user.click(screen.getByRole('button', { name: 'Make 1 change' }))
    await screen.findByText('1 change made')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText(/Undone/)
    expect(bodies.slice(1)).toEqual([
      { workspace_id: 5, changes },
      { workspace_id: 5, changes: [{ folder_id: 1, group_id: 7, rights: nothing }], undo: true },
    ])
  })

  it('says so if it would change nothing, or has another format', async () => {
    const { user } = await choose(`${head}\n1,1,/Finance,7,Bidders,no,no,no`)
    await screen.findByText('Nothing would change.')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Make the changes' }).disabled).toBe(true)
    await user.upload(
      screen.getByLabelText<HTMLInputElement>('CSV file'),
      new File(['x'], 'x.csv', { type: 'text/csv' }),
    )
    await screen.findByText(/The first line does not name Folder ID/)
  })

  it('imports nothing of a file with a bad line, unless only the valid lines are wanted', async () => {
    const bodies: unknown[] = []
    const effect = {
      folder_id: 1,
      path: '/Finance',
      numbered_path: '/1 Finance',
      group_id: 7,
      group_name: 'Bidders',
      below: 0,
      before: nothing,
    }
    fake.on(api.permissions.change, ({ body }) => {
      bodies.push(body)
      return { effects: [{ ...effect, after: { ...nothing, view: true } }], inverse: [] }
    })
    const { user } = await choose('Folder ID,Bidders\n1,view\n9,view')
    await screen.findByText('Nothing is imported, because not all lines are valid.')
    screen.getByText('Line 3: no folder 9')
    const make = screen.getByRole<HTMLButtonElement>('button', { name: 'Make 1 change' })
    expect(make.disabled).toBe(true)
    await user.click(screen.getByRole('checkbox', { name: 'Import only the valid lines' }))
    await user.click(make)
    await screen.findByText('1 change made')
    const changes = [{ folder_id: 1, group_id: 7, rights: { view: true, download: false, upload: false } }]
    expect(bodies).toEqual([
      { workspace_id: 5, changes, dry_run: true },
      { workspace_id: 5, changes },
    ])
  })

  it('reports which lines are left out, and why a change is refused', async () => {
    fake.fail(api.permissions.change, 403, 'This is for workspace admins.')
    const { user } = await choose(`${head}\r\n1,1,/Finance,7,Bidders,perhaps,no,no\r\n9,9,/Gone,7,Bidders,yes,no,no`)
    await screen.findByText('Nothing would change.')
    screen.getByText('Line 2: rights are “yes” or “no”')
    screen.getByText('Line 3: no folder 9')
    const input = screen.getByLabelText<HTMLInputElement>('CSV file')
    await user.upload(input, new File([`${head}\n1,1,/Finance,7,Bidders,yes,no,no`], 'x.csv', { type: 'text/csv' }))
    expect(await screen.findByText('This is for workspace admins.')).toBeTruthy()
  })
})
