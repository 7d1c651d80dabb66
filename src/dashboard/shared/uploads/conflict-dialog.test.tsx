import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderElement } from '../../testing/render-element.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { askAbout } from './conflict-question.ts'

const file = (name: string) => new File(['hello'], name)

test('questions come one after the other, each with the answers a file can have', async () => {
  const { user } = renderElement(<ConflictDialog />)
  const first = askAbout({ file: file('a.pdf'), others: 2 })
  const second = askAbout({ file: file('b.pdf'), others: 0 })
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
  const answer = askAbout({ file: file('a.pdf'), others: 0 })
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  expect(await answer).toEqual({ choice: 'skip', forAll: false })
})
