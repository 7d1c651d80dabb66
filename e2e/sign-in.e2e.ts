import { expect, test } from '@playwright/test'

test('a demo person signs in with one click and finds the deal room', async ({ page }) => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Refused/.test(message.text()))
      problems.push(message.text())
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Continue as Ines Carvalho' }).click()
  await expect(page.getByRole('heading', { name: 'Spaces', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: /Project Harbour/ }).first()).toBeVisible()
  expect(problems).toEqual([])
})

test('a buyer finds only the rooms he was let into', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Continue as Tom Becker' }).click()
  await expect(page.getByRole('link', { name: /Project Harbour/ }).first()).toBeVisible()
  await expect(page.getByText('Board papers')).toHaveCount(0)
})
