import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { alice, fakeApi, type FakeApi } from '../../../testing/fake-api.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { group, preview, workspace } from '../../../testing/samples.ts'

const bob = { ...alice, id: 21, first_name: 'Bob', last_name: 'Brown', email: 'bob@example.com' }
const carol = { ...alice, id: 22, first_name: 'Carol', last_name: 'Clark', email: 'carol@example.com' }

let fake: FakeApi
let asked: number[]
beforeEach(() => {
  asked = []
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.groups.list, [group({ watermarked: true })])
    .on(api.groups.get, group({ watermarked: true }))
    .on(api.groups.listMembers, [bob, carol])
    .on(api.workspaces.listMembers, [])
    .on(api.watermarks.previewForMember, ({ query }) => {
      asked.push(query.user_id)
      return preview
    })
})

it('shows a page as the chosen member sees it', async () => {
  const { user } = renderAt('/workspaces/5/groups/7')
  expect(await screen.findByRole('img', { name: 'A page as Bob Brown sees it' })).toBeTruthy()
  await user.click(screen.getByRole('combobox', { name: 'As seen by' }))
  await user.click(await screen.findByRole('option', { name: 'Carol Clark' }))
  expect(await screen.findByRole('img', { name: 'A page as Carol Clark sees it' })).toBeTruthy()
  await waitFor(() => expect(asked).toEqual([21, 22]))
})

it('draws the preview on a dark or a wide page too', async () => {
  const { user } = renderAt('/workspaces/5/groups/7')
  await screen.findByRole('img', { name: 'A page as Bob Brown sees it' })
  await user.click(screen.getByRole('button', { name: 'Dark page' }))
  await user.click(screen.getByRole('button', { name: 'Landscape page' }))
  await waitFor(() => expect(fake.calls.at(-1)).toMatch(/watermark_preview\?.*orientation=landscape&background=dark/))
})

it('shows no preview until the group has a member', async () => {
  fake.on(api.groups.listMembers, [])
  renderAt('/workspaces/5/groups/7')
  expect(await screen.findByText('With the first member there is a preview here.')).toBeTruthy()
})

it('shows no preview of a draft group, whose people see no page yet', async () => {
  const draft = group({ watermarked: true, is_draft: true })
  fake.on(api.groups.list, [draft]).on(api.groups.get, draft)
  renderAt('/workspaces/5/groups/7')
  expect(await screen.findByText('Once the group is published, there is a preview here.')).toBeTruthy()
  expect(asked).toEqual([])
})
