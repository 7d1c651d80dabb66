import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderElement } from '../../../testing/render-element.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { askAbout, withdrawQuestions } from './conflict-question.ts'

const conflict = (name: string, folders: string[] = []) => ({
  name,
  folders,
  isUpload: true,
  sides: {
    arriving: { size: 5, changed: '2026-11-20T09:00:00.000Z' },
    there: { size: '12000', changed: '2026-11-20T09:00:00.000Z', version: 3 },
  },
})

test('questions appear one at a time, with a checkbox if other files have the same question', async () => {
  const { user } = renderElement(<ConflictDialog />)
  const first = askAbout({ ...conflict('a.pdf'), others: 2 })
  const second = askAbout({ ...conflict('b.pdf'), others: 0 })
  expect(await screen.findByRole('dialog', { name: '“a.pdf” is already there' })).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Do the same for the other 2 files whose names are taken' }))
  await user.click(screen.getByRole('button', { name: 'Keep both' }))
  expect(await first).toEqual({ choice: 'both', forAll: true })

  expect(await screen.findByRole('dialog', { name: '“b.pdf” is already there' })).toBeTruthy()
  expect(screen.queryByRole('checkbox')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'New version' }))
  expect(await second).toEqual({ choice: 'version', forAll: false })
})

test('closing the question skips the file', async () => {
  const { user } = renderElement(<ConflictDialog />)
  const answer = askAbout({ ...conflict('a.pdf'), others: 0 })
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  expect(await answer).toEqual({ choice: 'skip', forAll: false })
})

test('the question describes both files and their folder', async () => {
  renderElement(<ConflictDialog />)
  void askAbout({ ...conflict('a.pdf', ['Deal', '2025']), others: 0 })
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('In the folder Deal / 2025')
  expect(dialog.textContent).toContain('Version 3 · 12\u00a0kB')
  expect(dialog.textContent).toContain('5\u00a0B')
  withdrawQuestions()
})

test('the question of the next drop does not keep the checkbox of the previous drop', async () => {
  const { user } = renderElement(<ConflictDialog />)
  void askAbout({ ...conflict('a.pdf'), others: 1 })
  void askAbout({ ...conflict('b.pdf'), others: 1 })
  await user.click(await screen.findByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: 'Skip' }))
  await screen.findByRole('dialog', { name: '“b.pdf” is already there' })
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(false)
  withdrawQuestions()
})

test('a withdrawn question skips all files', async () => {
  const answer = askAbout({ ...conflict('a.pdf'), others: 3 })
  withdrawQuestions()
  expect(await answer).toEqual({ choice: 'skip', forAll: true })
})

test('a folder is kept beside the other one or skipped, but is no version', async () => {
  renderElement(<ConflictDialog />)
  void askAbout({ name: 'Audits', folders: [], sides: undefined, isUpload: false, others: 1 })
  const dialog = await screen.findByRole('dialog', { name: '“Audits” is already there' })
  expect(dialog.textContent).toContain('Folders are not merged.')
  expect(screen.queryByRole('button', { name: 'New version' })).toBeNull()
  expect(screen.getByRole('checkbox', { name: /the other 1 folder whose name is taken/ })).toBeTruthy()
  withdrawQuestions()
})
