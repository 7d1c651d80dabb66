import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { ApiFailure } from '../../api/failures.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { withFolder } from './access-effect/foreseen.ts'
import { NO_REASON } from '../../testing/samples.ts'
import { fileNamed } from './testing/entries.ts'
import { changed } from './testing/foreseen.ts'
import { SmallRoom } from './testing/room.ts'

let room: SmallRoom

beforeEach(() => {
  room = new SmallRoom()
  // Wide enough for the details to stand beside the list.
  window.innerWidth = 1440
})

const open = async (address = '/workspaces/5/files/2') => {
  const view = renderAt(address)
  await screen.findByRole('grid')
  return view
}
const list = () => screen.getByRole('grid')
const row = (name: string) => {
  const found = within(list()).getByText(name).closest<HTMLElement>('[role=row]')
  if (!found) throw new Error(`${name} is in no row`)
  return found
}
const chosen = () =>
  within(list())
    .getAllByRole('row')
    .filter((each) => each.getAttribute('aria-selected') === 'true')
    .map((each) => each.querySelector('.title')?.textContent)
const folders = () => screen.getByRole('tree', { name: 'Folders' })
const treeItem = (name: RegExp) => within(folders()).getByRole('treeitem', { name })

describe('the list', () => {
  test('shows folders first, with numbers, and the name of the folder as heading and tab title', async () => {
    room.serve()
    await open()
    const names = within(list())
      .getAllByRole('row')
      .slice(1)
      .map((each) => [...each.querySelectorAll('.outline, .title')].map((part) => part.textContent).join(' '))
    expect(names).toEqual(['2.1 Audited accounts', '2.2 Board minutes.pdf', '2.3 Cap table.xlsx'])
    expect(screen.getByRole('heading', { level: 1, name: '2 Finance' })).toBeTruthy()
    expect(document.title).toBe('2 Finance – Strongroom')
  })

  test('a click chooses, Shift extends, and the chosen file is in the address', async () => {
    room.serve()
    const { user, address } = await open()
    await user.click(row('Board minutes.pdf'))
    await waitFor(() => expect(address()).toBe('/workspaces/5/files/2?file=7'))
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}')
    expect(chosen()).toEqual(['Board minutes.pdf', 'Cap table.xlsx'])
    expect((await screen.findByRole('toolbar', { name: 'Selection' })).textContent).toContain('2 selected')
  })

  test('Ctrl+A chooses every line and says how many there are', async () => {
    room.serve()
    const { user } = await open()
    await user.click(row('Board minutes.pdf'))
    await user.keyboard('{Control>}a{/Control}')
    expect(chosen()).toHaveLength(3)
    expect(await screen.findByText('All 3 selected')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(chosen()).toEqual([])
  })

  test('a double click or Enter opens a folder; Backspace goes up again', async () => {
    room.serve()
    const { user, address } = await open('/workspaces/5/files')
    await user.dblClick(row('Finance'))
    await waitFor(() => expect(address()).toBe('/workspaces/5/files/2'))
    await screen.findByText('Audited accounts', { selector: '.title' })
    await user.click(row('Audited accounts'))
    await user.keyboard('{Backspace}')
    await waitFor(() => expect(address()).toBe('/workspaces/5/files'))
    await waitFor(() => expect(chosen()).toEqual(['Finance']))
  })

  test('a link to a file opens its folder with the file chosen', async () => {
    room.serve()
    await open('/workspaces/5/files/2?file=8')
    expect(chosen()).toEqual(['Cap table.xlsx'])
    const details = await screen.findByRole('complementary', { name: 'Details' })
    expect(await within(details).findByText(/XLSX spreadsheet/)).toBeTruthy()
  })

  test('if the window is too narrow, the details open over the list, and Back closes them', async () => {
    window.innerWidth = 1000
    room.serve()
    const { user, address, router } = await open()
    await user.click(row('Cap table.xlsx'))
    await user.click(screen.getByRole('button', { name: 'Details' }))
    await screen.findByText(/XLSX spreadsheet/)
    await waitFor(() => expect(address()).toContain('file=8'))
    expect(address()).toContain('details=open')
    await router.navigate(-1)
    await waitFor(() => expect(screen.queryByText(/XLSX spreadsheet/)).toBeNull())
  })

  test('sort and filter are in the address', async () => {
    room.serve()
    const { user, address } = await open()
    await user.click(screen.getByRole('button', { name: 'Size' }))
    await waitFor(() => expect(address()).toBe('/workspaces/5/files/2?sort=size'))
    await user.type(screen.getByRole('searchbox', { name: 'Filter this folder' }), 'cap')
    await waitFor(() => expect(address()).toBe('/workspaces/5/files/2?sort=size&q=cap'))
    expect(within(list()).queryByText('Board minutes.pdf')).toBeNull()
  })
})

