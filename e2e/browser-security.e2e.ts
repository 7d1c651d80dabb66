import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import type { Page } from '@playwright/test'
import { expect, seconds, test } from './journey.ts'
import { api } from '../src/client/index.ts'
import { paths } from '../src/dashboard/paths.ts'
import { MARKER } from './hostile-room.ts'
import { follow, PAGES } from './pages.ts'
import { stack } from './people.ts'
import { asAdmin, clientOf, enterAs, makeRoom, type Room, signInWith } from './room.ts'
import { expectOnlyText, watch } from './watch-page.ts'

// Attacks from another site, from another tab and by the next user of the same browser.

let room: Room
let ines: string
test.beforeAll(async () => {
  test.setTimeout(seconds(120))
  room = await makeRoom()
  ines = (await asAdmin().call(api.users.me)).email
})

/** Serves one page from another origin. */
async function openSite(html: string): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, reply) => reply.setHeader('content-type', 'text/html').end(html))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }
}

const filesPath = () => paths.files(room.workspaceId, room.folderId)

async function showFiles(page: Page): Promise<void> {
  await page.goto(filesPath())
  await expect(page.getByRole('row').filter({ hasText: 'Memo.pdf' })).toBeVisible()
}

/** Returns all text that a script of this origin could still read: storage, history state and the page. */
const remains = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const stores = await Promise.all(
      databases.map(
        ({ name = '' }) =>
          new Promise<unknown>((resolve) => {
            const opening = indexedDB.open(name)
            opening.addEventListener('success', () => {
              const { result } = opening
              const all = [...result.objectStoreNames].map((store) => {
                const request = result.transaction(store).objectStore(store).getAll() as IDBRequest<unknown[]>
                return new Promise((found) => request.addEventListener('success', () => found(request.result)))
              })
              resolve(Promise.all(all))
            })
          }),
      ),
    )
    const workers = (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope)
    const kept = [{ ...localStorage }, { ...sessionStorage }, stores, await caches.keys(), workers, history.state]
    return JSON.stringify(kept) + document.documentElement.outerHTML
  })

const NAMES = /Memo\.pdf|Papers|Room [0-9a-f]{6}/

test('G4: after sign-out the browser keeps no data of the room, and "back" shows none', async ({ browser }) => {
  const page = await enterAs(browser, ines)
  await showFiles(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Memo')
  await page.getByRole('option').filter({ hasText: 'Memo.pdf' }).first().click()
  await page.getByRole('button', { name: 'Download', exact: true }).first().click()
  await showFiles(page)
  expect(await remains(page)).toMatch(NAMES)
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/sign-in$/)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(await remains(page)).not.toMatch(NAMES)
  const cookies = await page.context().cookies()
  expect(cookies.filter(({ name }) => name === 'strongroom')).toEqual([])
  for (let step = 0; step < 3; step++) {
    await page.goBack()
    await expect(page).toHaveURL(/sign-in/)
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(await remains(page)).not.toMatch(NAMES)
  }
  await page.context().close()
})

