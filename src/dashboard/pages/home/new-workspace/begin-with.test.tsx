import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderElement } from '../../../testing/render-element.tsx'
import { BeginWith } from './begin-with.tsx'
import type { Template } from './beginnings.ts'

const template = (of: Pick<Template, 'id' | 'shipped' | 'name'>) => of as Template

const TEMPLATES = [
  template({ id: null, shipped: 'board', name: 'board' }),
  template({ id: 7, shipped: null, name: 'Our sales' }),
]

async function opened() {
  const onChoose = vi.fn<(value: string) => void>()
  const workspaces = [{ id: 3, name: 'Project Harbour' }]
  const { user } = renderElement(
    <BeginWith value="empty" templates={TEMPLATES} workspaces={workspaces} onChoose={onChoose} />,
  )
  await user.click(screen.getByRole('combobox', { name: 'Begin with' }))
  await screen.findByRole('listbox')
  return { user, onChoose }
}

test('the options are the choices; headings are groups that own them', async () => {
  await opened()
  const options = screen.getAllByRole('option').map(({ textContent }) => textContent)
  expect(options).toEqual(['An empty workspace', 'Board meetings', 'Our sales', 'Project Harbour'])
  const owned = ['Templates', 'Templates of the team', 'Like another workspace'].map((name) => {
    const group = screen.getByRole('group', { name })
    expect(group.hasAttribute('aria-selected')).toBe(false)
    return document.getElementById(group.getAttribute('aria-owns') ?? '')?.textContent
  })
  expect(owned).toEqual(['Board meetings', 'Our sales', 'Project Harbour'])
})

test('the keyboard goes from choice to choice', async () => {
  const { user, onChoose } = await opened()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('Board meetings')
  await user.keyboard('{ArrowDown}{Enter}')
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('template-7')
})
