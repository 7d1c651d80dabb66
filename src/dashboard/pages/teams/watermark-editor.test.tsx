import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { refresh } from '../../api/query.ts'
import { alice, fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'
import { preview, team } from '../../testing/samples.ts'
import { DEFAULT_LOOK } from '../../../contract/endpoints/looks/default-look.ts'
import type { Watermark } from './watermark-draft.ts'

const times = { created_at: '2026-01-06T08:00:00.000Z', updated_at: '2026-01-06T08:00:00.000Z' }
const placement = (id: number, more: Partial<Watermark> = {}): Watermark => ({
  id,
  watermark_id: id,
  team_id: 2,
  ...DEFAULT_LOOK,
  ...times,
  ...more,
})

let fake: FakeApi
/** The placements as the service has stored them. */
let stored: Watermark[]
/** The placements in the last request for a preview. */
let drawn: { custom_text: string; vposition: string }[] | undefined
let bodies: unknown[]

beforeEach(() => {
  stored = [placement(4, { custom_text: 'Draft', vposition: 'top', color: '#cc0000' })]
  drawn = undefined
  bodies = []
  fake = fakeApi()
    .on(api.teams.get, team())
    .on(api.templates.list, { templates: [] })
    .on(api.teams.listMembers, { memberships: [{ user: alice, ...times }] })
    .on(api.users.workspaces, { workspaces: [] })
    .on(api.teams.listWatermarkSettings, () => stored)
    .on(api.watermarks.preview, ({ body }) => {
      drawn = body.watermarks
      return { ...preview, image: btoa(String(body.watermarks?.[0]?.custom_text)) }
    })
    .on(api.watermarks.create, ({ body: { team_id, ...look } }) => {
      bodies.push({ team_id, ...look })
      stored = [...stored, placement(9, look)]
      return placement(9, look)
    })
    .on(api.watermarks.update, ({ params, body }) => {
      bodies.push(body)
      stored = stored.map((each) => (each.id === params.id ? { ...each, ...(body as Partial<Watermark>) } : each))
      return placement(params.id)
    })
    .on(api.watermarks.remove, ({ params }) => {
      stored = stored.filter(({ id }) => id !== params.id)
      return { status: 200, message: 'The watermark was deleted.' }
    })
})

const open = async () => {
  const view = renderAt('/teams/2')
  const part = within(await screen.findByRole('region', { name: 'Watermark' }))
  await part.findByRole('button', { name: 'Add a placement' })
  return { ...view, part }
}

describe('the watermark of a team', () => {
  it('is drawn by the service from the stored placements', async () => {
    const { part } = await open()
    const picture = await part.findByRole('img', { name: /on a sample page/ })
    expect(picture.getAttribute('src')).toBe(`data:image/jpeg;base64,${btoa('Draft')}`)
    expect(drawn).toMatchObject([{ custom_text: 'Draft', vposition: 'top' }])
    expect(part.getByRole('listitem').textContent).toContain(
      'Top center“Draft”, time, name, IP address, e-mail address',
    )
  })

  it('follows input before it is saved', async () => {
    const { user, part } = await open()
    await user.click(part.getByRole('button', { name: 'Edit Top center' }))
    const text = part.getByLabelText('Text')
    await user.clear(text)
    await user.type(text, 'Secret')
    await user.click(part.getByRole('radio', { name: 'Bottom right' }))
    await user.click(part.getByRole('checkbox', { name: 'IP address' }))
    await waitFor(() =>
      expect(drawn).toMatchObject([
        { custom_text: 'Secret', vposition: 'bottom', hposition: 'right', display_ip_address: false },
      ]),
    )
    expect(bodies).toEqual([])

    await user.click(part.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The watermark is saved')).toBeTruthy()
    expect(bodies).toEqual([
      { custom_text: 'Secret', vposition: 'bottom', hposition: 'right', display_ip_address: false },
    ])
    expect(await part.findByRole('button', { name: 'Edit Bottom right' })).toBeTruthy()
  })

  it('draws the stored placements again when editing is cancelled', async () => {
    const { user, part } = await open()
    await user.click(part.getByRole('button', { name: 'Edit Top center' }))
    await user.type(part.getByLabelText('Text'), ' two')
    await waitFor(() => expect(drawn).toMatchObject([{ custom_text: 'Draft two' }]))
    await user.click(part.getByRole('button', { name: 'Cancel' }))
    await waitFor(() =>
      expect(part.getByRole('img').getAttribute('src')).toBe(`data:image/jpeg;base64,${btoa('Draft')}`),
    )
  })

  it('begins a new placement at a height where it hides no other', async () => {
    const { user, part } = await open()
    await user.click(part.getByRole('button', { name: 'Add a placement' }))
    await waitFor(() => expect(drawn).toMatchObject([{ vposition: 'top' }, { vposition: 'center' }]))
    await user.click(part.getByRole('button', { name: 'Add placement' }))
    expect(await screen.findByText('The watermark is saved')).toBeTruthy()
    expect(bodies).toEqual([{ team_id: 2, ...DEFAULT_LOOK }])
  })

  it('resets to the defaults, and refuses an invalid colour', async () => {
    const { user, part } = await open()
    await user.click(part.getByRole('button', { name: 'Edit Top center' }))
    fireEvent.change(part.getByLabelText('Colour'), { target: { value: 'red' } })
    expect(part.getByText('Six digits such as #333333')).toBeTruthy()
    expect(part.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
    await user.click(part.getByRole('button', { name: 'Reset' }))
    expect(part.getByLabelText('Colour')).toHaveProperty('value', '#333333')
    expect(part.getByRole('radio', { name: 'Middle center' })).toHaveProperty('checked', true)
  })

  it('says which placement is not drawn, and restores a deleted one', async () => {
    stored = [...stored, placement(5, { vposition: 'top', hposition: 'left' })]
    const { user, part } = await open()
    expect(part.getAllByText('Not drawn')).toHaveLength(1)
    await user.click(part.getByRole('button', { name: 'Delete Top left' }))
    await waitFor(() => expect(part.queryByText('Not drawn')).toBeNull())
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await part.findByRole('button', { name: 'Edit Top left' })).toBeTruthy()
  })

  it('offers no undo for a placement that was hidden, because it would hide the other one', async () => {
    stored = [...stored, placement(5, { vposition: 'top', hposition: 'left' })]
    const { user, part } = await open()
    await user.click(part.getByRole('button', { name: 'Delete Top center' }))
    expect(await screen.findByText('The placement is deleted')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('shows in the form why a change is refused', async () => {
    fake.fail(api.watermarks.update, 403, 'This is for members of the team.')
    const { user, part } = await open()
    await user.click(part.getByRole('button', { name: 'Edit Top center' }))
    await user.type(part.getByLabelText('Text'), '!')
    await user.click(part.getByRole('button', { name: 'Save' }))
    expect((await part.findByRole('alert')).textContent).toBe('This is for members of the team.')
  })

  it('is hidden from users outside the team', async () => {
    fake.on(api.teams.get, team({ owner: false, member: false }))
    renderAt('/teams/2')
    await screen.findByRole('heading', { name: 'Deal team', level: 1 })
    expect(screen.queryByRole('region', { name: 'Watermark' })).toBeNull()
  })
  it('says if another user changed or deleted the edited placement, and saves only what was typed', async () => {
    const { user, part } = await open()
    await user.click(part.getByRole('button', { name: 'Edit Top center' }))
    await user.type(part.getByLabelText('Text'), '!')
    stored = [placement(4, { custom_text: 'Final', vposition: 'top', color: '#00cc00' })]
    await act(() => refresh())
    expect(await part.findByText(/Somebody changed this placement meanwhile/)).toBeTruthy()
    expect(part.getByLabelText('Text')).toHaveProperty('value', 'Draft!')
    await user.click(part.getByRole('button', { name: 'Save' }))
    await part.findByRole('button', { name: 'Add a placement' })
    expect(bodies).toEqual([{ custom_text: 'Draft!' }])

    await user.click(part.getByRole('button', { name: 'Edit Top center' }))
    stored = []
    await act(() => refresh())
    expect(await part.findByText('Somebody deleted this placement meanwhile.')).toBeTruthy()
    await user.click(part.getByRole('button', { name: 'Add placement' }))
    expect(await part.findByRole('listitem')).toBeTruthy()
    expect(bodies[1]).toMatchObject({ team_id: 2, custom_text: 'Draft!', color: '#00cc00' })
  })
})
