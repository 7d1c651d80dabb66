import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import script from '../../../public/start.js?raw'
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

test('a refusal of what is asked is used instead of asking for another', async () => {
  asked(Promise.resolve(new Response('{}', { status: 403 })))
  expect((await takeEarly('GET', URL))?.status).toBe(403)
})

test('an ended session, a network failure and an old reply are not used', async () => {
  asked(Promise.resolve(new Response('{}', { status: 401 })))
  expect(await takeEarly('GET', URL)).toBeUndefined()
  asked(Promise.reject(new TypeError('no network')))
  expect(await takeEarly('GET', URL)).toBeUndefined()
  asked(Promise.resolve(new Response('{}')))
  vi.spyOn(performance, 'now').mockReturnValue(60_000)
  expect(await takeEarly('GET', URL)).toBeUndefined()
})

test.each([
  ['/workspaces/5/files/7', ['/auth/session', '/api/v1/workspaces/5', '/api/v1/folders/7?workspace_id=5']],
  ['/workspaces/15', ['/auth/session', '/api/v1/workspaces/15']],
  ['/workspaces/15/terms', ['/auth/session']],
])('the first script of %s asks for the session and what the page reads first', (path, urls) => {
  const fetch = vi.spyOn(window, 'fetch').mockResolvedValue(new Response('{}'))
  const address = window.location.href
  window.history.replaceState(null, '', path)
  new Function(script)()
  window.history.replaceState(null, '', address)
  expect(fetch.mock.calls.map(([url]) => url)).toEqual(urls)
})

test('the first script of a page loads the modules that the build names for it', () => {
  vi.spyOn(window, 'fetch').mockResolvedValue(new Response('{}'))
  const built = script.replace('var modules = {}', `var modules = {"/workspaces/0/files":["/assets/files.js"]}`)
  const address = window.location.href
  for (const path of ['/workspaces/5/files/7', '/workspaces/5/files', '/workspaces/5/files/7/view', '/']) {
    window.history.replaceState(null, '', path)
    new Function(built)()
  }
  window.history.replaceState(null, '', address)
  const links = [...document.querySelectorAll('link[rel="modulepreload"]')]
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/assets/files.js', '/assets/files.js'])
  for (const link of links) link.remove()
})

describe('files dropped beside a dropzone, or before there is one', () => {
  const drag = (type: string, types: string[]) => {
    const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), {
      dataTransfer: { types, dropEffect: 'copy' },
    })
    document.body.dispatchEvent(event)
    return { refused: event.defaultPrevented, effect: event.dataTransfer.dropEffect }
  }
  beforeEach(() => {
    vi.spyOn(window, 'fetch').mockResolvedValue(new Response('{}'))
    new Function(script)()
  })

  test.each(['dragover', 'drop'])('are refused on %s, so that the browser does not open them', (type) => {
    expect(drag(type, ['text/plain', 'Files'])).toEqual({ refused: true, effect: 'none' })
  })

  test('leave text and dropzones alone', () => {
    expect(drag('dragover', ['text/plain'])).toEqual({ refused: false, effect: 'copy' })
    const take = (event: Event) => event.preventDefault()
    document.body.addEventListener('dragover', take)
    expect(drag('dragover', ['Files'])).toEqual({ refused: true, effect: 'copy' })
    document.body.removeEventListener('dragover', take)
  })
})
