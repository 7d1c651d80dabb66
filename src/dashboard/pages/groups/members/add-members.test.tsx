import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { emailsIn } from '../../../shared/inviting/add-people.ts'
import { alice, fakeApi, type FakeApi } from '../../../testing/fake-api.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { group, member, workspace } from '../../../testing/samples.ts'

let fake: FakeApi
/** Reply of the service after a user was added to the group. */
const added = { ...alice, group_id: 7, user_id: alice.id, invitation: 'sent' as const }

beforeEach(() => {
  fake = fakeApi()
    .on(api.workspaces.get, workspace())
    .on(api.groups.list, [group()])
    .on(api.groups.get, group())
    .on(api.groups.listMembers, [])
    .on(api.workspaces.listMembers, [member({ groups: [] })])
    .on(api.groups.addMember, ({ body }) => ({ ...added, email: body.email ?? 'bob@example.com' }))
})

const callsToAdd = () => fake.calls.filter((call) => call === 'POST /api/v1/groups/7/memberships').length

describe('addresses', () => {
  it('are read from mails and spreadsheets as they are, each once', () => {
    expect(emailsIn(' bob@example.com ')).toEqual(['bob@example.com'])
    expect(emailsIn('Bob <bob@example.com>, Carol <carol@example.com>; Doe, Dan <dan@example.com>')).toEqual([
      'bob@example.com',
      'carol@example.com',
      'dan@example.com',
    ])
    expect(emailsIn('a@example.com\tb@example.com\nA@example.com')).toEqual(['A@example.com', 'b@example.com'])
  })

  it('that are not valid are kept', () => {
    expect(emailsIn('a@example.com, nobody')).toEqual(['a@example.com', 'nobody'])
    expect(emailsIn('Bob Brown')).toEqual(['Bob Brown'])
    expect(emailsIn('  ')).toEqual([])
  })
})

