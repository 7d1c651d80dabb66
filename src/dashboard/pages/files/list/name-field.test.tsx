import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderElement } from '../../../testing/render-element.tsx'
import type { Entry } from '../../../shared/listing/entries.ts'
import { NameField } from './name-field.tsx'

const stored = async (kind: Entry['kind'], name: string, typed: string): Promise<string | undefined> => {
  const onSave = vi.fn<(name: string) => void>()
  const entry = { kind, name } as Entry
  const { user, unmount } = renderElement(
    <NameField
      entry={entry}
      others={[]}
      error={undefined}
      pending={false}
      onSave={onSave}
      onCancel={() => undefined}
    />,
  )
  await user.clear(screen.getByRole('textbox'))
  await user.type(screen.getByRole('textbox'), `${typed}{Enter}`)
  unmount()
  return onSave.mock.calls[0]?.[0]
}

test('a file keeps its extension, once, unless another one was typed', async () => {
  expect(await stored('file', 'Lease.pdf', 'Rent.pdf.PDF')).toBe('Rent.pdf')
  expect(await stored('file', 'Lease.pdf', 'Rent')).toBe('Rent.pdf')
  expect(await stored('file', 'Lease.pdf', 'Rent.docx')).toBe('Rent.docx')
  expect(await stored('file', 'Lease.pdf', 'Contract no. 17')).toBe('Contract no. 17.pdf')
  expect(await stored('file', 'README', 'LICENCE')).toBe('LICENCE')
  expect(await stored('file', 'Minutes 4.7', 'Minutes, final')).toBe('Minutes, final')
  expect(await stored('file', 'Budget.xlsx', 'Budget v1.2')).toBe('Budget v1.2.xlsx')
  expect(await stored('folder', 'Leases v1.0', 'Rents')).toBe('Rents')
  expect(await stored('file', 'Lease.pdf', '   ')).toBeUndefined()
})

test('a name that another entry of the kind has is stored only at the second time', async () => {
  const onSave = vi.fn<(name: string) => void>()
  const [entry, twin, folder] = [
    { kind: 'file', name: 'Lease.pdf', key: 'file-1' },
    { kind: 'file', name: 'Rent.pdf', key: 'file-2' },
    { kind: 'folder', name: 'Plan.pdf', key: 'folder-3' },
  ] as unknown as Entry[]
  const others = [entry, twin, folder] as Entry[]
  const { user } = renderElement(
    <NameField
      entry={entry as Entry}
      others={others}
      error={undefined}
      pending={false}
      onSave={onSave}
      onCancel={() => undefined}
    />,
  )
  const field = screen.getByRole('textbox')
  await user.clear(field)
  await user.type(field, 'Rent{Enter}')
  expect(await screen.findByRole('alert')).toHaveProperty('textContent', expect.stringContaining('has this name'))
  expect(onSave).not.toHaveBeenCalled()
  await user.type(field, '{Enter}')
  expect(onSave.mock.calls).toEqual([['Rent.pdf']])
  await user.clear(field)
  await user.type(field, 'Plan{Enter}')
  expect(onSave.mock.calls[1]).toEqual(['Plan.pdf'])
})