test('G4: a session ended elsewhere leaves no data either', async ({ browser }) => {
  const page = await enterAs(browser, ines)
  await showFiles(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Memo')
  await page.getByRole('option').filter({ hasText: 'Memo.pdf' }).first().click()
  await page.context().request.post('/auth/sign-out', { headers: { origin: stack().url } })
  await showSignIn(page)
  expect(await remains(page)).not.toMatch(NAMES)
  await page.context().close()
})

async function showSignIn(page: Page): Promise<void> {
  await follow(page, paths.account())
  await follow(page, paths.home())
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}

test('G5: "back" from another site shows no data after the session has ended', async ({ browser }) => {
  const { url, server } = await openSite('<h1>Elsewhere</h1>')
  const page = await enterAs(browser, ines)
  await showFiles(page)
  await page.goto(url)
  await page.context().request.post('/auth/sign-out', { headers: { origin: stack().url } })
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(await remains(page)).not.toMatch(NAMES)
  await page.context().close()
  server.close()
})

test('G5: a page in the back/forward cache is hidden, and reloaded when it is shown again', async ({ browser }) => {
  const page = await enterAs(browser, ines)
  await showFiles(page)
  await page.context().request.post('/auth/sign-out', { headers: { origin: stack().url } })
  // Headless Chromium has no back/forward cache, so dispatch the events that other browsers send.
  const transition = (type: string) =>
    page.evaluate((name) => void dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type)
  await transition('pagehide')
  await expect(page.locator('body')).toBeHidden()
  await transition('pageshow')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.context().close()
})

test('G6: a tab never acts as another user who signed in from a second tab', async ({ browser }) => {
  // Their first visit: later their sign-in changes nothing that the other tab would read again.
  const other = room.addresses['workspace admin']
  await enterAs(browser, other).then((page) => page.context().close())
  const first = await enterAs(browser, ines)
  await showFiles(first)
  await first.getByRole('button', { name: 'New folder' }).click()
  await first.getByRole('dialog').getByRole('textbox').first().fill('Folder of Ines')
  // Another tab signs in another user. This tab stays in front, so no focus event makes it check its session. It reads
  // nothing until it submits, because a read (of a document that became ready, say) would notice the other user before.
  let submitted = false
  await first.route('**/api/v1/**', (route) => {
    submitted ||= route.request().method() === 'POST'
    return submitted ? route.continue() : undefined
  })
  await signInWith(first.context(), other)
  const questions: string[] = []
  first.on('dialog', (dialog) => {
    questions.push(dialog.type())
    return dialog.accept().catch(() => {})
  })
  const reloading = first.waitForEvent('request', (request) => request.isNavigationRequest())
  await first.getByRole('dialog').locator('button[type=submit]').click()
  await reloading
  await expect(first.getByRole('button', { name: /account of Workspace admin/ })).toBeVisible()
  await showFiles(first)
  await expect(first.getByText('Folder of Ines')).toHaveCount(0)
  expect(questions, 'questions whether to keep the input of the former user').toEqual([])
  await first.context().close()
})

/** Values that no page expects in an address. */
const HOSTILE = [
  `"><img class=${MARKER} src=x onerror=alert(1)><svg class=${MARKER} onload=alert(1)>`,
  'javascript:alert(1)//',
  '__proto__',
  'constructor[prototype][x]',
  '-1e999',
  '99999999999999999999',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202egnp.exe\u0000',
  'x'.repeat(3000),
]
const PARAMETERS = [
  'q',
  'type',
  'page',
  'per_page',
  'sort',
  'file',
  'folder',
  'group',
  'user',
  'who',
  'version',
  'show',
].concat(['status', 'from', 'to', 'offset', 'oidc', 'copy', 'challenge', 'workspace', 'verb', 'period'])

/** Returns addresses with hostile values in the query parameters, in the hash and in place of numbers in the path. */
function hostileUrls(path: string): string[] {
  const [pathname = ''] = path.split('?')
  const valueAt = (at: number) => HOSTILE[at % HOSTILE.length] ?? ''
  const inQuery = [0, 1, 2, 3, 4].map((turn) => {
    const query = new URLSearchParams(PARAMETERS.map((name, at) => [name, valueAt(at + turn)]))
    return `${pathname}?${query}#${encodeURIComponent(valueAt(turn))}`
  })
  const ids = /\d+/.test(pathname) ? HOSTILE.slice(0, 5) : []
  // The proxy refuses an encoded slash in a path, so remove slashes.
  const inPath = ids.map((value) => pathname.replaceAll(/\d+/g, encodeURIComponent(value.replaceAll('/', ''))))
  return [...inQuery, ...inPath, `${pathname}?${PARAMETERS.map((name) => `${name}[]=1&${name}=%zz%ff`).join('&')}`]
}

test.describe('G7', () => {
  let page: Page
  let findings: string[]
  test.beforeAll(async ({ browser }) => {
    page = await enterAs(browser, ines)
    findings = await watch(page)
    await page.goto(paths.home())
  })
  test.afterAll(() => page?.context().close())

  for (const { module, path } of PAGES.filter((each) => each.module !== 'sign-in/sign-in-page')) {
    test(`G7: ${module} withstands hostile addresses`, async () => {
      for (const url of hostileUrls(path(room))) {
        await follow(page, url)
        await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 1000 })))
        await expect(page.getByRole('heading').first()).toBeVisible()
        await expect(page.getByText('Something went wrong in the dashboard')).toHaveCount(0)
        await expectOnlyText(page)
      }
      await page.goto(hostileUrls(path(room))[0] ?? '')
      await expect(page.getByRole('heading').first()).toBeVisible()
      await expectOnlyText(page)
      expect(new URL(page.url()).origin).toBe(stack().url)
      expect(findings.splice(0)).toEqual([])
    })
  }
})

