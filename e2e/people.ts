import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { seconds } from './journey.ts'
import type { Stack } from './stack.ts'
import { stackOfWorker } from './workers.ts'

/** The stack that global-setup.ts started for this worker. */
export function stack(): Omit<Stack, 'stop'> {
  const own = stackOfWorker()
  if (!own) throw new Error('Only a journey has a stack')
  return own
}

/** Signs in as one of the demo people, with their button. */
export async function signInByButton(page: Page, name: string): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: `Continue as ${name}` }).click()
  await expectSpaces(page)
}

/** Signs in as one of the demo people with the request that their button sends, and opens the first page. */
export async function signInAs(page: Page, name: string): Promise<void> {
  const session = await page.request.get('/auth/session')
  const { demo_people } = (await session.json()) as { demo_people: { name: string; email: string }[] }
  const email = demo_people.find((each) => each.name === name)?.email
  const reply = await page.request.post('/auth/demo', { data: { email }, headers: { origin: stack().url } })
  if (!reply.ok()) throw new Error(`${name} could not sign in: ${await reply.text()}`)
  await page.goto('/')
  await expectSpaces(page)
}

const expectSpaces = (page: Page) => expect(page.getByRole('heading', { name: 'Spaces', level: 1 })).toBeVisible()

/** Opens a separate browser context and signs in as one of the demo people. */
export async function openAs(browser: Browser, name: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signInAs(page, name)
  return page
}

/** Expects axe to find no violation of WCAG 2.2 AA on the page as it is shown, in both colour schemes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await colourChanges(page, colorScheme)
    const { violations } = await new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      // Runs axe in the page itself instead of another tab, which suffices without frames of other origins.
      .setLegacyMode()
      .analyze()
    const findings = violations.map(
      ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map((node) => node.html).join(' ')}`,
    )
    expect(findings).toEqual([])
  }
}

/** Waits until a script of the dashboard has applied the colour scheme and the colour transitions have ended. */
async function colourChanges(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.waitForFunction((scheme) => (document.documentElement.dataset['scheme'] ?? scheme) === scheme, colorScheme)
  await page.evaluate(async () => {
    const fading = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    const ended = Promise.allSettled(fading.map(({ finished }) => finished))
    // A page that draws no frames for a while ends no transition.
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 3000))])
  })
}

/** Makes a change that the screen shows at once, and waits until the service has answered it. */
export async function untilStored(page: Page, change: () => Promise<void>): Promise<void> {
  const answered = page.waitForResponse(
    (response) => response.request().method() !== 'GET' && response.url().includes('/api/v1/'),
  )
  await change()
  expect((await answered).ok()).toBe(true)
}

/** Drops local files and folders on an element, or else on the folder that is shown, as a file manager does. */
export async function drop(page: Page, paths: string[], on?: Locator): Promise<void> {
  if (!on) {
    // A dialog that is about to close is still in the way.
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('button', { name: 'Upload', exact: true })).toBeVisible()
  }
  await dropFiles(page, paths, on)
}

/** Drops local files and folders on whatever the page shows by now. */
export async function dropFiles(page: Page, paths: string[], on?: Locator): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 }
  const box = (await on?.boundingBox()) ?? { x: 0, y: 0, width, height }
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const browser = await page.context().newCDPSession(page)
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', { type, ...middle, data })
  }
}

/** Waits for the mail with a sign-in code, which may come after other mails. */
export async function signInCodeFor(address: string): Promise<string> {
  let code: string | undefined
  await expect(async () => {
    code = /^ {4}(\d{6})\r?$/m.exec(await newestMailTo(address, 'Your Strongroom sign-in code'))?.[1]
    expect(code).toBeDefined()
  }).toPass({ timeout: seconds(30) })
  return code ?? ''
}

/** Returns the newest mail to an address, with a subject if given, in the outbox, as text. */
export async function newestMailTo(address: string, subject = ''): Promise<string> {
  const outbox = join(stack().dataDir, 'outbox')
  const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml')).sort()
  for (const name of names.toReversed()) {
    const mail = await readFile(join(outbox, name), 'utf8')
    if (mail.includes(`To: ${address}`) && mail.includes(`Subject: ${subject}`)) return mail
  }
  throw new Error(`no mail to ${address}`)
}
