import { test as base, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'

export { expect } from '@playwright/test'

/** How many times slower than this machine the browser runs: `E2E_SLOWDOWN=4 npm test -- phone`. */
const SLOWDOWN = Number(process.env['E2E_SLOWDOWN'] ?? 1)

/** A time limit in milliseconds, longer in a browser that is slowed down. */
export const seconds = (count: number): number => count * 1000 * SLOWDOWN

/** The test of Playwright, whose pages are slowed down if wanted: it finds steps that do not wait for what they need. */
export const test = base.extend<{ closing: void }, { browser: Browser }>({
  // A page that stays open after its test takes its share of the machine from all tests that follow.
  closing: [
    async ({ browser }, use) => {
      const before = new Set(browser.contexts())
      await use()
      for (const context of browser.contexts()) if (!before.has(context)) await context.close()
    },
    { auto: true },
  ],
  browser: [
    async ({ browser }, use) => {
      if (SLOWDOWN > 1) slowDown(browser)
      await use(browser)
    },
    { scope: 'worker' },
  ],
})

function slowDown(browser: Browser) {
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options?: BrowserContextOptions) => {
    const context = await open(options)
    context.on('page', (page) => void throttle(page))
    return context
  }
}

async function throttle(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
}
