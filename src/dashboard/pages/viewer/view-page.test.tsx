import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import type { FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { rendersDuring } from '../../testing/renders.ts'
import { group, member, NO_REASON } from '../../testing/samples.ts'
import { fileNamed } from '../files/testing/entries.ts'
import { SmallRoom } from '../files/testing/room.ts'
import type { FilePages } from './pages/use-pages.ts'

const PAGES = 40
const SOON = () => Math.floor(Date.now() / 1000) + 900

// Load the pages beforehand, so that the first test does not wait for them.
beforeAll(() =>
  Promise.all([import('./view-page.tsx'), import('./print/print-dialog.tsx'), import('../files/files-page.tsx')]),
)

let room: SmallRoom
/** Counts the answers, so that each has its own URLs, as the answers of the service have. */
let asked: number

beforeEach(() => {
  localStorage.clear()
  room = new SmallRoom()
  asked = 0
  window.innerWidth = 1440
})

function pagesOf(from: number, facts: Partial<FilePages> = {}): FilePages {
  asked += 1
  const count = facts.status && facts.status !== 'Ready' ? 0 : PAGES
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  return {
    file_id: 7,
    version: 1,
    status: 'Ready',
    ...NO_REASON,
    total_pages: count,
    expires: SOON(),
    pages: numbers.slice(from - 1, from + 24).map((page_number) => ({
      page_number,
      width: 1600,
      height: 2000,
      expiring_url: `https://elsewhere.example/content/p${page_number}-${asked}`,
      expiring_thumbnail_url: `https://elsewhere.example/content/t${page_number}-${asked}`,
    })),
    widths: numbers.map(() => 1600),
    heights: numbers.map(() => 2000),
    printable: true,
    text_layer: 'none',
    ...facts,
  }
}

function serve(options?: { admin?: boolean }, facts?: Partial<FilePages>): FakeApi {
  return room.serve(options).on(api.files.pages, ({ query }) => pagesOf(query.from, facts))
}

const ADDRESS = '/workspaces/5/files/7/view'
const pages = () => screen.findByRole('region', { name: 'Pages of Board minutes.pdf' })
const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Page' })
const shownPages = () => screen.queryAllByRole('img', { name: /^Page / })

test('pages have their places before any image has loaded, and only pages in view are drawn', async () => {
  serve()
  renderAt(ADDRESS)
  const first = await screen.findByRole('img', { name: 'Page 1' })
  expect(first.getAttribute('src')).toBe('/content/p1-1')
  expect(first.parentElement?.style.width).toBe('1168px')
  expect(first.parentElement?.style.height).toBe('1460px')
  expect(screen.queryByRole('img', { name: 'Page 9' })).toBeNull()
  expect(shownPages().length).toBeLessThan(5)
  expect((await pages()).scrollTop).toBe(0)
  expect((await pages()).firstElementChild?.getAttribute('style')).toContain(`height: ${PAGES * 1476 + 16}px`)
})

test('turning a page draws what shows the page, and no other part of the viewer', async () => {
  serve()
  const { user, address } = renderAt(ADDRESS)
  await screen.findByRole('img', { name: 'Page 1' })
  const thumbnail = await screen.findByRole('button', { name: 'Page 2' })
  await waitFor(() => expect(thumbnail.querySelector('img')).toBeTruthy())
  const renders = await rendersDuring(async (drawn) => {
    await user.keyboard('{ArrowRight}')
    await waitFor(() => expect(address()).toBe(`${ADDRESS}?page=2`))
    await waitFor(() => expect(drawn.map(({ component }) => component)).toContain('FileOwner'))
  })
  const drawn = renders.map(({ component }) => component)
  expect(drawn).toContain('PageField')
  expect(drawn.filter((component) => component === 'Thumbnail')).toHaveLength(2)
  const others = [
    'Viewer',
    'ViewerFrame',
    'ViewerBar',
    'FileTitle',
    'OlderVersion',
    'Content',
    'Versions',
    'CommandsOwner',
  ]
  expect(others.filter((component) => drawn.includes(component))).toEqual([])
})

test('a link opens at its page; the arrows turn pages and the address follows', async () => {
  serve()
  const { user, address } = renderAt(`${ADDRESS}?page=30`)
  expect(await screen.findByRole('img', { name: 'Page 30' })).toBeTruthy()
  expect((await field()).value).toBe('30')
  await user.keyboard('{ArrowRight}')
  await waitFor(() => expect(address()).toBe(`${ADDRESS}?page=31`))
  await user.keyboard('{End}')
  await waitFor(() => expect(address()).toBe(`${ADDRESS}?page=40`))
  await user.keyboard('{Home}')
  await waitFor(() => expect(address()).toBe(ADDRESS))
})

test('until a page is there, its thumbnail stands in for it', async () => {
  serve()
  renderAt(ADDRESS)
  const first = await screen.findByRole('img', { name: 'Page 1' })
  const thumbnail = first.parentElement?.querySelector('img[alt=""]')
  expect(thumbnail?.getAttribute('src')).toBe('/content/t1-1')
  fireEvent.load(first)
  expect(first.parentElement?.querySelector('img[alt=""]')).toBeNull()
})

test('a file opens where the user left it, at the same zoom, and a link to a page leads to that page', async () => {
  serve()
  const before = renderAt(`${ADDRESS}?page=30`)
  await screen.findByRole('img', { name: 'Page 30' })
  await before.user.keyboard('0')
  await screen.findByRole('button', { name: 'Zoom: 100 %' })
  before.unmount()
  const after = renderAt(ADDRESS)
  await screen.findByRole('img', { name: 'Page 30' })
  await waitFor(() => expect(after.address()).toBe(`${ADDRESS}?page=30`))
  expect(screen.getByRole('button', { name: 'Zoom: 100 %' })).toBeTruthy()
  after.unmount()
  renderAt(`${ADDRESS}?page=4`)
  await screen.findByRole('img', { name: 'Page 4' })
  expect((await field()).value).toBe('4')
})

test('a typed page number goes to that page, and keys typed in the field have no other effect', async () => {
  serve()
  const { user, address } = renderAt(ADDRESS)
  await screen.findByRole('img', { name: 'Page 1' })
  await user.click(await field())
  await user.keyboard('12{Enter}')
  await waitFor(() => expect(address()).toBe(`${ADDRESS}?page=12`))
  expect(await screen.findByRole('img', { name: 'Page 12' })).toBeTruthy()
})

test('zoom, fit and rotation change the boxes', async () => {
  serve()
  const { user } = renderAt(ADDRESS)
  const box = async () => (await screen.findByRole('img', { name: 'Page 1' })).parentElement?.style
  expect((await box())?.width).toBe('1168px')
  await user.keyboard('-')
  await waitFor(async () => expect((await box())?.width).toBe('1000px'))
  await user.keyboard('+')
  await waitFor(async () => expect((await box())?.width).toBe('1200px'))
  await user.keyboard('f')
  await waitFor(async () => expect((await box())?.height).toBe('768px'))
  await user.keyboard('0r')
  await waitFor(async () => expect((await box())?.width).toBe('1000px'))
  expect((await box())?.height).toBe('800px')
})

test('an expired URL is renewed once, then the page offers a retry', async () => {
  serve()
  const { user } = renderAt(ADDRESS)
  fireEvent.error(await screen.findByRole('img', { name: 'Page 1' }))
  await waitFor(() => expect(screen.getByRole('img', { name: 'Page 1' }).getAttribute('src')).toBe('/content/p1-2'))
  fireEvent.error(screen.getByRole('img', { name: 'Page 1' }))
  const failed = await screen.findByRole('group', { name: 'Page 1' })
  await user.click(within(failed).getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getByRole('img', { name: 'Page 1' }).getAttribute('src')).toBe('/content/p1-3'))
})

