import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../../contract/index.ts'
import type { FakeApi } from '../../../testing/fake-api.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { group, member } from '../../../testing/samples.ts'
import { SmallRoom } from '../testing/room.ts'

const HANDLING = {
  id: 7,
  folder_id: 2,
  marked_pages: true,
  printable: false,
  text_layer: 'find' as const,
  download: 'sealed' as const,
  hindrance: null,
}

const NOTHING = { folders: 0, infected: 0, not_scanned: 0, unmarkable: 0, unsealable: 0 }

let room: SmallRoom
let fake: FakeApi
beforeEach(() => {
  window.innerWidth = 1440
  room = new SmallRoom()
  room.files = room.files.map((file) => ({ ...file, viewer_status: 'Ready' }))
  fake = room
    .serve()
    .on(api.groups.list, [group()])
    .on(api.workspaces.listMembers, [member()])
    .on(api.permissions.viewAs, ({ params }) => room.content(params.id))
    .on(api.permissions.viewFileAs, ({ params }) => ({ ...HANDLING, id: params.id }))
    .on(api.permissions.downloadAs, { original: 1, marked: 0, sealed: 0, left_out: NOTHING })
})

const open = async (address = '/workspaces/5/view-as/2?group=7') => {
  const view = renderAt(address)
  await screen.findByRole('grid')
  return view
}
const row = (name: string) => within(screen.getByRole('grid')).getByText(name)
const details = () => within(screen.getByRole('complementary', { name: 'Details' }))

