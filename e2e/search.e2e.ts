import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { drop, expectAccessible, signInAs } from './people.ts'

// What is written in a document is found when the worker has read it.

// Documents of the demo may be read first.
test.setTimeout(180_000)

test('a file is found by its text, the match is shown and leads to the file', async ({ page }) => {
  await signInAs(page, 'Ines Carvalho')
  await page.getByRole('button', { name: 'New workspace' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(`Search ${randomBytes(3).toString('hex')}`)
  await dialog.getByRole('button', { name: /Create/ }).click()
  await expect(page.getByRole('heading', { name: /^Search /, level: 1 })).toBeVisible()
  const path = test.info().outputPath('minutes.md')
  await writeFile(path, 'The board agreed.\n\nThe *kittiwake* clause follows in section 9.\n')
  await drop(page, [path])
  await expect(page.getByRole('main').getByRole('row', { name: /minutes\.md/ })).toBeVisible()

  await page.keyboard.press('/')
  await page.keyboard.type('kittiw')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Results for “kittiw”' })).toBeVisible()
  const result = page.getByRole('main').getByRole('link', { name: /minutes\.md/ })
  await expect(async () => {
    await page.reload()
    await expect(result).toBeVisible({ timeout: 3000 })
  }).toPass()
  await expect(result.locator('mark')).toHaveText('kittiwake')
  await expectAccessible(page)

  await result.click()
  await expect(page.getByRole('main')).toContainText('minutes.md')
  await expect(page).toHaveURL(/file=\d+/)
})