test('a page that cannot be drawn says why', async () => {
  const error = { code: 422, message: 'This page is too large to be drawn.', request_id: 'req-test' }
  serve().raw('GET', '/content/p1-2', () => ({ status: 422, body: { error } }))
  renderAt(ADDRESS)
  fireEvent.error(await screen.findByRole('img', { name: 'Page 1' }))
  await waitFor(() => expect(screen.getByRole('img', { name: 'Page 1' }).getAttribute('src')).toBe('/content/p1-2'))
  fireEvent.error(screen.getByRole('img', { name: 'Page 1' }))
  expect(await screen.findByText(/could not be loaded. This page is too large to be drawn./)).toBeTruthy()
})

test('a loaded page stays as it is when URLs are renewed', async () => {
  serve()
  renderAt(ADDRESS)
  fireEvent.load(await screen.findByRole('img', { name: 'Page 1' }))
  fireEvent.error(screen.getByRole('img', { name: 'Page 2' }))
  await waitFor(() => expect(screen.getByRole('img', { name: 'Page 2' }).getAttribute('src')).toBe('/content/p2-2'))
  expect(screen.getByRole('img', { name: 'Page 1' }).getAttribute('src')).toBe('/content/p1-1')
})

test('a user who loses access while viewing no longer sees the pages', async () => {
  const server = serve()
  renderAt(ADDRESS)
  const first = await screen.findByRole('img', { name: 'Page 1' })
  server.fail(api.files.pages, 404, 'Not found.')
  fireEvent.error(first)
  await screen.findByRole('heading', { name: 'There is no such file' })
  expect(screen.queryByRole('img', { name: 'Page 1' })).toBeNull()
})

