import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../../../contract/index.ts'
import { alice } from '../../../../testing/fake-api.ts'
import { renderAt } from '../../../../testing/render-at.tsx'
import { setTimeZone } from '../../../../ui/words/time-zone.ts'
import { SmallRoom } from '../../testing/room.ts'
import { instantOf, tomorrowMorning } from './opening-time.ts'
import type { Plan } from './plan-words.ts'

let room: SmallRoom
let schedule: Plan | null
let asked: unknown[]

beforeEach(() => {
  asked = []
  schedule = null
  room = new SmallRoom()
  room.folders = room.folders.map((folder) => ({ ...folder, draft: folder.parent_id === 0 }))
  const drafts = room.folders.filter(({ draft }) => draft)
  const told = drafts.map(({ id, name }) => ({
    folder_id: id,
    name,
    path: `/${name}`,
    numbered_path: `/${name}`,
    outline: '',
    number_length: 0,
    created_at: '2026-10-01T10:00:00Z',
    folders_count: 0,
    files_count: 1,
    in_draft: false,
    rights: [],
  }))
  room
    .serve()
    .on(api.terms.listVersions, [])
    .on(api.workspaces.listMembers, [])
    .on(api.drafts.list, () => ({ drafts: told, groups: [], schedule }))
    .on(api.drafts.getSchedule, () => ({ schedule }))
    .on(api.drafts.publish, { folders: 1, files: 1, people: 2, groups: 1, uninvited: 1, invited: 0 })
    .on(api.drafts.setSchedule, ({ body }) => {
      asked.push(body)
      schedule = planAt(body.opens_at, body.folder_ids)
      return { schedule }
    })
    .on(api.drafts.removeSchedule, () => {
      schedule = null
      return undefined
    })
})
afterEach(() => setTimeZone(undefined))

const planAt = (
  opens_at: string,
  folder_ids = room.folders.filter(({ draft }) => draft).map(({ id }) => id),
): Plan => ({
  folder_ids,
  opens_at,
  invitation: null,
  planned_by: { id: alice.id, name: 'Alice Admin' },
  planned_at: '2026-10-01T10:00:00Z',
  problem: null,
})

async function open() {
  const { user } = renderAt('/workspaces/5/files')
  const note = await screen.findByRole('note')
  const ask = async () => {
    await user.click(within(note).getByRole('button', { name: 'Publish…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Publish drafts' }))
    await dialog.findByRole('radiogroup')
    return dialog
  }
  return { user, note, ask }
}

describe('the dialog that publishes drafts', () => {
  it('plans an opening in the time zone of the person', async () => {
    const { user, note, ask } = await open()
    const dialog = await ask()
    expect(dialog.getByRole('button', { name: 'Publish now' })).toBeTruthy()
    await user.click(dialog.getByRole('radio', { name: 'At a time' }))
    const { value: day } = dialog.getByLabelText<HTMLInputElement>('Day')
    expect(dialog.getByText(/^In your time zone: /)).toBeTruthy()
    expect(dialog.getByText(/only admins learn of the plan/)).toBeTruthy()
    await user.click(
      dialog.getByRole('checkbox', { name: /^Invite the people among them who are not invited by then/ }),
    )
    await user.click(dialog.getByRole('button', { name: 'Plan publishing' }))
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(asked).toMatchObject([{ opens_at: instantOf({ day, time: '09:00' }), invitation: { message: '' } }])
    expect(await within(note).findByText(/^Opens on /)).toBeTruthy()
  })

  it('plans nothing for a time that has passed', async () => {
    const { user, ask } = await open()
    const dialog = await ask()
    await user.click(dialog.getByRole('radio', { name: 'At a time' }))
    const day = dialog.getByLabelText('Day')
    await user.clear(day)
    expect(dialog.getByText('Choose a day and a time.')).toBeTruthy()
    await user.type(day, '2020-01-01')
    expect(dialog.getByText('This time has passed.')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Plan publishing' })).toHaveProperty('disabled', true)
  })

  it('shows the plan, changes and cancels it', async () => {
    schedule = planAt(instantOf({ ...tomorrowMorning(), time: '15:30' }) ?? '')
    const { user, ask } = await open()
    const dialog = await ask()
    expect(await dialog.findByText(/as Alice Admin has planned\.$/)).toBeTruthy()
    expect(dialog.getByLabelText('Time')).toHaveProperty('value', '15:30')
    expect(dialog.getByRole('button', { name: 'Change the plan' })).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Cancel the plan' }))
    expect(await dialog.findByRole('button', { name: 'Publish now' })).toBeTruthy()
    expect(schedule).toBeNull()
  })

  it('says why nothing was published as planned', async () => {
    schedule = { ...planAt('2026-10-02T10:00:00Z'), problem: 'planner_no_admin' }
    const { note, ask } = await open()
    expect(await within(note).findByText(/Alice Admin, who planned it, was not an admin/)).toBeTruthy()
    const dialog = await ask()
    expect(dialog.getByRole('button', { name: 'Dismiss' })).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Publish now' })).toBeTruthy()
  })
})
