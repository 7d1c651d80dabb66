import { expect, type Page } from '@playwright/test'
import { MARKER } from './hostile-room.ts'

/** Collects the traces of an attack on a page: dialogs, errors and violations of the security policy. */
export async function watch(page: Page): Promise<string[]> {
  const findings: string[] = []
  page.on('dialog', (dialog) => {
    // A page with unsaved input asks before it is left.
    if (dialog.type() !== 'beforeunload') findings.push(`dialog: ${dialog.message()}`)
    // A navigation may have closed the dialog already.
    return dialog.accept().catch(() => {})
  })
  page.on('pageerror', (error) => findings.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?(Type|HTML|Script)|violates/i.test(message.text()))
      findings.push(`console: ${message.text()}`)
  })
  await page.exposeFunction('reportViolation', (text: string) => findings.push(`violation: ${text}`))
  await page.addInitScript(() => {
    const { reportViolation } = window as unknown as { reportViolation: (text: string) => void }
    document.addEventListener('securitypolicyviolation', (event) =>
      reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    )
  })
  return findings
}

/** Expects that no text has become an element, and that no element runs a script or links to one. */
export async function expectOnlyText(page: Page): Promise<void> {
  const made = await page.evaluate((marker) => {
    const handlers = (element: Element) => element.getAttributeNames().some((name) => name.startsWith('on'))
    const scripts = (element: Element) =>
      ['href', 'src', 'action', 'formaction', 'xlink:href', 'srcdoc', 'data'].some((name) =>
        /^\s*(javascript|data:text|vbscript)/i.test(element.getAttribute(name) ?? ''),
      )
    return [...document.querySelectorAll('*')]
      .filter((element) => element.classList.contains(marker) || handlers(element) || scripts(element))
      .map((element) => element.outerHTML.slice(0, 200))
  }, MARKER)
  expect(made).toEqual([])
}
