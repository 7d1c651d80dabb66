import { afterEach, expect, test, vi } from 'vitest'
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

test('a good answer is taken over once, by the same question', async () => {
  asked(Promise.resolve(new Response('{"id":5}')))
  expect(await takeEarly('GET', '/api/v1/workspaces/6')).toBeUndefined()
  expect(await takeEarly('DELETE', URL)).toBeUndefined()
  expect(await (await takeEarly('GET', URL))?.json()).toEqual({ id: 5 })
  expect(await takeEarly('GET', URL)).toBeUndefined()
})

test('a refusal, no answer and an old answer are asked for again', async () => {
  asked(Promise.resolve(new Response('{}', { status: 401 })))
  expect(await takeEarly('GET', URL)).toBeUndefined()
  asked(Promise.reject(new TypeError('no network')))
  expect(await takeEarly('GET', URL)).toBeUndefined()
  asked(Promise.resolve(new Response('{}')))
  vi.spyOn(performance, 'now').mockReturnValue(60_000)
  expect(await takeEarly('GET', URL)).toBeUndefined()
})
