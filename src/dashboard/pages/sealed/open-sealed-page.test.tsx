import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../testing/fake-api.ts'
import { renderAt } from '../../testing/render-at.tsx'

const COPY = 'b2830056-6d5f-49f3-940c-131c0d4ac4ad'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const ADDRESS = `/sealed/open?workspace=5&copy=${COPY}&challenge=${CHALLENGE}`

let fake: FakeApi
let asked: unknown[]
let posted: unknown[][]

const openedBy = (value: object | null) => Object.defineProperty(window, 'opener', { value, configurable: true })

beforeEach(() => {
  asked = []
  posted = []
  fake = fakeApi()
  vi.spyOn(window, 'close').mockImplementation(() => {})
  openedBy({ postMessage: (...message: unknown[]) => void posted.push(message) })
})
afterEach(() => {
  openedBy(null)
  vi.restoreAllMocks()
})

const answer = (more: { opened: boolean; code: string; refusal?: 'revoked'; message?: string }) =>
  fake.on(api.sealedCopies.open, ({ params, body }) => {
    asked.push({ ...params, ...body })
    return { refusal: null, message: '', ...more }
  })
/** Returns the button once it takes clicks. */
async function button(): Promise<HTMLElement> {
  const found = await screen.findByRole<HTMLButtonElement>('button', { name: 'Open document' })
  await waitFor(() => expect(found.disabled).toBe(false))
  return found
}

describe('the window of a sealed document', () => {
  it('G3: asks first, then hands over the code and nothing else, and closes', async () => {
    answer({ opened: true, code: 'one-time' })
    const { user } = renderAt(ADDRESS)
    const open = await button()
    expect([asked, posted]).toEqual([[], []])
    await user.click(open)
    await waitFor(() => expect(window.close).toHaveBeenCalled())
    expect(asked).toEqual([{ copy_id: COPY, workspace_id: 5, challenge: CHALLENGE }])
    expect(posted).toEqual([[{ type: 'strongroom-sealed', copy_id: COPY, code: 'one-time' }, '*']])
  })

  it('K14: ignores a click or a key that began before its window was in front', async () => {
    answer({ opened: true, code: 'one-time' })
    renderAt(ADDRESS)
    const open = await screen.findByRole('button', { name: 'Open document' })
    fireEvent.click(open)
    fireEvent.click(await button())
    await waitFor(() => expect(asked).toHaveLength(1))
  })

  it('K14: ignores a click that brings its window to the front, and a key that is held down', async () => {
    answer({ opened: true, code: 'one-time' })
    const { user } = renderAt(ADDRESS)
    const open = await button()
    await waitFor(() => expect(document.activeElement).toBe(open))
    expect(fireEvent.keyDown(open, { key: 'Enter', repeat: true })).toBe(false)
    fireEvent.blur(window)
    fireEvent.focus(window)
    fireEvent.click(open)
    expect([asked, posted]).toEqual([[], []])
    await user.click(await button())
    await waitFor(() => expect(posted).toHaveLength(1))
  })

  it('says why it does not open, and who is signed in', async () => {
    answer({ opened: false, code: '', refusal: 'revoked', message: 'This copy was revoked.' })
    const { user } = renderAt(ADDRESS)
    await user.click(await button())
    await screen.findByText('This copy was revoked.')
    await screen.findByText(/Signed in as Alice Adams/)
    expect(posted).toEqual([])
  })

  it('says the same of an unknown copy and of a copy for another reader', async () => {
    fake.fail(api.sealedCopies.open, 404, 'There is nothing here that you can see.')
    const { user } = renderAt(ADDRESS)
    await user.click(await button())
    expect(await screen.findByText(/made for somebody else, or is not known/)).toBeDefined()
  })

  it('lets another user sign in, and comes back', async () => {
    fake.raw('POST', '/auth/sign-out', () => ({ status: 204 }))
    const { user, address } = renderAt(ADDRESS)
    await button()
    fake.session({ user: null })
    await user.click(screen.getByRole('button', { name: 'Sign in as somebody else' }))
    await waitFor(() => expect(address()).toBe(`/sign-in?to=${encodeURIComponent(ADDRESS)}`))
  })

  it('is not shown to a user who is not signed in', async () => {
    fake.session({ user: null })
    const { address } = renderAt(ADDRESS)
    await waitFor(() => expect(address()).toBe(`/sign-in?to=${encodeURIComponent(ADDRESS)}`))
  })

  it('leads to the sign-in and back if the session has ended meanwhile', async () => {
    fake.fail(api.sealedCopies.open, 401, 'Sign in again.')
    const { user, address } = renderAt(ADDRESS)
    await user.click(await button())
    await waitFor(() => expect(address()).toBe(`/sign-in?to=${encodeURIComponent(ADDRESS)}`))
  })

  it('opens nothing if it was separated from its document, and says what to do', async () => {
    openedBy(null)
    renderAt(ADDRESS)
    await screen.findByText(/choose “Open document” there again/)
    expect(screen.queryByRole('button', { name: 'Open document' })).toBeNull()
  })
})

describe('the form for a code', () => {
  beforeEach(() => {
    openedBy(null)
  })

  it('names the document before it is opened', async () => {
    fake.on(api.sealedCopies.request, ({ query }) => {
      expect(query.user_code).toBe('ABCD-2345')
      return { workspace_id: 5, copy_id: COPY, challenge: CHALLENGE, title: 'Plan.pdf' }
    })
    answer({ opened: true, code: '' })
    const { user } = renderAt('/sealed/open')
    await user.type(await screen.findByLabelText(/Code/), 'abcd-2345{Enter}')
    await screen.findByText('Plan.pdf')
    await user.click(await button())
    await screen.findByText('It opens where you saw the code')
    expect(asked).toEqual([{ copy_id: COPY, workspace_id: 5, challenge: CHALLENGE, user_code: 'ABCD-2345' }])
  })

  it('says that a code is wrong', async () => {
    fake.fail(api.sealedCopies.request, 404, 'There is nothing here that you can see.')
    const { user } = renderAt('/sealed/open')
    await user.type(await screen.findByLabelText(/Code/), 'AAAA-AAAA{Enter}')
    expect(await screen.findByText(/No document of yours waits for this code/)).toBeDefined()
  })
})
