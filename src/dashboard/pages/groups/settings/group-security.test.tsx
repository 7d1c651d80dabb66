import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { alice, fakeApi, type FakeApi } from '../../../testing/fake-api.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { group, member, preview, workspace } from '../../../testing/samples.ts'
import type { GroupInfo } from '../group-info.ts'

// Tests the panel in its states: nothing set, unreadable, refused, read-only, done.

let fake: FakeApi
let stored: GroupInfo

beforeEach(() => {
  stored = group()
  const change = (more: Partial<GroupInfo>) => (stored = { ...stored, ...more })
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.groups.list, () => [stored])
    .on(api.groups.get, () => stored)
    .on(api.groups.listMembers, [alice])
    .on(api.workspaces.listMembers, [member()])
    .on(api.sealedCopies.list, [])
    .on(api.watermarks.previewForMember, preview)
    .on(api.groups.setDrm, ({ body }) => change({ drm_enabled: body.group.drm_enabled }))
    .on(api.groups.setWatermarking, ({ body }) => change({ watermarked: body.group.watermarking }))
    .on(api.groups.update, ({ body }) =>
      change({
        file_managing_abilities: body.group.file_managing_abilities ?? stored.file_managing_abilities,
        text_layer: body.group.text_layer ?? stored.text_layer,
      }),
    )
})

const open = async () => {
  const view = renderAt('/workspaces/5/groups/7')
  await screen.findByRole('heading', { name: 'Security' })
  return view
}
const SWITCHES = ['DRM', 'Watermark', 'Access ends', 'Members manage files'] as const
const toggle = (name: (typeof SWITCHES)[number]) => screen.getByRole<HTMLInputElement>('switch', { name })
const on = () => SWITCHES.filter((name) => toggle(name).checked)

describe('the security panel', () => {
  it('with nothing set shows four switches that are off, and neither dates nor previews', async () => {
    await open()
    expect(on()).toEqual([])
    expect(screen.queryByLabelText('Opens until')).toBeNull()
    expect(screen.queryByLabelText('Ends on')).toBeNull()
    expect(screen.queryByRole('img', { name: /A page as/ })).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Sealed copies' })).toBeNull()
  })

  it('does not offer what the team forbids, and says so', async () => {
    const team_rules = { drm_enabled: false, watermarking: false, page_pictures: false, suppress_emails: false }
    fake.on(api.workspaces.get, workspace({ team_rules }))
    await open()
    expect([toggle('DRM').disabled, toggle('Watermark').disabled]).toEqual([true, true])
    expect(screen.getAllByText(/The team does not allow it\./)).toHaveLength(2)
  })

  it.each([
    ['DRM', api.groups.setDrm],
    ['Watermark', api.groups.setWatermarking],
    ['Members manage files', api.groups.update],
  ] as const)('takes %s back, with the reason, when it is refused', async (name, endpoint) => {
    fake.fail(endpoint, 422, 'The team does not have this.')
    const { user } = await open()
    await user.click(toggle(name))
    expect(await screen.findByText('The team does not have this.')).toBeTruthy()
    await waitFor(() => expect(on()).toEqual([]))
  })

  it('sets how much text of pages members may use, and says what that means', async () => {
    const { user } = await open()
    const choice = screen.getByRole('combobox', { name: 'Text of pages' })
    expect(choice.textContent).toBe('As the download allows')
    await user.click(choice)
    await user.click(await screen.findByRole('option', { name: 'Find only' }))
    await waitFor(() => expect(stored.text_layer).toBe('find'))
    expect(await screen.findByText(/the text itself is not sent/)).toBeTruthy()
    expect(stored.file_managing_abilities).toBe(false)
  })

  it('keeps the day of a refused end, so that it can be set again', async () => {
    fake.fail(api.groups.setAccessExpiry, 500, 'The database is away.')
    const { user } = await open()
    await user.click(toggle('Access ends'))
    const day = (await screen.findByLabelText<HTMLInputElement>('Ends on')).value
    await user.click(screen.getByRole('button', { name: 'Set' }))
    expect(await screen.findByText('The database is away.')).toBeTruthy()
    await screen.findByRole('button', { name: 'Set' })
    expect(screen.getByLabelText('Ends on')).toHaveProperty('value', day)
    expect(stored.expire_workspace_access).toBe('false')
  })

  it('shows the stored settings on the next visit', async () => {
    const { user, unmount } = await open()
    for (const name of ['DRM', 'Watermark', 'Members manage files'] as const) await user.click(toggle(name))
    await waitFor(() =>
      expect(stored).toMatchObject({ drm_enabled: true, watermarked: true, file_managing_abilities: true }),
    )
    unmount()
    await open()
    expect(on()).toEqual(['DRM', 'Watermark', 'Members manage files'])
  })

  it('reports in its place what could not be read, and reads it again', async () => {
    stored = group({ drm_enabled: true, watermarked: true })
    fake
      .fail(api.watermarks.previewForMember, 500, 'No picture now.')
      .fail(api.sealedCopies.list, 500, 'No copies now.')
    const { user } = await open()
    expect(await screen.findByText('No picture now.')).toBeTruthy()
    expect(await screen.findByText('No copies now.')).toBeTruthy()
    expect(on()).toEqual(['DRM', 'Watermark'])
    fake.on(api.sealedCopies.list, [])
    await user.click(screen.getAllByRole('button', { name: 'Try again' }).at(-1)!)
    expect(await screen.findByText('No sealed copy has been made yet.')).toBeTruthy()
  })

  it('shows a plain member the settings in force, without a way to change them', async () => {
    stored = group({ drm_enabled: true, drm_expires_after: '2095-03-03', watermarked: true })
    fake.on(api.workspaces.get, workspace({ admin: false }))
    await open()
    expect(on()).toEqual(['DRM', 'Watermark'])
    expect(SWITCHES.every((name) => toggle(name).disabled)).toBe(true)
    expect(screen.getByText(/Until 3 Mar 2095/)).toBeTruthy()
    expect(screen.queryByLabelText('Opens until')).toBeNull()
    expect(fake.calls.filter((call) => !call.startsWith('GET'))).toEqual([])
  })
})