describe('the tree', () => {
  test('the right arrow opens and reads a level, and Enter goes to the folder', async () => {
    const server = room.serve()
    const { user, address } = await open('/workspaces/5/files')
    expect(server.calls.some((call) => call.includes('/folders/2?'))).toBe(false)
    folders().focus()
    await user.keyboard('fi{ArrowRight}')
    await waitFor(() => expect(treeItem(/Audited accounts/)).toBeTruthy())
    await user.keyboard('{ArrowRight}{Enter}')
    await waitFor(() => expect(address()).toBe('/workspaces/5/files/21'))
  })

  test('shows the current folder, with every folder above it open', async () => {
    room.serve()
    await renderAt('/workspaces/5/files/21')
    await waitFor(() => expect(treeItem(/Audited accounts/).getAttribute('aria-selected')).toBe('true'))
    expect(treeItem(/Finance/).getAttribute('aria-expanded')).toBe('true')
    expect(treeItem(/Audited accounts/).getAttribute('aria-level')).toBe('3')
  })
})

describe('changes', () => {
  test('F2 renames in place, and Escape keeps the old name', async () => {
    const server = room.serve()
    const { user } = await open('/workspaces/5/files')
    await user.click(row('Legal'))
    await user.keyboard('{F2}')
    await user.keyboard('Other{Escape}')
    expect(server.calls.some((call) => call.startsWith('PUT'))).toBe(false)
    list().focus()
    await user.keyboard('{F2}')
    await user.keyboard('Litigation{Enter}')
    await within(list()).findByText('Litigation')
    expect(server.calls).toContain('PUT /api/v1/folders/3')
  })

  test('the menu renames in place: the field keeps the keyboard that the menu gives back', async () => {
    const server = room.serve()
    const { user } = await open('/workspaces/5/files')
    await user.pointer({ keys: '[MouseRight]', target: row('Legal') })
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    const field = await screen.findByRole('textbox', { name: 'New name of Legal' })
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(field))
    await user.keyboard('Litigation{Enter}')
    await within(list()).findByText('Litigation')
    expect(server.calls).toContain('PUT /api/v1/folders/3')
  })

  test('a line moved up twice in a row goes up two places', async () => {
    const places: (number | undefined)[] = []
    room.serve().on(api.folders.update, ({ params, body }) => {
      const { index } = body.folder
      places.push(index)
      room.folders = withFolder(room.content(0), params.id, { index }).immediate_subfolders
      return room.content(0).folder
    })
    const { user } = await open('/workspaces/5/files')
    await user.click(row('Legal'))
    await user.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}')
    const names = () => [...list().querySelectorAll('.title')].map((title) => title.textContent)
    await waitFor(() => expect(names()).toEqual(['Legal', 'Corporate', 'Finance']))
    await waitFor(() => expect(places.at(-1)).toBe(1))
  })

  test('a name that is saved late does not end the next rename', async () => {
    const late = Promise.withResolvers<void>()
    room.serve().on(api.folders.update, async ({ params, body }) => {
      await late.promise
      room.folders = withFolder(room.content(0), params.id, { name: body.folder.name ?? '' }).immediate_subfolders
      return room.content(0).folder
    })
    const { user } = await open('/workspaces/5/files')
    await user.click(row('Legal'))
    await user.keyboard('{F2}')
    await user.keyboard('Litigation{Enter}')
    await user.click(row('Finance'))
    await user.keyboard('{F2}')
    await user.keyboard('Figures')
    late.resolve()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'New name of Finance' }).value).toBe('Figures')
  })

  test('a refused name stays in the field with the reason', async () => {
    room.serve().fail(api.folders.update, 422, 'Name must not contain "/".')
    const { user } = await open('/workspaces/5/files')
    await user.click(row('Legal'))
    await user.keyboard('{F2}')
    await user.keyboard('a/b{Enter}')
    await screen.findByText('Name must not contain "/".')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'New name of Legal' }).value).toBe('a/b')
  })

  test('a new folder is created in the open folder and chosen', async () => {
    room.serve()
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'New folder' }))
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Tax')
    await user.click(screen.getByRole('button', { name: 'Create folder' }))
    await waitFor(() => expect(chosen()).toEqual(['Tax']))
  })

  test('deleting a folder asks first and says what is in it', async () => {
    const server = room.serve()
    const { user } = await open('/workspaces/5/files')
    await user.click(row('Finance'))
    await user.keyboard('{Delete}')
    const dialog = await screen.findByRole('dialog', { name: 'Delete “Finance”?' })
    await within(dialog).findByText(/holds 1 folder and 2 files/)
    expect(server.calls.some((call) => call.startsWith('DELETE'))).toBe(false)
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(within(list()).queryByText('Finance')).toBeNull())
    await screen.findByText('“Finance” deleted.')
  })

  test('an admin reverts a deletion with Undo', async () => {
    room.serve()
    const { user } = await open('/workspaces/5/files')
    await user.click(row('Legal'))
    await user.keyboard('{Delete}')
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(within(list()).queryByText('Legal')).toBeNull())
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await within(list()).findByText('Legal')).toBeTruthy()
    await screen.findByText('“Legal” restored.')
  })

  test('Undo of a deletion says the name that the item got', async () => {
    const reply = { message: 'restored', type: 'folder' as const, id: 3, folder_id: 0, outcome: 'renamed' as const }
    room.serve().on(api.trash.restore, { ...reply, name: 'Legal (2)' })
    const { user } = await open('/workspaces/5/files')
    await user.click(row('Legal'))
    await user.keyboard('{Delete}')
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('“Legal” restored as “Legal (2)”: its name is taken there.')).toBeTruthy()
  })

  test('where one of several moves fails, the others are named and can be undone', async () => {
    const server = room.serve()
    server.on(api.files.move, ({ params: { id } }) => {
      if (id === 8) throw new ApiFailure(409, 'The file is being read.')
      const image = { page_number: 1, expiring_url: '', expiring_thumbnail_url: '', ...NO_REASON }
      const viewer_image = { status: 'Unsupported' as const, ...image }
      const file = { ...fileNamed(id, 'Board minutes (2).pdf'), viewer_image, sha256: '' }
      return { message: '', success: 'true' as const, ...file, outcome: 'renamed' as const, undo_id: 4 }
    })
    const undone: unknown[] = []
    server.on(api.files.undo, ({ params, body }) => {
      undone.push([params.id, body.undo_id])
      return { message: '' }
    })
    server.on(api.permissions.foresee, changed())
    const { user } = await open()
    await user.click(row('Board minutes.pdf'))
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}')
    const bar = await screen.findByRole('toolbar', { name: 'Selection' })
    await user.click(within(bar).getByRole('button', { name: 'Move to…' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(await within(dialog).findByRole('treeitem', { name: /Legal/ }))
    await user.click(within(dialog).getByRole('button', { name: 'Move to “3 Legal”' }))
    const report = await screen.findByRole('dialog', { name: '1 of 2 not moved' })
    expect(report.textContent).toContain('1 item was moved. “Board minutes.pdf” is now “Board minutes (2).pdf”.')
    await user.click(within(report).getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(undone).toEqual([[7, 4]]))
    await screen.findByText('“Board minutes.pdf” moved back.')
  })

  test('deleted items are listed in the trash, and restored from there', async () => {
    room.serve()
    const { user, address } = await open('/workspaces/5/files')
    await user.click(row('Legal'))
    await user.keyboard('{Delete}')
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Recently deleted' }))
    await user.click(await screen.findByRole('button', { name: 'Restore Legal' }))
    await screen.findByText('Nothing was deleted')
    expect(address()).toBe('/workspaces/5/trash')
  })

  test('several lines are downloaded as one zip, once it is built', async () => {
    const server = room.serve()
    const zip = {
      id: 31,
      user_id: 1,
      workspace_id: 5,
      file_ids: [7, 8],
      folder_ids: [],
      size: null,
      left_out: null,
      created_at: '',
      updated_at: '',
      expires_at: '',
    }
    let looks = 0
    server.on(api.downloads.create, { ...zip, status: 'building_directory' })
    server.on(api.downloads.listStatus, () => {
      looks += 1
      const status = looks < 2 ? ('processing' as const) : ('done' as const)
      return { downloads: [{ ...zip, status }] }
    })
    server.on(api.downloads.get, {
      expiring_url: 'https://elsewhere.example/content/zip?sig=1',
      file_name: 'Files.zip',
    })
    const { user } = await open()
    const saved = new Promise<HTMLAnchorElement>((resolve) => {
      const onClick = (event: Event) => {
        const link = (event.target as Element).closest<HTMLAnchorElement>('a[download]')
        if (!link) return
        event.preventDefault()
        document.removeEventListener('click', onClick)
        resolve(link)
      }
      document.addEventListener('click', onClick)
    })
    await user.click(row('Board minutes.pdf'))
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}')
    const bar = await screen.findByRole('toolbar', { name: 'Selection' })
    await user.click(within(bar).getByRole('button', { name: 'Download' }))
    const link = await saved
    expect([link.getAttribute('href'), link.download]).toEqual(['/content/zip?sig=1', 'Files.zip'])
  })

  describe('a line dragged onto a folder', () => {
    const drag = async () => {
      const { user } = await open()
      const dataTransfer = { setData: () => undefined, types: [], effectAllowed: '', dropEffect: '' }
      fireEvent.dragStart(row('Cap table.xlsx'), { dataTransfer })
      fireEvent.dragOver(row('Audited accounts'), { dataTransfer })
      expect(row('Audited accounts').className).toContain('target')
      fireEvent.drop(row('Audited accounts'), { dataTransfer })
      return user
    }
    const question = () => screen.findByRole('dialog', { name: 'Move “Cap table.xlsx” to “2.1 Audited accounts”?' })

    test('moves at once if nobody gains or loses a right', async () => {
      const server = room.serve().on(api.permissions.foresee, ({ body }) => {
        expect(body).toMatchObject({ verb: 'move', folder_ids: [], file_ids: [8], destination_folder_id: 21 })
        return changed()
      })
      await drag()
      await screen.findByText('“Cap table.xlsx” moved to “2.1 Audited accounts”.')
      expect(server.calls.filter((call) => call.endsWith('/move'))).toEqual(['POST /api/v1/files/8/move'])
    })

    test('asks first if anyone gains or loses a right, and says who and what', async () => {
      const server = room.serve().on(
        api.permissions.foresee,
        changed({
          group: { gains: { view: { folders: 0, files: 1 } } },
          person: { loses: { view: { folders: 2, files: 1 }, download: { folders: 2, files: 1 } } },
        }),
      )
      const user = await drag()
      const dialog = await question()
      await within(dialog).findByText('will see 1 file')
      expect(within(dialog).getByText('Bidders')).toBeTruthy()
      expect(within(dialog).getByText('Bob Brown').parentElement?.textContent).toBe(
        'Bob Brownwill no longer see 2 folders and 1 file',
      )
      expect(server.calls.some((call) => call.endsWith('/move'))).toBe(false)
      await user.click(within(dialog).getByRole('button', { name: 'Move' }))
      await waitFor(() => expect(server.calls).toContain('POST /api/v1/files/8/move'))
    })

    test('also asks while the effect is unknown, and if it cannot be read', async () => {
      let fail = () => {}
      const told = new Promise<never>((_, reject) => (fail = () => reject(new ApiFailure(500, 'not sent'))))
      const server = room.serve().on(api.permissions.foresee, () => told)
      const user = await drag()
      const dialog = await question()
      expect(within(dialog).getByRole('status', { name: 'Loading' })).toBeTruthy()
      fail()
      await waitFor(() => expect(within(dialog).queryByRole('status')).toBeNull())
      expect(server.calls.some((call) => call.endsWith('/move'))).toBe(false)
      await user.click(within(dialog).getByRole('button', { name: 'Move' }))
      await waitFor(() => expect(server.calls).toContain('POST /api/v1/files/8/move'))
    })
  })

  test('a report names the lines that could not be deleted with the reason, and counts those that were', async () => {
    room.serve().on(api.files.remove, ({ params }) => {
      if (params.id === 8) throw new ApiFailure(409, 'not sent')
      room.files = room.files.filter(({ id }) => id !== params.id)
      return { id: params.id, deleted: '' }
    })
    const { user } = await open()
    await user.click(row('Board minutes.pdf'))
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Delete}')
    await user.click(await screen.findByRole('button', { name: 'Delete 2 files' }))
    const report = await screen.findByRole('dialog', { name: '1 of 2 not deleted' })
    expect(within(report).getByText('Cap table.xlsx')).toBeTruthy()
    expect(report.textContent).toContain('1 item was deleted.')
  })

  test('the menu of a line has the actions that are allowed on it', async () => {
    room.serve()
    const { user } = await open()
    fireEvent.contextMenu(row('Cap table.xlsx'), { button: 2, clientX: 5, clientY: 5 })
    const menu = await screen.findByRole('menu')
    const names = within(menu)
      .getAllByRole('menuitem')
      .map((item) => item.querySelector('span')?.textContent)
    expect(names).toEqual([
      'Open',
      'Download',
      'Who can see this?',
      'Rename',
      'Move to…',
      'Copy to…',
      'Move up',
      'Delete…',
    ])
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(chosen()).toEqual(['Cap table.xlsx'])
  })

  test('the menu of a folder of the tree opens it elsewhere, without choosing a line', async () => {
    room.serve()
    const { user } = await open()
    const branch = await screen.findByRole('treeitem', { name: /Corporate/ })
    fireEvent.contextMenu(branch, { button: 2, clientX: 5, clientY: 5 })
    const menu = await screen.findByRole('menu')
    const names = within(menu)
      .getAllByRole('menuitem')
      .map((item) => item.querySelector('span')?.textContent)
    expect(names).toEqual(['Open', 'Who can see this?', 'Move to…', 'Copy to…', 'Make draft…'])
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(chosen()).toEqual([])
  })
})

