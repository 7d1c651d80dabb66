import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { alice, fakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'

const refused = { error: { code: 401, message: 'Wrong code' } }

function signedOut() {
  const server = fakeApi().session({ user: null })
  return server.on(api.users.workspaces, { workspaces: [] }).on(api.teams.list, [])
}

test('a user signs in with the code from the mail and comes to the wanted page', async () => {
  const server = signedOut()
  server.raw('POST', '/auth/code', () => ({ status: 204 }))
  server.raw('POST', '/auth/sign-in', () => ({ status: 200, body: { user: alice } }))
  const { user, address } = renderAt('/?from=mail')

  await user.type(await screen.findByRole('textbox', { name: /e-mail address/i }), 'alice@example.com')
  await user.click(screen.getByRole('button', { name: 'Send the code' }))
  await user.type(await screen.findByRole('textbox', { name: /code/i }), '123456')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))

  await waitFor(() => expect(address()).toBe('/?from=mail'))
  expect(server.calls).toContain('POST /auth/sign-in')
})

test('a first visit without the link of an invitation begins with the profile, asked once', async () => {
  const newcomer = { ...alice, profile_due: true, company: '' }
  const server = fakeApi().session({ user: newcomer })
  server.on(api.users.workspaces, { workspaces: [] }).on(api.teams.list, [])
  let saved: unknown
  server.on(api.users.updateMe, ({ body }) => {
    saved = body
    return { ...newcomer, profile_due: false }
  })
  const { user, address } = renderAt('/?from=mail')
  await user.type(await screen.findByRole('textbox', { name: 'Company' }), 'Adams Ltd')
  expect(address()).toBe('/about-you?to=%2F%3Ffrom%3Dmail')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(address()).toBe('/?from=mail'))
  expect(saved).toMatchObject({ user: { first_name: 'Alice', last_name: 'Adams', company: 'Adams Ltd' } })
})

test('who has given their profile is not asked again', async () => {
  signedOut().session({ user: alice })
  const { address } = renderAt('/about-you?to=%2Faccount')
  await waitFor(() => expect(address()).toBe('/account'))
})

test('a wrong code is reported in the form', async () => {
  const server = signedOut()
  server.raw('POST', '/auth/code', () => ({ status: 204 }))
  server.raw('POST', '/auth/sign-in', () => ({ status: 401, body: refused }))
  const { user } = renderAt('/sign-in')

  await user.type(await screen.findByRole('textbox', { name: /e-mail address/i }), 'alice@example.com{Enter}')
  await user.type(await screen.findByRole('textbox', { name: /code/i }), '000000{Enter}')

  expect((await screen.findByRole('alert')).textContent).toBe(
    'This code is not right, has expired or was asked for in another browser.',
  )
})

test('demo people are offered only if the server names them', async () => {
  const server = signedOut()
  const { user, address } = renderAt('/sign-in')
  await screen.findByRole('button', { name: 'Send the code' })
  expect(screen.queryByText(/continue as/i)).toBeNull()

  server.session({
    user: null,
    demo_people: [{ email: 'alice@example.com', name: 'Alice Adams', role: 'Seller – runs the room', role_code: null }],
  })
  server.raw('POST', '/auth/demo', () => ({ status: 200, body: { user: alice } }))
  renderAt('/sign-in')
  await user.click(await screen.findByRole('button', { name: 'Continue as Alice Adams Seller – runs the room' }))
  await waitFor(() => expect(server.calls).toContain('POST /auth/demo'))
  expect(address()).toBe('/sign-in')
})

test('an external address is not followed after sign-in', async () => {
  const server = signedOut().session({ user: alice })
  const { address } = renderAt('/sign-in?to=//evil.example/x')
  await waitFor(() => expect(address()).toBe('/'))
  expect(server.calls).toContain('GET /auth/session')
})

test('no API request is sent before the sign-in', async () => {
  const server = signedOut()
  renderAt('/')
  await screen.findByRole('button', { name: 'Send the code' })
  expect(server.calls).toEqual(['GET /auth/session'])
})

test('the identity provider is offered if there is one, and is given the wanted page', async () => {
  signedOut().session({ user: null, oidc: { name: 'Northgate' } })
  renderAt('/sign-in?to=%2Fworkspaces%2F3%3Fq%3Da')
  const link = await screen.findByRole('link', { name: 'Continue with Northgate' })
  expect(link.getAttribute('href')).toBe('/auth/oidc?to=%2Fworkspaces%2F3%3Fq%3Da')
  expect(screen.getByRole('button', { name: 'Send the code' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  ['refused', /could not be signed in with Northgate/],
  ['failed', /Signing in with Northgate did not work/],
])('the outcome "%s" of the identity provider is shown as a message', async (outcome, sentence) => {
  signedOut().session({ user: null, oidc: { name: 'Northgate' } })
  renderAt(`/sign-in?oidc=${outcome}`)
  expect((await screen.findByRole('alert')).textContent).toMatch(sentence)
})

test('an unknown outcome shows no message', async () => {
  signedOut().session({ user: null, oidc: { name: 'Northgate' } })
  renderAt('/sign-in?oidc=constructor')
  await screen.findByRole('link', { name: 'Continue with Northgate' })
  expect(screen.queryByRole('alert')).toBeNull()
})