describe('several people', () => {
  it('are added in one go, members of the workspace by their ids', async () => {
    const asked: unknown[] = []
    fake.on(api.groups.addMember, ({ body }) => (asked.push(body), added))
    const { user } = renderAt('/workspaces/5/groups/7')
    const field = await screen.findByRole('combobox', { name: 'Name or e-mail addresses' })
    await user.click(field)
    await user.paste('Bob <BOB@example.com>; carol@example.com')
    expect(screen.getByText('Bob Brown · in this workspace')).toBeTruthy()
    expect(screen.getByText('carol@example.com · new here')).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'Invite later' }))
    await user.click(screen.getByRole('button', { name: 'Add 2' }))
    await screen.findByText('2 people are now in Bidders')
    expect(asked).toEqual([
      { workspace_id: 5, send_email: false, user_id: 21 },
      { workspace_id: 5, send_email: false, email: 'carol@example.com' },
    ])
    expect(screen.queryByText(/new here/)).toBeNull()
  })

  it('are told of invitations that are not sent, and why', async () => {
    const outcomes = ['sent', 'too_many', 'known'] as const
    fake.on(api.groups.addMember, ({ body }) => ({
      ...added,
      invitation: outcomes[['a', 'b', 'c'].indexOf(body.email?.[0] ?? '')] ?? null,
    }))
    const { user } = renderAt('/workspaces/5/groups/7')
    await user.click(await screen.findByRole('combobox', { name: 'Name or e-mail addresses' }))
    await user.paste('a@example.com, b@example.com, c@example.com')
    await user.type(screen.getByLabelText('Your words in the mail, if you like'), 'Welcome')
    await user.click(screen.getByRole('button', { name: 'Add 3' }))
    const toast = await screen.findByText(/^3 people are now in Bidders\./)
    expect(toast.textContent).toContain(
      '1 invitation was not sent, because a mailbox gets ten mails an hour and one person invites a thousand a day.',
    )
    expect(toast.textContent).toContain('Your words were not sent to 1 person who was invited before.')
  })

  it('are not offered an invitation where the team sends no e-mails', async () => {
    const team_rules = { drm_enabled: true, watermarking: true, page_pictures: true, suppress_emails: true }
    fake.on(api.workspaces.get, workspace({ team_rules })).on(api.groups.get, group({ uninvited_count: 2 }))
    const { user } = renderAt('/workspaces/5/groups/7')
    await user.type(await screen.findByRole('combobox', { name: 'Name or e-mail addresses' }), 'carol@example.com')
    expect(screen.getAllByText(/The team sends no e-mails, so nobody can be invited or reminded/)).toHaveLength(2)
    expect(screen.queryByRole('radio', { name: 'Invite now' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Invite 2 members' })).toBeNull()
  })

  it('are everybody whom the user can see, with their state', async () => {
    const [dan, eve] = [
      { ...alice, id: 31, first_name: 'Dan', email: 'dan@example.com' },
      { ...alice, id: 32, first_name: 'Eve', email: 'eve@example.com' },
    ]
    fake
      .session({ user: { ...alice, organization_admin: true } })
      .on(api.organization.listMembers, { memberships: [], users: [dan, eve] })
      .on(api.teams.listMembers, { memberships: [{ user: dan, created_at: '', updated_at: '' }] })
      .on(api.workspaces.listMembers, [
        member({ groups: [{ id: 7, name: 'Bidders' }] }),
        member({
          user: { id: 22, first_name: 'Fay', email: 'fay@example.com' },
          groups: [],
          invitation_state: 'invited',
        }),
      ])
    const { user } = renderAt('/workspaces/5/groups/7')
    await user.type(await screen.findByRole('combobox', { name: 'Name or e-mail addresses' }), 'example.com')
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(4))
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'BBBob Brownbob@example.comalready in the group',
      'FBFay Brownfay@example.cominvited',
      'DADan Adamsdan@example.comnew here',
      'EAEve Adamseve@example.comnew here',
    ])
    expect(screen.getByRole('option', { name: /Bob/ }).getAttribute('aria-disabled')).toBe('true')
    await user.click(screen.getByRole('option', { name: /Eve/ }))
    expect(screen.getByText('Eve Adams · new here')).toBeTruthy()
    await user.keyboard('{Backspace}')
    expect(screen.queryByText('Eve Adams · new here')).toBeNull()
  })

  it('who are refused stay in the field, with the reason', async () => {
    fake.on(api.groups.addMember, ({ body }) => {
      if (body.email === 'nobody') fake.fail(api.groups.addMember, 422, 'This is no e-mail address.')
      return added
    })
    const { user } = renderAt('/workspaces/5/groups/7')
    const field = await screen.findByRole('combobox', { name: 'Name or e-mail addresses' })
    await user.click(field)
    await user.paste('nobody, carol@example.com, dan@example.com')
    await user.click(screen.getByRole('button', { name: 'Add 3' }))
    await screen.findByText(/2 people could not be added and are still in the field/)
    expect(screen.getByText('dan@example.com · new here')).toBeTruthy()
    expect(screen.getByText('carol@example.com').closest('li')?.textContent).toContain('This is no e-mail address.')
  })

  it('are not lost by leaving the page, because the user is asked first', async () => {
    const { user, address } = renderAt('/workspaces/5/groups/7')
    await user.click(await screen.findByRole('combobox', { name: 'Name or e-mail addresses' }))
    await user.paste('carol@example.com, dan@example.com')
    await user.click(screen.getByRole('link', { name: 'People' }))
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(address()).toBe('/workspaces/5/groups/7')
    expect(screen.getByRole('button', { name: 'Add 2' })).toBeTruthy()
  })

  it('are not tried any further once the service forbids it', async () => {
    fake.fail(api.groups.addMember, 403, 'This is for workspace admins.')
    const { user } = renderAt('/workspaces/5/people?add=')
    await user.click(await screen.findByRole('combobox', { name: 'Name or e-mail addresses' }))
    await user.paste('carol@example.com dan@example.com')
    await user.click(screen.getByRole('combobox', { name: 'Group' }))
    await user.click(await screen.findByRole('option', { name: 'Bidders' }))
    await user.click(screen.getByRole('button', { name: 'Add 2' }))
    await screen.findByText(/This is for workspace admins/)
    await waitFor(() => expect(callsToAdd()).toBe(1))
    expect(screen.getAllByText(/@example.com · new here/)).toHaveLength(2)
  })
})

describe('members who were added without a mail', () => {
  it('are invited with one button, with the words of the admin', async () => {
    let sent: unknown
    fake
      .on(api.groups.get, group({ uninvited_count: 2 }))
      .on(api.groups.listMembers, [{ ...alice, id: 21 }])
      .on(api.workspaces.listMembers, [member({ invitation_state: 'not_invited' })])
      .on(api.groups.invite, ({ params, body }) => {
        sent = { ...params, ...body }
        fake.on(api.groups.get, group())
        return { invited: 2, left: 0 }
      })
    const { user } = renderAt('/workspaces/5/groups/7')
    expect(await screen.findByText('Not invited yet')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Invite 2 members' }))
    await user.type(await screen.findByRole('textbox', { name: /Your words/ }), 'The room is open.')
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Invite 2 members' }))
    expect(await screen.findByText('2 invitations are on their way')).toBeTruthy()
    expect(sent).toEqual({ id: 7, workspace_id: 5, message: 'The room is open.' })
    await waitFor(() => expect(screen.queryByText(/not invited yet\./)).toBeNull())
  })

  it('stay uninvited if the service says so', async () => {
    fake.on(api.groups.get, group({ uninvited_count: 2 })).on(api.groups.invite, { invited: 0, left: 2 })
    const { user } = renderAt('/workspaces/5/groups/7')
    await user.click(await screen.findByRole('button', { name: 'Invite 2 members' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Invite 2 members' }))
    expect(await screen.findByText(/2 members are still not invited/)).toBeTruthy()
    expect(screen.queryByText(/on their way/)).toBeNull()
  })
})