describe('the folder picker', () => {
  const pick = async (name: string) => {
    const view = await open('/workspaces/5/files')
    await view.user.click(row(name))
    fireEvent.contextMenu(row(name), { button: 2, clientX: 5, clientY: 5 })
    await view.user.click(await screen.findByRole('menuitem', { name: /Move to/ }))
    return { ...view, dialog: await screen.findByRole('dialog') }
  }

  test('refuses to move a folder into itself, or to where it is already', async () => {
    room.serve()
    const { user, dialog } = await pick('Finance')
    const item = (name: RegExp) => within(dialog).getByRole('treeitem', { name })
    expect(item(/Finance/).getAttribute('aria-disabled')).toBe('true')
    expect(item(/Project Harbour/).getAttribute('aria-disabled')).toBe('true')
    await user.click(item(/Finance/))
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Move here' }).disabled).toBe(true)
    expect(dialog.textContent).toContain('A moved folder takes the rights of the folder you choose')
  })

  test('refuses the folder that a folder of the tree is in, not the open one', async () => {
    room.serve()
    const { user } = await open()
    fireEvent.contextMenu(await screen.findByRole('treeitem', { name: /Corporate/ }), {
      button: 2,
      clientX: 5,
      clientY: 5,
    })
    await user.click(await screen.findByRole('menuitem', { name: /Move to/ }))
    const dialog = await screen.findByRole('dialog')
    const disabled = (name: RegExp) => within(dialog).getByRole('treeitem', { name }).getAttribute('aria-disabled')
    expect([disabled(/Project Harbour/), disabled(/Finance/)]).toEqual(['true', 'false'])
  })

  test('says what changes for whom, and moves to the chosen folder', async () => {
    const gains = { download: { folders: 0, files: 1 } }
    const server = room.serve().on(api.permissions.foresee, changed({ group: { gains } }))
    const { user } = await open()
    await user.click(row('Cap table.xlsx'))
    fireEvent.contextMenu(row('Cap table.xlsx'), { button: 2, clientX: 5, clientY: 5 })
    await user.click(await screen.findByRole('menuitem', { name: /Move to/ }))
    const dialog = await screen.findByRole('dialog')
    await user.click(await within(dialog).findByRole('treeitem', { name: /Legal/ }))
    await within(dialog).findByText('will be able to download 1 file')
    await user.click(within(dialog).getByRole('button', { name: 'Move to “3 Legal”' }))
    await waitFor(() => expect(within(list()).queryByText('Cap table.xlsx')).toBeNull())
    expect(server.calls).toContain('POST /api/v1/files/8/move')
  })
})