describe('the view as a group or a person', () => {
  it('is the files page read as they see it: tree, list, path and details', async () => {
    const { user, address } = await open()
    expect(screen.getByRole('note').textContent).toContain('You see this workspace as Bidders.')
    expect(screen.getByRole('navigation', { name: 'Folders above' }).textContent).toBe('Project Harbour')
    expect(await screen.findByRole('treeitem', { name: '2 Finance' })).toBeTruthy()
    expect(await details().findByText('They may')).toBeTruthy()
    await user.dblClick(row('Audited accounts'))
    await waitFor(() => expect(address()).toBe('/workspaces/5/view-as/21?group=7'))
    await user.click(await screen.findByRole('link', { name: '2 Finance' }))
    await waitFor(() => expect(address()).toBe('/workspaces/5/view-as/2?group=7'))
    expect(fake.calls.filter((call) => /folders\/\d+\?|\/home|files\/\d+\?/.test(call))).toEqual([])
  })

  it('has no commands and no search of the admin, and says so', async () => {
    const { user } = await open()
    await user.keyboard('{Control>}k{/Control}')
    expect(await screen.findByText(/^Commands and search are off here/)).toBeTruthy()
    expect(screen.queryByRole('combobox')).toBeNull()
  })

  it('says of a file what they get of it', async () => {
    const { user, address } = await open('/workspaces/5/view-as/2?user=21')
    expect(screen.getByRole('note').textContent).toContain('as Bob Brown')
    await user.click(row('Board minutes.pdf'))
    await waitFor(() => expect(address()).toBe('/workspaces/5/view-as/2?user=21&file=7'))
    const gets = await screen.findByRole('region', { name: 'What they get' })
    await within(gets).findByText('With their watermark')
    expect(gets.textContent).toContain('DownloadA sealed copy')
    expect(gets.textContent).toContain('PrintingNot permitted')
    expect(details().queryByRole('button', { name: 'Download' })).toBeNull()
  })

  it('says what a zip of folders and files would give them, and what it would leave out', async () => {
    const left_out = { folders: 1, infected: 0, not_scanned: 0, unmarkable: 0, unsealable: 2 }
    fake.on(api.permissions.downloadAs, { original: 0, marked: 0, sealed: 3, left_out })
    const { user } = await open()
    await user.click(row('Audited accounts'))
    const gets = await screen.findByRole('region', { name: 'What they get' })
    await within(gets).findByText('A zip with 3 sealed copies')
    expect(gets.textContent).toContain('1 folder that they may not download, 2 files that cannot be sealed')
    const asked = fake.calls.filter((call) => call.includes('/permissions/download'))
    expect(asked.at(-1)).toMatch(/group_id=7/)
    expect(asked.at(-1)).toMatch(/folder_ids(%5B%5D|\[\])?=21/)
    fake.fail(api.permissions.downloadAs, 403, 'You may not download some of this.')
    await user.keyboard('{Control>}a{/Control}')
    expect(await screen.findByText('Not permitted, or not for all of it')).toBeTruthy()
  })

  it('finds what they find, and opens it as they have it', async () => {
    const times = { created_at: '2026-11-20T09:00:00.000Z', updated_at: '2026-11-20T09:00:00.000Z' }
    const place = { folder_id: 2, folder_name: 'Finance', folder_path: '/Finance', numbered_folder_path: '/2 Finance' }
    const names = { title: 'Board minutes.pdf', file_name: 'Board minutes.pdf', file_content_type: 'application/pdf' }
    const facts = { kind: 'pdf' as const, index: 1, outline: '2.2', number_length: 0, file_size: '1', snippet: null }
    fake
      .on(api.permissions.searchFilesAs, [{ id: 7, ...names, ...facts, ...place, ...times }])
      .on(api.permissions.searchFoldersAs, [])
    const { user, address } = await open()
    await user.keyboard('/board{Enter}')
    const link = await screen.findByRole('link', { name: 'Board minutes.pdf' })
    expect(address()).toBe('/workspaces/5/view-as/search?group=7&q=board')
    expect(link.getAttribute('href')).toMatch(/^\/workspaces\/5\/files\/7\/view\?(?=.*group=7)(?=.*find=board)/)
    expect(screen.getByRole('link', { name: '/2 Finance' }).getAttribute('href')).toMatch(
      /^\/workspaces\/5\/view-as\/2\?(?=.*group=7)(?=.*file=7)/,
    )
    const asked = fake.calls.filter((call) => call.includes('/search'))
    expect(asked.every((call) => call.includes('/permissions/search/') && call.includes('group_id=7'))).toBe(true)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(address()).toBe('/workspaces/5/view-as/2?group=7'))
  })

  it('changes nothing, even where they may: no action, no key and no drop', async () => {
    room.abilities = { download: true, upload: true, manage: true }
    const { user } = await open()
    const menuOf = async (name: string) => {
      fireEvent.contextMenu(row(name), { button: 2, clientX: 5, clientY: 5 })
      const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
      await user.keyboard('{Escape}')
      return items
    }
    expect(await menuOf('Audited accounts')).toEqual(['OpenEnter'])
    await user.click(row('Board minutes.pdf'))
    for (const key of ['{Delete}', '{F2}', '{Control>}s{/Control}', '{Alt>}n{/Alt}', '{Alt>}{ArrowDown}{/Alt}']) {
      await user.keyboard(key)
    }
    const file = new File(['x'], 'x.txt')
    fireEvent.drop(screen.getByRole('grid'), { dataTransfer: { files: [file], items: [], types: ['Files'] } })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await menuOf('Board minutes.pdf')).toEqual(['OpenEnter'])
    for (const name of ['Upload', 'New folder', 'Export index…', 'Recently deleted']) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
    expect(fake.calls.filter((call) => !call.startsWith('GET '))).toEqual([])
  })

  it('leads back to the same folder, as the admin sees it', async () => {
    const { user, address } = await open()
    await user.click(screen.getByRole('link', { name: 'Leave' }))
    await waitFor(() => expect(address()).toBe('/workspaces/5/files/2'))
  })

  it('is refused with a message to somebody who is not an admin', async () => {
    fake.fail(api.permissions.viewAs, 403, 'This is for workspace admins.')
    renderAt('/workspaces/5/view-as?group=7')
    expect(await screen.findByText('This is for workspace admins.')).toBeTruthy()
  })
})
