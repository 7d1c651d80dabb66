import { afterEach, expect, test, vi } from 'vitest'
import script from '../../../public/ask-early.js?raw'
import { takeEarly } from './early.ts'

const URL = '/api/v1/workspaces/5'

function asked(answer: Promise<Response>) {
  answer.catch(() => {})
  window.askedEarly = { [URL]: answer }
}

afterEach(() => {
  vi.restoreAllMocks()
  delete window.askedEarly
})

test('a successful reply is used once, by the same request', async () => {
  asked(Promise.resolve(new Response('{"id":5}')))
  expect(await takeEarly('GET', '/api/v1/workspaces/6')).toBeUndefined()
  expect(await takeEarly('DELETE', URL)).toBeUndefined()
  expect(await (await takeEarly('GET', URL))?.json()).toEqual({ id: 5 })
  expect(await takeEarly('GET', URL)).toBeUndefined()
})

test('a refusal, a network failure and an old reply are not used', async () => {
  asked(Promise.resolve(new Response('{}', { status: 401 })))
  expect(await takeEarly('GET', URL)).toBeUndefined()
  asked(Promise.reject(new TypeError('no network')))
  expect(await takeEarly('GET', URL)).toBeUndefined()
  asked(Promise.resolve(new Response('{}')))
  vi.spyOn(performance, 'now').mockReturnValue(60_000)
  expect(await takeEarly('GET', URL)).toBeUndefined()
})

test('the early script asks nothing once the page asks for itself', () => {
  const fetch = vi.spyOn(window, 'fetch').mockResolvedValue(new Response('{}'))
  const run = () => new Function(script)()
  run()
  expect(fetch).toHaveBeenCalledWith('/auth/session', expect.anything())
  fetch.mockClear()
  window.askedEarly = {}
  run()
  expect(fetch).not.toHaveBeenCalled()
})
