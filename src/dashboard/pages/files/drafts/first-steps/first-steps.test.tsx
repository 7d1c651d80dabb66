import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../../../contract/index.ts'
import { alice, type FakeApi } from '../../../../testing/fake-api.ts'
import { renderAt } from '../../../../testing/render-at.tsx'
import { group } from '../../../../testing/samples.ts'
import { SmallRoom } from '../../testing/room.ts'

let room: SmallRoom
let fake: FakeApi

beforeEach(() => {
  room = new SmallRoom()
  room.folders = room.folders.map((folder) => ({ ...folder, draft: folder.parent_id === 0 }))
  fake = room
    .serve()
    .on(api.terms.listVersions, [])
    .on(api.workspaces.listMembers, [])
    .on(api.groups.list, [
      group({ id: 1, name: 'Workspace Admins', kind: 'workspace_admins' }),
      group({ id: 8, name: 'Lenders', members_count: 0 }),
      group({ id: 7, name: 'Bidders', members_count: 0 }),
    ])
})

const open = async () => {
  const view = renderAt('/workspaces/5/files')
  const note = await screen.findByRole('note')
  return { ...view, note: within(note) }
}

describe('the first steps', () => {
  it('are offered until something is published', async () => {
    const { note, unmount } = await open()
    expect((await note.findByRole('link', { name: 'Write terms' })).getAttribute('href')).toMatch(/terms#write$/)
    unmount()
    room.folders = room.folders.map((folder) => ({ ...folder, draft: folder.id === 1 }))
    const later = await open()
    expect(later.note.getByRole('button', { name: 'Publish…' })).toBeTruthy()
    expect(later.note.queryByRole('link')).toBeNull()
  })

  it('invite people to several groups at once, and keep whom the service refuses', async () => {
    const asked: unknown[] = []
    fake.on(api.groups.addMember, ({ params, body }) => {
      fake.fail(api.groups.addMember, 422, 'This is no e-mail address.')
      asked.push([params.id, body.email])
      return { ...alice, group_id: params.id, user_id: alice.id, invitation: 'sent' as const }
    })
    const { user, note } = await open()
    await user.click(await note.findByRole('button', { name: 'Invite…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite people' }))
    const fields = dialog.getAllByRole('combobox')
    expect(fields.map((field) => (field as HTMLInputElement).labels?.[0]?.textContent)).toEqual(['Bidders', 'Lenders'])
    await waitFor(() => expect(document.activeElement).toBe(fields[0]))
    await user.keyboard('bob@example.com')
    await user.tab()
    await user.keyboard('nobody')
    await user.click(dialog.getByRole('button', { name: 'Add 2' }))
    expect(await dialog.findByText('This is no e-mail address.')).toBeTruthy()
    expect(asked).toEqual([[7, 'bob@example.com']])
    expect(dialog.queryByText(/bob@example.com/)).toBeNull()
    expect(dialog.getByText(/nobody · /)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