test('a thumbnail goes to its page', async () => {
  serve()
  const { user, address } = renderAt(ADDRESS)
  const rail = await screen.findByRole('navigation', { name: 'Thumbnails' })
  await user.click(await within(rail).findByRole('button', { name: 'Page 3' }))
  await waitFor(() => expect(address()).toBe(`${ADDRESS}?page=3`))
  await waitFor(() => expect(within(rail).getByRole('button', { current: 'page' }).textContent).toBe('3'))
})

test('a document that is being processed says so, and its pages appear by themselves', async () => {
  let status: FilePages['status'] = 'Pending'
  room.serve().on(api.files.pages, ({ query }) => pagesOf(query.from, { status }))
  renderAt(ADDRESS)
  await screen.findByRole('heading', { name: 'Waiting to be read' })
  status = 'Processing'
  await screen.findByRole('heading', { name: 'The pages are being made' })
  status = 'Ready'
  expect(await screen.findByRole('img', { name: 'Page 1' })).toBeTruthy()
})

test.each([
  [true, 'A preview of this type needs LibreOffice, which is not installed.'],
  [false, 'This file cannot be shown yet. Ask an admin of the workspace.'],
])('what the installation lacks is told to admins only: %s', async (admin, words) => {
  const reason = 'A preview of this type needs LibreOffice, which is not installed.'
  serve({ admin }, { status: 'Unsupported', reason, reason_code: 'no_libreoffice' })
  renderAt(ADDRESS)
  expect(await screen.findByText(words)).toBeTruthy()
})

test('a failed document shows the reason, and an admin can retry it', async () => {
  const reason = 'The document is protected by a password.'
  const server = serve({}, { status: 'Failed', reason, reason_code: 'encrypted' })
  server.on(api.documents.retry, { retried: 1, message: 'had 1 document read again' })
  const { user } = renderAt(ADDRESS)
  await screen.findByText(reason)
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(server.calls).toContain('POST /api/v1/documents/retry'))
})

test('a member without download gets a way back if there is no preview', async () => {
  room.abilities = { download: false, upload: false, manage: false }
  serve({ admin: false }, { status: 'Unsupported', reason: 'Preview needs LibreOffice.' })
  const { user, address } = renderAt(ADDRESS)
  await screen.findByText('Preview needs LibreOffice.')
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Versions' })).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Back to the folder' }))
  await waitFor(() => expect(address()).toBe('/workspaces/5/files/2?file=7'))
})

test('a file without a preview offers no download where only sealed copies are delivered, and says why', async () => {
  room.abilities = { download: true, manage: false }
  serve({ admin: false }, { status: 'Unsupported', reason: 'Preview needs LibreOffice.', printable: false })
  renderAt(ADDRESS)
  await screen.findByText(/none can be made of a file without pages/)
  expect(screen.queryByRole('button', { name: /^Download/ })).toBeNull()
})

test('a download that takes a while is told by a notice, and by the tray after the viewer', async () => {
  const server = serve()
  const { promise, resolve } = Promise.withResolvers<{ expiring_url: string; file_name: string }>()
  server.on(api.downloads.getFile, () => promise)
  const { user } = renderAt(ADDRESS)
  await user.click(await screen.findByRole('button', { name: 'Download' }))
  await screen.findByText('“Board minutes.pdf” is being made ready for you, and is saved as soon as it is.')
  expect(screen.queryByRole('region', { name: /Downloads/ })).toBeNull()
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('region', { name: /Downloads/ })).toBeTruthy()
  document.addEventListener('click', (event) => event.preventDefault(), { once: true })
  resolve({ expiring_url: 'https://elsewhere.example/content/7', file_name: 'Board minutes.pdf' })
  await screen.findByText('Given to your browser')
})