describe('empty, restricted and failed folders', () => {
  test('an empty folder says that it is empty, and what to do', async () => {
    room.serve()
    renderAt('/workspaces/5/files/3')
    await screen.findByText('This folder is empty')
    expect(screen.getByText(/Drop files or whole folders here/)).toBeTruthy()
  })

  test('a filter that matches nothing can be cleared', async () => {
    room.serve()
    const { user } = renderAt('/workspaces/5/files/2?q=zebra')
    await screen.findByText('Nothing matches')
    await user.click(screen.getByRole('button', { name: 'Clear the filter' }))
    expect(await screen.findByText('Cap table.xlsx')).toBeTruthy()
  })

  test('a member starts at the home of the workspace and is offered no changes', async () => {
    room.abilities = { download: false, upload: false, manage: false }
    const server = room.serve({ admin: false })
    const { user } = await open('/workspaces/5/files')
    expect(server.calls.some((call) => call.includes('/folders/0'))).toBe(false)
    expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'New folder' })).toBeNull()
    await user.click(row('Finance'))
    await user.keyboard('{Delete}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a folder that the user may only pass through says so', async () => {
    room.abilities = { view: false, download: false, upload: false, manage: false }
    room.serve({ admin: false })
    renderAt('/workspaces/5/files/3')
    expect(await screen.findByText('You may only pass through here')).toBeTruthy()
  })

  test('a forbidden folder shows the message of the API and a link to the top; the tree stays', async () => {
    const server = room.serve({ admin: false })
    server.fail(api.folders.get, 403, 'Your access has ended.')
    renderAt('/workspaces/5/files/2')
    await screen.findByText('You may not see this folder')
    expect(screen.getByText('Your access has ended.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go to the top folder' }).getAttribute('href')).toBe('/workspaces/5/files')
    await waitFor(() => expect(treeItem(/Corporate/)).toBeTruthy())
  })

  test('a failed read can be tried again', async () => {
    const server = room.serve({ admin: false })
    server.fail(api.folders.get, 500, 'The service is out of order.')
    const { user } = renderAt('/workspaces/5/files/2')
    await screen.findByText('The service is out of order.')
    server.on(api.folders.get, ({ params }) => room.content(params.id))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Cap table.xlsx')).toBeTruthy()
  })
})
