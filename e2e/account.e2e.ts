import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { expect, seconds, test } from './journey.ts'
import { type RunningProxy, startProxy } from '../src/proxy/app.ts'
import { readConfig } from '../src/proxy/config.ts'
import { startIdentityProvider, type TestIdentityProvider } from '../src/proxy/testing/identity-provider.ts'
import { expectAccessible, openAs, signInAs, stack, untilStored } from './people.ts'
import { freePort } from './stack.ts'

// The list of signed-in devices, and the sign-in through an identity provider.
test.describe.configure({ mode: 'serial', timeout: seconds(180) })

const JONAS = 'Jonas Lindqvist'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile Safari/604.1'
const devicesOf = (page: Page) => page.getByRole('table', { name: 'Signed-in devices' })

/** Starts a second proxy beside the stack's own, connected to a test identity provider. */
async function startSecondProxy(): Promise<{ url: string; provider: TestIdentityProvider; proxy: RunningProxy }> {
  const { apiUrl, dataDir } = stack()
  const keys = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as Record<string, string>
  const port = await freePort()
  const url = `http://localhost:${port}`
  const provider = await startIdentityProvider(`${url}/auth/oidc/callback`, { button: true })
  const proxy = await startProxy(
    readConfig({
      PORT: String(port),
      PUBLIC_URL: url,
      API_URL: apiUrl,
      API_KEY: keys['apiKey'],
      API_SECRET: keys['apiSecret'],
      ADMIN_TOKEN: keys['adminToken'],
      MASTER_KEY: keys['masterKey'],
      DATA_DIR: dataDir,
      DIST_DIR: join(import.meta.dirname, '../dist'),
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      OIDC_NAME: 'Northgate',
    }),
  )
  return { url, provider, proxy }
}

let second: Awaited<ReturnType<typeof startSecondProxy>>
test.beforeAll(async () => {
  second = await startSecondProxy()
})
test.afterAll(async () => {
  await second?.proxy.close()
  await second?.provider.close()
})

async function openAccount(browser: Browser): Promise<Page> {
  const page = await openAs(browser, JONAS)
  await page.goto('/account')
  await expect(devicesOf(page)).toContainText('This device')
  return page
}

async function expectSignedOut(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible()
}

test('signing out everywhere else ends the sessions of other browsers, even at another proxy', async ({ browser }) => {
  const elsewhere = await openAs(browser, JONAS)
  await elsewhere.goto(second.url)
  await expect(elsewhere.getByRole('heading', { name: 'Spaces', level: 1 })).toBeVisible()
  const here = await openAccount(browser)
  await here.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expectAccessible(here)
  await here.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(here.getByText('You are signed out everywhere else')).toBeVisible()
  await expect(devicesOf(here).getByRole('button')).toHaveCount(0)

  await elsewhere
    .getByRole('link', { name: /Project Harbour/ })
    .first()
    .click()
  await expectSignedOut(elsewhere)
  await elsewhere.goto('/')
  await expectSignedOut(elsewhere)
  await here.reload()
  await expect(devicesOf(here)).toContainText('This device')
  await Promise.all([here, elsewhere].map((page) => page.context().close()))
})

test('signing out one device leaves the others signed in', async ({ browser }) => {
  const context = await browser.newContext({ userAgent: IPHONE })
  const lost = await context.newPage()
  await signInAs(lost, JONAS)
  const here = await openAccount(browser)
  const signOut = devicesOf(here).getByRole('button', { name: 'Sign out Safari on iPhone' })
  await expectAccessible(here)
  await untilStored(here, () => signOut.click())
  await expect(signOut).toHaveCount(0)
  await lost.reload()
  await expectSignedOut(lost)
  await here.reload()
  await expect(devicesOf(here)).toContainText('This device')
  await Promise.all([here, lost].map((page) => page.context().close()))
})

test('a member signs in through the identity provider and reaches the requested page', async ({ page }) => {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Refused/.test(message.text()))
      problems.push(message.text())
  })
  second.provider.account = { email: 'marta.nowak@harbour.example', email_verified: true }
  await page.goto(`${second.url}/workspaces/1/people`)
  await expect(page.getByRole('link', { name: 'Continue with Northgate' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Continue with Northgate' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(`${second.url}/workspaces/1/people`)
  await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeVisible()

  await page.goto(`${second.url}/account`)
  await expect(devicesOf(page).getByRole('row', { name: /This device/ })).toContainText('through the identity provider')
  expect(await page.evaluate(() => document.cookie)).toBe('')
  expect(problems).toEqual([])
})

test('a user who was not invited is refused, and can still ask for a code', async ({ page }) => {
  second.provider.account = { email: 'stranger@elsewhere.example', email_verified: true }
  await page.goto(second.url)
  await page.getByRole('link', { name: 'Continue with Northgate' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('alert')).toContainText('You could not be signed in with Northgate')
  await expect(page.getByRole('button', { name: 'Send the code' })).toBeEnabled()
  await expectAccessible(page)
})