test('an infected file is not shown, even if it has pages', async () => {
  room.files = [fileNamed(7, 'Board minutes.pdf', { folder_id: 2, infected: true })]
  serve()
  renderAt(ADDRESS)
  await screen.findByRole('heading', { name: 'A virus was found in this file' })
  expect(screen.queryByRole('img', { name: 'Page 1' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
})

test('a damaged file shows its pages but offers no download', async () => {
  room.files = [fileNamed(7, 'Board minutes.pdf', { folder_id: 2, damaged: true })]
  serve()
  renderAt(ADDRESS)
  await screen.findByRole('img', { name: 'Page 1' })
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
})

type Version = Reply<typeof api.files.versions>[number]

const version = (number: number): Version => ({
  version: number,
  file_size: '4404019',
  file_content_type: 'application/pdf',
  sha256: 'ab'.repeat(32),
  pages: PAGES,
  infected: false,
  damaged: false,
  viewer_status: 'Ready',
  ...NO_REASON,
  uploaded_by_id: 1,
  uploaded_by_name: 'Ines Carvalho',
  created_at: '2026-11-02T09:00:00.000Z',
})

test('an older version can be viewed and left again', async () => {
  room.files = [fileNamed(7, 'Board minutes.pdf', { folder_id: 2, version: 2 })]
  const server = room.serve()
  server.on(api.files.versions, [version(2), version(1)])
  server.on(api.files.pages, ({ query }) => pagesOf(query.from, { version: query.version ?? 2 }))
  const { user, address } = renderAt(ADDRESS)
  await user.click(await screen.findByRole('button', { name: 'Versions' }))
  await user.click(await screen.findByRole('button', { name: /^Version 1/ }))
  await screen.findByText(/You are looking at version 1 of 2/)
  expect(address()).toBe(`${ADDRESS}?version=1`)
  await user.click(screen.getByRole('button', { name: 'Show the newest' }))
  await waitFor(() => expect(address()).toBe(ADDRESS))
})

test('the list opens a file, the viewer goes to the next file and closes to the place of that file', async () => {
  serve()
  const { user, address } = renderAt('/workspaces/5/files/2')
  await user.dblClick(await screen.findByText('Board minutes.pdf', { selector: '.title' }))
  await waitFor(() => expect(address()).toBe(ADDRESS))
  await screen.findByRole('heading', { name: 'Board minutes.pdf' })
  const next = await screen.findByRole<HTMLButtonElement>('button', { name: 'Next file' })
  await waitFor(() => expect(next.disabled).toBe(false))
  await user.keyboard('n')
  await screen.findByRole('heading', { name: 'Cap table.xlsx' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(address()).toBe('/workspaces/5/files/2?file=8'))
})

test('closing goes back to the list as it was left', async () => {
  serve()
  const { user, router, address } = renderAt('/workspaces/5/files/2?sort=-name')
  await user.dblClick(await screen.findByText('Board minutes.pdf', { selector: '.title' }))
  await screen.findByRole('region', { name: 'Pages of Board minutes.pdf' })
  expect(address()).toContain('sort=-name')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(address()).toMatch(/files\/2\?(file=7&)?sort=-name/))
  await act(() => router.navigate(1))
  await waitFor(() => expect(address()).toContain('/view'))
})

test('a document without pages says so', async () => {
  serve({}, { total_pages: 0, pages: [], widths: [], heights: [] })
  renderAt(ADDRESS)
  await screen.findByRole('heading', { name: 'There is nothing to see' })
  expect(await within(screen.getByRole('main')).findByText('The file has no pages.')).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: 'Page' })).toBeNull()
})

test('a file that the user may not view looks like a file that does not exist', async () => {
  serve().fail(api.files.get, 404, 'Not found.').fail(api.files.pages, 404, 'Not found.')
  const { user, address } = renderAt(ADDRESS)
  await screen.findByRole('heading', { name: 'There is no such file' })
  await user.click(screen.getByRole('link', { name: 'Go to the files' }))
  await waitFor(() => expect(address()).toBe('/workspaces/5/files'))
})

test('pages that cannot be read can be read again', async () => {
  const server = serve().fail(api.files.pages, 500, 'The database is away.')
  const { user } = renderAt(ADDRESS)
  expect((await screen.findByRole('alert')).textContent).toContain('req-test')
  server.on(api.files.pages, ({ query }) => pagesOf(query.from))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('img', { name: 'Page 1' })).toBeTruthy()
})

