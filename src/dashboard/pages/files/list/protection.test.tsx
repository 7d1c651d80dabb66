import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { group } from '../../../testing/samples.ts'
import { SmallRoom } from '../testing/room.ts'

beforeEach(() => {
  window.innerWidth = 1440
})
afterEach(() => {
  vi.useRealTimers()
})
const NOW = '2095-03-01T12:00:00Z'

const buyers = group({ id: 3, name: 'Buyers', watermarked: true, drm_enabled: false })
const lenders = group({ id: 4, name: 'Lenders', watermarked: false, drm_enabled: true })
const counsel = group({ id: 5, name: 'Counsel', watermarked: false, drm_enabled: false })
const former = group({ id: 6, name: 'Former bidders', expired: true })
const leaving = group({ ...counsel, id: 7, name: 'Advisers', expire_workspace_access_at: '2095-03-05' })

const may = (group_id: number, download: boolean, view = true) => ({
  group_id,
  view,
  download,
  upload: false,
  below: view ? null : { view: 1, download: 0, upload: 0 },
})
type Rights = ReturnType<typeof may>[]

/** Finance, in which folder 3 and file 7 are. */
async function shownFor(inFinance: Rights, inSubfolder: Rights = []) {
  vi.setSystemTime(NOW)
  const room = new SmallRoom()
    .serve()
    .on(api.groups.list, [buyers, lenders, counsel, former, leaving])
    .on(api.permissions.reach, [
      { folder_id: 2, folders: null, documents: null, groups: inFinance },
      { folder_id: 4, folders: null, documents: null, groups: inSubfolder },
      { folder_id: 21, folders: null, documents: 9, groups: [] },
    ])
  renderAt('/workspaces/5/files/2')
  const cellOf = async (name: RegExp) => {
    const row = await screen.findByRole('row', { name })
    const cell = row.querySelector('.guard')
    await waitFor(() => expect(cell?.textContent).not.toBe(''))
    return cell as HTMLElement
  }
  return { room, cellOf }
}

const wordsOf = (cell: HTMLElement) => [...cell.children].map((each) => each.textContent)

test.each<[string, Rights, string[]]>([
  ['marked and sealed for all', [may(4, true)], ['Watermark', 'Sealed']],
  ['marked for some, and without download', [may(3, false), may(5, false)], ['Watermark 1/2', 'View only']],
  ['sealed for one of two that may download', [may(3, true), may(4, true)], ['Watermark', 'Sealed 1/2']],
  ['open to a group', [may(5, true)], ['Not protected']],
  ['closed to all but former members', [may(6, true)], ['Admins only']],
  ['open to a group that soon leaves', [may(7, false)], ['View only', 'To 5 Mar']],
])('a file that is %s says so', async (_, rights, words) => {
  const { cellOf } = await shownFor(rights)
  expect(wordsOf(await cellOf(/Board minutes/))).toEqual(words)
})

test('names each group with its rights, says how many files folders hold, and reads the rights of all lines at once', async () => {
  const { cellOf, room } = await shownFor([may(3, true), may(4, false)], [may(3, false, false)])
  const cell = await cellOf(/Board minutes/)
  expect(within(cell).getByText('Watermark').title).toBe(
    'Buyers: view and download, with watermark\nLenders: view only, sealed, with watermark',
  )
  expect(screen.getByRole('row', { name: /Audited accounts/ }).textContent).toContain('9 files')
  expect(room.calls.filter((call) => call.includes('/permissions/reach')).length).toBeLessThanOrEqual(2)
})

test('members have no such column', async () => {
  const room = new SmallRoom().serve({ admin: false })
  renderAt('/workspaces/5/files/2')
  const row = await screen.findByRole('row', { name: /Board minutes/ })
  expect(row.querySelector('.guard')).toBeNull()
  expect(room.calls.some((call) => call.includes('/permissions'))).toBe(false)
})
