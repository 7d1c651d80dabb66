import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { alice, fakeApi, type FakeApi } from '../../../testing/fake-api.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { group, member, workspace } from '../../../testing/samples.ts'

const bob = { ...alice, id: 21, first_name: 'Bob', last_name: 'Brown', email: 'bob@example.com' }

let fake: FakeApi
let stored: ReturnType<typeof group>
let bodies: unknown[]

beforeEach(() => {
  stored = group({ is_draft: true })
  bodies = []
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.groups.list, () => [stored])
    .on(api.groups.get, () => stored)
    .on(api.groups.listMembers, [bob])
    .on(api.workspaces.listMembers, [])
    .on(api.draftGroups.withdraw, () => (stored = { ...stored, is_draft: true }))
    .on(api.draftGroups.publish, ({ body }) => {
      if (body.dry_run) return { folders: 3, files: 12, people: 2, newcomers: 1, uninvited: 1, invited: 0 }
      bodies.push(body)
      stored = { ...stored, is_draft: false }
      return { folders: 3, files: 12, people: 2, newcomers: 1, uninvited: 0, invited: body.invitation ? 1 : 0 }
    })
})

const open = async () => {
  const view = renderAt('/workspaces/5/groups/7')
  await screen.findByRole('heading', { name: 'Security' })
  return view
}

describe('a draft group', () => {
  it('says who knows of it, and invites nobody who is added', async () => {
    fake.on(api.groups.addMember, ({ body }) => {
      bodies.push(body)
      return { ...bob, group_id: 7, user_id: 21, invitation: null }
    })
    const { user } = await open()
    await screen.findByText(/Only workspace admins know of this group/)
    await user.type(await screen.findByRole('combobox', { name: 'Name or e-mail addresses' }), 'bob@example.com')
    expect(screen.queryByRole('radiogroup', { name: 'Invitation' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Add' }))
    expect(await screen.findByText('Bob Brown gets in once Bidders is published')).toBeTruthy()
    expect(bodies).toHaveLength(1)
  })

  it('is published with or without invitations', async () => {
    const { user, unmount } = await open()
    await user.click(await screen.findByRole('button', { name: 'Publish…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Publish Bidders' }))
    await dialog.findByText('2 people get in')
    dialog.getByText('They will see 3 folders and 12 files')
    dialog.getByText(/^1 of them is in this workspace already/)
    await user.click(dialog.getByRole('checkbox', { name: /^Invite 1 person/ }))
    await user.click(dialog.getByRole('button', { name: 'Publish now' }))
    expect(await screen.findByText('Bidders is published.')).toBeTruthy()
    unmount()
    stored = group({ is_draft: true })
    await (await open()).user.click(await screen.findByRole('button', { name: 'Publish…' }))
    const again = within(await screen.findByRole('dialog', { name: 'Publish Bidders' }))
    await user.type(await again.findByRole('textbox', { name: /^Your words/ }), 'Welcome.')
    await user.click(again.getByRole('button', { name: 'Publish and invite 1' }))
    expect(await screen.findByText(/1 invitation is on its way/)).toBeTruthy()
    expect(bodies).toEqual([
      { workspace_id: 5, dry_run: false },
      { workspace_id: 5, dry_run: false, invitation: { message: 'Welcome.' } },
    ])
  })

  it('may a group become that nobody has come in with', async () => {
    stored = group()
    fake.on(api.workspaces.listMembers, [member({ invitation_state: 'invited', groups: [{ id: 7, name: 'Bidders' }] })])
    const { user, unmount } = await open()
    await user.click(await screen.findByRole('button', { name: 'Make draft…' }))
    await user.click(await screen.findByRole('button', { name: 'Make draft' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await screen.findByRole('button', { name: 'Publish…' })
    unmount()
    stored = group()
    fake.on(api.workspaces.listMembers, [member({ invitation_state: 'arrived', groups: [{ id: 7, name: 'Bidders' }] })])
    await open()
    await screen.findByRole('button', { name: 'Rename' })
    expect(screen.queryByRole('button', { name: 'Make draft…' })).toBeNull()
  })
})