test('an earlier version can be downloaded, also while it is viewed', async () => {
  room.files = [fileNamed(7, 'Board minutes.pdf', { folder_id: 2, version: 2 })]
  const server = room.serve()
  server.on(api.files.versions, [version(2), { ...version(1), infected: true }])
  server.on(api.files.pages, ({ query }) => pagesOf(query.from, { version: query.version ?? 2 }))
  server.on(api.downloads.getFile, {
    expiring_url: 'https://elsewhere.example/content/x',
    file_name: 'Board minutes.pdf',
  })
  const { user } = renderAt(ADDRESS)
  await user.click(await screen.findByRole('button', { name: 'Versions' }))
  await user.click(await screen.findByRole('button', { name: 'Download version 2' }))
  await waitFor(() => expect(server.calls).toContain('GET /api/v1/downloads/file/7?workspace_id=5&version=2'))
  expect(screen.queryByRole('button', { name: 'Download version 1' })).toBeNull()
  await user.click(screen.getByRole('button', { name: /^Version 1/ }))
  await screen.findByText(/You are looking at version 1 of 2/)
  await user.click(await screen.findByRole('button', { name: 'Download' }))
  await waitFor(() => expect(server.calls).toContain('GET /api/v1/downloads/file/7?workspace_id=5&version=1'))
})

test('shows the file in its folder', async () => {
  serve()
  const { user, address } = renderAt(`${ADDRESS}?page=3`)
  await user.click(await screen.findByRole('button', { name: 'Show in its folder' }))
  await waitFor(() => expect(address()).toBe('/workspaces/5/files/2?file=7'))
})

/** The images to print. The tests fire their load events, because nothing fetches them here. */
const sheets = () => [...(screen.queryByTestId('sheets')?.querySelectorAll('img') ?? [])]

async function fetchSheets(total: number) {
  for (let done = 0; done < total; done += 1) {
    await waitFor(() => expect(sheets().length).toBeGreaterThan(done))
    fireEvent.load(sheets()[done] as HTMLElement)
  }
}

test('all pages are fetched before they are printed', async () => {
  const print = (window.print = vi.fn<() => void>())
  serve()
  const { user } = renderAt(ADDRESS)
  await screen.findByRole('img', { name: 'Page 1' })
  await user.keyboard('{Control>}p{/Control}')
  await screen.findByRole('dialog', { name: 'Print “Board minutes.pdf”' })
  await waitFor(() => expect(sheets()).toHaveLength(4))
  expect(print).not.toHaveBeenCalled()
  await fetchSheets(PAGES)
  await waitFor(() => expect(print).toHaveBeenCalledOnce())
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(sheets().map((image) => /p(\d+)-/.exec(image.src)?.[1])).toEqual(
    Array.from({ length: PAGES }, (_, at) => `${at + 1}`),
  )
  fireEvent(window, new Event('afterprint'))
  await waitFor(() => expect(sheets()).toHaveLength(0))
})

test('for a long document the user chooses which pages are printed', async () => {
  const print = (window.print = vi.fn<() => void>())
  const many = Array.from({ length: 640 }, () => 1600)
  serve({}, { total_pages: many.length, widths: many, heights: many })
  const { user } = renderAt(ADDRESS)
  await user.click(await screen.findByRole('button', { name: 'Print' }))
  const dialog = await screen.findByRole('dialog', { name: 'Print' })
  const [from, to] = [within(dialog).getByLabelText('First page'), within(dialog).getByLabelText('Last page')]
  const submit = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Print' })
  await user.clear(to)
  await user.type(to, '640')
  expect(submit.disabled).toBe(true)
  await screen.findByText('At most 500 pages are printed at once.')
  for (const [input, text] of [
    [from, '2'],
    [to, '3'],
  ] as const) {
    await user.clear(input)
    await user.type(input, text)
  }
  await user.keyboard('{Enter}')
  await fetchSheets(2)
  await waitFor(() => expect(print).toHaveBeenCalledOnce())
})

test('pages that fail to load can be requested again, or the print is cancelled', async () => {
  serve()
  const { user } = renderAt(ADDRESS)
  await user.click(await screen.findByRole('button', { name: 'Print' }))
  await waitFor(() => expect(sheets()).toHaveLength(4))
  const before = sheets()[0]?.src
  fireEvent.error(sheets()[0] as HTMLElement)
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(sheets()[0]?.src).not.toBe(before))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sheets()).toHaveLength(0)
})

