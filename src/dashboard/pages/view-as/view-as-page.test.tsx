import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { group, member, workspace } from '../../testing/samples.ts'

const times = { created_at: '2026-01-05T08:00:00.000Z', updated_at: '2026-01-05T08:00:00.000Z' }
const folderMeta = (more: { id: number; name: string; path: string; parent_path: string; id_path: string }) => ({
  ...times,
  ...more,
  owner_type: 'Workspace' as const,
  owner_id: 5,
  index: 1,
  last_updated_user_id: 1,
  parent_id: 0,
  id_tree: 0,
  path_node: false,
  children: 0,
  outline: more.id === 0 ? '' : '2',
})
const report = {
  ...times,
  id: 9,
  title: 'Report.pdf',
  file_name: 'Report.pdf',
  file_size: '2048',
  file_content_type: 'application/pdf',
  kind: 'pdf' as const,
  index: 1,
  folder_id: 1,
  version: 1,
  pages: 3,
  infected: null,
  damaged: false,
  viewer_status: 'Ready' as const,
  outline: '2.1',
}
const abilities = { view: true, download: false, upload: false, manage: false }
const root = folderMeta({ id: 0, name: 'All Folders', path: '/', parent_path: '', id_path: '0' })
const finance = folderMeta({ id: 1, name: 'Finance', path: '/Finance', parent_path: '/', id_path: '0.1' })

let fake: FakeApi
beforeEach(() => {
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.groups.list, [group()])
    .on(api.workspaces.listMembers, [member()])
    .on(api.permissions.viewAs, ({ params }) => ({
      folder: params.id === 0 ? root : finance,
      immediate_subfolders: params.id === 0 ? [finance] : [],
      immediate_subfiles: params.id === 0 ? [] : [report],
      abilities,
      totals: { folders: 0, files: 0 },
    }))
})

describe('the view as a group or another user', () => {
  it('says whose view it is, leads into folders, and out again', async () => {
    const { user, address } = renderAt('/workspaces/5/view-as?group=7')
    expect((await screen.findByRole('note')).textContent).toContain('You see this workspace as Bidders.')
    await user.click(screen.getByRole('link', { name: 'Finance' }))
    await screen.findByText('Report.pdf')
    await expect.poll(address).toBe('/workspaces/5/view-as/1?group=7')
    screen.getByText('May view here')
    await user.click(screen.getByRole('link', { name: 'Leave' }))
    await expect.poll(address).toBe('/workspaces/5/permissions?group=7')
  })

  it('is also available for a user', async () => {
    renderAt('/workspaces/5/view-as?user=21')
    expect((await screen.findByRole('note')).textContent).toContain('as Bob Brown')
  })

  it('says if there is nothing to see', async () => {
    fake.on(api.permissions.viewAs, {
      folder: root,
      immediate_subfolders: [],
      immediate_subfiles: [],
      abilities: { ...abilities, view: false },
      totals: { folders: 0, files: 0 },
    })
    renderAt('/workspaces/5/view-as?group=7')
    expect(await screen.findByText('Bidders sees nothing here.')).toBeTruthy()
  })

  it('is refused with a message to a user who is not an admin', async () => {
    fake.fail(api.permissions.viewAs, 403, 'This is for workspace admins.')
    renderAt('/workspaces/5/view-as?group=7')
    expect(await screen.findByText('This is for workspace admins.')).toBeTruthy()
  })
})
