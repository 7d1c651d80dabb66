import { brotliCompressSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { paths } from '../src/dashboard/paths.ts'
import { expect, test } from './journey.ts'
import { signInAs } from './people.ts'

/** Bytes of brotli. */
const AT_MOST = 150_000

const ROW = '[role="grid"] [role="row"][aria-rowindex="2"]'
const HEADING = 'h1'

declare global {
  interface Window {
    shownAt?: number
  }
}

test('the first page of a visit asks for at most 150 kB of scripts until it is shown', async ({ browser, page }) => {
  await signInAs(page, 'Ines Carvalho')
  await page
    .getByRole('link', { name: /Project Harbour/ })
    .first()
    .click()
  await page.locator(ROW).waitFor()
  const files = new URL(page.url()).pathname
  const storageState = await page.context().storageState()
  const asked = {
    'sign-in': await bytesAsked(browser, paths.signIn(), HEADING),
    home: await bytesAsked(browser, paths.home(), HEADING, { storageState }),
    files: await bytesAsked(browser, files, ROW, { storageState }),
  }
  console.log('Bytes of scripts until the first page is shown:', asked)
  for (const [name, bytes] of Object.entries(asked)) expect(bytes, name).toBeLessThanOrEqual(AT_MOST)
})

/** Counts the compressed bytes of the scripts that a browser without a cache asks for until `sign` is shown. */
async function bytesAsked(browser: Browser, path: string, sign: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.addInitScript(noteWhenShown, sign)
  await page.goto(path)
  await page.waitForFunction(() => window.shownAt !== undefined)
  const urls = await askedUntilShown(page)
  expect(urls.length).toBeGreaterThan(3)
  const bodies = await Promise.all(urls.map(async (url) => (await context.request.get(url)).body()))
  await context.close()
  return bodies.reduce((sum, body) => sum + brotliCompressSync(body).length, 0)
}

/** Runs in the page: the frame after the element appeared begins once it has been painted. */
function noteWhenShown(sign: string) {
  const watch = new MutationObserver(() => {
    if (!document.querySelector(sign)) return
    watch.disconnect()
    requestAnimationFrame(() => (window.shownAt = performance.now()))
  })
  watch.observe(document, { childList: true, subtree: true })
}

const askedUntilShown = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.endsWith('.js') && startTime <= (window.shownAt ?? 0))
      .map(({ name }) => name),
  )