test('a user who may only view, or only gets sealed copies, cannot print', async () => {
  serve({ admin: false }, { printable: false })
  renderAt(ADDRESS)
  await screen.findByRole('img', { name: 'Page 1' })
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull()
  fireEvent.keyDown(document.body, { key: 'p', ctrlKey: true })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the button of a reader who gets sealed copies says so, and how they open', async () => {
  serve({ admin: false }, { printable: false })
  renderAt(ADDRESS)
  const button = await screen.findByRole('button', { name: 'Download sealed copy' })
  expect(button.title).toBe('Opens in a browser after you sign in, until your access or the copy ends.')
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
})

test('the wheel with Ctrl, two fingers and a double tap zoom', async () => {
  serve()
  renderAt(ADDRESS)
  const width = async () =>
    Number.parseFloat((await screen.findByRole('img', { name: 'Page 1' })).parentElement?.style.width ?? '')
  const region = await pages()
  await waitFor(async () => expect(await width()).toBe(1168))
  const happen = (type: string, facts: object) =>
    fireEvent(region, Object.assign(new Event(type, { bubbles: true, cancelable: true }), facts))
  expect(happen('wheel', { deltaY: -100, ctrlKey: true, clientX: 0, clientY: 0 })).toBe(false)
  await waitFor(async () => expect(await width()).toBeGreaterThan(1200))
  const wide = await width()
  const fingers = (distance: number) => ({
    touches: [
      { clientX: 100, clientY: 300 },
      { clientX: 100 + distance, clientY: 300 },
    ],
  })
  happen('touchstart', fingers(200))
  happen('touchmove', fingers(100))
  await waitFor(async () => expect(await width()).toBeCloseTo(wide / 2, 0))
  happen('touchend', { touches: [], changedTouches: [{ clientX: 100, clientY: 300 }] })
  const finger = [{ clientX: 100, clientY: 300 }]
  for (let taps = 0; taps < 2; taps += 1) {
    happen('touchstart', { touches: finger })
    happen('touchend', { touches: [], changedTouches: finger })
  }
  await waitFor(async () => expect(await width()).toBeCloseTo(wide, 0))
})

test('an admin who views as a group sees its pages and what it gets, and can neither print, download nor change', async () => {
  room.abilities = { download: true, manage: true }
  room.files = room.files.map((file) => ({ ...file, viewer_status: 'Ready' }))
  const handling = { id: 7, folder_id: 2, marked_pages: true, printable: true, text_layer: 'select' as const }
  const fake = serve()
    .on(api.groups.list, [group()])
    .on(api.workspaces.listMembers, [member()])
    .on(api.permissions.viewAs, ({ params }) => room.content(params.id))
    .on(api.permissions.viewFileAs, { ...handling, download: 'sealed', hindrance: null })
    .on(api.permissions.viewPagesAs, ({ query }) => pagesOf(query.from, { text_layer: 'find' }))
  const { user, address } = renderAt(`${ADDRESS}?group=7`)
  expect(await screen.findByRole('img', { name: 'Page 1' })).toBeTruthy()
  const banner = await screen.findByRole('note')
  await waitFor(() => expect(banner.textContent).toContain('Download: A sealed copy.'))
  expect(banner.textContent).toContain('as Bidders')
  expect(within(banner).getByRole('link', { name: 'Leave' }).getAttribute('href')).toBe(ADDRESS)
  for (const name of ['Print', 'Download', 'Versions', 'Who can see this?']) {
    const button = screen.queryByRole<HTMLButtonElement>('button', { name })
    expect(button === null || button.disabled).toBe(true)
  }
  await user.keyboard('{Control>}s{/Control}{Control>}p{/Control}v')
  await user.click(screen.getByRole('button', { name: 'Next file' }))
  await waitFor(() => expect(address()).toBe('/workspaces/5/files/8/view?group=7'))
  expect(await screen.findByRole('region', { name: 'Pages of Cap table.xlsx' })).toBeTruthy()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(address()).toBe('/workspaces/5/view-as/2?group=7&file=8'))
  const own = /^(?!GET )|\/api\/v1\/(files|folders)\//
  expect(fake.calls.filter((call) => own.test(call))).toEqual([])
})
