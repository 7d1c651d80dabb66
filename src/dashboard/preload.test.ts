import { matchRoutes } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { isPreloading, preloadPages } from './preload.ts'
import { routes } from './routes.tsx'

preloadPages()

/** Watches the loading of the page at an address, and of what surrounds it. */
function codeOf(address: string) {
  const loaded = (matchRoutes(routes, address) ?? []).filter(({ route }) => route.lazy)
  const [page] = loaded
    .map(({ route }) => vi.spyOn(route as { lazy: () => Promise<object> }, 'lazy').mockResolvedValue({}))
    .toReversed()
  if (!page) throw new Error(`No code is loaded for ${address}`)
  return page
}

function pointAt(html: string, type = 'pointerover') {
  document.body.innerHTML = html
  document.querySelector('b')?.dispatchEvent(new Event(type, { bubbles: true }))
}

afterEach(() => vi.restoreAllMocks())

test('the code of a page is loaded once when a link to it is pointed at', async () => {
  const code = codeOf('/workspaces/5/groups')
  pointAt('<a href="https://example.org/workspaces/5/groups"><b>Groups</b></a>')
  expect(code).not.toHaveBeenCalled()
  pointAt('<a href="/workspaces/5/groups"><b>Groups</b></a>')
  pointAt('<a href="/workspaces/6/groups"><b>Groups</b></a>', 'focusin')
  expect(code).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(isPreloading()).toBe(false))
})

test('the viewer is loaded when a list of files is pointed at', () => {
  const code = codeOf('/workspaces/5/files/7/view')
  pointAt('<div role="grid"><b>Board minutes.pdf</b></div>')
  expect(code).toHaveBeenCalledOnce()
})

test('a failure is ignored: the page itself loads its code again', async () => {
  codeOf('/workspaces/5/people').mockRejectedValue(new TypeError('Failed to fetch'))
  pointAt('<a href="/workspaces/5/people"><b>People</b></a>')
  expect(isPreloading()).toBe(true)
  await vi.waitFor(() => expect(isPreloading()).toBe(false))
})