test('G7: invalid percent-encoding in an address does not crash the page', async ({ browser }) => {
  const page = await enterAs(browser, ines)
  const findings = await watch(page)
  for (const path of ['/workspaces/1/files?q=%ff%fe', '/workspaces/%E0%A4/files', '/account?x=%', '/%F0%28%8C%28']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await expect(page.getByText('Something went wrong in the dashboard')).toHaveCount(0)
  }
  expect(findings).toEqual([])
  await page.context().close()
})

test('G3: the sign-in never leads to another site, whatever address was requested', async ({ browser }) => {
  const wanted = [
    '//evil.test',
    '/\\evil.test',
    '/..//evil.test',
    '/.//evil.test',
    'https://evil.test',
    'javascript:alert(1)',
  ]
  const page = await enterAs(browser, ines)
  const findings = await watch(page)
  for (const to of wanted) {
    await page.goto(paths.signIn(to))
    await expect(page.getByRole('heading', { name: 'Spaces', level: 1 })).toBeVisible()
    expect(new URL(page.url()).origin).toBe(stack().url)
  }
  expect(findings).toEqual([])
  await page.context().close()
})

test('G3: another site can neither frame the dashboard, nor read or change data, nor keep a window', async ({
  browser,
}) => {
  const { url } = stack()
  const site = await openSite(
    `<iframe src="${url}/account"></iframe><iframe sandbox="allow-scripts" src="${url}/"></iframe>`,
  )
  const page = await enterAs(browser, ines)
  await page.goto(site.url)
  expect(framesShown(page)).toEqual([])
  expect(await page.evaluate(attackFromElsewhere, url)).toEqual({
    read: 'refused',
    blind: 'refused',
    beacon: true,
    image: 'refused',
    script: 'refused',
  })
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(
      (target) => void ((window as unknown as { held: Window | null }).held = window.open(target)),
      `${url}/account`,
    ),
  ])
  await popup.waitForLoadState()
  await expect(
    popup.getByRole('heading', { name: 'Sign in' }).or(popup.getByRole('heading', { name: 'Account' })),
  ).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { held: Window }).held.closed)).toBe(true)
  expect(await popup.evaluate(() => window.opener as unknown)).toBeNull()
  await page.context().close()
  site.server.close()
})

/** The page must have loaded, which its frames delay until they are shown or refused. */
const framesShown = (page: Page) =>
  page
    .frames()
    .filter((frame) => frame !== page.mainFrame() && frame.url().startsWith(stack().url))
    .map((frame) => frame.url())

/** Runs in a page of another site. */
async function attackFromElsewhere(url: string) {
  const attempt = (work: Promise<unknown>) => work.then(() => 'done').catch(() => 'refused')
  const load = (element: HTMLImageElement | HTMLScriptElement) =>
    new Promise<string>((resolve) => {
      element.addEventListener('load', () => resolve('loaded'))
      element.addEventListener('error', () => resolve('refused'))
      element.src = `${url}/api/v1/users/me`
      document.body.append(element)
    })
  const read = await attempt(fetch(`${url}/api/v1/users/me`, { credentials: 'include' }))
  const blindly: RequestInit = {
    method: 'POST',
    mode: 'no-cors',
    credentials: 'include',
    body: '{"team":{"name":"Forged"}}',
  }
  const blind = await attempt(fetch(`${url}/api/v1/teams`, blindly))
  const beacon = navigator.sendBeacon(`${url}/api/v1/teams`, '{"team":{"name":"Forged"}}')
  const image = await load(document.createElement('img'))
  const script = await load(document.createElement('script'))
  return { read, blind, beacon, image, script }
}

test('G3: no request from another site changed data', async () => {
  const teams = await clientOf(stack().credentials.adminToken).call(api.teams.list)
  expect(JSON.stringify(teams)).not.toContain('Forged')
})
