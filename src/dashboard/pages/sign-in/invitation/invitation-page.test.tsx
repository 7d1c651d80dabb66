import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { alice, fakeApi, type FakeApi } from '../../../testing/fake-api.ts'
import { renderAt } from '../../../testing/render-at.tsx'
import { workspace } from '../../../testing/samples.ts'

const invitation = {
  email: 'alice@example.com',
  workspace_id: 5,
  workspace_name: 'Project Harbour',
  description: 'Sale of all shares',
  expectation: 'Questions by 11 December',
  inviter: 'Marta Nowak',
  message: 'Dear Alice, <b>as agreed</b>',
  invited_at: '2026-01-05T08:00:00.000Z',
  groups: ['Northgate'],
  access_ends_at: '2026-12-18',
  terms_await: false,
  look: null,
  logos: { light: null, dark: null },
}
const LINK = '/invitation/5#token'

let fake: FakeApi
let asked: unknown[]

beforeEach(() => {
  asked = []
  fake = fakeApi().session({ user: null }).on(api.workspaces.get, workspace())
  fake.raw('POST', '/auth/invitation', (body) => (asked.push(body), { status: 200, body: { invitation } }))
  fake.raw('POST', '/auth/code', (body) => (asked.push(body), { status: 204 }))
  fake.raw('POST', '/auth/sign-out', () => ({ status: 204 }))
})

describe('the link of an invitation', () => {
  it('names the room and the inviter, fills in the address, and lets in with the code alone', async () => {
    fake.raw('POST', '/auth/sign-in', (body) => (asked.push(body), { status: 200, body: { user: alice } }))
    const { user, address } = renderAt(LINK)
    expect(await screen.findByRole('heading', { name: 'Sign in as alice@example.com' })).toBeTruthy()
    for (const words of ['Project Harbour', 'Sale of all shares', 'Marta Nowak', /Access ends on 18 Dec 2026/]) {
      expect(screen.getByText(words)).toBeTruthy()
    }
    expect(screen.getByText(/<b>as agreed<\/b>/)).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: 'Code from the e-mail' }), '12 34-56')
    await waitFor(() => expect(address()).toMatch(/^\/workspaces\/5/))
    expect(asked).toEqual([
      { token: '5.token' },
      { email: 'alice@example.com' },
      { email: 'alice@example.com', code: '123456' },
    ])
  })

  it('asks a person once who they are, with the time zone of the browser', async () => {
    const newcomer = { ...alice, first_name: '', last_name: '', profile_due: true }
    fake.raw('POST', '/auth/sign-in', () => ({ status: 200, body: { user: newcomer } }))
    let sent: unknown
    fake.on(api.users.updateMe, ({ body }) => {
      sent = body.user
      return { ...alice, first_name: 'Anna', profile_due: false }
    })
    const { user, address } = renderAt(LINK)
    await user.type(await screen.findByRole('textbox', { name: 'Code from the e-mail' }), '123456')
    expect(await screen.findByRole('heading', { name: 'About you' })).toBeTruthy()
    expect(screen.getByText('Project Harbour')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Continue' })).toHaveProperty('disabled', true)
    await user.type(screen.getByRole('textbox', { name: 'First name' }), 'Anna')
    await user.type(screen.getByRole('textbox', { name: 'Company' }), 'Northgate')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(address()).toBe('/workspaces/5/welcome'))
    const time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(sent).toEqual({ first_name: 'Anna', last_name: '', company: 'Northgate', title: '', time_zone })
    expect(fake.calls.filter((each) => each === 'POST /auth/code')).toHaveLength(1)
  })

  it('tries a code once when its sixth digit is there, and again when it is changed', async () => {
    const refused = { error: { code: 401, message: 'Wrong code' } }
    fake.raw('POST', '/auth/sign-in', (body) => (asked.push(body), { status: 401, body: refused }))
    const { user } = renderAt(LINK)
    const field = await screen.findByRole('textbox', { name: 'Code from the e-mail' })
    await user.type(field, '1234567')
    await screen.findByText(/This code is not right/)
    await user.type(field, '{Backspace}0')
    const tried = () => asked.flatMap((body) => ('code' in (body as object) ? [(body as { code: string }).code] : []))
    await waitFor(() => expect(tried()).toEqual(['123456', '123450']))
  })

  it('says that no code could be sent, and sends another', async () => {
    let limited = true
    const refusal = { error: { code: 429, message: 'Too many requests. Try again later.' } }
    fake.raw('POST', '/auth/code', () => (limited ? { status: 429, body: refusal } : { status: 204 }))
    const { user } = renderAt(LINK)
    expect(await screen.findByText('No code is on its way.')).toBeTruthy()
    limited = false
    await user.click(screen.getByRole('button', { name: 'Send a new one' }))
    expect(await screen.findByText(/^Valid until/)).toBeTruthy()
  })

  it('that is not valid leads to the sign-in, which names nobody', async () => {
    fake.raw('POST', '/auth/invitation', () => ({ status: 200, body: { invitation: null } }))
    const { address } = renderAt(LINK)
    expect(await screen.findByText(/no longer valid/)).toBeTruthy()
    expect(address()).toBe('/sign-in?to=%2Fworkspaces%2F5%2Fwelcome')
    expect(fake.calls).not.toContain('POST /auth/code')
  })

  it('leads a user who is signed in already straight on, with or without a valid token', async () => {
    fake.session({ user: alice })
    const valid = renderAt(LINK)
    await waitFor(() => expect(valid.address()).toMatch(/^\/workspaces\/5/))
    valid.unmount()
    fake.raw('POST', '/auth/invitation', () => ({ status: 200, body: { invitation: null } }))
    const spent = renderAt(LINK)
    await waitFor(() => expect(spent.address()).toMatch(/^\/workspaces\/5/))
    expect(fake.calls).not.toContain('POST /auth/code')
  })

  it('asks another user to sign out first', async () => {
    fake.session({ user: { ...alice, id: 9, email: 'bob@example.com' } })
    const { user } = renderAt(LINK)
    await user.click(await screen.findByRole('button', { name: 'Sign out and go on as alice@example.com' }))
    expect(await screen.findByRole('heading', { name: 'Sign in as alice@example.com' })).toBeTruthy()
    expect(fake.calls).toContain('POST /auth/sign-out')
  })

  it('shows a failure and tries again', async () => {
    fake.raw('POST', '/auth/invitation', () => ({ status: 503, body: { error: { code: 503, message: 'Away' } } }))
    const { user } = renderAt(LINK)
    await screen.findByText('This could not be loaded')
    fake.raw('POST', '/auth/invitation', () => ({ status: 200, body: { invitation } }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Project Harbour')).toBeTruthy()
  })
})
