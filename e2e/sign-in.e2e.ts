import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { expectAccessible, newestMailTo, signInByButton, signInCodeFor } from './people.ts'

const MARTA = 'marta.nowak@harbour.example'

test('a demo person signs in with one click and finds the deal room', async ({ page }) => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Refused/.test(message.text()))
      problems.push(message.text())
  })
  await page.goto('/')
  await expectAccessible(page)
  await signInByButton(page, 'Ines Carvalho')
  await expect(page.getByRole('link', { name: /Project Harbour/ }).first()).toBeVisible()
  await expectAccessible(page)
  expect(problems).toEqual([])
})

test('a buyer finds only the rooms he may enter', async ({ page }) => {
  await signInByButton(page, 'Tom Becker')
  await expect(page.getByRole('link', { name: /Project Harbour/ }).first()).toBeVisible()
  await expect(page.getByText('Board papers')).toHaveCount(0)
})

test('a user signs in with the code from a mail and reaches the requested page', async ({ page }) => {
  await page.goto('/workspaces/1/people')
  await expect(page).toHaveURL(/sign-in/)
  await askForCode(page, MARTA)
  const code = await signInCodeFor(MARTA)

  await page.getByLabel('Code').fill(code === '000000' ? '111111' : '000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/workspaces\/1\/people$/)
  await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeVisible()
})

test('an unknown address is answered like a known one, and gets no mail', async ({ page }) => {
  await page.goto('/sign-in')
  await askForCode(page, 'nobody@elsewhere.example')
  await expect(page.getByText(/If nobody@elsewhere.example is known here/)).toBeVisible()
  await expect(newestMailTo('nobody@elsewhere.example')).rejects.toThrow('no mail')
})

test('the browser never holds a user token or the key', async ({ page, context }) => {
  const seen: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/api/v1/') || response.url().includes('/auth/'))
      seen.push(await response.text().catch(() => ''))
  })
  await signInByButton(page, 'Ines Carvalho')
  await page.goto('/workspaces/1/groups/4')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const held = seen.join('\n') + JSON.stringify(await context.storageState())
  expect(held).not.toMatch(/"(user_token|jti)":"[^"]/)
  expect(await page.evaluate(() => document.cookie)).toBe('')
  for (const cookie of await context.cookies()) expect(cookie).toMatchObject({ httpOnly: true })
})

async function askForCode(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send the code' }).click()
  await expect(page.getByLabel('Code')).toBeVisible()
}
